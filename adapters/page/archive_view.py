"""The archive as a whole: the first page with its examples and news, and the table and plot of the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from bot.messages import count, day
from bot.model import Listing, Question, Section
from bot.service import QuestionService
from retrieval import Archive, ArchiveError, Kind

EXAMPLE_ARTICLES = 20  # the newest
EXAMPLE_SPEAKERS = 3
RECENT_CAVEATS = 2
RECENT_VERSIONS, CHANGED_ARTICLES = 20, 3
MOST_DAYS = 62  # a longer time is plotted by months
MOST_BARS = 60  # the latest


@dataclass(frozen=True, slots=True)
class Example:
    """A link to a view, with ``words`` in its field."""

    label: str
    view: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class ChangedArticle:
    article_id: str
    digest: str
    title: str
    day: str


@dataclass(frozen=True, slots=True)
class Home:
    summary: str = ""
    examples: tuple[Example, ...] = ()
    unverified: tuple[Section, ...] = ()
    changed: tuple[ChangedArticle, ...] = ()


def home(service: QuestionService, question: Question) -> Home:
    """Return the first page's contents; without anything of articles where they cannot be reached."""
    try:
        with service.library.archive.snapshot() as archive:
            summary, speakers = _summary(archive), tuple(islice(_speakers(archive), EXAMPLE_SPEAKERS))
            changed = tuple(islice(_changed(service.library_for(question).archive, archive), CHANGED_ARTICLES))
    except ArchiveError:
        return Home()
    listing = service.command("unverified", "", question)
    recent = listing.sections[:RECENT_CAVEATS] if isinstance(listing, Listing) else ()
    examples = [Example(f"What did {name} say?", "said", name) for name in speakers[:2]]
    examples += [Example(f"Who is {name}?", "who", name) for name in speakers[-1:]]
    if recent:
        examples.append(Example("What could not be verified?", "unverified"))
    return Home(summary, tuple(examples), tuple(recent), changed)


def _changed(seen: Archive, archive: Archive) -> Iterator[ChangedArticle]:
    """Yield the articles that were changed last, each once, as far as they may be seen."""
    listed = set[str]()
    for key in archive.retirements.lately(RECENT_VERSIONS) if archive.retirements else ():
        before = seen.addressed(key)
        if before and before.article.id not in listed:
            listed.add(before.article.id)
            with suppress(KeyError):  # removed, or not to be seen any more
                article, newest = seen.article(before.article.id), seen.history(before.article.id)[-1]
                title = article.title or before.article.id
                yield ChangedArticle(article.id, article.digest, title, day(newest.since) if newest.since else "")


def _summary(archive: Archive) -> str:
    outlets = archive.outlets()
    newest = max((outlet.last for outlet in outlets if outlet.last), default=None)
    articles, named = sum(outlet.articles for outlet in outlets), sum(bool(outlet.source) for outlet in outlets)
    text = f"{count(articles, 'article')} of {count(named, 'outlet')}"
    return f"{text}, the newest of {day(newest)}." if newest else f"{text}."


def _speakers(archive: Archive) -> Iterator[str]:
    """Yield the full names of the people whom the newest articles quote, each once."""
    listed = set[str]()
    for article in archive.synopses({article.id for article in archive.listed(newest=EXAMPLE_ARTICLES)}):
        for sentence in article.sentences:
            named = sentence.named if sentence.aloud else None
            if named and named.kind is Kind.PERSON and " " in named.name and named.name not in listed:
                listed.add(named.name)
                yield named.name


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
