"""Reply -> what a page shows of it: a heading, the bot's words, extracts under headings, notices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz import fuzz

from adapters.page import labels
from bot import messages
from bot.model import Answer, Candidates, Clipping, Message, NoAnswer, Notice, Reply, Section
from bot.notices import notices, remaining_notices
from bot.outline import outline
from retrieval import Archive, ArchiveError

WORDS = 2  # of a question that names are looked for by: each word is held against every name there is
LOOKED, NEAR = 50, 3  # names that are looked at for a word, and told
ALIKE = 65  # per cent of its letters that a word has in common with one of a name


@dataclass(frozen=True, slots=True)
class Filter:
    """What a list is narrowed to, as it stands in its form, and the ``outlets`` to pick from.

    ``fault`` says what was not understood of it.
    """

    outlets: tuple[str, ...] = ()
    outlet: str = ""
    since: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class FeedbackForm:
    """The form on which a reader judges an answer: its number, the form's token; ``why`` where it was not right."""

    answer: int
    token: str
    why: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """What a question follows on: ``before`` are those asked before it, ``leading`` those that the next follows on.

    ``shown`` is the state of the extracts that were shown last.
    """

    before: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    shown: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A reply set out. ``heading`` is the page's; ``more`` a state; ``picks`` are names, ``clipping`` is as pasted.

    ``thread`` is what a question stands in, and the next one will.
    ``band`` says how sure an answer is ("sure", "unsure", "nothing"; empty for what is none), ``reason`` why no
    surer, and ``near`` are names like those asked about.

    ``field`` names the view that has a field of its own, and ``filled`` is what stands in it.
    """

    heading: str
    message: str = ""
    band: str = ""
    reason: str = ""
    sections: tuple[Section, ...] = ()
    notices: tuple[Notice, ...] = ()
    more: str = ""
    near: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()
    clipping: str = ""
    field: str = ""
    filled: str = ""
    filter: Filter = Filter()
    judging: FeedbackForm | None = None
    thread: Thread | None = None


def view(reply: Reply, heading: str) -> View:
    """Return a reply set out for a page; ``heading`` stands over what has none of its own."""
    listing = outline(reply)
    told = View(heading, listing.title, sections=listing.sections, notices=tuple(remaining_notices(listing)))
    match reply:
        case Answer():
            band = "sure" if reply.sure else "unsure"
            return replace(told, band=band, reason=_reason(reply), more=reply.more)
        case NoAnswer():
            return replace(told, band="nothing")
        case Candidates():
            names = tuple(candidate.name for candidate in reply.candidates)
            return replace(told, band="" if reply.found else "nothing", sections=(), picks=names)
        case Clipping():
            return View(heading, clipping=reply.text, notices=notices((reply.extract,)))
        case Message():
            return told
    return replace(told, heading=listing.title, message="")


def near_names(reply: Reply, archive: Archive) -> tuple[str, ...]:
    """Return the names held that are spelt most like what was asked about, where nothing was found of it."""
    if not isinstance(reply, NoAnswer):
        return ()
    try:
        words = (reply.not_found or reply.looked_for)[:WORDS]
        return tuple(dict.fromkeys(name for word in words for name in islice(_like(word, archive), NEAR)))
    except ArchiveError:  # what is said stands without them
        return ()


def _like(word: str, archive: Archive) -> Iterator[str]:
    """Yield the names with a word that is spelt like ``word``; not those that are merely a part of it."""
    for entity in islice(archive.register().nearest(word), LOOKED):
        if any(fuzz.ratio(word, part) >= ALIKE for part in entity.name.lower().split()):
            yield entity.name


def _reason(reply: Answer) -> str:
    """Return why a reply is no surer, but for what its message tells of that."""
    if reply.sure:
        return messages.in_no_article(reply.not_found) if reply.not_found else ""
    return "" if reply.not_found or reply.confidence is None else labels.likely(reply.confidence)
