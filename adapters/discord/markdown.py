"""Words -> Discord's markdown that shows exactly these words; no SDK, no I/O.

Un-escaping (a backslash goes, the mark behind it stays) gives the words back, character for character.
discord.py's own ``escape_markdown`` is not used: it leaves marks inside ``[…](…)`` to be obeyed, and mentions,
which a quotation may hold, to be drawn as somebody's name.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from bot.escaping import escape_controls
from bot.source_lines import opens

LONGEST_LINK = 1500
ELLIPSIS = "…"
SAFE = "!#$%&'*+,/:;=?@[]~"  # of an address; the brackets that could end the link are encoded

# Discord takes an address literally, backslashes included; an address ends at a mark that must be escaped.
_ADDRESS = r"https?://[^\s<>\\|*`~\[\]()]+"
_OPENS = r"(?m:^)(?=>|#|-)"  # a quotation, a heading, a list, a small line
_MENTION = r"<(?=[@#:/]|a:|t:|id:|https?:)"
_SPECIAL = re.compile(rf"(?P<address>{_ADDRESS})|{_OPENS}|(?P<mark>[\\*_~`|\[]|{_MENTION})")


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
