"""What Discord refuses, and whom a message pings: bodies in, sentences out.

``discord_requests.json`` is the part of Discord's own schema that this bot's requests need; lengths are counted in
UTF-16 units, the strictest reading of "characters". What follows here is in its documentation alone.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.emulators.discord_payloads import COMPONENTS_V2, Payload

ROW, BUTTON, SELECT, SECTION, TEXT, CONTAINER = 1, 2, 3, 9, 10, 17
ONLY_V2 = {SECTION, TEXT, 11, 12, 13, 14, CONTAINER}
LINK = 5
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
MESSAGES = "/channels/{channel_id}/messages"
_NAME = re.compile(r"[-_'\w]{1,32}")
_URN = "urn:discord"
_WIDE = re.compile("[\U00010000-\U0010ffff]")  # two units in UTF-16


def length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@cache
def _validator(request: str) -> Draft202012Validator | None:
    specification = json.loads(Path(__file__).with_name("discord_requests.json").read_text(encoding="utf-8"))
    schema = specification["requests"].get(request)
    if schema is None:
        return None
    whole = {"$id": _URN, "$schema": "https://json-schema.org/draft/2020-12/schema", **specification}
    registry = Registry().with_resource(_URN, Resource.from_contents(whole))
    absolute = json.loads(json.dumps(schema).replace('"#/', f'"{_URN}#/'))
    return Draft202012Validator(absolute, registry=registry)


def schema_problems(method: str, path: str, body: object) -> Iterator[str]:
    """Say where a body departs from Discord's own schema of ``path``."""
    validator = _validator(f"{method} {path}")
    if validator is None:
        return
    if isinstance(body, dict) and isinstance(body.get("recipient_id"), int):
        body = body | {"recipient_id": str(body["recipient_id"])}  # Discord takes the number that discord.py sends
    for error in validator.iter_errors(json.loads(_WIDE.sub("xx", json.dumps(body, ensure_ascii=False)))):
        deepest = min(error.context, key=lambda e: len(e.absolute_path)) if error.context else error
        yield f"{method} {path}: {error.json_path}: {error.message[:300]} ({deepest.message[:200]})"


def message_problems(body: Payload) -> Iterator[str]:
    components, embeds = body.get("components") or [], body.get("embeds") or []
    if (units := length(body.get("content") or "")) > 2000:
        yield f"content of {units} characters"
    if len(embeds) > 1 or any(set(embed) - {"type", "title", "description", "url", "flags"} for embed in embeds):
        yield "an embed that is no card of a link"
    yield from _component_problems(components)
    if (body.get("flags") or 0) & COMPONENTS_V2:
        beside = ("content", "embeds", "poll", "sticker_ids")
        yield from (f"{key} beside Components V2" for key in beside if body.get(key))
    elif any(c["type"] in ONLY_V2 for c in walk(components)):
        yield "Components V2 without their flag"
    elif len(components) > 5 or any(c["type"] != ROW for c in components):
        yield "only five action rows may stand in a message without Components V2"
    if not (components or body.get("content") or embeds):
        yield "an empty message"


def sent_problems(body: Payload) -> Iterator[str]:
    yield from message_problems(body)
    yield from schema_problems("POST", MESSAGES, body)


def walk(components: list[Payload]) -> Iterator[Payload]:
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
    for component in everything:
        values = [option["value"] for option in component.get("options", ())]
        if len(set(values)) < len(values):
            yield "an option twice"
        if component["type"] == BUTTON and (component["style"] == LINK) == bool(component.get("custom_id")):
            yield "a button needs either an address or a custom_id"
        if component["type"] == BUTTON and not (component.get("label") or component.get("emoji")):
            yield "a button without a label"


def modal_problems(body: Payload) -> Iterator[str]:
    return schema_problems("POST", CALLBACK, {"type": 9, "data": body})


def command_problems(commands: list[Payload]) -> Iterator[str]:
    """Say what Discord would refuse in the commands of an application beside what its schema says."""
    for command in commands:
        chat, name = command.get("type", 1) == 1, command["name"]
        if chat and not (_NAME.fullmatch(name) and name == name.lower() and command.get("description")):
            yield f"a command cannot be named {name!r}, or has no description"
        if len(json.dumps(command)) > 8000:
            yield f"the command {name} is too large"
    names = Counter((c["name"], c.get("type", 1)) for c in commands)
    yield from (f"two commands {name}" for name, times in names.items() if times > 1)


def pings(body: Payload, author: str | None = None) -> tuple[str, ...]:
    """Return whom a message would ping: ``everyone``, ids of people and roles. Embeds never ping; V2 texts do.

    ``author`` is who wrote the message that this one answers.
    """
    texts = [body.get("content") or ""]
    texts += [c["content"] for c in walk(body.get("components") or []) if c["type"] == TEXT]
    words, allowed = "\n".join(texts), body.get("allowed_mentions")
    pinged: list[str] = []
    if re.search(r"@(everyone|here)\b", words) and _lets(allowed, "everyone"):
        pinged.append("everyone")
    for kind, pattern in (("users", r"<@!?(\d+)>"), ("roles", r"<@&(\d+)>")):
        listed = (allowed or {}).get(kind) or []
        pinged += [who for who in re.findall(pattern, words) if _lets(allowed, kind) or who in listed]
    if author and (allowed is None or allowed.get("replied_user")):
        pinged.append(author)
    return tuple(pinged)


def _lets(allowed: Payload | None, kind: str) -> bool:
    return allowed is None or kind in (allowed.get("parse") or [])
