"""Which articles hold some words, or have one of some facets, for an archive that keeps no list of that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from retrieval.model import Article
from retrieval.search import Archive, Listed, Outlet, Scope


def listed(archive: Archive, terms: Collection[str], facets: Collection[str], scope: Scope) -> tuple[Listed, ...]:
    """Return what ``Archive.listed`` does: every sentence with a term is looked at, and every synopsis for a facet."""
    having = [{article_id for article_id, _ in archive.holding((term,), scope)} for term in terms]
    if facets:
        having.append({found.article_id for found in archive.synopses((), facets, scope)})
    return tuple(
        Listed(article.id, article.digest, article.source, article.published)
        for article in archive.articles(scope)
        if all(article.id in there for there in having)
    )


def outlets(articles: Iterable[Article]) -> tuple[Outlet, ...]:
    """Return how many articles there are of each source, and of which days, by source."""
    days: dict[str, list[date | None]] = {}
    for article in articles:
        days.setdefault(article.source or "", []).append(article.published)
    return tuple(_outlet(source, days[source]) for source in sorted(days))


def _outlet(source: str, published: Sequence[date | None]) -> Outlet:
    days = [day for day in published if day]
    return Outlet(source, len(published), min(days, default=None), max(days, default=None))
