"""Reply -> panels of Discord's markdown that fit a message; each is shown whole or not at all. No SDK, no I/O.

The markdown shows exactly the words: un-escaping (a backslash goes, the mark behind it stays) gives them back,
character for character. discord.py's own ``escape_markdown`` is not used: it leaves marks inside ``[…](…)`` to be
obeyed, and mentions, which a quotation may hold, to be drawn as somebody's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

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
from bot import messages, verdicts
from bot.escaping import escape_controls
from bot.model import Check, Extract, Reply
from bot.outline import MARKS, SPOKEN
from bot.source_lines import opens

LEFT_OUT = "There is more than Discord shows in one message: {} left out."
TITLE_CHARACTERS = 1800
CAVEATED = (LineRole.WARNING, LineRole.CAVEAT, LineRole.NOTICE)
LONGEST_LINK = 1500
ELLIPSIS = "…"
SAFE = "!#$%&'*+,/:;=?@[]~"  # of an address; the brackets that could end the link are encoded

# Discord takes an address literally, backslashes included; an address ends at a mark that must be escaped.
_ADDRESS = r"https?://[^\s<>\\|*`~\[\]()]+"
_OPENS = r"(?m:^)(?=>|#|-)"  # a quotation, a heading, a list, a small line
_MENTION = r"<(?=[@#:/]|a:|t:|id:|https?:)"
_SPECIAL = re.compile(rf"(?P<address>{_ADDRESS})|{_OPENS}|(?P<mark>[\\*_~`|\[]|{_MENTION})")


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


def escape(text: str) -> str:
    """Return ``text`` so that Discord shows it literally."""
    return _SPECIAL.sub(_escaped, escape_controls(text))


def _escaped(match: re.Match[str]) -> str:
    if match["mark"] == "[" and not _labels(match.string, match.end()):
        return "["
    return match["address"] or "\\" + (match["mark"] or "")


def _labels(text: str, start: int) -> bool:
    """Return whether what begins at ``start``, behind a bracket, is a link's label."""
    end = text.find("]", start)
    return end >= 0 and text[end + 1 : end + 2] == "(" and "\n" not in text[start:end]


def quotation(before: str, answer: str = "", behind: str = "") -> str:
    """Return words as a quotation, verbatim, ``answer`` within them emphasised."""
    text = escape(before) + (f"**{escape(answer)}**" if answer else "") + escape(behind)
    return "\n".join(f"> {line}" for line in text.split("\n"))


def linked(text: str, address: str | None) -> str:
    """Return ``text``, as a link where there is an address that a browser can open."""
    label = escape(text)
    if not address or len(address) > LONGEST_LINK or not opens(address):
        return label
    # inside a link's label a bracket would end it, and an address would be a link of its own
    label = re.sub(r"(?<!\\)([\[\]])", r"\\\1", label).replace("://", ":\u200b//")
    return f"[{label}](<{quote(address, safe=SAFE, errors='replace')}>)"


def one_line(text: str, most: int = 300) -> str:
    """Return a label (never a quotation) on one line, at most so long."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + ELLIPSIS


def length(text: str) -> int:
    """Return the length as the strictest reader counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
