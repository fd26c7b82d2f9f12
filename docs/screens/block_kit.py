"""Slack's Block Kit -> HTML: the blocks that this program sends, and no others."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

Block = Mapping[str, Any]
TAGS = {
    "rich_text_section": "p",
    "rich_text_quote": "blockquote",
    "rich_text_preformatted": "pre",
}
THUMB = "M1 7h3v8H1zM5 7l3-6c1.6 0 2.2 1.2 1.8 2.6L9 6h4.6c1 0 1.6.8 1.3 1.7l-1.7 6c-.2.8-.8 1.3-1.6 1.3H5z"
FEEDBACK = {"positive": "", "negative": ' transform="rotate(180 8 8)"'}  # as Slack draws it: a thumb up and one down
STYLES = {"bold": "b", "italic": "i", "strike": "s", "code": "code"}


def html(blocks: Iterable[Block]) -> str:
    """Return the blocks below each other. Raises ``ValueError`` for one that is not known here."""
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block["type"]:
        case "rich_text":
            return "".join(map(_paragraph, block["elements"]))
        case "section":  # the label of an extract with its menu, in bold
            label = escape(block["text"]["text"].strip("*"))
            return f"<div class=label><b>{label}</b>{_control(block['accessory'])}</div>"
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
    return "".join(
        f'<span class=thumb title="{escape(element[f"{side}_button"]["text"]["text"])}"><svg viewBox="-1 -1 18 18">'
        f'<path d="{THUMB}"{turned} fill=none stroke=currentColor stroke-width=1.4 /></svg></span>'
        for side, turned in FEEDBACK.items()
    )


def _button(label: Block) -> str:
    return f"<span class=button>{escape(label['text'])}</span>"
