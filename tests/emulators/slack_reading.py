"""What people see of a message: its words, its quotations, its buttons, and whom it would ping."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

PING = re.compile(r"<(!(?:channel|here|everyone|subteam\^[^>|]*)|@[UWB][A-Z0-9]*)(?:\|[^>]*)?>")
LINK = re.compile(r"<(?:https?|mailto):[^>|]*\|?([^>]*)>")
NAMING = {"user": "user_id", "usergroup": "usergroup_id", "broadcast": "range"}  # elements of rich text that ping
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def unescape(text: str) -> str:
    """Return mrkdwn or a top-level text as people read it: links by their names, the three entities undone."""
    text = LINK.sub(r"\1", text)
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return text


def walk(blocks: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(blocks, Mapping):
        yield blocks
    for value in blocks.values() if isinstance(blocks, Mapping) else blocks if isinstance(blocks, list) else ():
        yield from walk(value)


def texts(blocks: object) -> Iterator[str]:
    return (each["text"] for each in walk(blocks) if isinstance(each.get("text"), str))


def pinged(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Return whom Slack would notify by a message: users, and "channel", "here", "everyone"."""
    objects = list(walk(message.get("blocks") or []))
    interpreted = [message.get("text") or "", *(str(each["text"]) for each in objects if each.get("type") == "mrkdwn")]
    found = [name.lstrip("!@") for text in interpreted for name in PING.findall(text)]
    if message.get("link_names") or message.get("parse") == "full":
        found += [word for text in interpreted for word in re.findall(r"@(channel|here|everyone)", text)]
    return tuple(found + [str(each[NAMING[each["type"]]]) for each in objects if each.get("type") in NAMING])


def quotations(message: Mapping[str, Any]) -> tuple[str, ...]:
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
    kind = {key: element[key] for key in ("type", "action_id")}
    return {**kind, "text": button["text"], "value": button.get("value", "")}
