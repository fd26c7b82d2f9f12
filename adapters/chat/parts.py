"""Reply -> parts, each shown whole or not at all, and as many as a message has room for.

A part is made of lines, each with its role; a platform draws a line by its role and says how much room a part takes.
An extract's part holds its citation, its caveats and the notices on its article, so that none is shown without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import count
from typing import Protocol, TypeVar

from bot import citing, messages, references, verdicts
from bot.citing import link
from bot.model import (
    Change,
    Check,
    Citation,
    Clipping,
    Extract,
    Message,
    NoAnswer,
    Notice,
    QuotedCaveat,
    Reply,
    Section,
)
from bot.notices import notices, quoted_parts, remaining_notices, shows_caveat
from bot.outline import outline

TOO_LONG = "The passage is too long for one message. It is here:"
THIS_SENTENCE = "▸ This sentence:"
LINES = 9  # of the bot's own in one part
LINE_CHARACTERS = 600
PART_CHARACTERS = 1000


class Role(Enum):
    """What a line is."""

    TEXT = auto()  # the bot's own words
    HEADING = auto()
    VERDICT = auto()  # above one of several quotations: the label, and more behind it
    MARK = auto()  # above the one extract that a reply is about
    BEFORE = auto()  # above the sentence before an extract
    NUMBER = auto()
    WARNING = auto()  # the same, above words that may not be verified
    QUOTATION = auto()
    SPEAKER = auto()
    CAVEAT = auto()
    SOURCE = auto()
    REVISION = auto()  # what has changed since it was shown
    COMPARISON = auto()  # of a quotation with the article
    NOTICE = auto()
    CODE = auto()  # words to copy


@dataclass(frozen=True, slots=True)
class Line:
    """One line; ``text`` is what it says, behind a ``label``.

    ``pieces`` are those of a quotation: before the words that answer, these, and behind them. A source has a
    ``citation``, the words ``quoted`` from there, and the address of the article's ``page`` on the page, if any.
    """

    role: Role
    text: str
    label: str = ""
    pieces: tuple[str, str, str] = ("", "", "")
    citation: Citation | None = None
    quoted: str = ""
    page: str = ""
    difference: tuple[tuple[Change, str], ...] = ()

    @property
    def address(self) -> str | None:
        """Where a source's link leads: to the very words; ``None`` for an address that no browser can open."""
        try:
            return link(self.citation, self.quoted) if self.citation else None
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Part:
    """Lines that belong together; ``extract`` is the one that they show, ``number`` 0 where it is the only one.

    ``lead`` is the verdict on a quotation that they begin with.
    """

    lines: tuple[Line, ...]
    extract: Extract | None = None
    number: int = 0
    lead: verdicts.Lead | None = None

    def has(self, *roles: Role) -> bool:
        return any(line.role in roles for line in self.lines)


class Sized(Protocol):
    """Something drawn; its ``size`` is measured in all that a message has limits for."""

    @property
    def size(self) -> tuple[int, ...]: ...


S = TypeVar("S", bound=Sized)


def room(budget: Sequence[int], parts: Iterable[Sized]) -> tuple[int, ...]:
    """Return what is left of a budget beside parts."""
    left = tuple(budget)
    for part in parts:
        left = tuple(have - need for have, need in zip(left, part.size, strict=True))
    return left


def pack(parts: Sequence[S], budget: Sequence[int], left_out: Callable[[int], S]) -> tuple[S, ...]:
    """Return as many parts as fit, in their order.

    The first that does not fit and all behind it are left out; ``left_out`` makes a part that says how many.
    """
    packed: list[S] = []
    left = tuple(budget)
    for number, part in enumerate(parts, 1):
        note = (left_out(len(parts)),) if number < len(parts) else ()
        if min(room(left, (part, *note))) < 0:
            break
        packed.append(part)
        left = room(left, (part,))
    missing = len(parts) - len(packed)
    return (*packed, left_out(missing)) if missing else tuple(packed)


def pack_all(
    parts: Sequence[S], notes: Sequence[S], budget: Sequence[int], left_out: Callable[[int], S]
) -> tuple[S, ...]:
    """Return the same, and behind it the ``notes``, which are about what the parts show.

    The first part finds room first, then the notes, then the other parts.
    """
    last = pack(notes, room(budget, (*parts[:1], left_out(len(parts)))), left_out)
    return (*pack(parts, room(budget, last), left_out), *last)


def title_of(reply: Reply) -> str:
    """Return the line over a reply; without backticks where the bot says it, which no chat is given as marks."""
    match reply:
        case Clipping():
            return ""
        case Message() | NoAnswer():
            return outline(reply).title.replace("`", "").strip()
    return outline(reply).title.strip()


def overview(reply: Reply) -> Part | None:
    """Return the verdict of each of several quotations, a line each; ``None`` where none was checked."""
    checks = [section.check for section in outline(reply).sections if section.check]
    leads = set(map(verdicts.lead_of, checks))
    lead = next((lead for lead in verdicts.Lead if lead in leads), None)
    return Part(tuple(map(_verdict, checks)), lead=lead) if checks else None


def _verdict(check: Check) -> Line:
    """Return the line over one check of several; its label is the verdict."""
    label = verdicts.signed(check)
    return Line(Role.VERDICT, shorten(verdicts.heading(check), LINE_CHARACTERS).removeprefix(label), label)


def parts_of(reply: Reply, is_drawable: Callable[[Part], bool]) -> tuple[list[Part], list[Part]]:
    """Return the parts of a reply, without its title, and the notices on articles of which no extract is shown.

    What is not drawable is too long for any message: its source is shown instead.
    """
    return _Builder(reply, is_drawable).build()


class _Builder:
    """Makes parts; ``due`` are the notices that no part shows yet."""

    def __init__(self, reply: Reply, is_drawable: Callable[[Part], bool]) -> None:
        self._reply, self._is_drawable = reply, is_drawable
        self._listing = outline(reply)
        self._numbers = count(0 if references.single_extract(reply) else 1)
        self._due = remaining_notices(self._listing)
        self._notices = notices(self._listing.extracts)

    def build(self) -> tuple[list[Part], list[Part]]:
        match self._reply:
            case Clipping(extract=extract, text=text):
                # which has the caveats and the source in it
                lines = (*_warning(extract.caveats), Line(Role.CODE, text or messages.NOTHING_TO_SHOW))
                return [self._first_drawable(Part(lines, extract))], []
            case Check(matches=matches):
                compared = ((match.extract, tuple(_comparison(match.difference))) for match in matches)
                parts = [self._extract(extract, after=after) for extract, after in compared]
                parts += [part for each in self._listing.sections[len(matches) :] for part in self._section(each)]
            case _:
                parts = [part for section in self._listing.sections for part in self._section(section)]
        rest = [Part(tuple(_notice(notice))) for notice in self._due]
        return parts, [part for part in rest if self._is_drawable(part)]

    def _section(self, section: Section) -> Iterator[Part]:
        above = (Line(Role.HEADING, shorten(section.heading, LINE_CHARACTERS)),) if section.heading else ()
        above, lead = ((_verdict(section.check),), verdicts.lead_of(section.check)) if section.check else (above, None)
        for lines in groups(section.lines, LINES):
            yield Part((*above, *lines), lead=lead)
            above, lead = (), None
        for place, extract in enumerate(section.extracts):
            mark = (Line(Role.MARK, THIS_SENTENCE),) if place == section.marked else ()
            yield replace(self._extract(extract, before=(*above, *mark)), lead=lead)
            above, lead = (), None
        if above:  # a heading without lines or extracts
            yield Part(above, lead=lead)

    def _extract(self, extract: Extract, before: tuple[Line, ...] = (), after: tuple[Line, ...] = ()) -> Part:
        number = next(self._numbers)
        articles = {part.citation.article_id for part in quoted_parts(extract)}
        own = [notice for notice in self._due if notice.citation.article_id in articles]
        notice_lines = (line for notice in own for line in _notice(notice, extract.citation))
        part = Part((*before, *extract_lines(extract, number), *after, *notice_lines), extract, number)
        if self._is_drawable(part):
            self._due = [notice for notice in self._due if notice not in own]
            return part
        return self._first_drawable(part)

    def _first_drawable(self, part: Part) -> Part:
        """Return a part; if it is too long, its source, with its caveats if there is room.

        Notices without room are due with the next extract of the article, and so are these caveats.
        """
        extract = part.extract
        if extract is None or self._is_drawable(part):
            return part
        caveats = tuple(caveat for each in quoted_parts(extract) for caveat in each.caveats)
        place = (Line(Role.TEXT, TOO_LONG), _source(extract))
        caveated = Part((*_warning(caveats), *place, *_caveats(caveats)))
        if self._is_drawable(caveated):
            return caveated
        self._due += [each for each in self._notices if shows_caveat(extract, each) and each not in self._due]
        return Part(place)


def groups(lines: Iterable[str], most: int | None = None, limit: int = LINE_CHARACTERS) -> Iterator[tuple[Line, ...]]:
    """Yield lines of the bot's own in groups of about ``PART_CHARACTERS`` (and ``most`` lines), none of them empty.

    Each line is cut to ``limit`` characters.
    """
    group: list[Line] = []
    for line in lines:
        text = shorten(line, limit)
        if group and (len(group) == most or sum(len(each.text) for each in group) + len(text) > PART_CHARACTERS):
            yield tuple(group)
            group = []
        group.append(Line(Role.TEXT, text))
    if any(each.text.strip() for each in group):
        yield tuple(group)


def shorten(text: str, limit: int) -> str:
    """Return the bot's own words, a name or a title cut to length; never a quotation."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def extract_lines(extract: Extract, number: int = 0) -> Iterator[Line]:
    """Yield the sentence before, if any, then the extract and its source, then the newest version if it changed.

    A speaker is under their own words and under no others.
    """
    if extract.before:
        yield Line(Role.BEFORE, messages.BEFORE)
        yield from _own_lines(extract.before)
    yield from _own_lines(extract, citing.number(number) if number else "")
    yield _source(extract)
    if extract.revision:
        yield Line(Role.REVISION, messages.CHANGED_SINCE if extract.revision.now else messages.NO_LONGER_SAID)
    if extract.newest is not extract:
        yield from extract_lines(extract.newest)


def _own_lines(extract: Extract, mark: str = "") -> Iterator[Line]:
    label = " ".join(filter(None, (mark, messages.UNVERIFIED if extract.caveats else "")))
    if label:
        yield Line(Role.WARNING if extract.caveats else Role.NUMBER, label)
    yield Line(Role.QUOTATION, extract.text, pieces=extract.pieces)
    speaker = citing.speaker(extract)
    if speaker:
        yield Line(Role.SPEAKER, f"— {speaker}")
    yield from _caveats(extract.caveats)


def _warning(caveats: Sequence[QuotedCaveat]) -> Iterator[Line]:
    if caveats:
        yield Line(Role.WARNING, messages.UNVERIFIED)


def _caveats(caveats: Iterable[QuotedCaveat]) -> Iterator[Line]:
    for caveat in caveats:
        yield Line(Role.CAVEAT, caveat.text, messages.CAVEAT_INTRO)


def _source(extract: Extract) -> Line:
    source = citing.source(extract.citation)
    return Line(Role.SOURCE, source, citation=extract.citation, quoted=extract.text, page=extract.page or "")


def _notice(notice: Notice, above: Citation | None = None) -> Iterator[Line]:
    """Yield a notice, and its source unless the citation ``above`` says the same."""
    yield Line(Role.NOTICE, notice.text, messages.CHAT_NOTICES[notice.why])
    if above is None or not citing.same_source(above, notice.citation):
        yield Line(Role.SOURCE, citing.source(notice.citation), citation=notice.citation, quoted=notice.text)


def _comparison(difference: tuple[tuple[Change, str], ...]) -> Iterator[Line]:
    if any(change is not Change.SAME for change, _ in difference):
        yield Line(Role.COMPARISON, messages.COMPARED, difference=difference)
