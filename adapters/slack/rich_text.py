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

from bot.escaping import escape_controls, escape_line

Block = dict[str, Any]
Leaf = dict[str, Any]

MAX_BLOCKS = 50
MAX_BLOCK_TEXT = 10_000  # over all blocks; Slack's own limit is not documented, and was seen at 13,200
MAX_TEXT = 30_000  # once escaped; Slack cuts off at 40,000
MAX_URL = 3_000
MAX_LABEL = 75
MAX_SMALL = 2_900  # beside the marks of a link
LEAST = 3_000  # what a text in the bot's own voice is cut to
ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))
_OBEYED = re.compile(r"[*_~`|\n]|:\S+:")  # in mrkdwn, where alone Slack has small links
_WEB = re.compile(r"https?://[^\s<>|\"]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is shown whole or not at all: its blocks, and the same in plain text (not escaped)."""

    blocks: tuple[Block, ...]
    text: str

    @property
    def size(self) -> int:
        """The characters that it takes of the budget over all blocks."""
        return sum(_size(block) for block in self.blocks)

    @property
    def escaped(self) -> int:
        """The characters that its text takes once escaped, with the line between it and the next."""
        return len(escape(self.text)) + 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """A message as Slack takes it: ``text`` is escaped, and says all that the blocks say."""

    text: str
    blocks: tuple[Block, ...]


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


def shorten(text: str, limit: int) -> str:
    """Return the bot's own words, a name or a title cut to length; never a quotation."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def words(text: str, *styles: str) -> Leaf:
    """Return literal words, with styles such as "bold" and "strike"."""
    leaf: Leaf = {"type": "text", "text": escape_controls(text)}
    return leaf | {"style": dict.fromkeys(styles, True)} if styles else leaf


def linked(text: str, url: str | None) -> Leaf:
    """Return words that lead to ``url`` where it is one that can be followed."""
    if url and len(url) <= MAX_URL and _WEB.fullmatch(url):
        return {"type": "link", "url": url, "text": escape_controls(text)}
    return words(text)


def section(*leaves: Leaf) -> Block:
    """Return a paragraph of rich text."""
    return {"type": "rich_text_section", "elements": [leaf for leaf in leaves if leaf.get("text")]}


def quote(before: str, answer: str = "", behind: str = "") -> Block:
    """Return a quotation of rich text, to the character, ``answer`` within it emphasised."""
    leaves = words(before), words(answer, "bold"), words(behind)
    return {"type": "rich_text_quote", "elements": [leaf for leaf in leaves if leaf["text"]]}


def preformatted(text: str) -> Block:
    """Return words to copy."""
    return {"type": "rich_text_preformatted", "elements": [words(text)]}


def rich(*paragraphs: Block) -> Block:
    """Return one block of several paragraphs; they cannot be torn apart."""
    return {"type": "rich_text", "elements": [p for p in paragraphs if p["elements"]]}


def context(text: str) -> Block:
    """Return a small grey line."""
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
    """Return a label."""
    return {"type": "plain_text", "text": shorten(escape_line(text), MAX_LABEL), "emoji": False}


def said(text: str, *styles: str) -> Part:
    """Return words in the bot's own voice, cut to length; empty without words."""
    text = shorten(text.strip(), LEAST)
    return Part((rich(section(words(text, *styles))),), text) if text else Part((), "")


def fit(first: Part, rest: Sequence[Part], last: Part, left_out: str, summary: Part | None = None) -> Drawing:
    """Return ``first``, as many of ``rest`` as there is room for, and ``last``.

    The parts are tried in order; from the first that does not fit on, they are left out whole,
    and ``left_out`` (with a place for their number) says so. Then ``summary`` stands before them.
    """
    if summary and not _fits([first, *rest, last]):
        first = Part((*first.blocks, *summary.blocks), f"{first.text}\n{summary.text}")
    shown = [first]
    for number, part in enumerate(rest, 1):
        notice = said(left_out.format(len(rest)) if number < len(rest) else "")
        if not _fits([*shown, part, notice, last]):
            break
        shown.append(part)
    missing = len(rest) + 1 - len(shown)
    return _together([*shown, said(left_out.format(missing) if missing else ""), last])


def _fits(parts: Iterable[Part]) -> bool:
    parts = list(parts)
    return (
        sum(len(part.blocks) for part in parts) <= MAX_BLOCKS
        and sum(part.size for part in parts) <= MAX_BLOCK_TEXT
        and sum(part.escaped for part in parts) <= MAX_TEXT
    )


def _together(parts: Iterable[Part]) -> Drawing:
    parts = list(parts)
    text = "\n\n".join(part.text for part in parts if part.text)
    return Drawing(escape(text), tuple(block for part in parts for block in part.blocks))


def _size(thing: object) -> int:
    match thing:
        case Mapping():
            return sum(len(v) if k in ("text", "url") and isinstance(v, str) else _size(v) for k, v in thing.items())
        case list():
            return sum(_size(value) for value in thing)
    return 0
