"""Reply -> what a page shows of it: a heading, the bot's words, extracts under headings, notices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from bot.model import Answer, Candidates, Card, Check, Clipping, Listing, Message, NoAnswer, Notice, Reply, Section
from bot.notices import untold_of
from bot.outline import outline


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
class View:
    """A reply set out. ``heading`` is the page's; ``more`` a state; ``picks`` are names, ``clipping`` is as pasted.

    ``field`` names the view that has a field of its own, and ``filled`` is what stands in it.
    """

    heading: str
    message: str = ""
    sections: tuple[Section, ...] = ()
    notices: tuple[Notice, ...] = ()
    more: str = ""
    picks: tuple[str, ...] = ()
    clipping: str = ""
    field: str = ""
    filled: str = ""
    filter: Filter = Filter()


def view(reply: Reply, heading: str) -> View:
    """Return a reply set out for a page; ``heading`` stands over what has none of its own."""
    match reply:
        case Answer():
            due = tuple(untold_of(reply))
            return View(heading, reply.message or "", (Section("", reply.extracts),), due, reply.more)
        case NoAnswer():
            return View(heading, reply.message, notices=reply.notices)
        case Message():
            return View(heading, reply.text)
        case Candidates():
            return View(heading, reply.message, picks=tuple(candidate.name for candidate in reply.candidates))
        case Clipping():
            return View(heading, clipping=reply.text, notices=reply.notices)
        case Card() | Check():
            return _listing(outline(reply))
        case Listing():
            return _listing(reply)
    assert_never(reply)


def _listing(listing: Listing) -> View:
    return View(listing.title, sections=listing.sections, notices=tuple(untold_of(listing)))
