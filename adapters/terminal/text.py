"""Reply -> text for a terminal, as rich renderables. Draws; prints nothing.

An article's words are always data: nothing in them is markup, and control characters are shown, not obeyed.
What depends on the terminal (hyperlinks, a margin) is decided when it is printed there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from string import punctuation
from typing import assert_never
from urllib.parse import quote

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from adapters.terminal.stdout import has_hyperlinks
from bot import citing, messages
from bot.links import link
from bot.model import (
    Answer,
    Candidates,
    Card,
    Check,
    Citation,
    Clipping,
    Extract,
    Listing,
    Message,
    NoAnswer,
    Notice,
    QuotedCaveat,
    Reply,
    Section,
)
from bot.notices import untold_of
from bot.outline import outline
from bot.visible import visible

CAVEAT = "bold black on yellow"
NOTICE = "yellow"
SPEAKER = "cyan"
QUIET = "dim"
COMPARED = {r"\[-.*?-\]": "red", r"\[\+.*?\+\]": "green"}  # what bot.outline puts round the words that differ
MARGIN = 20  # columns: headings of this length stand beside what they head
ROOM = 72  # columns: where there are fewer, they stand above it


def draw(reply: Reply) -> RenderableType:
    """Return ``reply`` as a terminal shows it."""
    match reply:
        case Answer():
            return Group(*_answer(reply))
        case NoAnswer():
            return Group(plain(reply.message), *map(_notice, reply.notices))
        case Message():
            return plain(reply.text)
        case Clipping():
            return plain(reply.text)
        case Listing():
            return Group(*_listing(reply))
        case Card():
            cited = (*(role.citation for role in reply.described), *reply.articles)
            return Group(*_listing(outline(reply), {citing.source(citation): citation for citation in cited}))
        case Check() | Candidates():
            return Group(*_listing(outline(reply)))
    assert_never(reply)


def plain(text: str, style: str = "") -> Text:
    """Return ``text`` as data: nothing in it is markup, and nothing in it is obeyed."""
    return Text(visible(text), style=style)


def _answer(answer: Answer) -> Iterator[RenderableType]:
    if answer.message:
        yield plain(answer.message)
        yield Text()
    for number, extract in enumerate(answer.extracts, 1):
        if number > 1:
            yield Text()
        yield from draw_extract(extract, number)
    yield from _notices(untold_of(answer))


def draw_extract(extract: Extract, number: int, *, marked: bool = False) -> Iterator[RenderableType]:
    """Draw the quotation with its number, who says it, where it stands, and the caveat that travels with it."""
    if extract.before:
        yield _indented(plain(messages.BEFORE, QUIET), 2)
        yield from _quoted(extract.before, QUIET)
    yield from _quoted(extract, "bold reverse" if marked else "bold", f"{citing.number(number)} ")
    yield from _placed(extract)


def _quoted(extract: Extract, style: str, number: str = "") -> Iterator[RenderableType]:
    before, answer, behind = (plain(piece, style) for piece in extract.pieces)
    answer.stylize("underline")
    yield _indented(Text.assemble((number, QUIET), before, answer, behind), 2)
    speaker = citing.speaker(extract)
    if speaker:
        yield _indented(plain(f"— {speaker}", SPEAKER))
    for caveat in extract.caveats:
        yield _caveat(caveat)


def _caveat(caveat: QuotedCaveat) -> RenderableType:
    return _indented(Text.assemble(plain(messages.CAVEAT, CAVEAT), " ", plain(caveat.text, "bold")))


def _placed(shown: Extract) -> Iterator[RenderableType]:
    address = link(shown.citation, shown.text)
    yield _Source(shown.citation, address)
    for told, to in (("", address), (f"{messages.IN_ARTICLE}: ", shown.page)):
        if to:
            yield _Address(told, to)


@dataclass(frozen=True, slots=True)
class _Source:
    """Where words stand, after what is said of it; its title leads there, where the terminal has hyperlinks."""

    citation: Citation
    address: str | None
    said: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        whole = plain(citing.source(self.citation), QUIET)
        if self.address and has_hyperlinks(console):
            # the title stands before the day, which may be its last word too
            end = len(whole.plain.removesuffix(f" · {messages.day(self.citation.published)}"))
            whole.stylize(_leading(self.address), end - len(visible(citing.title(self.citation))), end)
        yield _indented(Text.assemble(plain(self.said), whole))


@dataclass(frozen=True, slots=True)
class _Address:
    """An address that is told; where the terminal has hyperlinks, what tells it leads there instead."""

    told: str
    to: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not has_hyperlinks(console):
            yield _indented(plain(f"{self.told}{self.to}", QUIET))
        elif self.told:
            yield _indented(Text(self.told.removesuffix(": "), _leading(self.to) + Style.parse(QUIET)))


def _leading(address: str) -> Style:
    """Return the style of words that lead to ``address``; nothing in it can end the sequence that it stands in."""
    return Style(link=quote(address, safe=punctuation, errors="replace"), underline=True)


def _notices(notices: Iterable[Notice]) -> Iterator[RenderableType]:
    for notice in notices:
        yield Text()
        yield _notice(notice)


def _notice(notice: Notice) -> RenderableType:
    return Group(
        Text.assemble(plain(messages.NOTICES[notice.why], NOTICE), " ", plain(notice.text)),
        _Source(notice.citation, link(notice.citation, notice.text)),
    )


def _listing(listing: Listing, cited: Mapping[str, Citation] | None = None) -> Iterator[RenderableType]:
    """Draw a listing; ``cited`` is what a line may end with, and what that cites."""
    numbers = count(1)
    yield plain(listing.title, "bold")
    yield _Sections(
        tuple((section.heading, Group(*_section(section, numbers, cited or {}))) for section in listing.sections)
    )
    yield from _notices(untold_of(listing))


def _section(section: Section, numbers: Iterator[int], cited: Mapping[str, Citation]) -> Iterator[RenderableType]:
    for line in section.lines:
        source = next((source for source in cited if line.endswith(source)), "")
        if source:
            citation = cited[source]
            yield _Source(citation, citation.url, line.removesuffix(source))
        else:
            yield _indented(_compared(plain(line)))
    for number, extract in enumerate(section.extracts):
        if number or section.lines:
            yield Text()
        yield from draw_extract(extract, next(numbers), marked=number == section.marked)


def _compared(line: Text) -> Text:
    for marked, colour in COMPARED.items():
        line.highlight_regex(marked, colour)
    return line


@dataclass(frozen=True, slots=True)
class _Sections:
    """What stands under headings; on a terminal with room for it, beside them, where they are short."""

    sections: tuple[tuple[str, Group], ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widest = max((cell_len(heading) for heading, _ in self.sections), default=0)
        beside = console.is_terminal and options.max_width >= ROOM and 0 < widest <= MARGIN
        grid = Table.grid(padding=(0, 1, 0, 0))
        for heading, content in self.sections:
            if beside:
                grid.add_row(Text())
                grid.add_row(plain(heading, "bold"), content)
                continue
            yield Text()
            if heading:
                yield plain(heading, "underline")
            yield content
        if beside:  # an empty one is a blank line
            yield grid


def _indented(content: RenderableType, columns: int = 4) -> RenderableType:
    return Padding(content, (0, 0, 0, columns), expand=False)
