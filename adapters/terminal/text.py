"""Reply -> text for a terminal, as rich renderables, and how it is printed.

An article's words are always data: nothing in them is markup, and control characters are shown, not obeyed.
What depends on the terminal (hyperlinks, a margin) is decided when it is printed there.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import count
from string import punctuation
from urllib.parse import quote

import click
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bot import messages, references, source_lines
from bot.escaping import escape_controls
from bot.model import Answer, Change, Check, Citation, Extract, NoAnswer, Reply, Section
from bot.outline import MARKS, SPOKEN, outline, remaining_notices
from bot.source_lines import link
from bot.verdicts import Lead, lead_of

CAVEAT = "bold black on yellow"
NOTICE, SPEAKER, QUIET = "yellow", "cyan", "dim"
CHANGED = {Change.SAME: "", Change.REMOVED: "red", Change.ADDED: "green"}
VERDICTS = {
    Lead.MISATTRIBUTED: "red",
    Lead.ALTERED: "magenta",
    Lead.STITCHED: "blue",
    Lead.ABSENT: "bright_black",
    Lead.UNCHECKED: "white",
    Lead.PARTIAL: "dark_orange",
    Lead.UNVERIFIED: "yellow",
    Lead.OUT_OF_CONTEXT: "orange4",
    Lead.UNNAMED: "cyan",
    Lead.EXACT: "green",
}
MARGIN_COLUMNS = 20  # headings up to this length are drawn beside their sections
LEAST_COLUMNS = 72  # on narrower terminals, headings are drawn above

PIPED_COLUMNS = 100_000  # whatever reads piped output breaks its lines
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
    is_drawn = console.is_terminal and not console.is_dumb_terminal
    return console.status(plain(f"{doing} …")) if is_drawn else nullcontext()


def has_hyperlinks(console: Console) -> bool:
    """Whether words can link to an address (OSC 8). FORCE_HYPERLINK decides where it is set."""
    if not console.is_terminal or console.is_dumb_terminal:
        return False
    forced = os.environ.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in {"", "0"}
    terminals = {os.environ.get(name) for name in ("TERM", "TERM_PROGRAM")}
    return LINKLESS_VARIABLES.isdisjoint(os.environ) and LINKLESS_TERMINALS.isdisjoint(terminals)


def plain(text: str, style: str = "") -> Text:
    """Return ``text`` as data, with control characters shown as codes."""
    return Text(escape_controls(text), style=style)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A reply as it is drawn: quotations and caveats between ``marks``, commands in ``form``.

    ``links`` says whether words can link to an address; a console sets it.
    """

    reply: Reply
    marks: tuple[str, str] = ("", "")
    form: str = messages.IN_TERMINAL
    links: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = options.max_width if console.is_terminal else 0
        yield from replace(self, links=has_hyperlinks(console)).parts(columns)

    def parts(self, columns: int) -> Iterator[RenderableType]:
        reply, listing, numbers = self.reply, outline(self.reply), count(1)
        has_title = bool(listing.title) or not listing.sections
        if has_title:
            colour = VERDICTS[lead_of(reply)] if isinstance(reply, Check) else ""
            title = messages.in_words(listing.title, self.form)
            yield plain(title, "" if isinstance(reply, SPOKEN) else f"bold {colour}")
        sections = [(section, Group(*self._section(section, numbers))) for section in listing.sections]
        widest = max((plain(section.heading).cell_len for section in listing.sections), default=0)
        if columns >= LEAST_COLUMNS and 0 < widest <= MARGIN_COLUMNS:
            grid = Table.grid(padding=(0, 1, 0, 0))
            for section, content in sections:
                grid.add_row(Text())
                grid.add_row(plain(section.heading, "bold"), content)
            yield grid
        else:
            for index, (section, content) in enumerate(sections):
                if index or has_title:
                    yield Text()
                if section.heading:
                    style = f"bold {VERDICTS[lead_of(section.check)]}" if section.check else "underline"
                    yield plain(section.heading, style)
                yield content
        for notice in remaining_notices(listing):
            yield Text()
            yield Text.assemble(plain(messages.NOTICES[notice.why], NOTICE), " ", *self._marked(plain(notice.text)))
            yield self._source(notice.citation, link(notice.citation, notice.text))
        if isinstance(reply, NoAnswer | Answer) and reply.more and not (isinstance(reply, Answer) and reply.sure):
            yield Text()
            yield plain(f"{references.more_label(reply)}: {self.form.format('more ' + reply.more).strip('`')}", QUIET)

    def _section(self, section: Section, numbers: Iterator[int]) -> Iterator[RenderableType]:
        citations = {source_lines.source(citation): citation for citation in section.cited}
        for line in section.lines:
            source = next((source for source in citations if line.endswith(source)), "")
            if source:
                yield self._source(citations[source], citations[source].url, line.removesuffix(source))
            else:
                yield _indented(plain(messages.in_words(line, self.form)))
        if section.difference:
            runs = (plain(MARKS[change].format(run), CHANGED[change]) for change, run in section.difference)
            yield _indented(Text(" ").join((plain(messages.COMPARED), *runs)))
        for place, (first, *others) in enumerate(source_lines.quotations(section.extracts, section.marked)):
            if place or section.lines or section.difference:
                yield Text()
            if first.before:
                yield _indented(plain(messages.BEFORE, QUIET), 2)
                yield self._words(first.before, QUIET)
                yield from self._speaker_and_caveats(first.before)
            number = f"[{next(numbers)}] "
            yield self._words(first, "bold reverse" if place == section.marked else "bold", number)
            yield from (self._words(extract, "bold") for extract in others)
            yield from self._speaker_and_caveats(first)
            yield from self._place(first)

    def _words(self, extract: Extract, style: str, number: str = "") -> RenderableType:
        before, answer, after = (plain(piece, style) for piece in extract.pieces)
        answer.stylize("underline")
        return _indented(Text.assemble((number, QUIET), *self._marked(before, answer, after)), 2)

    def _marked(self, *words: Text) -> tuple[str | Text, ...]:
        return self.marks[0], *words, self.marks[1]

    def _speaker_and_caveats(self, extract: Extract) -> Iterator[RenderableType]:
        if speaker := source_lines.speaker(extract):
            yield _indented(plain(f"— {speaker}", SPEAKER))
        for caveat in extract.caveats:
            words = plain(caveat.text, "bold")
            yield _indented(Text.assemble(plain(messages.CAVEAT, CAVEAT), " ", *self._marked(words)))

    def _place(self, extract: Extract) -> Iterator[RenderableType]:
        """Yield the source and the addresses of an extract; where words can link, these link instead."""
        address = link(extract.citation, extract.text)
        yield self._source(extract.citation, address)
        if address and not self.links:
            yield _indented(plain(address, QUIET))
        if extract.page and self.links:
            yield _indented(Text(messages.IN_ARTICLE, _link(extract.page) + Style.parse(QUIET)))
        elif extract.page:
            yield _indented(plain(f"{messages.IN_ARTICLE}: {extract.page}", QUIET))

    def _source(self, citation: Citation, address: str | None, introduction: str = "") -> RenderableType:
        """Return where words are from; the title links there, where it can."""
        source = plain(source_lines.source(citation), QUIET)
        if address and self.links:
            # the title is before the day, which may be the title's last word too
            end = len(source.plain.removesuffix(f" · {messages.day(citation.published)}"))
            source.stylize(_link(address), end - len(escape_controls(source_lines.title(citation))), end)
        return _indented(Text.assemble(plain(introduction), source))


def _link(address: str) -> Style:
    # quoted, so that nothing in an address can end the escape sequence
    return Style(link=quote(address, safe=punctuation, errors="replace"), underline=True)


def _indented(content: RenderableType, columns: int = 4) -> RenderableType:
    return Padding(content, (0, 0, 0, columns), expand=False)
