"""The whole of the archive for the view of its sources: a table of outlets, a plot of articles by day or month."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import NamedTuple

from bot.messages import day
from retrieval import Archive

MOST_DAYS = 62  # a longer time is plotted by months
MOST_BARS = 60  # the latest


class OutletRow(NamedTuple):
    name: str
    articles: int
    first: date | None
    last: date | None


class Bar(NamedTuple):
    label: str
    articles: int


class Overview(NamedTuple):
    """``bars`` are in order of time and leave nothing out between them."""

    outlets: tuple[OutletRow, ...]
    bars: tuple[Bar, ...]


def overview(archive: Archive) -> Overview:
    """Return the outlets, those with most articles first, and when the articles were published."""
    by_outlet: dict[str, list[date | None]] = {}
    for article in archive.listed():
        by_outlet.setdefault(article.source or "", []).append(article.published)
    days = {name: sorted(filter(None, every)) for name, every in by_outlet.items()}
    rows = (OutletRow(name, len(by_outlet[name]), *(d[0], d[-1]) if d else (None, None)) for name, d in days.items())
    outlets = tuple(sorted(rows, key=lambda row: (-row.articles, row.name)))
    return Overview(outlets, _bars([each for every in days.values() for each in every]))


def _bars(days: list[date]) -> tuple[Bar, ...]:
    """Return a bar for each day, or for each month where the days are far apart; none for a single day."""
    first, last = min(days, default=date.min), max(days, default=date.min)
    if first == last:
        return ()
    if (last - first).days < MOST_DAYS:
        counted, every = Counter(days), (first + timedelta(number) for number in range((last - first).days + 1))
        return tuple(Bar(day(each), counted[each]) for each in every)[-MOST_BARS:]
    months = Counter(each.year * 12 + each.month - 1 for each in days)
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)[-MOST_BARS:]
    return tuple(Bar(date(n // 12, n % 12 + 1, 1).strftime("%B %Y"), months[n]) for n in numbers)
