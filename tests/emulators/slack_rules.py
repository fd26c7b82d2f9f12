"""What Slack refuses: a message or a view in, the reasons for which it would not be taken out.

``LIMITS`` are the vendor's, under the names that ``platform_limits.json`` gives them; a test compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

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

BLOCKS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    # type: (required keys, further keys)
    "section": (frozenset({"text"}), frozenset({"accessory", "expand"})),
    "header": (frozenset({"text"}), frozenset()),
    "divider": (frozenset(), frozenset()),
    "context": (frozenset({"elements"}), frozenset()),
    "actions": (frozenset({"elements"}), frozenset()),
    "context_actions": (frozenset({"elements"}), frozenset()),
    "rich_text": (frozenset({"elements"}), frozenset()),
    "input": (frozenset({"label", "element"}), frozenset({"dispatch_action", "hint", "optional"})),
}
ON_VIEWS_ONLY = {"input"}
ELEMENTS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "button": (
        frozenset({"text", "action_id"}),
        frozenset({"value", "url", "style", "confirm", "accessibility_label"}),
    ),
    "feedback_buttons": (frozenset({"action_id", "positive_button", "negative_button"}), frozenset()),
    "external_select": (
        frozenset({"action_id"}),
        frozenset({"placeholder", "initial_option", "min_query_length", "focus_on_load", "confirm"}),
    ),
    "plain_text_input": (
        frozenset({"action_id"}),
        frozenset({"multiline", "min_length", "max_length", "placeholder", "initial_value", "focus_on_load"}),
    ),
    "overflow": (frozenset({"action_id", "options"}), frozenset({"confirm"})),
}
WITHIN = {
    "actions": {"button", "overflow", "external_select"},
    "context_actions": {"feedback_buttons"},
    "input": {"plain_text_input", "external_select"},
    "section": {"button", "overflow", "external_select"},
}
RICH = {"rich_text_section", "rich_text_quote", "rich_text_preformatted"}
RICH_LEAVES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "text": (frozenset({"text"}), frozenset({"style"})),
    "link": (frozenset({"url"}), frozenset({"text", "style", "unsafe"})),
}


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
        if block.get("type") in ON_VIEWS_ONLY:
            yield f"invalid_blocks: {block['type']} on a message"
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
            yield from _refuse_text(view[key], key, LIMITS["view.title/submit/close"], plain=True)
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
        for reason in _refuse_block(block):
            yield f"invalid_blocks: /blocks/{number}: {reason}"


def _refuse_block(block: dict[str, Any]) -> Iterator[str]:
    kind = str(block.get("type"))
    if kind not in BLOCKS:
        yield f"unknown block {kind}"
        return
    yield from _refuse_keys(block, BLOCKS[kind], {"block_id"})
    if not 0 < len(block.get("block_id", "x")) <= LIMITS["block.block_id"]:
        yield "block_id"
    if kind in _REFUSE:
        yield from _REFUSE[kind](block)


def _refuse_keys(thing: Payload, keys: tuple[frozenset[str], frozenset[str]], always: set[str]) -> Iterator[str]:
    required, further = keys
    for key in sorted(required - thing.keys()):
        yield f"{thing.get('type')}: missing field {key}"
    for key in sorted(thing.keys() - required - further - always - {"type"}):
        yield f"{thing.get('type')}: unknown field {key}"


def _refuse_text(thing: object, what: str, limit: int, *, plain: bool = False) -> Iterator[str]:
    if not isinstance(thing, dict) or thing.get("type") not in ("plain_text", "mrkdwn"):
        yield f"{what}: no text object"
        return
    if plain and thing["type"] != "plain_text":
        yield f"{what}: must be plain_text"
    if thing.keys() - {"type", "text", "emoji", "verbatim"}:
        yield f"{what}: unknown fields {sorted(thing)}"
    if "emoji" in thing and thing["type"] == "mrkdwn":
        yield f"{what}: emoji on mrkdwn"
    if not 0 < len(thing.get("text", "")) <= limit:
        yield f"{what}: {len(thing.get('text', ''))} characters, allowed are 1 to {limit}"


def _refuse_section(block: dict[str, Any]) -> Iterator[str]:
    yield from _refuse_text(block.get("text"), "section.text", LIMITS["section.text"])
    if "accessory" in block:
        yield from _refuse_element(block["accessory"], "section")


def _refuse_elements(block: dict[str, Any]) -> Iterator[str]:
    kind = block["type"]
    elements = block.get("elements", [])
    if not 0 < len(elements) <= LIMITS[f"{kind}.elements"]:
        yield f"{kind}: {len(elements)} elements"
    for element in elements:
        yield from _refuse_element(element, kind)
    actions = [element.get("action_id") for element in elements]
    if len(set(actions)) < len(actions):
        yield f"{kind}: the same action_id twice"


def _refuse_context(block: dict[str, Any]) -> Iterator[str]:
    if not 0 < len(block["elements"]) <= LIMITS["context.elements"]:
        yield f"context: {len(block['elements'])} elements"
    for element in block["elements"]:
        yield from _refuse_text(element, "context", LIMITS["section.text"])


def _refuse_element(element: dict[str, Any], within: str) -> Iterator[str]:
    kind = str(element.get("type"))
    if kind not in ELEMENTS or kind not in WITHIN[within]:
        yield f"unknown element {kind} in {within}"
        return
    yield from _refuse_keys(element, ELEMENTS[kind], set())
    if not 0 < len(element.get("action_id", "")) <= LIMITS["element.action_id"]:
        yield "action_id"
    match kind:
        case "button":
            yield from _refuse_button(element, "button")
            if element.get("style", "primary") not in ("primary", "danger"):
                yield "style"
        case "feedback_buttons":
            for side in ("positive_button", "negative_button"):
                yield from _refuse_button(element[side], "feedback_button")
        case "overflow":
            yield from refuse_options(element["options"], LIMITS["overflow.options"])


def _refuse_button(button: dict[str, Any], kind: str) -> Iterator[str]:
    yield from _refuse_text(button.get("text"), f"{kind}.text", LIMITS[f"{kind}.text"], plain=True)
    if len(button.get("value", "")) > LIMITS[f"{kind}.value"]:
        yield f"{kind}.value"
    if len(button.get("url", "")) > LIMITS["button.url"]:
        yield f"{kind}.url"


def refuse_options(options: list[dict[str, Any]], most: int = LIMITS["static_select.options"]) -> Iterator[str]:
    """Yield a reason for each option of a select that Slack would not take."""
    if not 0 < len(options) <= most:
        yield f"{len(options)} options"
    for option in options:
        yield from _refuse_text(option.get("text"), "option.text", LIMITS["option.text"], plain=True)
        if not 0 < len(option.get("value", "")) <= LIMITS["option.value"]:
            yield "option.value"


def _refuse_input(block: dict[str, Any]) -> Iterator[str]:
    yield from _refuse_text(block.get("label"), "label", 2000, plain=True)
    yield from _refuse_element(block.get("element", {}), "input")


def _refuse_rich(block: dict[str, Any]) -> Iterator[str]:
    if not block["elements"]:
        yield "rich_text: no elements"
    for part in block["elements"]:
        if part.get("type") not in RICH:
            yield f"unknown element {part.get('type')} in rich_text"
            continue
        for leaf in part["elements"]:
            yield from _refuse_leaf(leaf)


def _refuse_leaf(leaf: dict[str, Any]) -> Iterator[str]:
    kind = str(leaf.get("type"))
    if kind not in RICH_LEAVES:
        yield f"unknown element {kind} in rich text"
        return
    yield from _refuse_keys(leaf, RICH_LEAVES[kind], set())
    if kind == "text" and not leaf.get("text"):
        yield "empty rich text"
    if kind == "link" and not re.match(r"(https?|mailto):", leaf.get("url", "")):
        yield "a link to nowhere"


_REFUSE: dict[str, Callable[[dict[str, Any]], Iterator[str]]] = {
    "section": _refuse_section,
    "header": lambda block: _refuse_text(block.get("text"), "header.text", LIMITS["header.text"], plain=True),
    "context": _refuse_context,
    "actions": _refuse_elements,
    "context_actions": _refuse_elements,
    "input": _refuse_input,
    "rich_text": _refuse_rich,
}
