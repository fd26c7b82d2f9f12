"""What Slack delivers of a message -> what somebody wrote in it, without the platform's marks.

Emoji codes, mentions, channels, groups and bare addresses are nobody's words: nothing is searched by them, and
nothing compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from adapters.slack.blocks import escape, unescape

_MARKUP = re.compile(r"<([@#!]?)([^<>|\s][^<>|]*)(?:\|([^<>]*))?>")
_ADDRESS = re.compile(r"(?:https?://|mailto:|tel:)\S+$", re.IGNORECASE)
_FENCE = re.compile(r"```.*?```", re.DOTALL)
# a code between colons, a skin tone after it; "12:30:45" is none
_EMOJI = re.compile(r"(?<![\w:]):[a-z0-9_+'\-]+:(?::skin-tone-\d:)?(?!\w)")
_BARE = re.compile(r"(?<![\w/])(?:https?://|www\.)\S+", re.IGNORECASE)
_SPACES = re.compile(r"[ \t]{2,}")


def question(text: str) -> str:
    """Return what somebody asks: the words, without marks and without code blocks."""
    return " ".join(written(_FENCE.sub(" ", text)).replace("`", " ").split())


def written(text: str) -> str:
    """Return what somebody wrote, line by line, without marks."""
    plain = _BARE.sub(" ", _EMOJI.sub(" ", unescape(_MARKUP.sub(_plain, text.replace("```", " ")))))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in plain.split("\n")).strip()


def _plain(match: re.Match[str]) -> str:
    sign, what, label = match[1], match[2], match[3]
    if sign == "!" and what.startswith("date"):
        return label or " "
    if sign or not label or _ADDRESS.match(label):
        # a mention, a channel, a group; or an address that is nothing but that
        return " " if sign or _ADDRESS.match(what) else what
    return label


def mentions(text: str) -> frozenset[str]:
    return frozenset(match[2] for match in _MARKUP.finditer(text) if match[1] == "@")


def everything(message: Mapping[str, Any]) -> str:
    """Return all that is written in a message: its text, and what was forwarded with it."""
    return "\n\n".join(dict.fromkeys(filter(None, map(written, _texts(message)))))


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    yield _literally(message) or message.get("text") or ""
    for attached in message.get("attachments") or ():
        yield attached.get("text") or ("" if message.get("text") else attached.get("fallback") or "")


def _literally(message: Mapping[str, Any]) -> str:
    """Return what was written as Slack stores it in blocks, where marks of emphasis and lists are no characters.

    It is escaped, as the message's text is; empty where there are blocks of another kind, which say less.
    """
    blocks = message.get("blocks") or ()
    if not all(block.get("type") == "rich_text" for block in blocks):
        return ""
    return "\n".join(line for block in blocks for paragraph in block["elements"] for line in _lines(paragraph))


def _lines(paragraph: Mapping[str, Any]) -> Iterator[str]:
    elements = paragraph.get("elements") or ()
    if paragraph.get("type") == "rich_text_list":
        for item in elements:
            yield from _lines(item)
        return
    mark = "> " if paragraph.get("type") == "rich_text_quote" else ""
    for line in "".join(map(_leaf, elements)).split("\n"):
        yield f"{mark}{line}"


def _leaf(leaf: Mapping[str, Any]) -> str:
    """Return the words of a piece of a line: mentions, emoji and addresses are nobody's."""
    return escape(leaf["text"]) if leaf.get("type") in ("text", "link") and leaf.get("text") else " "
