"""Slack's Web API as a bot needs it: every call is recorded, and refused where the vendor would refuse it."""

import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.emulators.slack_payloads import APP, BOT, BOT_USER, TEAM, Payload, stamp
from tests.emulators.slack_rules import LIMITS, pinged, refuse, refuse_message, refuse_view

SCOPES = tuple(
    "app_mentions:read chat:write im:history mpim:history assistant:write commands users:read channels:read groups:read"
    " channels:history groups:history links:read links:write reactions:read files:read".split()
)
FAMILIES = {"D": "im", "G": "mpim"}  # by how a channel's id begins; of a group's people, not of a private channel
STRUCTURED = ("blocks", "view", "prompts", "metadata", "unfurls", "outputs")

CUT, LOST, HANGING, GARBLED = 0, -1, -2, -3


class RefusedError(Exception):
    """The call is answered with ``ok: false`` and this error."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the bot's: what it said, when, and what it was told; ``channel`` is a response URL's."""

    method: str
    payload: Payload
    at: float
    status: int
    answer: Payload
    channel: str = ""


@dataclass(slots=True)
class Fault:
    """A way to fail: each ``every``-th call of a method (or of all), ``times`` times at most; 200 refuses in words.

    ``CUT`` ends the connection before anything is done, ``LOST`` after it is done, ``HANGING`` never answers,
    ``GARBLED`` does it and answers with a web page.
    """

    status: int
    method: str | None = None
    every: int = 1
    times: int = 1_000_000
    retry_after: int = 0
    error: str = "ratelimited"
    channels: tuple[str, ...] = ()  # of calls that name one; empty: whatever they name
    counter: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def strikes(self, method: str, channel: str) -> bool:
        elsewhere = self.channels and channel not in self.channels
        if self.method not in (None, method) or elsewhere or self.times <= 0 or next(self.counter) % self.every:
            return False
        self.times -= 1
        return True


class Web:
    """The workspace: its people and channels, the messages posted, the views shown."""

    def __init__(self, bot_token: str, app_token: str) -> None:
        self.bot_token, self.app_token = bot_token, app_token
        self.calls: list[Call] = []
        self.messages: list[Payload] = []
        self.views: dict[str, Payload] = {}
        self.homes: dict[str, Payload] = {}
        self.response_urls: dict[str, Payload] = {}
        self.faults: list[Fault] = []
        self.scopes: tuple[str, ...] = SCOPES
        self.channels = {name: {"id": name, "is_member": True, "is_channel": True} for name in ("C1", "C2")}
        self.people: dict[str, Payload] = {}
        self.triggers: set[str] = set()
        self.written: list[Payload] = []  # by people
        self.unfurled: list[tuple[str, str, str, list[Payload]]] = []  # channel, ts, address and card
        self.steps: dict[str, Payload | None] = {}  # of workflows: their outputs or error, once there are any
        self.revoked = False
        self.open_connection: Callable[[], str] = lambda: ""

    def call(self, method: str, payload: Payload, token: str) -> tuple[int, Payload]:
        status, answer = self._failure(method, str(payload.get("channel"))) or (200, {})
        if status in (200, LOST, GARBLED) and not answer.get("error"):
            answer = self._answer(method, payload, token)
        self.calls.append(Call(method, payload, time.monotonic(), status, answer))
        return status, answer

    def grants(self, scope: str, channel: str = "") -> bool:
        """Return whether the bot has a scope, or in a channel the one of that channel's family."""
        named = scope if ":" in scope else f"{FAMILIES.get(channel[:1], 'channels')}:{scope}"
        return named in self.scopes

    def _failure(self, method: str, channel: str = "") -> tuple[int, Payload] | None:
        for fault in self.faults:
            if fault.strikes(method, channel):
                if fault.status in (LOST, GARBLED):
                    return fault.status, {}
                return fault.status, {"ok": False, "error": fault.error, "retry_after": fault.retry_after}
        return None

    def _answer(self, method: str, payload: Payload, token: str) -> Payload:
        try:
            self._admit(method, payload, token)
            return {"ok": True, **_METHODS[method][0](self, payload)}
        except RefusedError as refusal:
            error, _, detail = str(refusal).partition(": ")
            return {"ok": False, "error": error, "response_metadata": {"messages": [detail]}}

    def _admit(self, method: str, payload: Payload, token: str) -> None:
        if token != (self.app_token if method == "apps.connections.open" else self.bot_token):
            raise RefusedError("not_allowed_token_type" if token[:4] in ("xoxb", "xapp") else "invalid_auth")
        if self.revoked:
            raise RefusedError("token_revoked")
        if method not in _METHODS:
            raise RefusedError("unknown_method")
        _, required, scope = _METHODS[method]
        if scope and not self.grants(scope, payload.get("channel", "")):
            raise RefusedError("missing_scope")
        if missing := [name for name in required.split() if not payload.get(name)]:
            raise RefusedError(f"invalid_arguments: missing {missing}")

    def respond(self, number: str, payload: Payload) -> tuple[int, Payload]:
        status, answer = self._failure("response_url") or self._respond(number, payload)
        channel = self.response_urls.get(number, {}).get("channel", "")
        self.calls.append(Call("response_url", payload, time.monotonic(), status, answer, channel))
        return status, answer

    def _respond(self, number: str, payload: Payload) -> tuple[int, Payload]:
        at = self.response_urls.get(number)
        if at is None or at["uses"] >= LIMITS["response_url"]:
            return 404, {"ok": False, "error": "used_url"}
        at["uses"] += 1
        if payload.get("delete_original"):
            return 200, {"ok": True}
        if reasons := list(refuse_message(payload)):
            return 400, {"ok": False, "error": reasons[0]}
        self._keep(payload, at["channel"], ephemeral=payload.get("response_type", "ephemeral") == "ephemeral")
        return 200, {"ok": True}

    def _validate(self, payload: Payload) -> Payload:
        wrong = [{"message": each, "pointer": "/"} for each in refuse_message({"text": "", **payload})]
        return {"ok": False, "error": "invalid_blocks", "errors": wrong} if wrong else {}

    def response_url(self, channel: str) -> str:
        number = f"{len(self.response_urls) + 1}"
        self.response_urls[number] = {"channel": channel, "uses": 0}
        return number

    def _keep(self, payload: Payload, channel: str, *, ephemeral: bool = False) -> Payload:
        where = {"ts": stamp(), "thread_ts": payload.get("thread_ts"), "channel": channel, "ephemeral": ephemeral}
        entry = {"type": "message", "user": BOT_USER, "bot_id": BOT, "at": time.monotonic(), **where, **_words(payload)}
        entry |= {"metadata": payload.get("metadata"), "pinged": pinged(payload)}
        self.messages.append(entry)
        return entry

    def _post(self, payload: Payload) -> Payload:
        channel = payload["channel"]
        self._enter(channel)
        _refuse(refuse_message(payload))
        entry = self._keep(payload, channel)
        return {"channel": channel, "ts": entry["ts"], "message": entry}

    def _enter(self, channel: str) -> None:
        """Refuse a channel, or a conversation between people, that the bot is not in."""
        if channel.startswith("U"):
            return
        own = {"is_member": True} if channel.startswith("D") else None
        known = self.channels.get(channel, own)
        if known is None or (channel.startswith("D") and not known["is_member"]):
            raise RefusedError("channel_not_found")
        if not known["is_member"]:
            raise RefusedError("not_in_channel")

    def _post_ephemeral(self, payload: Payload) -> Payload:
        _refuse(refuse_message(payload))
        return {"message_ts": self._keep(payload, payload["channel"], ephemeral=True)["ts"]}

    def _update(self, payload: Payload) -> Payload:
        entry = self._shown(payload)
        _refuse(refuse_message(payload))
        entry |= _words(payload)
        return {"channel": entry["channel"], "ts": entry["ts"]}

    def _delete(self, payload: Payload) -> Payload:
        entry = self._shown(payload)
        self.messages.remove(entry)
        return {"channel": entry["channel"], "ts": entry["ts"]}

    def _shown(self, at: Payload) -> Payload:
        for entry in self.messages:
            if (entry["channel"], entry["ts"]) == (at["channel"], at["ts"]) and not entry["ephemeral"]:
                return entry
        raise RefusedError("message_not_found")

    def _unfurl(self, payload: Payload) -> Payload:
        posted = [m for m in self.written if (m["channel"], m["ts"]) == (payload["channel"], payload["ts"])]
        if not posted:
            raise RefusedError("cannot_find_message")
        for address, card in payload["unfurls"].items():
            if address not in posted[0]["text"]:
                raise RefusedError(f"cannot_unfurl_url: {address}")
            _refuse(refuse_message(card))
            self.unfurled.append((payload["channel"], payload["ts"], address, card["blocks"]))
        return {}

    def _complete(self, payload: Payload) -> Payload:
        number, outputs = payload["function_execution_id"], payload.get("outputs")
        if self.steps.get(number, payload) is not None:
            raise RefusedError("function_execution_not_found")
        if outputs is not None and not (isinstance(outputs.get("answer"), str) and len(outputs) == 1):
            raise RefusedError("parameter_validation_failed")
        self.steps[number] = outputs or {"error": payload["error"]}
        return {}

    def _replies(self, payload: Payload) -> Payload:
        both = [m for m in (*self.written, *self.messages) if m["channel"] == payload["channel"]]
        parents = [m["thread_ts"] for m in both if m["ts"] == payload["ts"] and m.get("thread_ts")]
        thread = parents[0] if parents else payload["ts"]  # any message of a thread names it
        root = [m for m in both if m["ts"] == thread and not m.get("ephemeral")]
        there = [m for m in both if m.get("thread_ts") == thread and not m.get("ephemeral")]
        first, last = payload.get("oldest") or "", payload.get("latest") or "~"
        shown = [*root, *(m for m in there if first <= m["ts"] <= last)]
        if not shown:
            raise RefusedError("thread_not_found")
        return {"messages": _delivered(shown, payload), "has_more": False}

    def _history(self, payload: Payload) -> Payload:
        self._enter(payload["channel"])
        every = [m for m in (*self.written, *self.messages) if m["channel"] == payload["channel"]]
        shown = [m for m in every if not m.get("thread_ts") and not m.get("ephemeral")]
        newest = shown[::-1][: int(payload.get("limit") or 100)]
        return {"messages": _delivered(newest, payload), "has_more": False}

    def _open_view(self, payload: Payload) -> Payload:
        if payload["trigger_id"] not in self.triggers:
            raise RefusedError("invalid_trigger_id")
        self.triggers.discard(payload["trigger_id"])
        return {"view": self._show(payload["view"])}

    def _publish(self, payload: Payload) -> Payload:
        if payload["view"].get("type") != "home":
            raise RefusedError("invalid_arguments: not a home")
        shown = self._show(payload["view"])
        self.homes[payload["user_id"]] = shown
        return {"view": shown}

    def _show(self, view: Payload) -> Payload:
        _refuse(refuse_view(view))
        shown = {**view, "id": f"V{len(self.views) + 1}", "team_id": TEAM, "app_id": APP}
        self.views[shown["id"]] = shown
        return shown

    def _prompts(self, payload: Payload) -> Payload:
        _refuse(refuse("prompts", payload["prompts"]))
        return {}

    def _channel(self, payload: Payload) -> Payload:
        found = self.channels.get(payload["channel"])
        if found is None or (payload["channel"].startswith("D") and not found["is_member"]):
            raise RefusedError("channel_not_found")
        return {"channel": found}

    def _person(self, payload: Payload) -> Payload:
        ordinary = {"id": payload["user"], "team_id": TEAM, "is_restricted": False, "is_ultra_restricted": False}
        return {"user": self.people.get(payload["user"], ordinary)}


def _words(payload: Payload) -> Payload:
    return {"text": payload.get("text") or "", "blocks": payload.get("blocks") or []}


def _delivered(messages: list[Payload], asked: Payload) -> list[Payload]:
    hidden = () if asked.get("include_all_metadata") in (True, "1", "true") else ("metadata",)
    return [{name: value for name, value in each.items() if name not in hidden} for each in messages]


def _refuse(reasons: Iterator[str]) -> None:
    for reason in reasons:
        raise RefusedError(reason)


_OWN = {"team": "News", "team_id": TEAM, "user": "stet", "user_id": BOT_USER, "bot_id": BOT}
# what is called, what it needs, and the scope beside chat:write and assistant:write that allows it
_METHODS: Mapping[str, tuple[Callable[[Web, Payload], Payload], str, str]] = {
    "blocks.validate": (Web._validate, "", ""),
    "auth.test": (lambda _, __: _OWN, "", ""),
    "apps.connections.open": (lambda web, _: {"url": web.open_connection()}, "", ""),
    "chat.postMessage": (Web._post, "channel", ""),
    "chat.postEphemeral": (Web._post_ephemeral, "channel user", ""),
    "chat.update": (Web._update, "channel ts", ""),
    "chat.delete": (Web._delete, "channel ts", ""),
    "chat.getPermalink": (
        lambda _, p: {"permalink": f"https://news.slack.example/{p['channel']}/p{p['message_ts']}"},
        "channel message_ts",
        "",
    ),
    "functions.completeSuccess": (Web._complete, "function_execution_id outputs", ""),
    "functions.completeError": (Web._complete, "function_execution_id error", ""),
    "chat.unfurl": (Web._unfurl, "channel ts unfurls", "links:write"),
    "conversations.replies": (Web._replies, "channel ts", "history"),
    "conversations.history": (Web._history, "channel", "history"),
    "assistant.threads.setStatus": (lambda _, __: {}, "channel_id thread_ts", ""),  # an empty status takes it away
    "assistant.threads.setSuggestedPrompts": (Web._prompts, "channel_id prompts", ""),
    "views.open": (Web._open_view, "view trigger_id", ""),
    "views.publish": (Web._publish, "user_id view", ""),
    "conversations.info": (Web._channel, "channel", "read"),
    "users.info": (Web._person, "user", "users:read"),
}


def decode(form: Mapping[str, str]) -> Payload:
    return {name: json.loads(value) if name in STRUCTURED else value for name, value in form.items()}
