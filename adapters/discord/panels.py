"""Reply -> panels of Discord's markdown that fit a message; each is shown whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from adapters.chat.parts import (
    LABELS,
    LineRole,
    ReplyLine,
    ReplyPart,
    groups,
    overview,
    pack_all,
    parts_of,
    room as room_beside,
    title_of,
)
from adapters.discord.markdown import escape, length, linked, one_line, quotation
from bot import messages, verdicts
from bot.escaping import escape_controls
from bot.model import Check, Extract, Reply
from bot.outline import MARKS, SPOKEN

LEFT_OUT = "There is more than Discord shows in one message: {} left out."
TITLE_CHARACTERS = 1800
CAVEATED = (LineRole.WARNING, LineRole.CAVEAT, LineRole.NOTICE)


@dataclass(frozen=True, slots=True)
class Panel:
    """One block of markdown; ``extracts`` are those it shows, each with its number, or 0 for an only one.

    ``lead`` is the verdict that it says.
    """

    text: str
    extracts: tuple[tuple[int, Extract], ...] = ()
    is_caveated: bool = False
    lead: verdicts.Lead | None = None

    @property
    def size(self) -> tuple[int, int]:
        """UTF-16 units, and panels."""
        return length(self.text), 1

    @property
    def count(self) -> int:
        return max(len(self.extracts), 1)


class Room(NamedTuple):
    """What a message has room for: ``characters`` in all, in UTF-16 units, and ``panels``."""

    characters: int
    panels: int


def arrange(reply: Reply, room: Room, asked: str = "") -> tuple[Panel, ...]:
    """Return the panels of a reply that fit; ``asked``, if any, is above them."""
    above = (Panel(f"-# {escape(one_line(asked))}"),) if asked else ()
    budget = room_beside(room, above)
    most = budget[0] - length(LEFT_OUT) - 10  # beside the line that more is left out
    parts, notices = parts_of(reply, lambda part: length(_panel(part).text) <= most)
    title, rest, notes = tuple(_title(reply)), tuple(map(_panel, parts)), tuple(map(_panel, notices))
    summary = overview(reply)
    if summary and min(room_beside(budget, (*title, *rest, *notes))) < 0:
        title = (*title, _panel(summary))
    panels = (*title, *rest) or (Panel(messages.NOTHING_TO_SHOW),)
    return (*above, *pack_all(panels, notes, budget, lambda number: Panel(LEFT_OUT.format(number))))


def _title(reply: Reply) -> Iterator[Panel]:
    title = title_of(reply)
    if isinstance(reply, SPOKEN):
        yield from (_panel(ReplyPart(lines)) for lines in groups(title.split("\n"), limit=TITLE_CHARACTERS))
    elif isinstance(reply, Check):
        verdict, rest = escape(verdicts.signed(reply)), escape(one_line(verdicts.explanation(reply), TITLE_CHARACTERS))
        yield Panel(f"**{verdict}**: {rest}", lead=verdicts.lead_of(reply))
    else:
        yield Panel(f"**{escape(one_line(title, TITLE_CHARACTERS))}**")


def _panel(part: ReplyPart) -> Panel:
    text = "\n".join(map(_drawn, part.lines))
    return Panel(text, part.extracts, part.has(*CAVEATED), part.lead)


def _drawn(line: ReplyLine) -> str:
    match line.role:
        case LineRole.BEFORE:
            return f"-# {line.text}"
        case LineRole.VERDICT:
            return f"**{escape(line.label)}** {escape(one_line(line.text))}"
        case LineRole.QUOTATION:
            return quotation(*line.pieces)
        case LineRole.CAVEAT | LineRole.NOTICE:
            return f"**{line.label}** {escape(line.text)}"
        case LineRole.SOURCE:
            page = f" · {linked(messages.IN_ARTICLE, line.page)}" if line.page else ""
            return f"-# {linked(one_line(line.text), line.address)}{page}"
        case LineRole.COMPARISON:
            difference = " ".join(MARKS[change].format(words) for change, words in line.difference)
            return f"{line.text} {escape(difference)}"
        case LineRole.CODE:
            return _code(line.text)
        case role if role in LABELS:
            return f"**{escape(one_line(line.text))}**"
    return escape(line.text)


def _code(text: str) -> str:
    return escape(text) if "```" in text else f"```\n{escape_controls(text)}\n```"
