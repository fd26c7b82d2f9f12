"""Articles -> how many there are of each source, and of which days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from retrieval.model import Article
from retrieval.search import Outlet


def outlets(articles: Iterable[Article]) -> tuple[Outlet, ...]:
    """Return how many articles there are of each source, and of which days, by source."""
    days: dict[str, list[date | None]] = {}
    for article in articles:
        days.setdefault(article.source or "", []).append(article.published)
    return tuple(_outlet(source, days[source]) for source in sorted(days))


def _outlet(source: str, published: Sequence[date | None]) -> Outlet:
    days = [day for day in published if day]
    return Outlet(source, len(published), min(days, default=None), max(days, default=None))
