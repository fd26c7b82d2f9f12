"""What people see of a message: its words, its quotations, its buttons, and whom it would ping."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

PING = re.compile(r"<(!(?:channel|here|everyone|subteam\^[^>|]*)|@[UWB][A-Z0-9]*)(?:\|[^>]*)?>")
LINK = re.compile(r"<(?:https?|mailto):[^>|]*\|?([^>]*)>")
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def unescape(text: str) -> str:
    """Return mrkdwn or a top-level text as people read it: links by their names, the three entities undone."""
    text = LINK.sub(r"\1", text)
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return text


def texts(blocks: object) -> Iterator[str]:
    if isinstance(blocks, Mapping):
        if isinstance(blocks.get("text"), str):
            yield blocks["text"]
        for value in blocks.values():
            yield from texts(value)
    elif isinstance(blocks, list):
        for value in blocks:
            yield from texts(value)


def pinged(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Return whom Slack would notify by a message: users, and "channel", "here", "everyone"."""
    interpreted = [message.get("text") or "", *_mrkdwn(message.get("blocks") or [])]
    found = [name.lstrip("!@") for text in interpreted for name in PING.findall(text)]
    if message.get("link_names") or message.get("parse") == "full":
        found += [word for text in interpreted for word in re.findall(r"@(channel|here|everyone)", text)]
    return tuple(found + list(_named(message.get("blocks") or [])))


def _mrkdwn(blocks: object) -> Iterator[str]:
    if isinstance(blocks, Mapping):
        if blocks.get("type") == "mrkdwn":
            yield str(blocks["text"])
        for value in blocks.values():
            yield from _mrkdwn(value)
    elif isinstance(blocks, list):
        for value in blocks:
            yield from _mrkdwn(value)


def _named(blocks: object) -> Iterator[str]:
    if isinstance(blocks, Mapping):
        match blocks.get("type"):
            case "user":
                yield str(blocks["user_id"])
            case "usergroup":
                yield str(blocks["usergroup_id"])
            case "broadcast":
                yield str(blocks["range"])
        for value in blocks.values():
            yield from _named(value)
    elif isinstance(blocks, list):
        for value in blocks:
            yield from _named(value)


def quotations(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the words of each ``rich_text_quote``, in order."""
    rich = [block for block in message.get("blocks") or [] if block["type"] == "rich_text"]
    parts = [part for block in rich for part in block["elements"] if part["type"] == "rich_text_quote"]
    return tuple("".join(leaf.get("text", "") for leaf in part["elements"]) for part in parts)


def seen(message: Mapping[str, Any]) -> str:
    """Return all words of the blocks as people read them, a line for each text; a quotation is one."""
    literal = {"text", "plain_text", "link"}
    lines = []
    stack: list[Any] = list(reversed(message.get("blocks") or []))
    while stack:
        thing = stack.pop()
        if isinstance(thing, Mapping) and thing.get("type") == "rich_text_quote":
            lines.append("".join(leaf["text"] for leaf in thing["elements"]))
        elif isinstance(thing, Mapping):
            if isinstance(thing.get("text"), str):
                lines.append(thing["text"] if thing.get("type") in literal else unescape(thing["text"]).strip("*"))
            inner = [value for key, value in thing.items() if key != "accessory"]  # a menu that is closed
            stack.extend(reversed([value for value in inner if isinstance(value, (Mapping, list))]))
        elif isinstance(thing, list):
            stack.extend(reversed(thing))
    return "\n".join(lines)


def buttons(message: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield label, action as Slack reports it, and block id of everything that can be clicked."""
    for number, block in enumerate(message.get("blocks") or []):
        name = block.get("block_id", f"b{number}")
        for element in [*block.get("elements", ()), *([block["accessory"]] if "accessory" in block else ())]:
            if element["type"] == "button":
                yield element["text"]["text"], _pressed(element, element), name
            elif element["type"] == "overflow":
                for option in element["options"]:
                    chosen = {"type": "overflow", "action_id": element["action_id"], "selected_option": option}
                    yield option["text"]["text"], chosen, name
            elif element["type"] == "feedback_buttons":
                for side in ("positive_button", "negative_button"):
                    yield element[side]["text"]["text"], _pressed(element, element[side]), name


def _pressed(element: Mapping[str, Any], button: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": element["type"],
        "action_id": element["action_id"],
        "text": button["text"],
        "value": button.get("value", ""),
    }
