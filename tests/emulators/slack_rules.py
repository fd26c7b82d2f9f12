"""What Slack refuses: a message or a view in, the reasons for which it would not be taken out.

``LIMITS`` are the vendor's, under the names that ``platform_limits.json`` gives them; a test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from tests.emulators.slack_reading import texts

Payload = Mapping[str, Any]

LIMITS = {
    "message.blocks": 50,
    "message.text": 40_000,
    "view.blocks": 100,
    "block.block_id": 255,
    "section.text": 3000,
    "header.text": 150,
    "context.elements": 10,
    "context_actions.elements": 5,
    "actions.elements": 25,
    "button.text": 75,
    "button.value": 2000,
    "button.url": 3000,
    "element.action_id": 255,
    "static_select.options": 100,  # those of an external_select too
    "overflow.options": 5,
    "option.text": 75,
    "option.value": 150,
    "feedback_button.text": 75,
    "feedback_button.value": 2000,
    "view.title/submit/close": 24,
    "view.private_metadata": 3000,
    "view.callback_id": 255,
    "view.json_size": 250_000,
    "assistant.setSuggestedPrompts.prompts": 4,
    "response_url": 5,
    "ack.deadline": 3,
}
# Not documented: observed at 13,200; the project keeps to 10,000.
TOTAL_TEXT = 13_200

Schema = dict[str, Any]


def _object(required: Schema, **optional: Schema) -> Schema:
    """Return the schema of an object with these fields and no others, beside its type."""
    fields = {"type": {}, **required, **optional}
    return {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}


def _string(limit: str, least: int = 1) -> Schema:
    return {"type": "string", "minLength": least, "maxLength": LIMITS[limit]}


def _list(limit: str, item: Schema) -> Schema:
    return {"type": "array", "minItems": 1, "maxItems": LIMITS[limit], "items": item}


def _text(limit: str, *kinds: str) -> Schema:
    """Return the schema of a text object; plain text alone unless ``kinds`` say otherwise."""
    text = _object({"text": _string(limit)}, emoji={"type": "boolean"}, verbatim={"type": "boolean"})
    text["properties"]["type"] = {"enum": kinds or ("plain_text",)}
    text["required"].append("type")
    return text | {"not": {"properties": {"type": {"const": "mrkdwn"}}, "required": ["emoji"]}}


def _of(kinds: Mapping[str, Schema]) -> Schema:
    """Return the schema of something whose type is one of these."""
    chosen = [{"if": {"properties": {"type": {"const": kind}}}, "then": schema} for kind, schema in kinds.items()]
    return {"type": "object", "required": ["type"], "properties": {"type": {"enum": list(kinds)}}, "allOf": chosen}


ANY: Schema = {}
BOTH = ("plain_text", "mrkdwn")
ACTION = {"action_id": _string("element.action_id")}
OPTION = _object({"text": _text("option.text"), "value": _string("option.value")})
SIDE = _object(
    {"text": _text("feedback_button.text"), "value": _string("feedback_button.value", 0)}, accessibility_label=ANY
)
BUTTON = _object(
    {"text": _text("button.text"), **ACTION},
    value=_string("button.value", 0),
    url=_string("button.url"),
    style={"enum": ["primary", "danger"]},
    accessibility_label=ANY,
)
OVERFLOW = _object({**ACTION, "options": _list("overflow.options", OPTION)})
SELECT = _object(ACTION, placeholder=ANY, min_query_length=ANY)
INPUT = _object(ACTION, multiline=ANY, max_length=ANY, placeholder=ANY)
FEEDBACK = _object({**ACTION, "positive_button": SIDE, "negative_button": SIDE})
CLICKED = _of({"button": BUTTON, "overflow": OVERFLOW, "external_select": SELECT})
LEAF = _of(
    {
        "text": _object({"text": {"type": "string", "minLength": 1}}, style=ANY),
        "link": _object({"url": {"pattern": "^(https?|mailto):"}}, text=ANY, style=ANY),
    }
)
PARAGRAPH = _object({"elements": {"type": "array", "items": LEAF}})
RICH = ("rich_text_section", "rich_text_quote", "rich_text_preformatted")
NAMED = {"block_id": _string("block.block_id")}
BLOCKS = {
    "section": _object({"text": _text("section.text", *BOTH)}, accessory=CLICKED, **NAMED),
    "header": _object({"text": _text("header.text")}, **NAMED),
    "divider": _object({}, **NAMED),
    "context": _object({"elements": _list("context.elements", _text("section.text", *BOTH))}, **NAMED),
    "actions": _object({"elements": _list("actions.elements", CLICKED)}, **NAMED),
    "context_actions": _object(
        {"elements": _list("context_actions.elements", _of({"feedback_buttons": FEEDBACK}))}, **NAMED
    ),
    "rich_text": _object(
        {"elements": {"type": "array", "minItems": 1, "items": _of(dict.fromkeys(RICH, PARAGRAPH))}}, **NAMED
    ),
    "input": _object(
        {"label": _text("section.text"), "element": _of({"plain_text_input": INPUT, "external_select": SELECT})},
        optional=ANY,
        **NAMED,
    ),
}
_BLOCK, _OPTION = Draft202012Validator(_of(BLOCKS)), Draft202012Validator(OPTION)


def refuse_message(payload: Payload) -> Iterator[str]:
    """Yield a reason for each thing in a message that Slack would not take."""
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
    for block in blocks:
        if block.get("type") == "input":
            yield "invalid_blocks: input on a message"
    yield from _refuse_blocks(blocks)


def refuse_view(view: Payload) -> Iterator[str]:
    """Yield a reason for each thing in a modal or a Home tab that Slack would not take."""
    blocks = view.get("blocks")
    if view.get("type") not in ("modal", "home"):
        yield f"invalid_arguments: a view of type {view.get('type')!r}"
    if not blocks:
        yield "invalid_arguments: a view without blocks"
        return
    if len(blocks) > LIMITS["view.blocks"]:
        yield f"invalid_blocks: {len(blocks)} blocks"
    if view["type"] == "modal":
        yield from _refuse_modal(view)
    for key in ("title", "submit", "close"):
        if key in view:
            yield from _refuse_text(view[key], key, "view.title/submit/close")
    for key in ("private_metadata", "callback_id"):
        if len(view.get(key, "")) > LIMITS[f"view.{key}"]:
            yield f"invalid_arguments: {key} too long"
    if len(json.dumps(view).encode()) > LIMITS["view.json_size"]:
        yield "view_too_large"
    yield from _refuse_blocks(blocks)


def _refuse_modal(view: Payload) -> Iterator[str]:
    if "title" not in view:
        yield "invalid_arguments: a modal without title"
    if "submit" not in view and any(block["type"] == "input" for block in view["blocks"]):
        yield "invalid_arguments: inputs without submit"


def _refuse_blocks(blocks: list[dict[str, Any]]) -> Iterator[str]:
    names = [block["block_id"] for block in blocks if "block_id" in block]
    if len(set(names)) < len(names):
        yield "invalid_blocks: the same block_id twice"
    for number, block in enumerate(blocks):
        for error in _BLOCK.iter_errors(block):
            yield f"invalid_blocks: /blocks/{number}: {error.json_path}: {error.message}"
        actions = [element["action_id"] for element in block.get("elements", ()) if element.get("action_id")]
        if len(set(actions)) < len(actions):
            yield f"invalid_blocks: /blocks/{number}: the same action_id twice"


def _refuse_text(thing: object, what: str, limit: str) -> Iterator[str]:
    yield from (f"{what}: {error.message}" for error in Draft202012Validator(_text(limit)).iter_errors(thing))


def refuse_options(options: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a reason for each option of a name picker that Slack would not take."""
    if len(options) > LIMITS["static_select.options"]:
        yield f"{len(options)} options"
    for option in options:
        yield from (error.message for error in _OPTION.iter_errors(option))
