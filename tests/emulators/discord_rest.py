"""Discord's REST API on loopback: what a bot needs of it, refusing what Discord refuses.

An interaction is answered first within three seconds and only once; its message is edited afterwards.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import cast

from aiohttp import web

from tests.emulators import discord_payloads as payloads, discord_rules as rules
from tests.emulators.discord_payloads import Payload, World, channel, guild, member, message

UNKNOWN = 10062  # "Unknown interaction"
CUT, UNRECEIPTED = 0, 200
FIRST_RESPONSE, TOKEN_LIFE, RETRY_AFTER = 3.0, 900.0, 0.05  # seconds
AUTOCOMPLETE, MODAL_SUBMIT = 4, 5
MESSAGE, DEFERRED, UPDATE, CHOICES, MODAL = 4, 5, 7, 8, 9
SHOWN = ("content", "components", "embeds")  # of a message, what an edit changes

Handler = Callable[[web.Request, Payload], object]


@dataclass
class Call:
    """One request, as it came, and the status it got."""

    method: str
    path: str
    body: object
    at: float
    status: int = 0


@dataclass
class Failure:
    """A request that is to fail: which, with what status, how many more times.

    Status 0 cuts the connection; status 200 does what was asked, and loses the receipt.
    """

    part: str
    status: int
    times: int


@dataclass(eq=False)
class Interaction:
    """One interaction, and all that became of it; times are monotonic seconds."""

    payload: Payload
    sent: float = field(default_factory=time.monotonic)
    acknowledged: float | None = None
    message: Payload | None = None
    answered: float | None = None
    answers: int = 0
    modal: Payload | None = None
    choices: list[Payload] | None = None

    @property
    def id(self) -> str:
        return str(self.payload["id"])


class Refusal(Exception):  # noqa: N818  (named as the thing it is)
    """A request that Discord answers with an error."""

    def __init__(self, status: int, code: int, text: str) -> None:
        super().__init__(text)
        self.status, self.code = status, code


class Rest:
    """The API's state: commands, messages, interactions; and the record of every call."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calls: list[Call] = []
        self.violations: list[str] = []
        self.pinged: list[str] = []
        self.commands: list[Payload] = []
        self.messages: dict[str, Payload] = {}
        self.members = {person.id: member(person) for person in (world.reporter, world.bot)}
        self.closed: set[str] = set()  # channels in which the bot may not write
        self.unread: set[str] = set()  # channels in which it may not read what was said before
        self.answers: dict[str, list[str]] = {}  # the bot's messages, by what each of them answers
        self.failures: list[Failure] = []
        self.public = False
        self.repeated = 0  # sends that enforce_nonce turned into the message there was
        self._nonces: dict[str, Payload] = {}
        self._interactions: dict[str, Interaction] = {}  # by token
        self._open: list[Interaction] = []
        self._changed = asyncio.Condition()

    def routes(self) -> list[web.RouteDef]:
        me = self.world.bot.payload() | {"verified": True, "mfa_enabled": False, "locale": "en-US", "flags": 0}
        api: list[tuple[str, str, Handler]] = [
            ("GET", "/users/@me", lambda *_: me),
            ("GET", "/users/@me/guilds", lambda *_: [guild(self.world)]),
            ("GET", "/applications/@me", self._application),
            ("GET", "/oauth2/applications/@me", self._application),
            ("POST", "/users/@me/channels", lambda *_: channel(self.world, self.world.direct)),
            ("PUT", "/applications/{application_id}/commands", self._sync),
            ("PUT", "/applications/{application_id}/guilds/{guild_id}/commands", self._sync),
            ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", self._acknowledge),
            ("GET", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", self._original),
            ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original", self._edit_original),
            ("GET", "/channels/{channel_id}", self._channel),
            ("GET", "/guilds/{guild_id}", lambda *_: guild(self.world)),
            ("GET", "/guilds/{guild_id}/members/{user_id}", self._member),
            ("POST", "/channels/{channel_id}/messages", self._send),
            ("GET", "/channels/{channel_id}/messages", self._history),
            ("GET", "/channels/{channel_id}/messages/{message_id}", self._message),
            ("PATCH", "/channels/{channel_id}/messages/{message_id}", self._edit),
            ("DELETE", "/channels/{channel_id}/messages/{message_id}", self._remove),
        ]
        return [web.route(method, f"/api/v10{path}", self._served(path, handler)) for method, path, handler in api]

    async def until(self, true: Callable[[], object], timeout: float = 10) -> None:  # noqa: ASYNC109
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(lambda: bool(true())), timeout)

    def _served(self, path: str, handler: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def serve(request: web.Request) -> web.Response:
            text = await request.text()
            body = json.loads(text) if text else {}
            call = Call(request.method, request.path.removeprefix("/api/v10"), body, time.monotonic())
            self.calls.append(call)
            failure = self._failure(call)
            if failure and failure.status == CUT and request.transport:
                request.transport.close()
            try:
                refused = failure is not None and failure.status != UNRECEIPTED
                response = _failed(failure) if refused else self._answered(request, path, body, handler)
            except Refusal as refusal:
                response = _json({"message": str(refusal), "code": refusal.code}, refusal.status)
            if failure and not refused:
                response = _json({})
            call.status = response.status
            async with self._changed:
                self._changed.notify_all()
            return response

        return serve

    def _failure(self, call: Call) -> Failure | None:
        for failure in self.failures:
            if failure.times and failure.part in f"{call.method} {call.path}":
                failure.times -= 1
                return failure
        return None

    def _answered(self, request: web.Request, path: str, body: Payload, handler: Handler) -> web.Response:
        signed = path.startswith(("/interactions/", "/webhooks/"))
        if not signed and request.headers.get("Authorization") != f"Bot {self.world.token}":
            raise Refusal(401, 0, "401: Unauthorized")
        if request.method in ("POST", "PUT", "PATCH") and request.content_length:
            self.check(rules.schema_problems(request.method, path, body), fatal=False)
        answer = handler(request, body)
        return web.Response(status=204) if answer is None else _json(answer)

    def check(self, problems: Iterable[str], *, fatal: bool = True) -> None:
        found = list(problems)
        self.violations += found
        if found and fatal:
            raise Refusal(400, 50006 if found == ["an empty message"] else 50035, "; ".join(found))

    def _application(self, *_: object) -> object:
        own = {"id": self.world.application, "owner": self.world.reporter.payload(), "bot_public": self.public}
        empty = {"description": "", "summary": "", "icon": None, "team": None, "bot_require_code_grant": False}
        return {"name": "stet", "flags": 0, "verify_key": "0", **own, **empty}

    def _channel(self, request: web.Request, _: Payload) -> object:
        return channel(self.world, (number := request.match_info["channel_id"]), closed=number in self.closed)

    def _member(self, request: web.Request, _: Payload) -> object:
        found = self.members.get(request.match_info["user_id"])
        if found is None or request.match_info["guild_id"] != self.world.guild:
            raise Refusal(404, 10007, "Unknown Member")
        return found

    def _sync(self, request: web.Request, body: object) -> object:
        output = cast("list[Payload]", body)
        self.check(rules.command_problems(output))
        scope = request.match_info.get("guild_id")
        entry = [c for c in self.commands if c.get("guild_id") != scope]
        made = {"application_id": self.world.application, "version": payloads.snowflake(), "guild_id": scope}
        synced = [{"type": 1, "description": "", **c, "id": payloads.snowflake(), **made} for c in output]
        self.commands = entry + synced
        return synced

    def _send(self, request: web.Request, body: Payload) -> object:
        if request.match_info["channel_id"] in self.closed:
            raise Refusal(403, 50013, "Missing Permissions")
        if request.match_info["channel_id"] == self.world.forum:
            raise Refusal(400, 50008, "Cannot send messages in a non-text channel")
        if request.match_info["channel_id"] in self.unread and body.get("message_reference"):
            raise Refusal(400, 160002, "Cannot reply without permission to read message history")
        nonce = str(body.get("nonce") or "")
        if nonce and body.get("enforce_nonce") and nonce in self._nonces:
            self.repeated += 1
            return self._nonces[nonce]
        sent = self.write(body, request.match_info["channel_id"])
        if nonce:
            self._nonces[nonce] = sent
        return sent

    def _history(self, request: web.Request, _: Payload) -> object:
        """Return the messages of a channel, newest first; the bot is shown the words of those that name it."""
        place, after = request.match_info["channel_id"], int(request.query.get("after", 0))
        if place in self.unread:
            raise Refusal(403, 50001, "Missing Access")
        found = [m for m in self.messages.values() if m["channel_id"] == place and int(m["id"]) > after]
        named = [m if m["mentions"] else m | {"content": ""} for m in sorted(found, key=lambda m: -int(m["id"]))]
        return named[: int(request.query.get("limit", 50))]

    def _message(self, request: web.Request, _: object = None) -> Payload:
        if found := self.messages.get(request.match_info["message_id"]):
            return found
        raise Refusal(404, 10008, "Unknown Message")

    def _edit(self, request: web.Request, body: Payload) -> object:
        at = self._own(request)
        self.check(rules.message_problems({**{k: at[k] for k in (*SHOWN, "flags")}, **body}))
        at |= {key: body[key] for key in SHOWN if key in body}
        return at

    def _remove(self, request: web.Request, _: Payload) -> None:
        self.messages.pop(self._own(request)["id"])

    def _own(self, request: web.Request) -> Payload:
        found = self._message(request)
        if found["author"]["id"] != self.world.bot.id:
            raise Refusal(403, 50005, "Cannot edit a message authored by another user")
        return found

    def write(self, body: Payload, place: str, *, flags: int = 0, number: str | None = None) -> Payload:
        """Take in a message of the bot; ``Refusal`` where Discord would not."""
        self.check(rules.message_problems(body))
        reference = (body.get("message_reference") or {}).get("message_id")
        answered = str(reference) if reference else None
        if answered and answered not in self.messages:
            raise Refusal(400, 50035, "Unknown message")
        author = self.messages[answered]["author"]["id"] if answered else None
        self.pinged += rules.pings(body, author)
        shown = {key: body[key] for key in ("components", "embeds", "nonce") if body.get(key)}
        entry = flags | (body.get("flags") or 0) & (payloads.COMPONENTS_V2 | payloads.EPHEMERAL)
        written = message(self.world.bot, place, body.get("content") or "", **shown, flags=entry)
        if answered:
            written |= {"type": 19, "message_reference": {"message_id": answered, "channel_id": place}}
            written["referenced_message"] = self.messages[answered]
            self.answers.setdefault(answered, []).append(written["id"])
        if number:
            written["id"] = number
        self.messages[written["id"]] = written
        return written

    # -- interactions: every one there was, and the endpoints that answer it -------------------------------------------

    def begin(self, one: Interaction) -> None:
        self._interactions[one.payload["token"]] = one
        self._open.append(one)

    def unanswered(self) -> tuple[Interaction, ...]:
        # what was answered stays so, and is not looked at again
        self._open = [
            one for one in self._open if one.answered is None or (one.message or {}).get("flags", 0) & payloads.LOADING
        ]
        return tuple(self._open)

    def _interaction(self, token: str) -> Interaction:
        one = self._interactions.get(token)
        if one is None:
            raise Refusal(404, 10015, "Unknown Webhook")
        if time.monotonic() - one.sent > TOKEN_LIFE:
            raise Refusal(401, 50027, "Invalid Webhook Token")
        if one.message is None:
            raise Refusal(404, 10008, "Unknown Message")
        return one

    def _acknowledge(self, request: web.Request, body: Payload) -> object:
        one = self._interactions.get(request.match_info["interaction_token"])
        if one is None or one.id != request.match_info["interaction_id"]:
            raise Refusal(404, 10062, "Unknown interaction")
        if one.acknowledged is not None:
            if one.payload["type"] != AUTOCOMPLETE:  # which every client answers that is sent it
                self.violations.append("an interaction was acknowledged twice")
            raise Refusal(400, 40060, "Interaction has already been acknowledged.")
        if time.monotonic() - one.sent > FIRST_RESPONSE:
            raise Refusal(404, 10062, "Unknown interaction")
        kind, data = body["type"], body.get("data") or {}
        if (kind == CHOICES) != (one.payload["type"] == AUTOCOMPLETE):
            raise Refusal(400, 50035, "a callback of the wrong kind")
        self._take(one, kind, data)
        one.acknowledged = time.monotonic()
        number = one.message and one.message["id"]
        return {
            "interaction": {"id": one.id, "type": one.payload["type"], "response_message_id": number},
            "resource": {"type": kind, "message": one.message} if one.message else {"type": kind},
        }

    def _take(self, one: Interaction, kind: int, data: Payload) -> None:
        place = one.payload["channel_id"]
        if kind == MESSAGE:
            one.message = self.write(data, place)
            one.answered, one.answers = time.monotonic(), one.answers + 1
        elif kind == DEFERRED:
            flags = payloads.LOADING | (data.get("flags") or 0) & payloads.EPHEMERAL
            one.message = message(self.world.bot, place, flags=flags)
            self.messages[one.message["id"]] = one.message
        elif kind == UPDATE:
            one.message = self.messages[one.payload["message"]["id"]]
            self.check(rules.message_problems({"flags": one.message["flags"], **data}))
            one.message |= {key: data[key] for key in SHOWN if key in data}
            one.answered, one.answers = time.monotonic(), one.answers + 1
        elif kind == CHOICES:
            one.choices, one.answered = data["choices"], time.monotonic()
        elif kind == MODAL:
            if one.payload["type"] == MODAL_SUBMIT:
                raise Refusal(400, 50035, "a modal cannot answer a modal")
            one.modal, one.answered = data, time.monotonic()

    def _original(self, request: web.Request, _: Payload) -> object:
        return self._interaction(request.match_info["webhook_token"]).message

    def _edit_original(self, request: web.Request, body: Payload) -> object:
        one = self._interaction(request.match_info["webhook_token"])
        entry = one.message["flags"] & payloads.EPHEMERAL
        one.message = self.write(body, one.payload["channel_id"], flags=entry, number=one.message["id"])
        one.answered, one.answers = time.monotonic(), one.answers + 1
        return one.message


def _failed(failure: Failure) -> web.Response:
    if failure.status != 429:
        code = UNKNOWN if failure.status == 404 else 0
        return _json({"message": "on demand", "code": code}, failure.status or 500)
    limited = {"message": "You are being rate limited.", "retry_after": RETRY_AFTER, "global": False}
    return _json(limited, 429, {"Via": "1.1 google", "Retry-After": str(RETRY_AFTER)})


def _json(body: object, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    # the client compares the type as a whole, so there may be no charset in it
    response = web.Response(body=json.dumps(body).encode(), status=status, headers=headers)
    response.headers["Content-Type"] = "application/json"
    return response
