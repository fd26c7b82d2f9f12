"""Reply -> parts, each shown whole or not at all, and as many as a message has room for.

A part is made of lines, each with its role; a platform draws a line by its role and says how much room a part takes.
A quotation's part holds its citation, its caveats and the notices on its article, so that none is shown without them.
Short quotations of one article that follow each other are one part: what they share is said once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import count
from typing import Protocol, TypeVar

from bot import messages, references, source_lines, verdicts
from bot.model import Change, Check, Citation, Clipping, Extract, Message, NoAnswer, Notice, Reply, Section
from bot.outline import notices, outline, quoted_parts, remaining_notices, shows_caveat
from bot.source_lines import Quotation, link

TOO_LONG = "The passage is too long for one message. It is here:"
THIS_SENTENCE = "▸ This sentence:"
Numbered = tuple[int, Quotation]
LINES = 9  # of the bot's own in one part
LINE_CHARACTERS = 600
PART_CHARACTERS = 1000
JOINED, JOINED_CHARACTERS = 5, 1_500  # extracts in one part, and their characters


class LineRole(Enum):
    TEXT = auto()  # the bot's own words
    HEADING = auto()
    VERDICT = auto()  # above one of several quotations: the label, and more behind it
    MARK = auto()  # above the one sentence that a reply is about
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

    @property
    def is_bold(self) -> bool:
        return self in (LineRole.HEADING, LineRole.MARK, LineRole.NUMBER, LineRole.WARNING, LineRole.REVISION)


@dataclass(frozen=True, slots=True)
class ReplyLine:
    """One line; ``text`` is what it says, behind a ``label``.

    ``pieces`` are those of a quotation: before the words that answer, these, and behind them. A source has a
    ``citation``, the words ``quoted`` from there, and the address of the article's ``page`` on the page, if any.
    The first line of a ``quotation`` has its sentences and its ``number``, which is 0 where it is the only one.
    """

    role: LineRole
    text: str
    label: str = ""
    pieces: tuple[str, str, str] = ("", "", "")
    citation: Citation | None = None
    quoted: str = ""
    page: str = ""
    difference: tuple[tuple[Change, str], ...] = ()
    quotation: Quotation = ()
    number: int = 0

    @property
    def address(self) -> str | None:
        """Where a source's link leads: to the very words; ``None`` for an address that no browser can open."""
        try:
            return link(self.citation, self.quoted) if self.citation else None
        except ValueError:
            return None


Lines = tuple[ReplyLine, ...]


@dataclass(frozen=True, slots=True)
class ReplyPart:
    """Lines that belong together; ``lead`` is the verdict on a quotation that they begin with."""

    lines: Lines
    lead: verdicts.Lead | None = None

    @property
    def quotations(self) -> tuple[Numbered, ...]:
        return tuple((line.number, line.quotation) for line in self.lines if line.quotation)

    def has(self, *roles: LineRole) -> bool:
        return any(line.role in roles for line in self.lines)


class Sized(Protocol):
    """Something drawn: its ``size`` in all that messages have limits for, and its ``count`` where it is left out."""

    @property
    def size(self) -> tuple[int, ...]: ...

    @property
    def count(self) -> int: ...


S = TypeVar("S", bound=Sized)


def room(budget: Sequence[int], parts: Iterable[Sized]) -> tuple[int, ...]:
    left = tuple(budget)
    for part in parts:
        left = tuple(have - need for have, need in zip(left, part.size, strict=True))
    return left


def pack(parts: Sequence[S], budget: Sequence[int], left_out: Callable[[int], S]) -> tuple[S, ...]:
    """Return the first parts, as many as fit; ``left_out`` makes a part that says how many are left out."""
    packed: list[S] = []
    left = tuple(budget)
    for number, part in enumerate(parts, 1):
        note = (left_out(sum(each.count for each in parts)),) if number < len(parts) else ()
        if min(room(left, (part, *note))) < 0:
            break
        packed.append(part)
        left = room(left, (part,))
    missing = parts[len(packed) :]
    return (*packed, left_out(sum(part.count for part in missing))) if missing else tuple(packed)


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
            return messages.in_words(outline(reply).title, messages.IN_CHAT).replace("`", "").strip()
    return outline(reply).title.strip()


def overview(reply: Reply) -> ReplyPart | None:
    """Return the verdict of each of several quotations, a line each; ``None`` where none was checked."""
    checks = [section.check for section in outline(reply).sections if section.check]
    leads = set(map(verdicts.lead_of, checks))
    lead = next((lead for lead in verdicts.Lead if lead in leads), None)
    return ReplyPart(tuple(map(_verdict, checks)), lead=lead) if checks else None


def _verdict(check: Check) -> ReplyLine:
    """Return the line over one check of several; its label is the verdict."""
    label = verdicts.signed(check)
    return ReplyLine(LineRole.VERDICT, shorten(verdicts.heading(check)).removeprefix(label), label)


def parts_of(reply: Reply, is_drawable: Callable[[ReplyPart], bool]) -> tuple[list[ReplyPart], list[ReplyPart]]:
    """Return the parts of a reply, without its title, and the notices on articles of which no extract is shown.

    What is not drawable is too long for any message: its source is shown instead.
    """
    return _Builder(reply, is_drawable).build()


class _Builder:
    """Makes parts; ``due`` are the notices that no part shows yet."""

    def __init__(self, reply: Reply, is_drawable: Callable[[ReplyPart], bool]) -> None:
        self._reply, self._is_drawable = reply, is_drawable
        self._listing = outline(reply)
        self._numbers = count(0 if references.single_quotation(reply) else 1)
        self._due = remaining_notices(self._listing)
        self._notices = notices(self._listing.extracts)

    def build(self) -> tuple[list[ReplyPart], list[ReplyPart]]:
        if isinstance(self._reply, Clipping):
            # which has the caveats and the source in it
            text, extracts = self._reply.text or messages.NOTHING_TO_SHOW, self._reply.extracts
            code = ReplyLine(LineRole.CODE, text, quotation=extracts)
            return [self._first_drawable(ReplyPart((*_warning(extracts[:1]), code)))], []
        parts = [part for section in self._listing.sections for part in self._section(section)]
        rest = [ReplyPart(tuple(_notice(notice))) for notice in self._due]
        return parts, [part for part in rest if self._is_drawable(part)]

    def _section(self, section: Section) -> Iterator[ReplyPart]:
        above = (ReplyLine(LineRole.HEADING, shorten(section.heading)),) if section.heading else ()
        above, lead = ((_verdict(section.check),), verdicts.lead_of(section.check)) if section.check else (above, None)
        for lines in groups((messages.in_words(line, messages.IN_CHAT) for line in section.lines), LINES):
            yield ReplyPart((*above, *lines), lead=lead)
            above, lead = (), None
        marked = dict(enumerate(section.extracts)).get(-1 if section.marked is None else section.marked)
        compared = (ReplyLine(LineRole.COMPARISON, messages.COMPARED, difference=section.difference),)
        after = compared if section.difference else ()
        for joined in _joined(source_lines.quotations(section.extracts, section.marked)):
            numbered = [(next(self._numbers), quotation) for quotation in joined]
            for part in self._parts(numbered, above, after, marked):
                yield replace(part, lead=lead)
                above, lead = (), None
        if above:  # a heading without lines or extracts
            yield ReplyPart(above, lead=lead)

    def _parts(
        self, numbered: Sequence[Numbered], before: Lines, after: Lines, marked: Extract | None
    ) -> Iterator[ReplyPart]:
        """Yield quotations of one article as one part, or each, or each sentence, where they are too long together."""
        above = numbered[0][1][0].citation
        notice_lines = (line for notice in self._due_on(numbered) for line in _notice(notice, above))
        part = ReplyPart((*before, *quotation_lines(numbered, marked), *after, *notice_lines))
        separate: list[Numbered] = [*numbered]
        if len(numbered) == 1:
            separate = [(number, (sentence,)) for number, quotation in numbered for sentence in quotation]
        if len(separate) == 1 or self._is_drawable(part):
            yield self._first_drawable(part)
            return
        for one in separate:
            yield from self._parts([one], before, after, marked)
            before = ()

    def _due_on(self, numbered: Iterable[Numbered]) -> list[Notice]:
        articles = {part.citation.article_id for _, (first, *_) in numbered for part in quoted_parts(first)}
        return [notice for notice in self._due if notice.citation.article_id in articles]

    def _first_drawable(self, part: ReplyPart) -> ReplyPart:
        """Return a part; if it is too long, its source, with its caveats if there is room.

        The notices that a part shows are no longer due. Those without room are due with the next extract of the
        article, and so are caveats without room.
        """
        if self._is_drawable(part):
            own = self._due_on(part.quotations)
            self._due = [notice for notice in self._due if notice not in own]
            return part
        [(_, (extract, *_))] = part.quotations
        quoted, place = tuple(quoted_parts(extract)), (ReplyLine(LineRole.TEXT, TOO_LONG), _source(extract))
        caveated = ReplyPart((*_warning(quoted), *place, *_caveats(quoted)))
        if self._is_drawable(caveated):
            return caveated
        self._due += [each for each in self._notices if shows_caveat(extract, each) and each not in self._due]
        return ReplyPart(place)


def groups(lines: Iterable[str], most: int | None = None, limit: int = LINE_CHARACTERS) -> Iterator[Lines]:
    """Yield lines of the bot's own in groups of about ``PART_CHARACTERS`` (and ``most`` lines), none of them empty.

    Each line is cut to ``limit`` characters.
    """
    group: list[ReplyLine] = []
    for line in lines:
        text = shorten(line, limit)
        if group and (len(group) == most or sum(len(each.text) for each in group) + len(text) > PART_CHARACTERS):
            yield tuple(group)
            group = []
        group.append(ReplyLine(LineRole.TEXT, text))
    if any(each.text.strip() for each in group):
        yield tuple(group)


def shorten(text: str, limit: int = LINE_CHARACTERS) -> str:
    """Return the bot's own words, a name or a title cut to length; never a quotation."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _joined(quotations: Iterable[Quotation]) -> Iterator[list[Quotation]]:
    """Yield runs of short quotations of one article, each shown alone and as it was posted."""
    run: list[Quotation] = []
    for quotation in quotations:
        first, *others = sentences = [sentence for each in (*run, quotation) for sentence in each]
        is_short = len(sentences) <= JOINED and sum(len(each.text) for each in sentences) <= JOINED_CHARACTERS
        is_bare = not any(each.before or each.revision for each in sentences)
        if run and not (is_short and is_bare and source_lines.same_source(first.citation, others[-1].citation)):
            yield run
            run = []
        run.append(quotation)
    if run:
        yield run


def quotation_lines(numbered: Sequence[Numbered], marked: Extract | None = None) -> Iterator[ReplyLine]:
    """Yield the lines of quotations of one article, and their source; what they share is said behind the last.

    The sentence before a quotation is above it, and below it the newest version if it changed.
    A speaker is under their own words and under no others.
    """
    shared = 1
    for place, (number, quotation) in enumerate(numbered, 1):
        first = quotation[0]
        if first is marked:
            yield ReplyLine(LineRole.MARK, THIS_SENTENCE)
        if first.before:
            yield ReplyLine(LineRole.BEFORE, messages.BEFORE)
            yield from _quoted((first.before,))
            yield from _caveats((first.before,))
        top, *lines = _quoted(quotation, f"[{number}]" if number else "")
        yield from (replace(top, quotation=quotation, number=number), *lines)
        if place < len(numbered) and first.caveats == numbered[place][1][0].caveats:
            shared += 1
            continue
        yield from _caveats((first,), shared)
        shared = 1
    extract = numbered[0][1][0]
    yield _source(extract)
    if extract.revision:
        yield ReplyLine(LineRole.REVISION, messages.CHANGED_SINCE if extract.revision.now else messages.NO_LONGER_SAID)
    if extract.revision and extract.revision.now:
        yield from (replace(line, quotation=()) for line in quotation_lines([(0, (extract.revision.now,))]))


def _quoted(quotation: Quotation, mark: str = "") -> Iterator[ReplyLine]:
    first = quotation[0]
    label = " ".join(filter(None, (mark, messages.UNVERIFIED if first.caveats else "")))
    if label:
        yield ReplyLine(LineRole.WARNING if first.caveats else LineRole.NUMBER, label)
    for extract in quotation:
        yield ReplyLine(LineRole.QUOTATION, extract.text, pieces=extract.pieces)
    speaker = source_lines.speaker(first)
    if speaker:
        yield ReplyLine(LineRole.SPEAKER, f"— {speaker}")


def _warning(extracts: Iterable[Extract]) -> Iterator[ReplyLine]:
    if any(extract.caveats for extract in extracts):
        yield ReplyLine(LineRole.WARNING, messages.UNVERIFIED)


def _caveats(extracts: Iterable[Extract], shared: int = 1) -> Iterator[ReplyLine]:
    """Yield the caveats on extracts; each is said to be on so many quotations."""
    for caveat in (caveat for extract in extracts for caveat in extract.caveats):
        yield ReplyLine(LineRole.CAVEAT, caveat.text, messages.caveat_intro(shared))


def _source(extract: Extract) -> ReplyLine:
    source = source_lines.source(extract.citation)
    return ReplyLine(LineRole.SOURCE, source, citation=extract.citation, quoted=extract.text, page=extract.page or "")


def _notice(notice: Notice, above: Citation | None = None) -> Iterator[ReplyLine]:
    """Yield a notice, and its source unless the citation ``above`` says the same."""
    text, cited = notice.text, notice.citation
    yield ReplyLine(LineRole.NOTICE, text, messages.CHAT_NOTICES[notice.why])
    if above is None or not source_lines.same_source(above, cited):
        yield ReplyLine(LineRole.SOURCE, source_lines.source(cited), citation=cited, quoted=text)
