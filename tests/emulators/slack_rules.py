"""What Slack refuses: a message or a view in, the reasons for which it would not be taken out.

``slack_limits.json`` has the vendor's limits by the names of ``platform_limits.json``, with which a test compares them,
and a schema of the blocks that names them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from tests.emulators.slack_reading import texts

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


def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$defs": _with_limits(_TABLE["$defs"]), "$ref": f"#/$defs/{name}"})


_BLOCK, _OPTION, _TITLE = map(_validator, ("block", "option", "title"))


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
    blocks = view.get("blocks")
    if view.get("type") not in ("modal", "home"):
        yield f"invalid_arguments: a view of type {view.get('type')!r}"
    if not blocks:
        yield "invalid_arguments: a view without blocks"
        return
    if len(blocks) > LIMITS["view.blocks"]:
        yield f"invalid_blocks: {len(blocks)} blocks"
    if view["type"] == "modal" and "title" not in view:
        yield "invalid_arguments: a modal without title"
    if view["type"] == "modal" and "submit" not in view and any(block["type"] == "input" for block in blocks):
        yield "invalid_arguments: inputs without submit"
    for key in ("title", "submit", "close"):
        text = view.get(key, {"type": "plain_text", "text": "-"})
        yield from (f"{key}: {error.message}" for error in _TITLE.iter_errors(text))
    for key in ("private_metadata", "callback_id"):
        if len(view.get(key, "")) > LIMITS[f"view.{key}"]:
            yield f"invalid_arguments: {key} too long"
    if len(json.dumps(view).encode()) > LIMITS["view.json_size"]:
        yield "view_too_large"
    yield from _refuse_blocks(blocks)


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


def refuse_options(options: list[dict[str, Any]]) -> Iterator[str]:
    if len(options) > LIMITS["static_select.options"]:
        yield f"{len(options)} options"
    for option in options:
        yield from (error.message for error in _OPTION.iter_errors(option))
