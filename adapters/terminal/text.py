"""Reply -> text for a terminal, as rich renderables. Draws; prints nothing.

An article's words are always data: nothing in them is markup, and control characters are shown, not obeyed.
What depends on the terminal (hyperlinks, a margin) is decided when it is printed there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from string import punctuation
from urllib.parse import quote

from bot.escape_controls import escape_controls
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from adapters.terminal.stdout import has_hyperlinks
from bot import citing, messages
from bot.citing import link
from bot.model import Citation, Extract, Notice, QuotedCaveat, Reply, Section
from bot.notices import remaining_notices
from bot.outline import SPOKEN, outline

Marks = tuple[str, str]  # what stands before and behind an article's words

CAVEAT = "bold black on yellow"
NOTICE = "yellow"
SPEAKER = "cyan"
QUIET = "dim"
COMPARED = {r"\[-.*?-\]": "red", r"\[\+.*?\+\]": "green"}  # what bot.outline puts round the words that differ
MARGIN = 20  # columns: headings of this length stand beside what they head
ROOM = 72  # columns: where there are fewer, they stand above it


UNMARKED = ("", "")


def draw(reply: Reply, marks: Marks = UNMARKED) -> RenderableType:
    """Return ``reply`` as a terminal shows it, each quotation and caveat between ``marks``."""
    return Group(*_drawn(reply, marks))


def _drawn(reply: Reply, marks: Marks) -> Iterator[RenderableType]:
    listing, numbers = outline(reply), count(1)
    titled = bool(listing.title) or not listing.sections
    if titled:
        yield plain(listing.title, "" if isinstance(reply, SPOKEN) else "bold")
    parts = ((section.heading, Group(*_section(section, numbers, marks))) for section in listing.sections)
    yield _Sections(tuple(parts), below=titled)
    for notice in remaining_notices(listing):
        yield Text()
        yield _notice(notice, marks)


def plain(text: str, style: str = "") -> Text:
    """Return ``text`` as data: nothing in it is markup, and nothing in it is obeyed."""
    return Text(escape_controls(text), style=style)


def draw_extract(
    extract: Extract, number: int, *, marked: bool = False, marks: Marks = UNMARKED
) -> Iterator[RenderableType]:
    """Draw the quotation with its number, who says it, where it stands, and the caveat that travels with it."""
    if extract.before:
        yield _indented(plain(messages.BEFORE, QUIET), 2)
        yield from _quoted(extract.before, QUIET, marks)
    yield from _quoted(extract, "bold reverse" if marked else "bold", marks, f"{citing.number(number)} ")
    yield from _placed(extract)


def _quoted(extract: Extract, style: str, marks: Marks, number: str = "") -> Iterator[RenderableType]:
    before, answer, behind = (plain(piece, style) for piece in extract.pieces)
    answer.stylize("underline")
    yield _indented(Text.assemble((number, QUIET), marks[0], before, answer, behind, marks[1]), 2)
    speaker = citing.speaker(extract)
    if speaker:
        yield _indented(plain(f"— {speaker}", SPEAKER))
    for caveat in extract.caveats:
        yield _caveat(caveat, marks)


def _caveat(caveat: QuotedCaveat, marks: Marks) -> RenderableType:
    words = plain(caveat.text, "bold")
    return _indented(Text.assemble(plain(messages.CAVEAT, CAVEAT), " ", marks[0], words, marks[1]))


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
            whole.stylize(_leading(self.address), end - len(escape_controls(citing.title(self.citation))), end)
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


def _notice(notice: Notice, marks: Marks) -> RenderableType:
    return Group(
        Text.assemble(plain(messages.NOTICES[notice.why], NOTICE), " ", marks[0], plain(notice.text), marks[1]),
        _Source(notice.citation, link(notice.citation, notice.text)),
    )


def _section(section: Section, numbers: Iterator[int], marks: Marks) -> Iterator[RenderableType]:
    cited = {citing.source(citation): citation for citation in section.cited}
    for line in section.lines:
        source = next((source for source in cited if line.endswith(source)), "")
        if source:
            yield _Source(cited[source], cited[source].url, line.removesuffix(source))
        else:
            yield _indented(_compared(plain(line)))
    for number, extract in enumerate(section.extracts):
        if number or section.lines:
            yield Text()
        yield from draw_extract(extract, next(numbers), marked=number == section.marked, marks=marks)


def _compared(line: Text) -> Text:
    for marked, colour in COMPARED.items():
        line.highlight_regex(marked, colour)
    return line


@dataclass(frozen=True, slots=True)
class _Sections:
    """What stands under headings; on a terminal with room for it, beside them, where they are short.

    ``below`` is set where something stands above it all.
    """

    sections: tuple[tuple[str, Group], ...]
    below: bool

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widest = max((cell_len(heading) for heading, _ in self.sections), default=0)
        beside = console.is_terminal and options.max_width >= ROOM and 0 < widest <= MARGIN
        grid = Table.grid(padding=(0, 1, 0, 0))
        for number, (heading, content) in enumerate(self.sections):
            if beside:
                grid.add_row(Text())
                grid.add_row(plain(heading, "bold"), content)
                continue
            if number or self.below:
                yield Text()
            if heading:
                yield plain(heading, "underline")
            yield content
        if beside:  # an empty one is a blank line
            yield grid


def _indented(content: RenderableType, columns: int = 4) -> RenderableType:
    return Padding(content, (0, 0, 0, columns), expand=False)
