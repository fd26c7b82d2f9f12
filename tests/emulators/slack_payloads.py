"""What Slack sends: events, commands and interactions, shaped as the vendor shapes them."""

import itertools
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

TEAM, APP, BOT_USER, BOT = "T0NEWS", "A0STET", "U0STET", "B0STET"

Payload = dict[str, Any]

SIGNED = {"token": "legacy", "team_id": TEAM, "api_app_id": APP}
_numbers = itertools.count(1)


def stamp() -> str:
    """Return a message's ``ts`` that nothing else has, in octal: tests look for a year in what is stored."""
    return f"1790000000.{next(_numbers):06o}"


def _number(prefix: str) -> str:
    return f"{prefix}{uuid.uuid4().hex[:10].upper()}"


def event(inner: Mapping[str, Any], event_id: str | None = None, **outer: object) -> Payload:
    """Wrap an event as it is delivered."""
    allowed = {"enterprise_id": None, "team_id": TEAM, "user_id": BOT_USER, "is_bot": True}
    own = {"type": "event_callback", "event_id": event_id or _number("Ev"), "event_time": 1_790_000_000}
    return SIGNED | own | {"event": dict(inner), "authorizations": [allowed], "is_ext_shared_channel": False, **outer}


def message(text: str, *, channel: str = "C1", user: str = "U1", thread_ts: str | None = None) -> Payload:
    """Return a message event; a channel that begins with D is a direct one. Texts come escaped."""
    ts = stamp()
    own = {"type": "message", "user": user, "ts": ts, "event_ts": ts, "client_msg_id": str(uuid.uuid4()), "team": TEAM}
    there = {"channel": channel, "channel_type": "im" if channel.startswith("D") else "channel"}
    thread = {"thread_ts": thread_ts, "parent_user_id": "U1"} if thread_ts else {}
    return {**own, "text": escape(text), **there, **thread}


def mention(text: str, *, channel: str = "C1", user: str = "U1", thread_ts: str | None = None) -> Payload:
    """Return the event of somebody naming the bot; the text is given without the name."""
    found = message(text, channel=channel, user=user, thread_ts=thread_ts)
    found |= {"type": "app_mention", "text": f"<@{BOT_USER}> {found['text']}"}
    del found["channel_type"]
    return found


def link_shared(posted: Payload, addresses: tuple[str, ...]) -> Payload:
    channel, ts = posted["channel"], posted["ts"]
    links = [{"domain": urlsplit(each).hostname, "url": each} for each in addresses]
    at = {"channel": channel, "user": posted["user"], "message_ts": ts, "unfurl_id": f"{channel}.{ts}"}
    same = {"type": "link_shared", "is_bot_user_member": True, "source": "conversations_history"}
    return {**same, **at, "links": links, "event_ts": stamp()}


def reaction(channel: str, ts: str, emoji: str, user: str) -> Payload:
    item = {"type": "message", "channel": channel, "ts": ts}
    return {"type": "reaction_added", "user": user, "reaction": emoji, "item": item, "event_ts": stamp()}


def step(callback_id: str, inputs: dict[str, str]) -> Payload:
    function = {"id": _number("Fn"), "callback_id": callback_id, "type": "app", "app_id": APP}
    numbers = {"function_execution_id": _number("Fx"), "workflow_execution_id": _number("Wx"), "event_ts": stamp()}
    own = {"type": "function_executed", "function": function, "inputs": inputs}
    return {**own, **numbers, "bot_access_token": "xwfp-of-the-step"}


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def home_opened(user: str = "U1", tab: str = "home") -> Payload:
    return {"type": "app_home_opened", "user": user, "channel": f"D{user}", "tab": tab, "event_ts": stamp()}


def command(name: str, text: str, response_url: str, *, channel: str = "C1", user: str = "U1") -> Payload:
    who = {"team_domain": "news", "channel_id": channel, "channel_name": "desk", "user_id": user, "user_name": "ada"}
    typed = {"command": name, "text": escape(text), "is_enterprise_install": "false"}
    return SIGNED | who | typed | {"response_url": response_url, "trigger_id": _number("trigger.")}


def interaction(kind: str, user: str = "U1", **more: object) -> Payload:
    person = {"id": user, "username": "ada", "name": "ada", "team_id": TEAM}
    same = {"token": "legacy", "api_app_id": APP, "enterprise": None, "is_enterprise_install": False}
    who = {"team": {"id": TEAM, "domain": "news"}, "user": person}
    return {"type": kind, **same, **who, "trigger_id": _number("trigger."), **more}


def click(at: Mapping[str, Any], action: Mapping[str, Any], block_id: str, response_url: str, user: str) -> Payload:
    """Return the click on a button of a message as the emulator keeps it; of an ephemeral one Slack sends no text."""
    where = {"type": "message", "message_ts": at["ts"], "channel_id": at["channel"], "is_ephemeral": at["ephemeral"]}
    if at.get("thread_ts"):
        where["thread_ts"] = at["thread_ts"]
    shown = {} if at["ephemeral"] else {"message": dict(at)}
    shown |= {"channel": {"id": at["channel"], "name": "desk"}, "response_url": response_url}
    pressed = {**action, "block_id": block_id, "action_ts": stamp()}
    return interaction("block_actions", user, container=where, actions=[pressed], **shown)


def shortcut(callback_id: str, at: Mapping[str, Any], response_url: str, user: str) -> Payload:
    on = {"type": "message", **{key: at[key] for key in ("user", "ts", "text", "files") if key in at}}
    where = {"channel": {"id": at["channel"], "name": "desk"}, "message_ts": at["ts"], "message": on}
    where |= {"response_url": response_url, "action_ts": stamp()}
    return interaction("message_action", user, callback_id=callback_id, **where)


def suggestion(view: Mapping[str, Any], action_id: str, block_id: str, value: str, user: str) -> Payload:
    return interaction("block_suggestion", user, action_id=action_id, block_id=block_id, value=value, view=dict(view))


def submission(view: Mapping[str, Any], values: Mapping[str, Any], user: str) -> Payload:
    return interaction("view_submission", user, view={**view, "state": {"values": values}}, response_urls=[])
