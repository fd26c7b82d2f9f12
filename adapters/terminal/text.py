"""Reply -> text for a terminal, as rich renderables. Draws; prints nothing.

An article's words are always data: nothing in them is markup, and control characters are shown, not obeyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import assert_never

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from bot import citing, messages
from bot.links import link
from bot.model import (
    Answer,
    Candidates,
    Card,
    Check,
    Clipping,
    Extract,
    Listing,
    Message,
    NoAnswer,
    Notice,
    QuotedCaveat,
    Reply,
)
from bot.notices import untold_of
from bot.outline import outline
from bot.visible import visible

CAVEAT = "bold black on yellow"
NOTICE = "yellow"
QUIET = "dim"


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
        case Card() | Check() | Candidates():
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
    yield _indented(Text.assemble((number, QUIET), plain(extract.text, style)), 2)
    speaker = citing.speaker(extract)
    if speaker:
        yield _indented(plain(f"— {speaker}"))
    for caveat in extract.caveats:
        yield _caveat(caveat)


def _caveat(caveat: QuotedCaveat) -> RenderableType:
    return _indented(plain(f"{messages.CAVEAT} {caveat.text}", CAVEAT))


def _placed(shown: Extract) -> Iterator[RenderableType]:
    yield _indented(plain(citing.source(shown.citation), QUIET))
    address = link(shown.citation, shown.text)
    if address:
        yield _indented(plain(address, QUIET))
    if shown.page:
        yield _indented(plain(f"{messages.IN_ARTICLE}: {shown.page}", QUIET))


def _notices(notices: Iterable[Notice]) -> Iterator[RenderableType]:
    for notice in notices:
        yield Text()
        yield _notice(notice)


def _notice(notice: Notice) -> RenderableType:
    return Group(
        plain(f"{messages.NOTICES[notice.why]} {notice.text}", NOTICE),
        _indented(plain(citing.source(notice.citation), QUIET)),
    )


def _listing(listing: Listing) -> Iterator[RenderableType]:
    numbers = count(1)
    yield plain(listing.title, "bold")
    for section in listing.sections:
        yield Text()
        if section.heading:
            yield plain(section.heading, "underline")
        for line in section.lines:
            yield _indented(plain(line))
        for number, extract in enumerate(section.extracts):
            if number or section.lines:
                yield Text()
            yield from draw_extract(extract, next(numbers), marked=number == section.marked)
    yield from _notices(untold_of(listing))


def _indented(content: RenderableType, columns: int = 4) -> RenderableType:
    return Padding(content, (0, 0, 0, columns), expand=False)
