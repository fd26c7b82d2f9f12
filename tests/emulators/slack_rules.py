"""What Slack refuses, and what people see of a message: its words, its quotations, its buttons, and whom it would ping.

``slack_limits.json`` has the vendor's limits by the names of ``platform_limits.json``, with which a test compares them,
and a schema of the blocks that names them.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

Payload = Mapping[str, Any]

_TABLE = json.loads(Path(__file__).with_name("slack_limits.json").read_text(encoding="utf-8"))
LIMITS: dict[str, int] = _TABLE["limits"]
# Not documented: observed at 13,200; the project keeps to 10,000.
TOTAL_TEXT = 13_200


def _with_limits(schema: Any) -> Any:  # noqa: ANN401 - a schema has no type
    if isinstance(schema, dict):
        named = {key: LIMITS.get(str(schema[key]), schema[key]) for key in ("maxLength", "maxItems") if key in schema}
        return {key: _with_limits(value) for key, value in schema.items()} | named
    return [_with_limits(part) for part in schema] if isinstance(schema, list) else schema


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$defs": _with_limits(_TABLE["$defs"]), "$ref": f"#/$defs/{name}"})


def refuse_message(payload: Payload) -> Iterator[str]:
    blocks = payload.get("blocks") or []
    text = payload.get("text") or ""
    if not blocks and not text:
        yield "no_text"
    if len(text) > LIMITS["message.text"]:
        yield f"msg_too_long: text of {len(text)}"
    if len(blocks) > LIMITS["message.blocks"]:
        yield f"invalid_blocks: {len(blocks)} blocks"
    if (total := sum(len(words) for words in texts(blocks))) > TOTAL_TEXT:
        yield f"msg_blocks_too_long: {total}"
    if any(block.get("type") == "input" for block in blocks):
        yield "invalid_blocks: input on a message"
    yield from _refuse_blocks(blocks)


def refuse_view(view: Payload) -> Iterator[str]:
    """Yield a reason for each thing in a modal or a Home tab that Slack would not take."""
    yield from refuse("view", view)
    if len(json.dumps(view).encode()) > LIMITS["view.json_size"]:
        yield "view_too_large"
    yield from _refuse_blocks(view.get("blocks") or [])


def _refuse_blocks(blocks: list[dict[str, Any]]) -> Iterator[str]:
    names = [block["block_id"] for block in blocks if "block_id" in block]
    if len(set(names)) < len(names):
        yield "invalid_blocks: the same block_id twice"
    for number, block in enumerate(blocks):
        for error in _validator("block").iter_errors(block):
            yield f"invalid_blocks: /blocks/{number}: {error.json_path}: {error.message}"
        actions = [element["action_id"] for element in block.get("elements", ()) if element.get("action_id")]
        if len(set(actions)) < len(actions):
            yield f"invalid_blocks: /blocks/{number}: the same action_id twice"


def refuse(kind: str, thing: object) -> Iterator[str]:
    """Yield a reason for each thing in a "view", in "options" or "prompts" that is not as Slack describes it."""
    yield from (
        f"invalid_arguments: {error.json_path}: {error.message}" for error in _validator(kind).iter_errors(thing)
    )


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
    return "\n".join(_lines(message.get("blocks") or []))


def _lines(thing: object) -> Iterator[str]:
    if isinstance(thing, Mapping) and thing.get("type") == "rich_text_quote":
        yield "".join(leaf["text"] for leaf in thing["elements"])
        return
    if isinstance(thing, Mapping) and isinstance(text := thing.get("text"), str):
        yield text if thing.get("type") in ("text", "plain_text", "link") else unescape(text).strip("*")
    if isinstance(thing, Mapping):
        thing = [value for key, value in thing.items() if key != "accessory"]  # a menu that is closed
    for part in thing if isinstance(thing, list) else ():
        yield from _lines(part)


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
