"""The other end of Slack, on loopback: real HTTP, a real websocket, a workspace that remembers what it was told.

In a test: ``async with Slack() as slack: … await slack.mention("who was there?")``.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Self

from aiohttp import web

from tests.emulators import slack_payloads as payloads
from tests.emulators.slack_rules import buttons
from tests.emulators.slack_web import CUT, GARBLED, HANGING, LOST, Fault, Payload, Web, decode
from tests.emulators.slack_wire import Delivery, Requests, Socket

# the scope that lets the bot hear of an event
HEARD_BY = {"message": "history", "link_shared": "links:read", "reaction_added": "reactions:read"}


class Slack:
    """A workspace with one bot, which is reached by websocket until ``reach`` is called; ``url`` is its Web API."""

    def __init__(self) -> None:
        self.bot_token, self.app_token, self.signing_secret = "xoxb-0-bot", "xapp-0-app", "0signing-secret"
        self.web = Web(self.bot_token, self.app_token)
        self.web.open_connection = self._open_connection
        self._changes = asyncio.Event()
        self.socket = Socket(self._changes.set)
        self.requests: Requests | None = None
        self._tickets = 0
        self.files: dict[str, bytes] = {}

    def reach(self, http: str) -> None:
        self.requests = Requests(http, self.signing_secret)

    @property
    def wire(self) -> Socket | Requests:
        return self.requests or self.socket

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=10_000_000)
        app.router.add_route("*", "/api/{method}", self._api)
        app.router.add_get("/socket/{ticket}", self.socket.handle)
        app.router.add_post("/response/{number}", self._response)
        app.router.add_get("/files/{name}", self._file)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = int(self._runner.addresses[0][1])
        self.base = f"http://127.0.0.1:{self.port}/"
        self.url = f"{self.base}api/"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.disconnect("abrupt")
        await self._runner.cleanup()

    # -- what the bot calls -----------------------------------------------------------------------------------

    async def _api(self, request: web.Request) -> web.Response:
        if request.content_type == "application/json":
            payload = await request.json()
        else:
            given = {**request.query, **await request.post()}
            payload = decode({name: str(value) for name, value in given.items()})
        token = request.headers.get("Authorization", "").removeprefix("Bearer ") or payload.pop("token", "")
        status, answer = self.web.call(request.match_info["method"], payload, token)
        self._changes.set()
        if status in (CUT, LOST, HANGING):
            if status == HANGING:
                await asyncio.Event().wait()
            request.transport.abort()
            return web.Response()
        if status == GARBLED:
            return web.Response(text="<html></html>", content_type="text/html")
        scopes = {"X-OAuth-Scopes": ",".join(self.web.scopes)} if request.match_info["method"] == "auth.test" else {}
        return _answered(status, answer, **scopes)

    async def _response(self, request: web.Request) -> web.Response:
        status, answer = self.web.respond(request.match_info["number"], await request.json())
        self._changes.set()
        return _answered(status, answer)

    async def _file(self, request: web.Request) -> web.Response:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if token != self.web.bot_token or not self.web.grants("files:read"):
            return web.Response(text="<html>Sign in</html>", content_type="text/html")
        return web.Response(body=self.files[request.match_info["name"]])

    def _open_connection(self) -> str:
        self._tickets += 1
        return f"ws://127.0.0.1:{self.port}/socket/{self._tickets}"

    # -- what people do ---------------------------------------------------------------------------------------

    async def event(self, inner: Payload) -> Delivery:
        """Send an event to a bot that may hear of it; return what else would have been sent."""
        scope, body = HEARD_BY.get(inner["type"]), payloads.event(inner)
        if scope and not self.web.grants(scope, inner.get("channel", "")):
            return Delivery("events_api", body)
        return await self._deliver("events_api", body)

    async def mention(
        self, text: str, channel: str = "C1", user: str = "U1", thread_ts: str | None = None, *, file: str = ""
    ) -> Delivery:
        """Let somebody name the bot in a channel, with a ``file`` of ``files`` or without."""
        inner = payloads.mention(text, channel=channel, user=user, thread_ts=thread_ts) | self._shared(file)
        inner.pop("subtype", None)
        return await self.event(self._wrote(inner))

    async def message(
        self, text: str, channel: str = "DU1", user: str = "U1", thread_ts: str | None = None, *, file: str = ""
    ) -> Delivery:
        """Let somebody write, to the bot itself or in a channel or thread that it is in, or post a ``file``."""
        inner = payloads.message(text, channel=channel, user=user, thread_ts=thread_ts)
        return await self.event(self._wrote(inner | self._shared(file)))

    def _shared(self, file: str) -> Payload:
        if not file:
            return {}
        address = f"{self.base}files/{file}"
        shared = {"id": f"F{len(file)}", "name": file, "size": len(self.files[file]), "url_private_download": address}
        return {"subtype": "file_share", "upload": False, "files": [shared]}

    async def link(self, *addresses: str, channel: str = "C1", user: str = "U1", **more: Any) -> Delivery:  # noqa: ANN401  (an event's)
        """Let somebody post links; the bot is told of them where it may be, and not of the message they stand in."""
        posted = self._wrote(payloads.message(" ".join(f"<{each}>" for each in addresses), channel=channel, user=user))
        return await self.event(payloads.link_shared(posted, addresses) | more)

    async def react(self, channel: str, ts: str, emoji: str = "mag", user: str = "U1") -> Delivery:
        return await self.event(payloads.reaction(channel, ts, emoji, user))

    async def step(self, callback_id: str, **inputs: str) -> tuple[str, Delivery]:
        inner = payloads.step(callback_id, inputs)
        self.web.steps[inner["function_execution_id"]] = None
        return inner["function_execution_id"], await self.event(inner)

    async def edit(self, delivery: Delivery, text: str, after: float = 1.0) -> Delivery:
        before = delivery.payload["event"]
        now = {**before, "text": text, "edited": {"user": before["user"], "ts": before["ts"]}}
        now["type"] = "message"
        return await self._change("message_changed", before, after, message=now, previous_message=before)

    async def delete(self, delivery: Delivery, *, answered: bool = True) -> Delivery:
        """Let somebody delete a message; where it has answers under it, a tombstone is left."""
        before = delivery.payload["event"]
        if answered:
            now = {**before, "subtype": "tombstone", "text": "This message was deleted.", "user": "USLACKBOT"}
            return await self._change("message_changed", before, 1.0, message=now, previous_message=before)
        return await self._change("message_deleted", before, 1.0, deleted_ts=before["ts"], previous_message=before)

    async def _change(self, subtype: str, before: Payload, after: float, **what: object) -> Delivery:
        stamped = f"{float(payloads.stamp()) + after:.6f}"
        kind = "im" if before["channel"].startswith("D") else "channel"
        inner = {"type": "message", "subtype": subtype, "channel": before["channel"], "channel_type": kind}
        return await self.event({**inner, "ts": stamped, "hidden": True, **what})

    def _wrote(self, inner: Payload) -> Payload:
        self.web.written.append(inner)
        return inner

    async def home(self, user: str = "U1", tab: str = "home") -> Delivery:
        return await self.event(payloads.home_opened(user, tab))

    async def command(self, name: str, text: str = "", channel: str = "C1", user: str = "U1") -> Delivery:
        payload = payloads.command(name, text, self._url(channel), channel=channel, user=user)
        return await self._interact("slash_commands", payload)

    async def click(self, ts: str, label: str, user: str = "U1") -> Delivery:
        """Let somebody click a button by its label; ``LookupError`` where the message has none of that name."""
        for at in self.web.messages:
            if at["ts"] == ts:
                return await self.press(at, label, user)
        raise LookupError(f"{label} on {ts}")

    async def press(self, at: Payload, label: str, user: str = "U1") -> Delivery:
        """Let somebody click a button of a message as they see it, which may be as it was a moment ago."""
        for name, action, block in buttons(at):
            if name == label:
                payload = payloads.click(at, action, block, self._url(at["channel"]), user)
                return await self._interact("interactive", payload)
        raise LookupError(f"{label} on {at['ts']}")

    async def shortcut(
        self, callback_id: str, text: str, channel: str = "C1", user: str = "U1", file: str = ""
    ) -> Delivery:
        """Let somebody use a shortcut on a message of a colleague's, or on one with a ``file`` of ``files``."""
        at = payloads.message(text, channel=channel, user="U9") | self._shared(file)
        return await self._interact("interactive", payloads.shortcut(callback_id, at, self._url(channel), user))

    async def suggest(self, view_id: str, action_id: str, value: str, user: str = "U1") -> Delivery:
        """Let somebody type into a name picker; what is offered is the delivery's ``response``."""
        view = self.web.views[view_id]
        block = _holder(view, action_id)
        return await self._interact("interactive", payloads.suggestion(view, action_id, block, value, user))

    async def submit(self, view_id: str, values: dict[str, Any], user: str = "U1") -> Delivery:
        view = self.web.views[view_id]
        nested = {_holder(view, action): {action: value} for action, value in values.items()}
        return await self._interact("interactive", payloads.submission(view, nested, user))

    async def again(self, delivery: Delivery) -> None:
        await self.wire.resend(delivery)

    async def _interact(self, kind: str, payload: Payload) -> Delivery:
        self.web.triggers.add(payload["trigger_id"])
        return await self._deliver(kind, payload)

    async def _deliver(self, kind: str, payload: Payload) -> Delivery:
        delivery = Delivery(kind, payload)
        await self.wire.deliver(delivery)
        return delivery

    def _url(self, channel: str) -> str:
        return f"{self.base}response/{self.web.response_url(channel)}"

    # -- what goes wrong --------------------------------------------------------------------------------------

    async def fail(self, status: int, method: str | None = None, **how: Any) -> None:  # noqa: ANN401  (a fault's)
        """Fail calls from now on; ``how`` are the fields of a ``Fault``."""
        self.web.faults.append(Fault(status, method, **how))

    # -- what a test looks at ---------------------------------------------------------------------------------

    async def until(self, condition: Callable[[], Any], patience: float = 10) -> Any:  # noqa: ANN401  (whatever is waited for)
        """Wait until something holds, and return it; ``TimeoutError`` after ``patience`` seconds."""
        async with asyncio.timeout(patience):
            while not (found := condition()):
                self._changes.clear()
                await self._changes.wait()
        return found

    async def connected(self, patience: float = 10) -> None:
        await self.until(lambda: any(not connection.silent for connection in self.socket.connections), patience)

    async def answers(self, count: int = 1, patience: float = 10) -> list[Payload]:
        """Wait until the bot has posted ``count`` messages, and return all of them."""
        await self.until(lambda: len(self.web.messages) >= count, patience)
        return self.web.messages

    def called(self, method: str) -> list[Payload]:
        return [call.payload for call in self.web.calls if call.method == method]

    def refused(self) -> list[tuple[str, str]]:
        answers = [(call.method, call.answer) for call in self.web.calls if call.status in (200, 400)]
        return [(method, json.dumps(answer)) for method, answer in answers if not answer["ok"]]


def _answered(status: int, answer: Payload, **headers: str) -> web.Response:
    waits = {"Retry-After": str(answer["retry_after"])} if status == 429 else {}
    return web.json_response(answer, status=status, headers=headers | waits)


def _holder(view: Payload, action_id: str) -> str:
    for number, block in enumerate(view["blocks"]):
        elements = [block.get("element", {}), block.get("accessory", {}), *block.get("elements", ())]
        if any(isinstance(element, dict) and element.get("action_id") == action_id for element in elements):
            return str(block.get("block_id", f"b{number}"))
    raise LookupError(f"{action_id} in the view")
