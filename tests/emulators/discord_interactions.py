"""Discord's interactions: the first response within three seconds and only once, the message afterwards."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiohttp import web

from tests.emulators import discord_rules as rules
from tests.emulators.discord_payloads import EPHEMERAL, LOADING, Payload, World, message

if TYPE_CHECKING:
    from tests.emulators.discord_rest import Rest

FIRST_RESPONSE, TOKEN_LIFE = 3.0, 900.0
AUTOCOMPLETE, MODAL_SUBMIT = 4, 5
MESSAGE, DEFERRED, UPDATE, CHOICES, MODAL = 4, 5, 7, 8, 9


@dataclass(eq=False)
class Interaction:
    """One interaction, and all that became of it; times are monotonic seconds."""

    payload: Payload
    sent: float = field(default_factory=time.monotonic)
    acknowledged: float | None = None
    kind: int | None = None
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


class Counter:
    """Every interaction there was, and the endpoints that answer one."""

    def __init__(self, world: World, post: Rest) -> None:
        self._world, self._post = world, post
        self._by_id: dict[str, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        self._open: list[Interaction] = []

    def begin(self, one: Interaction) -> None:
        self._by_id[one.id] = self._by_token[one.payload["token"]] = one
        self._open.append(one)

    def unanswered(self) -> tuple[Interaction, ...]:
        # what was answered stays so, and is not looked at again
        self._open = [
            one for one in self._open if one.answered is None or (one.message or {}).get("flags", 0) & LOADING
        ]
        return tuple(self._open)

    def _interaction(self, token: str) -> Interaction:
        one = self._by_token.get(token)
        if one is None:
            raise Refusal(404, 10015, "Unknown Webhook")
        if time.monotonic() - one.sent > TOKEN_LIFE:
            raise Refusal(401, 50027, "Invalid Webhook Token")
        return one

    def acknowledge(self, request: web.Request, body: Payload) -> object:
        one = self._by_id.get(request.match_info["interaction_id"])
        if one is None or one.payload["token"] != request.match_info["interaction_token"]:
            raise Refusal(404, 10062, "Unknown interaction")
        if one.acknowledged is not None:
            if one.payload["type"] != AUTOCOMPLETE:  # which every client answers that is sent it
                self._post.violation("an interaction was acknowledged twice")
            raise Refusal(400, 40060, "Interaction has already been acknowledged.")
        if time.monotonic() - one.sent > FIRST_RESPONSE:
            raise Refusal(404, 10062, "Unknown interaction")
        kind, data = body["type"], body.get("data") or {}
        if (kind == CHOICES) != (one.payload["type"] == AUTOCOMPLETE):
            raise Refusal(400, 50035, "a callback of the wrong kind")
        self._take(one, kind, data)
        one.acknowledged, one.kind = time.monotonic(), kind
        written = one.message and {"id": one.message["id"]}
        return {
            "interaction": {
                "id": one.id,
                "type": one.payload["type"],
                "response_message_id": (written or {}).get("id"),
            },
            "resource": {"type": kind, "message": one.message} if one.message else {"type": kind},
        }

    def _take(self, one: Interaction, kind: int, data: Payload) -> None:
        place = one.payload["channel_id"]
        if kind == MESSAGE:
            one.message = self._post.write(data, place)
            one.answered, one.answers = time.monotonic(), one.answers + 1
        elif kind == DEFERRED:
            flags = LOADING | (data.get("flags") or 0) & EPHEMERAL
            one.message = message(self._world.bot, place, flags=flags)
            self._post.messages[one.message["id"]] = one.message
        elif kind == UPDATE:
            one.message = self._post.messages[one.payload["message"]["id"]]
            self._post.check(rules.message_problems({"flags": one.message["flags"], **data}))
            one.message |= {key: data[key] for key in ("content", "components", "embeds") if key in data}
            one.answered, one.answers = time.monotonic(), one.answers + 1
        elif kind == CHOICES:
            one.choices, one.answered = data["choices"], time.monotonic()
        elif kind == MODAL:
            if one.payload["type"] == MODAL_SUBMIT:
                raise Refusal(400, 50035, "a modal cannot answer a modal")
            one.modal, one.answered = data, time.monotonic()

    def original(self, request: web.Request, _: Payload) -> object:
        one = self._interaction(request.match_info["webhook_token"])
        if one.message is None:
            raise Refusal(404, 10008, "Unknown Message")
        return one.message

    def edit_original(self, request: web.Request, body: Payload) -> object:
        one = self._interaction(request.match_info["webhook_token"])
        if one.message is None:
            raise Refusal(404, 10008, "Unknown Message")
        entry = one.message["flags"] & EPHEMERAL
        one.message = self._post.write(body, one.payload["channel_id"], flags=entry, number=one.message["id"])
        one.answered, one.answers = time.monotonic(), one.answers + 1
        return one.message
