"""Words -> the pieces of Slack's Block Kit, and as many whole parts of a message as Slack takes.

Everything an article, an asker or a name contributes goes into rich text, where nothing is interpreted.
The top-level text is the one place that must be escaped; Slack knows three characters there, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from adapters.chat.parts import pack_all, room, shorten
from bot.commands.table import TABLE
from bot.escaping import escape_controls, escape_line

Block = dict[str, Any]
Leaf = dict[str, Any]

# Blocks; characters over all blocks (Slack's own limit is not documented, and was seen at 13,200); characters of the
# escaped text (Slack cuts off at 40,000).
BUDGET = (50, 10_000, 30_000)
LEFT_OUT = "There is more than Slack shows in one message: {} left out."
MAX_URL = 3_000
MAX_LABEL = 75
MAX_SMALL = 2_900  # beside the marks of a link
LEAST = 3_000  # what a text in the bot's own voice is cut to
ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))
_OBEYED = re.compile(r"[*_~`|\n]|:\S+:")  # in mrkdwn, where alone Slack has small links
_COMMAND = re.compile(rf"(?<![\w/])/(?={'|'.join(command.name for command in TABLE)}\b)")
_WEB = re.compile(r"https?://[^\s<>|\"]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """Something that is shown whole or not at all: its blocks, and the same in plain text (not escaped).

    ``count`` is what it counts for where it is left out.
    """

    blocks: tuple[Block, ...]
    text: str
    count: int = 1

    @property
    def size(self) -> tuple[int, int, int]:
        """The blocks, the characters in them, and those of the escaped text with the line between it and the next."""
        return len(self.blocks), sum(map(_size, self.blocks)), len(escape(self.text)) + 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """A message as Slack takes it: ``text`` is escaped, and says all that the blocks say.

    ``is_failure`` is set where it says why there is no reply.
    """

    text: str
    blocks: tuple[Block, ...]
    is_failure: bool = False


def escape(text: str) -> str:
    """Return a text that shows as it is where Slack would interpret it."""
    text = escape_controls(text)
    for character, entity in ESCAPES:
        text = text.replace(character, entity)
    return text


def unescape(text: str) -> str:
    """Return what somebody typed, from the form in which Slack delivers it."""
    for character, entity in reversed(ESCAPES):
        text = text.replace(entity, character)
    return text


def words(text: str, *styles: str) -> Leaf:
    leaf: Leaf = {"type": "text", "text": escape_controls(text)}
    return leaf | {"style": dict.fromkeys(styles, True)} if styles else leaf


def linked(text: str, url: str | None) -> Leaf:
    """Return words that lead to ``url`` where it is one that can be followed."""
    if url and len(url) <= MAX_URL and _WEB.fullmatch(url):
        return {"type": "link", "url": url, "text": escape_controls(text)}
    return words(text)


def section(*leaves: Leaf) -> Block:
    return {"type": "rich_text_section", "elements": [leaf for leaf in leaves if leaf.get("text")]}


def quote(before: str, answer: str = "", behind: str = "") -> Block:
    leaves = words(before), words(answer, "bold"), words(behind)
    return {"type": "rich_text_quote", "elements": [leaf for leaf in leaves if leaf["text"]]}


def preformatted(text: str) -> Block:
    return {"type": "rich_text_preformatted", "elements": [words(text)]}


def rich(*paragraphs: Block) -> Block:
    """Return one block of several paragraphs; they cannot be torn apart."""
    return {"type": "rich_text", "elements": [p for p in paragraphs if p["elements"]]}


def context(text: str) -> Block:
    return {"type": "context", "elements": [plain(text)]}


def small(*leaves: Leaf) -> Block:
    """Return words, with their links, as a small grey line; in full size where Slack would obey a mark in them."""
    if any(
        _OBEYED.search(leaf["text"]) or len(escape(leaf["text"] + leaf.get("url", ""))) > MAX_SMALL for leaf in leaves
    ):
        first, *rest = leaves
        return section(first, *(part for leaf in rest for part in (words(" · "), leaf)))
    return {"type": "context", "elements": [_small(leaf) for leaf in leaves]}


def _small(leaf: Leaf) -> Block:
    if leaf["type"] == "link":
        return {"type": "mrkdwn", "text": f"<{escape(leaf['url'])}|{escape(leaf['text'])}>", "verbatim": True}
    return {"type": "plain_text", "text": leaf["text"], "emoji": False}


def stacked(paragraphs: Iterable[Block]) -> tuple[Block, ...]:
    """Return paragraphs of rich text as blocks that hold as many as follow each other, and small lines between them."""
    runs = groupby(paragraphs, key=lambda paragraph: paragraph["type"].startswith("rich_text"))
    return tuple(block for is_rich, run in runs for block in ((rich(*run),) if is_rich else run))


def plain(text: str) -> Block:
    return {"type": "plain_text", "text": shorten(escape_line(text), MAX_LABEL), "emoji": False}


def with_slack_commands(text: str) -> str:
    """Return what the bot says in its own voice with the commands as every Slack has them: ``/stet verify …``."""
    return _COMMAND.sub("/stet ", text)


def said(text: str, *styles: str) -> DrawnPart:
    """Return words in the bot's own voice, cut to length; empty without words."""
    text = shorten(text.strip(), LEAST)
    return DrawnPart((rich(section(words(text, *styles))),), text) if text else DrawnPart((), "")


def together(
    head: DrawnPart,
    parts: Sequence[DrawnPart],
    notes: Sequence[DrawnPart],
    foot: DrawnPart,
    summary: DrawnPart | None = None,
) -> Drawing:
    """Return a message of ``head``, what of the parts and the notes finds room, and ``foot``.

    Where some find no room, ``summary`` is put below the head.
    """
    if summary and min(room(BUDGET, (head, *parts, *notes, foot))) < 0:
        head = DrawnPart((*head.blocks, *summary.blocks), f"{head.text}\n{summary.text}")
    packed = pack_all(parts, notes, room(BUDGET, (head, foot)), lambda number: said(LEFT_OUT.format(number)))
    shown = (head, *packed, foot)
    text = "\n\n".join(part.text for part in shown if part.text)
    return Drawing(escape(text), tuple(block for part in shown for block in part.blocks))


def _size(thing: object) -> int:
    match thing:
        case Mapping():
            return sum(len(v) if k in ("text", "url") and isinstance(v, str) else _size(v) for k, v in thing.items())
        case list():
            return sum(_size(value) for value in thing)
    return 0
