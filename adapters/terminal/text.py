"""Reply -> text for a terminal, as rich renderables, and how it is printed.

An article's words are always data: nothing in them is markup, and control characters are shown, not obeyed.
What depends on the terminal (hyperlinks, a margin) is decided when it is printed there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import count, pairwise
from string import punctuation
from urllib.parse import quote

import click
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bot import citing, messages, references
from bot.citing import link
from bot.escaping import escape_controls
from bot.model import Answer, Check, Citation, Extract, NoAnswer, Notice, Reply, Section
from bot.notices import remaining_notices
from bot.outline import SPOKEN, outline
from bot.verdicts import Lead, lead_of

Marks = tuple[str, str]  # what is put before and after an article's words
NO_MARKS = ("", "")

CAVEAT = "bold black on yellow"
NOTICE = "yellow"
SPEAKER = "cyan"
QUIET = "dim"
DIFFERENCES = {r"\[-.*?-\]": "red", r"\[\+.*?\+\]": "green"}  # the marks that bot.outline puts round them
VERDICTS = {
    Lead.MISATTRIBUTED: "red",
    Lead.ALTERED: "magenta",
    Lead.STITCHED: "blue",
    Lead.ABSENT: "bright_black",
    Lead.PARTIAL: "dark_orange",
    Lead.UNVERIFIED: "yellow",
    Lead.TAKEN_BACK: "orange4",
    Lead.UNNAMED: "cyan",
    Lead.EXACT: "green",
}
MARGIN_COLUMNS = 20  # headings up to this length are drawn beside their sections
LEAST_COLUMNS = 72  # on narrower terminals, headings are drawn above

PIPED_COLUMNS = 100_000  # whoever reads piped output breaks its lines
LINKLESS_VARIABLES = {"STY", "TMUX", "XTERM_VERSION"}  # set by screen, tmux and xterm, which may drop a link's address
LINKLESS_TERMINALS = {"linux", "Apple_Terminal"}  # by TERM and TERM_PROGRAM


def put(content: RenderableType, *, unbroken: bool = False) -> None:
    """Print with the colour and width of the terminal, or in plain unbroken lines where output is piped.

    ``unbroken`` leaves lines that people copy, such as commands, in one piece on a terminal too.
    """
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # not every terminal has every character
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.print(content, soft_wrap=unbroken)
    else:
        click.echo(plainly(content))


def plainly(content: RenderableType) -> str:
    """Return what is printed where output is piped: without colour, even if this program writes to a terminal."""
    console = Console(
        highlight=False, markup=False, emoji=False, width=PIPED_COLUMNS, force_terminal=False, no_color=True
    )
    with console.capture() as captured:
        console.print(content)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def waiting(doing: str) -> AbstractContextManager[object]:
    """Show what is being done for as long as that takes, on a terminal's standard error only."""
    console = Console(stderr=True)
    return (
        console.status(plain(f"{doing} …")) if console.is_terminal and not console.is_dumb_terminal else nullcontext()
    )


def has_hyperlinks(console: Console) -> bool:
    """Whether words can link to an address (OSC 8). FORCE_HYPERLINK decides where it is set."""
    if not console.is_terminal or console.is_dumb_terminal:
        return False
    forced = os.environ.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in {"", "0"}
    terminals = {os.environ.get(name) for name in ("TERM", "TERM_PROGRAM")}
    return LINKLESS_VARIABLES.isdisjoint(os.environ) and LINKLESS_TERMINALS.isdisjoint(terminals)


def draw(reply: Reply, marks: Marks = NO_MARKS) -> RenderableType:
    """Draw a reply, each quotation and caveat between ``marks``."""
    return Group(*_reply(reply, marks))


def _reply(reply: Reply, marks: Marks) -> Iterator[RenderableType]:
    listing, numbers = outline(reply), count(1)
    has_title = bool(listing.title) or not listing.sections
    if has_title:
        colour = VERDICTS[lead_of(reply)] if isinstance(reply, Check) else ""
        yield plain(listing.title, "" if isinstance(reply, SPOKEN) else f"bold {colour}")
    parts = ((_heading(section), Group(*_section(section, numbers, marks))) for section in listing.sections)
    yield _Sections(tuple(parts), has_title=has_title)
    for notice in remaining_notices(listing):
        yield Text()
        yield _notice(notice, marks)
    if isinstance(reply, NoAnswer | Answer) and reply.more and not (isinstance(reply, Answer) and reply.sure):
        yield Text()
        yield plain(f"{references.more_label(reply)}: stet more {reply.more}", QUIET)


def _heading(section: Section) -> Text:
    return plain(section.heading, f"bold {VERDICTS[lead_of(section.check)]}" if section.check else "underline")


def plain(text: str, style: str = "") -> Text:
    """Return ``text`` as data, with control characters shown as codes."""
    return Text(escape_controls(text), style=style)


def _above(extract: Extract, number: int, style: str, marks: Marks) -> Iterator[RenderableType]:
    if extract.before:
        yield _indented(plain(messages.BEFORE, QUIET), 2)
        yield _words(extract.before, QUIET, marks)
        yield from _speaker_and_caveats(extract.before, marks)
    yield _words(extract, style, marks, f"{citing.number(number)} ")


def _below(extract: Extract, marks: Marks) -> Iterator[RenderableType]:
    yield from _speaker_and_caveats(extract, marks)
    address = link(extract.citation, extract.text)
    yield _Source(extract.citation, address)
    for label, target in (("", address), (f"{messages.IN_ARTICLE}: ", extract.page)):
        if target:
            yield _Address(label, target)


def _words(extract: Extract, style: str, marks: Marks, number: str = "") -> RenderableType:
    before, answer, after = (plain(piece, style) for piece in extract.pieces)
    answer.stylize("underline")
    return _indented(Text.assemble((number, QUIET), marks[0], before, answer, after, marks[1]), 2)


def _speaker_and_caveats(extract: Extract, marks: Marks) -> Iterator[RenderableType]:
    if speaker := citing.speaker(extract):
        yield _indented(plain(f"— {speaker}", SPEAKER))
    for caveat in extract.caveats:
        words = plain(caveat.text, "bold")
        yield _indented(Text.assemble(plain(messages.CAVEAT, CAVEAT), " ", marks[0], words, marks[1]))


@dataclass(frozen=True, slots=True)
class _Source:
    """Where words are from; the title links there, where the terminal has hyperlinks."""

    citation: Citation
    address: str | None
    introduction: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        source = plain(citing.source(self.citation), QUIET)
        if self.address and has_hyperlinks(console):
            # the title is before the day, which may be the title's last word too
            end = len(source.plain.removesuffix(f" · {messages.day(self.citation.published)}"))
            source.stylize(_link(self.address), end - len(escape_controls(citing.title(self.citation))), end)
        yield _indented(Text.assemble(plain(self.introduction), source))


@dataclass(frozen=True, slots=True)
class _Address:
    """A label and an address; where the terminal has hyperlinks, the label alone, as a link."""

    label: str
    target: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not has_hyperlinks(console):
            yield _indented(plain(f"{self.label}{self.target}", QUIET))
        elif self.label:
            yield _indented(Text(self.label.removesuffix(": "), _link(self.target) + Style.parse(QUIET)))


def _link(address: str) -> Style:
    # quoted, so that nothing in an address can end the escape sequence
    return Style(link=quote(address, safe=punctuation, errors="replace"), underline=True)


def _notice(notice: Notice, marks: Marks) -> RenderableType:
    return Group(
        Text.assemble(plain(messages.NOTICES[notice.why], NOTICE), " ", marks[0], plain(notice.text), marks[1]),
        _Source(notice.citation, link(notice.citation, notice.text)),
    )


def _section(section: Section, numbers: Iterator[int], marks: Marks) -> Iterator[RenderableType]:
    citations = {citing.source(citation): citation for citation in section.cited}
    for line in section.lines:
        source = next((source for source in citations if line.endswith(source)), "")
        if source:
            yield _Source(citations[source], citations[source].url, line.removesuffix(source))
        else:
            text = plain(line)
            for difference, colour in DIFFERENCES.items():
                text.highlight_regex(difference, colour)
            yield _indented(text)
    around = (None, *section.extracts, None)
    for index, extract in enumerate(section.extracts):
        is_marked, number = index == section.marked, next(numbers)
        goes_on, is_followed = (
            section.marked is None and citing.continues(*pair) for pair in pairwise(around[index : index + 3])
        )
        if goes_on:
            yield _words(extract, "bold", marks)
        else:
            if index or section.lines:
                yield Text()
            yield from _above(extract, number, "bold reverse" if is_marked else "bold", marks)
        if not is_followed:
            yield from _below(extract, marks)


@dataclass(frozen=True, slots=True)
class _Sections:
    """Sections under their headings, or beside them where the headings are short and the terminal is wide enough."""

    sections: tuple[tuple[Text, Group], ...]
    has_title: bool

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widest = max((heading.cell_len for heading, _ in self.sections), default=0)
        if console.is_terminal and options.max_width >= LEAST_COLUMNS and 0 < widest <= MARGIN_COLUMNS:
            grid = Table.grid(padding=(0, 1, 0, 0))
            for heading, content in self.sections:
                grid.add_row(Text())
                grid.add_row(plain(heading.plain, "bold"), content)
            yield grid
            return
        for index, (heading, content) in enumerate(self.sections):
            if index or self.has_title:
                yield Text()
            if heading:
                yield heading
            yield content


def _indented(content: RenderableType, columns: int = 4) -> RenderableType:
    return Padding(content, (0, 0, 0, columns), expand=False)
