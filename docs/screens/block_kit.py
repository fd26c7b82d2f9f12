"""Slack's Block Kit -> HTML: the blocks that this program sends, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

Block = Mapping[str, Any]
TAGS = {
    "rich_text_section": "p",
    "rich_text_quote": "blockquote",
    "rich_text_preformatted": "pre",
}
STYLES = {"bold": "b", "italic": "i", "strike": "s", "code": "code"}


def html(blocks: Iterable[Block]) -> str:
    """Return the blocks below each other. Raises ``ValueError`` for one that is not known here."""
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block["type"]:
        case "rich_text":
            return "".join(map(_paragraph, block["elements"]))
        case "context":
            return f"<small>{' '.join(map(_small, block['elements']))}</small>"
        case "actions":
            return f"<div class=row>{''.join(map(_control, block['elements']))}</div>"
        case "context_actions":
            return f"<div class=row>{''.join(map(_feedback, block['elements']))}</div>"
        case other:
            raise ValueError(f"No picture is known of Slack's {other}.")


def _paragraph(paragraph: Block) -> str:
    tag = TAGS[paragraph["type"]]
    return f"<{tag}>{''.join(map(_leaf, paragraph['elements']))}</{tag}>"


def _leaf(leaf: Block) -> str:
    shown = escape(leaf["text"])
    if leaf["type"] == "link":
        shown = f"<a>{shown}</a>"
    for style in leaf.get("style", ()):
        shown = f"<{STYLES[style]}>{shown}</{STYLES[style]}>"
    return shown


def _small(element: Block) -> str:
    """Return a small text; of mrkdwn, a link and nothing else, which is escaped already."""
    if element["type"] == "mrkdwn":
        return f"<a>{element['text'].removeprefix('<').removesuffix('>').partition('|')[2]}</a>"
    return escape(element["text"])


def _control(element: Block) -> str:
    return _button({"text": "⋯"} if element["type"] == "overflow" else element["text"])


def _feedback(element: Block) -> str:
    return "".join(_button(element[f"{side}_button"]["text"]) for side in ("positive", "negative"))


def _button(label: Block) -> str:
    return f"<span class=button>{escape(label['text'])}</span>"
