"""What Discord refuses, and whom a message pings: bodies in, sentences out.

Limits are those of Discord's documentation; lengths are counted in UTF-16 units, the strictest reading of
"characters". Where STET_TEST_SHARED names the shared data, bodies are compared with Discord's own schema too.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.emulators.discord_payloads import COMPONENTS_V2, Payload

ROW, BUTTON, SELECT, SECTION, TEXT, CONTAINER, LABEL = 1, 2, 3, 9, 10, 17, 18
ONLY_V2 = {SECTION, TEXT, 11, 12, 13, 14, CONTAINER}
LINK = 5
_NAME = re.compile(r"[-_'\w]{1,32}")
_URN = "urn:discord"


def length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def message_problems(body: Payload) -> Iterator[str]:
    """Say what Discord would refuse in a message to be sent."""
    flagged = bool((body.get("flags") or 0) & COMPONENTS_V2)
    components = body.get("components") or []
    yield from _too_long("content", body.get("content"), 2000)
    yield from _too_long("nonce", str(body.get("nonce") or ""), 25)
    yield from _embed_problems(body.get("embeds") or [])
    yield from _component_problems(components)
    if flagged:
        yield from (
            f"{key} beside Components V2" for key in ("content", "embeds", "poll", "sticker_ids") if body.get(key)
        )
    elif any(c["type"] in ONLY_V2 for c in walk(components)):
        yield "Components V2 without their flag"
    elif len(components) > 5 or any(c["type"] != ROW for c in components):
        yield "only five action rows may stand in a message without Components V2"
    if not (components or body.get("content") or body.get("embeds")):
        yield "an empty message"


def _too_long(what: str, text: str | None, most: int, least: int = 0) -> Iterator[str]:
    units = length(text or "")
    if units > most or units < least:
        yield f"{what} of {units} characters, {least} to {most} allowed"


def _embed_problems(embeds: list[Payload]) -> Iterator[str]:
    """Say what Discord would refuse in the card of a link; other embeds the bot has none."""
    if len(embeds) > 1 or any(set(embed) - {"type", "title", "description", "url", "flags"} for embed in embeds):
        yield "an embed that is no card"
    for embed in embeds:
        yield from _too_long("embed.title", embed.get("title"), 256)
        yield from _too_long("embed.description", embed.get("description"), 4096)


def walk(components: list[Payload]) -> Iterator[Payload]:
    """Yield every component, nested ones included, in the order they are seen."""
    for component in components:
        yield component
        inside = [*component.get("components", ())]
        inside += [component[key] for key in ("accessory", "component") if component.get(key)]
        yield from walk(inside)


def _component_problems(components: list[Payload]) -> Iterator[str]:
    everything = list(walk(components))
    texts = [c["content"] for c in everything if c["type"] == TEXT]
    if len(everything) > 40:
        yield f"{len(everything)} components"
    if sum(map(length, texts)) > 4000:
        yield f"{sum(map(length, texts))} characters of text"
    if any(not text.strip() for text in texts):
        yield "an empty text"
    ids = Counter(c["custom_id"] for c in everything if c.get("custom_id") is not None)
    yield from (f"custom_id twice: {name}" for name, times in ids.items() if times > 1)
    for name in ids:
        yield from _too_long("custom_id", name, 100, 1)
    for component in everything:
        yield from _one_component_problems(component)


def _one_component_problems(component: Payload) -> Iterator[str]:
    if component["type"] == ROW and not 1 <= len(component["components"]) <= 5:
        yield f"{len(component['components'])} components in a row"
    if component["type"] == CONTAINER and not component["components"]:
        yield "an empty container"
    if component["type"] == SELECT:
        yield from _select_problems(component)
    if component["type"] != BUTTON:
        return
    yield from _too_long("label", component.get("label"), 80)
    yield from _too_long("url", component.get("url"), 512)
    if (component["style"] == LINK) == bool(component.get("custom_id")):
        yield "a button needs either an address or a custom_id"
    if not (component.get("label") or component.get("emoji")):
        yield "a button without a label"


def _select_problems(select: Payload) -> Iterator[str]:
    options = select["options"]
    if not 1 <= len(options) <= 25:
        yield f"{len(options)} options"
    if len({option["value"] for option in options}) < len(options):
        yield "an option twice"
    yield from _too_long("placeholder", select.get("placeholder"), 150)
    for option in options:
        yield from _too_long("option.label", option["label"], 100, 1)
        yield from _too_long("option.value", option["value"], 100, 1)


def modal_problems(body: Payload) -> Iterator[str]:
    """Say what Discord would refuse in a modal."""
    yield from _too_long("modal.title", body.get("title"), 45, 1)
    yield from _too_long("custom_id", body.get("custom_id"), 100, 1)
    everything = list(walk(body.get("components") or []))
    if not 1 <= len(everything) <= 40:
        yield f"a modal of {len(everything)} components"
    for component in everything:
        if component["type"] == LABEL:
            yield from _too_long("label", component.get("label"), 45, 1)
        if component.get("placeholder"):
            yield from _too_long("placeholder", component["placeholder"], 100)


def choice_problems(choices: list[Payload]) -> Iterator[str]:
    """Say what Discord would refuse in the choices of an autocomplete."""
    if len(choices) > 25:
        yield f"{len(choices)} choices"
    for choice in choices:
        yield from _too_long("choice.name", choice["name"], 100, 1)
        yield from _too_long("choice.value", str(choice["value"]), 100, 1)


def command_problems(commands: list[Payload]) -> Iterator[str]:
    """Say what Discord would refuse in the commands of an application."""
    for command in commands:
        chat = command.get("type", 1) == 1
        if chat and not (_NAME.fullmatch(command["name"]) and command["name"] == command["name"].lower()):
            yield f"a command cannot be named {command['name']!r}"
        yield from _too_long("command.name", command["name"], 32, 1)
        yield from _too_long("command.description", command.get("description"), 100, int(chat))
        options = command.get("options") or []
        for option in options:
            yield from _too_long("option.name", option["name"], 32, 1)
            yield from _too_long("option.description", option["description"], 100, 1)
        if len(json.dumps(command)) > 8000 or len(options) > 25:
            yield f"the command {command['name']} is too large"
    yield from (
        f"two commands {key}" for key, n in Counter((c["name"], c.get("type", 1)) for c in commands).items() if n > 1
    )


def pings(body: Payload, author: str | None = None) -> tuple[str, ...]:
    """Return whom a message would ping: ``everyone``, ids of people and roles. Embeds never ping; V2 texts do.

    ``author`` is who wrote the message that this one answers.
    """
    texts = [body.get("content") or ""]
    texts += [c["content"] for c in walk(body.get("components") or []) if c["type"] == TEXT]
    words = "\n".join(texts)
    allowed = body.get("allowed_mentions")
    pinged: list[str] = []
    if re.search(r"@(everyone|here)\b", words) and _lets(allowed, "everyone"):
        pinged.append("everyone")
    for kind, pattern in (("users", r"<@!?(\d+)>"), ("roles", r"<@&(\d+)>")):
        named = re.findall(pattern, words)
        listed = (allowed or {}).get(kind) or []
        pinged += [who for who in named if _lets(allowed, kind) or who in listed]
    if author and (allowed is None or allowed.get("replied_user")):
        pinged.append(author)
    return tuple(pinged)


def _lets(allowed: Payload | None, kind: str) -> bool:
    return allowed is None or kind in (allowed.get("parse") or [])


@cache
def _specification() -> Payload | None:
    shared = os.environ.get("STET_TEST_SHARED")
    if not shared:
        return None
    loaded: Payload = json.loads((Path(shared) / "data" / "discord_openapi.json").read_text(encoding="utf-8"))
    return loaded


@cache
def _validator(method: str, path: str) -> Draft202012Validator | None:
    specification = _specification()
    if specification is None:
        return None
    operation = specification["paths"][path][method.lower()]
    if "requestBody" not in operation:
        return None
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    whole = {"$id": _URN, "$schema": "https://json-schema.org/draft/2020-12/schema", **specification}
    registry = Registry().with_resource(_URN, Resource.from_contents(whole))
    absolute = json.loads(json.dumps(schema).replace('"#/', f'"{_URN}#/'))
    return Draft202012Validator(absolute, registry=registry)


def schema_problems(method: str, path: str, body: object) -> Iterator[str]:
    """Say where a body departs from Discord's own schema of ``path``; nothing where the schema is not at hand."""
    validator = _validator(method, path)
    if validator is None:
        return
    if isinstance(body, dict) and isinstance(body.get("recipient_id"), int):
        body = body | {"recipient_id": str(body["recipient_id"])}  # Discord takes the number that discord.py sends
    for error in validator.iter_errors(body):
        deepest = min(error.context, key=lambda e: len(e.absolute_path)) if error.context else error
        yield f"{method} {path}: {error.json_path}: {error.message[:300]} ({deepest.message[:200]})"
