"""What Discord delivers of a message -> what somebody wrote in it, without the platform's marks.

Custom emoji, emoji codes, mentions, channels and bare addresses are nobody's words: nothing is searched by them, and
nothing compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import discord

_MARKUP = re.compile(r"<(?:a?:\w+:\d+|@[!&]?\d+|#\d+|/[^<>:]+:\d+|t:-?\d+(?::\w)?|id:\w+)>|@(?:everyone|here)\b")
_ADDRESS = re.compile(r"<?(?<![\w/])(?:https?://|www\.)[^\s<>]+>?", re.IGNORECASE)
_LABELLED = re.compile(r"\[([^\[\]\n]+)\]\(<?https?://[^\s()<>]+>?\)")
_EMOJI = re.compile(r"(?<![\w:]):[a-z0-9_+\-]+:(?!\w)", re.IGNORECASE)
_FENCE = re.compile(r"```.*?```", re.DOTALL)
_STRESS = re.compile(r"(?<!\\)(?:\*{1,3}|__|~~|\|\||`{1,3})")
_HEAD = re.compile(r"^(?:#{1,3}|-#)\s+", re.MULTILINE)
_ESCAPED = re.compile(r"\\([\\*_~`|>#\[\]()<@:-])")
_SPACES = re.compile(r"[ \t]{2,}")


def question(text: str) -> str:
    """Return what somebody asks: the words, without marks and without code blocks."""
    return " ".join(written(_FENCE.sub(" ", text)).split())


def written(text: str) -> str:
    """Return what somebody wrote, line by line, without marks."""
    plain = _ADDRESS.sub(" ", _LABELLED.sub(r"\1", _EMOJI.sub(" ", _MARKUP.sub(" ", text))))
    plain = _ESCAPED.sub(r"\1", _HEAD.sub("", _STRESS.sub("", plain)))
    return "\n".join(_SPACES.sub(" ", line).strip() for line in plain.split("\n")).strip()


def everything(message: discord.Message) -> str:
    """Return all that is written in a message: its text, its components and embeds, and what was forwarded."""
    return "\n\n".join(filter(None, map(written, _texts(message))))


def _texts(message: discord.Message) -> Iterator[str]:
    yield message.content
    yield from (embed.description or "" for embed in message.embeds)
    for component in message.components:
        yield from _inside(component)
    for snapshot in message.message_snapshots:
        yield snapshot.content


def _inside(component: discord.Component) -> Iterator[str]:
    if isinstance(component, discord.TextDisplay):
        yield component.content
    for child in getattr(component, "children", ()):
        yield from _inside(child)
