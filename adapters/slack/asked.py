"""What Slack sends -> what was asked: by whom, where, and where the answer goes. Pure, and the same for both modes.

Events, slash commands, the message shortcut, buttons and the name picker all end in one ``Asked``;
as JSON it is what is kept of a question until it is answered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from adapters.slack.blocks import CONTEXT, COPY, MORE, SHARE, WHO
from adapters.slack.rich_text import unescape

Body = Mapping[str, Any]

CHECK_QUOTE, PICK, NAME = "check_quote", "stet_pick", "stet_name"
ASK, ANYTHING = "/ask", "/stet"
SHARED = "share"
BUTTONS = {MORE: "more", CONTEXT: "context", COPY: "copy", SHARE: SHARED}
# what somebody wrote, by these kinds of message too; all others are changes, joins, and what bots say
SUBTYPES = (None, "file_share", "thread_broadcast", "me_message")
_MARKUP = re.compile(r"<([@#!]?)([^<>|\s][^<>|]*)(?:\|([^<>]*))?>")


class Answered(StrEnum):
    """Where an answer goes."""

    THREAD = "thread"  # for everybody, in a thread of the channel
    EPHEMERAL = "ephemeral"  # for the asker alone, in the channel
    RESPONSE = "response"  # for the asker alone, to the address that came with the question
    CHANNEL = "channel"  # for everybody, to that address


@dataclass(frozen=True, slots=True)
class Asked:
    """A question or a command of Slack's.

    ``command`` is empty for a question. ``thread`` is where the answer goes, and ``within`` whether the question
    itself stands there; ``loose`` are those that count only in a thread that the bot takes part in.
    ``foreign`` is set where the person's workspace is another than the bot's.
    """

    text: str
    person: str
    channel: str
    workspace: str | None = None
    command: str = ""
    thread: str = ""
    within: bool = False
    loose: bool = False
    foreign: bool = False
    answered: Answered = Answered.THREAD
    response_url: str = ""

    def as_json(self) -> str:
        """Return it as it is kept."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Asked:
        """Return it as it was kept."""
        kept = json.loads(text)
        return cls(**kept | {"answered": Answered(kept["answered"])})

    @property
    def direct(self) -> bool:
        """Whether it was asked in a direct message."""
        return self.channel.startswith("D")


def asked(body: Body, bot: str | None, commands: Iterable[str]) -> Asked | None:
    """Return what a body of Slack's asks, if it asks anything; ``bot`` is the bot's user, where known."""
    if "command" in body:
        return _slash(body, commands)
    kind = body.get("type")
    return _READ[kind](body, bot) if kind in _READ else None


def typing(body: Body) -> Asked:
    """Return who types into the name picker, and in which channel the command was given."""
    at = json.loads((body.get("view") or {}).get("private_metadata") or "{}")
    return replace(_interaction(body), channel=at.get("channel", ""))


def keys(body: Body) -> tuple[str, ...]:
    """Return the names under which a body may arrive again: its own, and its message's."""
    event = body.get("event") or {}
    place = f"{event['channel']}:{event['ts']}" if event.get("channel") and event.get("ts") else None
    return tuple(name for name in (body.get("event_id"), place, body.get("trigger_id")) if name)


def written(text: str, bot: str | None = None) -> str:
    """Return what somebody wrote, from the form in which Slack delivers it; the bot's own name is left out."""

    def plain(match: re.Match[str]) -> str:
        sign, what, label = match[1], match[2], match[3]
        if sign == "@" and what == bot:
            return ""
        return (sign.replace("!", "@") + (label or what)) if sign else (label or what)

    return unescape(_MARKUP.sub(plain, text)).strip()


def _event(body: Body, bot: str | None) -> Asked | None:
    event = body.get("event") or {}
    user, text = event.get("user"), event.get("text")
    if event.get("bot_id") or not user or user == bot or not text or event.get("subtype") not in SUBTYPES:
        return None
    home = body.get("team_id")
    found = Asked(
        text=written(text, bot or _bot(body)),
        person=user,
        channel=event.get("channel", ""),
        workspace=home,
        thread=event.get("thread_ts") or event.get("ts", ""),
        within="thread_ts" in event,
        foreign=bool(home) and (event.get("user_team") or event.get("team") or home) != home,
    )
    match event.get("type"):
        case "app_mention":
            return replace(found, text=_without_name(text, bot or _bot(body)))
        case "message" if event.get("channel_type") == "im" or found.direct:
            return found
        case "message" if found.within and f"<@{bot}" not in text:
            # with the bot's name in it, the same message comes as a mention too
            return replace(found, loose=True)
    return None


def _bot(body: Body) -> str | None:
    return next((a.get("user_id") for a in body.get("authorizations") or () if a.get("is_bot")), None)


def _without_name(text: str, bot: str | None) -> str:
    """Return a mention's text without the bot; where its name is not known, without the first name."""
    return written(text, bot) if bot else written(re.sub(r"<@[^<>]*>", "", text, count=1))


def _slash(body: Body, commands: Iterable[str]) -> Asked:
    """Read a slash command: ``/who`` is a command of the desk's by itself, ``/stet`` takes one, or a question."""
    name, text = body["command"], written(body.get("text") or "")
    command = name.lstrip("/")
    if name in (ASK, ANYTHING):
        first, _, rest = text.partition(" ")
        command, text = (first.lower(), rest.strip()) if name == ANYTHING and first.lower() in commands else ("", text)
        command = "help" if name == ANYTHING and not (command or text) else command
    return Asked(
        text=text,
        person=body.get("user_id", ""),
        channel=body.get("channel_id", ""),
        workspace=body.get("team_id"),
        command=command,
        answered=Answered.RESPONSE,
        response_url=body.get("response_url", ""),
    )


def _interaction(body: Body) -> Asked:
    team, user = body.get("team") or {}, body.get("user") or {}
    return Asked(
        text="",
        person=user.get("id", ""),
        channel=(body.get("channel") or {}).get("id", ""),
        workspace=team.get("id"),
        foreign=bool(team.get("id")) and (user.get("team_id") or team["id"]) != team["id"],
        answered=Answered.RESPONSE,
        response_url=body.get("response_url", ""),
    )


def _shortcut(body: Body, _: str | None) -> Asked | None:
    if body.get("callback_id") != CHECK_QUOTE:
        return None
    text = written((body.get("message") or {}).get("text") or "")
    return replace(_interaction(body), command="verify", text=text)


def _button(body: Body, _: str | None) -> Asked | None:
    action = (body.get("actions") or [{}])[0]
    name = action.get("action_id", "")
    command = "who" if name.startswith(WHO) else BUTTONS.get(name)
    if command is None:
        return None
    container = body.get("container") or {}
    found = replace(_interaction(body), command=command, text=action.get("value", ""))
    found = replace(found, channel=found.channel or container.get("channel_id", ""))
    if command == SHARED:
        return replace(found, answered=Answered.CHANNEL)
    if container.get("is_ephemeral"):
        return found
    thread = container.get("thread_ts") or container.get("message_ts", "")
    alone = command in ("context", "copy")
    return replace(found, thread=thread, answered=Answered.EPHEMERAL if alone else Answered.THREAD)


def _picked(body: Body, _: str | None) -> Asked | None:
    view = body.get("view") or {}
    if view.get("callback_id") != PICK:
        return None
    at = json.loads(view.get("private_metadata") or "{}")
    inputs = [field for block in view["state"]["values"].values() for name, field in block.items() if name == NAME]
    chosen = (inputs[0].get("selected_option") or {}).get("value", "") if inputs else ""
    found = replace(_interaction(body), command="who", text=chosen)
    return replace(found, channel=at.get("channel", ""), response_url=at.get("response_url", ""))


_READ: Mapping[object, Callable[[Body, str | None], Asked | None]] = {
    "event_callback": _event,
    "message_action": _shortcut,
    "block_actions": _button,
    "view_submission": _picked,
}
