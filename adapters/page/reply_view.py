"""Reply -> the parts of its page: a heading, the bot's words, extracts under headings, notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz import fuzz

from adapters.page import labels
from adapters.page.archive_view import Example, Overview
from bot import messages, references
from bot.model import Answer, Candidates, Clipping, Message, NoAnswer, Notice, Reply, Section
from bot.notices import notices, remaining_notices
from bot.outline import outline
from retrieval import Archive, ArchiveError

MAX_WORDS = 2  # of a question: each is compared with every name there is
COMPARED_NAMES, SHOWN_NAMES = 50, 3  # for each word
MIN_LIKENESS, MIN_OTHER_INITIAL = 65, 75  # of a word with one in a name, of 100; where their first letters differ


@dataclass(frozen=True, slots=True)
class Filter:
    """The filters of a list, and the ``outlets`` to choose from; ``fault`` says what was not understood."""

    outlets: tuple[str, ...] = ()
    outlet: str = ""
    since: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class FeedbackForm:
    """A feedback form: the answer's number, the signed token, and whether it asks what was not right."""

    answer: int
    token: str
    why: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """The questions ``before`` this one, and ``leading`` to the next; ``shown`` is the state of what was shown last."""

    before: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    shown: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """The parts of a reply's page.

    ``band`` says how sure an answer is ("sure", "unsure", "nothing"; empty for other replies), ``reason`` why it is
    not surer, ``near`` are names like those asked about, ``picks`` names to choose from, ``more`` a state, and
    ``more_label`` what leads there; ``further`` is the place of the first section that "More" brought.
    ``field`` names the list that has a field of its own, with ``value`` in it.
    """

    heading: str
    message: str = ""
    band: str = ""
    reason: str = ""
    sections: tuple[Section, ...] = ()
    notices: tuple[Notice, ...] = ()
    more: str = ""
    more_label: str = messages.MORE
    further: int | None = None
    near: tuple[str, ...] = ()
    picks: tuple[str, ...] = ()
    clipping: str = ""
    field: str = ""
    value: str = ""
    filter: Filter = Filter()
    feedback: FeedbackForm | None = None
    thread: Thread | None = None
    examples: tuple[Example, ...] = ()
    overview: Overview | None = None


def view(reply: Reply, heading: str) -> View:
    """Return the parts of a reply's page; ``heading`` is for replies without one of their own."""
    listing = outline(reply)
    parts = View(heading, listing.title, sections=listing.sections, notices=tuple(remaining_notices(listing)))
    match reply:
        case Answer():
            band = "sure" if reply.sure else "unsure"
            label = references.more_label(reply) if reply.more else ""
            # the message of an unsure answer says it already
            reason = messages.in_no_article(reply.not_found) if reply.sure and reply.not_found else ""
            return replace(parts, band=band, reason=reason, more=reply.more, more_label=label)
        case NoAnswer():
            return replace(parts, band="nothing", more=reply.more, more_label=references.more_label(reply))
        case Candidates():
            names = tuple(candidate.name for candidate in reply.candidates)
            return replace(parts, band="" if reply.found else "nothing", sections=(), picks=names)
        case Clipping():
            return View(heading, clipping=reply.text, notices=notices((reply.extract,)))
        case Message():
            return parts
    return replace(parts, heading=listing.title, message="")


def with_further(parts: View, further: Sequence[Reply]) -> View:
    """Return the page with what "More" brought below it."""
    if not further:
        return parts
    listings = [outline(reply) for reply in further]
    first, *others = (section for each in listings for section in each.sections or (Section("", lines=(each.title,)),))
    heading = labels.CLOSEST if parts.band == "nothing" else labels.ALSO
    sections = (*parts.sections, replace(first, heading=heading), *others)
    told = dict.fromkeys((*parts.notices, *(notice for each in listings for notice in remaining_notices(each))))
    last = view(further[-1], "")
    return replace(
        parts,
        sections=sections,
        notices=tuple(told),
        more=last.more,
        more_label=last.more_label,
        further=len(parts.sections),
    )


def near_names(reply: Reply, archive: Archive) -> tuple[str, ...]:
    """Return names in the archive that are spelt like words of a question without an answer."""
    if not isinstance(reply, NoAnswer):
        return ()
    try:
        words = (reply.not_found or reply.looked_for)[:MAX_WORDS]
        return tuple(dict.fromkeys(name for word in words for name in islice(_similar(word, archive), SHOWN_NAMES)))
    except ArchiveError:  # the reply does without them
        return ()


def _similar(word: str, archive: Archive) -> Iterator[str]:
    """Yield the names with a word that is spelt like ``word``, rather than being a part of it."""
    for entity in islice(archive.register().nearest(word), COMPARED_NAMES):
        parts = entity.name.lower().split()
        if any(fuzz.ratio(word, p) >= (MIN_LIKENESS if p[0] == word[:1] else MIN_OTHER_INITIAL) for p in parts):
            yield entity.name
