"""The whole of the archive for the view of its sources: a table of outlets, a plot of articles by day or month."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from bot.messages import day
from retrieval import Archive, Listed

MOST_DAYS = 62  # a longer time is plotted by months
MOST_BARS = 60  # the latest


@dataclass(frozen=True, slots=True)
class OutletRow:
    name: str
    articles: int
    first: date | None
    last: date | None

    @property
    def days(self) -> tuple[str, str]:
        return day(self.first), day(self.last)


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    articles: int


@dataclass(frozen=True, slots=True)
class Overview:
    """``bars`` are in order of time and leave nothing out between them."""

    outlets: tuple[OutletRow, ...] = ()
    bars: tuple[Bar, ...] = ()

    @property
    def most(self) -> int:
        return max((bar.articles for bar in self.bars), default=0)


def overview(archive: Archive) -> Overview:
    """Return the outlets, those with most articles first, and when the articles were published."""
    listed = archive.listed()
    by_outlet: dict[str, list[Listed]] = {}
    for article in listed:
        by_outlet.setdefault(article.source or "", []).append(article)
    rows = [_row(name, articles) for name, articles in by_outlet.items()]
    rows.sort(key=lambda row: (-row.articles, row.name))
    return Overview(tuple(rows), _bars([article.published for article in listed if article.published]))


def _row(name: str, articles: list[Listed]) -> OutletRow:
    days = [article.published for article in articles if article.published]
    return OutletRow(name, len(articles), min(days, default=None), max(days, default=None))


def _bars(days: list[date]) -> tuple[Bar, ...]:
    """Return a bar for each day, or for each month where the days are far apart; none for a single day."""
    if not days or min(days) == max(days):
        return ()
    first, last = min(days), max(days)
    if (last - first).days < MOST_DAYS:
        counted = Counter(days)
        every = [first + timedelta(number) for number in range((last - first).days + 1)]
        return tuple(Bar(day(each), counted[each]) for each in every)[-MOST_BARS:]
    months = Counter((each.year, each.month) for each in days)
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    return tuple(
        Bar(date(number // 12, number % 12 + 1, 1).strftime("%B %Y"), months[number // 12, number % 12 + 1])
        for number in numbers[-MOST_BARS:]
    )
