"""What is held -> the page that a newsroom opens: what may be asked, how much there is, what was unverified lately."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from heapq import nlargest
from itertools import islice

from bot.desk import Desk
from bot.messages import count, day
from bot.model import Listing, Question, Section
from retrieval import Archive, ArchiveError, Kind

NEWEST = 20  # articles that examples are made of
SPEAKERS = 3  # in the examples
RECENT = 2  # caveats


@dataclass(frozen=True, slots=True)
class Example:
    """A link to the view of this name, with its field filled."""

    label: str
    view: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """``held`` says in a line how much there is."""

    held: str = ""
    examples: tuple[Example, ...] = ()
    unverified: tuple[Section, ...] = ()


def home(desk: Desk, question: Question) -> Home:
    """Return what the first page shows; nothing of articles where they cannot be reached."""
    try:
        archive = desk.holdings.archive
        held, speakers = _held(archive), tuple(islice(_speakers(archive), SPEAKERS))
    except ArchiveError:
        return Home()
    listing = desk.command("unverified", "", question)
    recent = listing.sections[:RECENT] if isinstance(listing, Listing) else ()
    examples = [Example(f"What did {name} say?", "said", name) for name in speakers[:2]]
    examples += [Example(f"Who is {name}?", "who", name) for name in speakers[-1:]]
    if recent:
        examples.append(Example("What could not be verified?", "unverified"))
    return Home(held, tuple(examples), tuple(recent))


def _held(archive: Archive) -> str:
    outlets = archive.outlets()
    newest = max((outlet.last for outlet in outlets if outlet.last), default=None)
    articles, named = sum(outlet.articles for outlet in outlets), sum(bool(outlet.source) for outlet in outlets)
    told = f"{count(articles, 'article')} of {count(named, 'outlet')}"
    return f"{told}, the newest of {day(newest)}." if newest else f"{told}."


def _speakers(archive: Archive) -> Iterator[str]:
    """Yield the full names of the people whom the newest articles quote, each once."""
    dated = nlargest(NEWEST, archive.listed(), key=lambda article: article.published or date.min)
    told = set[str]()
    for article in archive.synopses({article.id for article in dated}):
        for sentence in article.sentences:
            named = sentence.named
            if named and sentence.aloud and named.kind is Kind.PERSON and " " in named.name and named.name not in told:
                told.add(named.name)
                yield named.name
