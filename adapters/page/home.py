"""What is held -> the page that a newsroom opens: what may be asked, how much there is, what was unverified lately."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from bot.messages import count, day
from bot.model import Listing, Question, Section
from bot.service import QuestionService
from retrieval import Archive, ArchiveError, Kind

NEWEST = 20  # articles that examples are made of
SPEAKERS = 3  # in the examples
RECENT = 2  # caveats
LATELY, CHANGED = 20, 3  # versions that are looked at, and articles that are told to have changed


@dataclass(frozen=True, slots=True)
class Example:
    """A link to the view of this name, with its field filled."""

    label: str
    view: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """An article that was changed since it came, and the day of that."""

    article_id: str
    digest: str
    title: str
    day: str


@dataclass(frozen=True, slots=True)
class Home:
    """``held`` says in a line how much there is."""

    held: str = ""
    examples: tuple[Example, ...] = ()
    unverified: tuple[Section, ...] = ()
    changed: tuple[Changed, ...] = ()


def home(service: QuestionService, question: Question) -> Home:
    """Return what the first page shows; nothing of articles where they cannot be reached."""
    try:
        with service.holdings.archive.snapshot() as archive:
            held, speakers = _held(archive), tuple(islice(_speakers(archive), SPEAKERS))
            changed = tuple(islice(_changed(service.holdings_for(question).archive, archive), CHANGED))
    except ArchiveError:
        return Home()
    listing = service.command("unverified", "", question)
    recent = listing.sections[:RECENT] if isinstance(listing, Listing) else ()
    examples = [Example(f"What did {name} say?", "said", name) for name in speakers[:2]]
    examples += [Example(f"Who is {name}?", "who", name) for name in speakers[-1:]]
    if recent:
        examples.append(Example("What could not be verified?", "unverified"))
    return Home(held, tuple(examples), tuple(recent), changed)


def _changed(seen: Archive, archive: Archive) -> Iterator[Changed]:
    """Yield the articles that were changed last, each once, as far as they are seen."""
    told = set[str]()
    for key in archive.retirements.lately(LATELY) if archive.retirements else ():
        before = seen.addressed(key)
        if before and before.article.id not in told:
            told.add(before.article.id)
            with suppress(KeyError):  # removed, or seen no more
                article, newest = seen.article(before.article.id), seen.history(before.article.id)[-1]
                named = article.title or before.article.id
                yield Changed(article.id, article.digest, named, day(newest.since) if newest.since else "")


def _held(archive: Archive) -> str:
    outlets = archive.outlets()
    newest = max((outlet.last for outlet in outlets if outlet.last), default=None)
    articles, named = sum(outlet.articles for outlet in outlets), sum(bool(outlet.source) for outlet in outlets)
    told = f"{count(articles, 'article')} of {count(named, 'outlet')}"
    return f"{told}, the newest of {day(newest)}." if newest else f"{told}."


def _speakers(archive: Archive) -> Iterator[str]:
    """Yield the full names of the people whom the newest articles quote, each once."""
    told = set[str]()
    for article in archive.synopses({article.id for article in archive.listed(newest=NEWEST)}):
        for sentence in article.sentences:
            named = sentence.named
            if named and sentence.aloud and named.kind is Kind.PERSON and " " in named.name and named.name not in told:
                told.add(named.name)
                yield named.name
