"""How Slack reaches a bot: over a websocket that it acknowledges on, or by signed requests."""

import hashlib
import hmac
import json
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web
from yarl import URL

from tests.emulators.slack_payloads import Payload
from tests.emulators.slack_rules import LIMITS


@dataclass(slots=True)
class Delivery:
    """Something sent to the bot: when it was first sent and acknowledged, how often sent, what came back."""

    kind: str
    payload: Payload
    envelope_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    sendings: int = 0
    sent: float = 0.0
    latency: float | None = None
    response: Payload | None = None

    @property
    def acknowledged(self) -> bool:
        return self.latency is not None


@dataclass(slots=True, eq=False)
class Connection:
    """One websocket of the bot's; a silent one takes everything and answers nothing."""

    socket: web.WebSocketResponse
    silent: bool = False


class Socket:
    """Socket Mode: envelopes out, acknowledgements in; those missing are sent again on the next connection."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.connections: list[Connection] = []
        self.deliveries: list[Delivery] = []
        self.connected = 0
        self._unacknowledged: dict[str, Delivery] = {}
        self._changed = changed
        self._turn = 0

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        connection = Connection(socket)
        self.connections.append(connection)
        self.connected += 1
        await socket.send_json({"type": "hello", "num_connections": len(self.connections), "connection_info": {}})
        self._changed()
        for delivery in list(self._unacknowledged.values()):
            await self._send(connection, delivery)
        try:
            async for frame in socket:
                await self._receive(connection, frame)
        finally:
            self.connections.remove(connection)
            self._changed()
        return socket

    async def _receive(self, connection: Connection, frame: aiohttp.WSMessage) -> None:
        if frame.type is aiohttp.WSMsgType.PING and not connection.silent:
            await connection.socket.pong(frame.data)
        elif frame.type is aiohttp.WSMsgType.TEXT:
            said = json.loads(frame.data)
            delivery = self._unacknowledged.pop(said.get("envelope_id"), None)
            if delivery is not None:
                delivery.latency = time.monotonic() - delivery.sent
                delivery.response = said.get("payload")
                self._changed()

    async def deliver(self, delivery: Delivery) -> None:
        """Send an envelope over the connection whose turn it is; without any it waits for the next one."""
        self.deliveries.append(delivery)
        self._unacknowledged[delivery.envelope_id] = delivery
        if self.connections:
            self._turn += 1
            await self._send(self.connections[self._turn % len(self.connections)], delivery)

    async def resend(self, delivery: Delivery) -> None:
        """Send an envelope again that the bot may have acknowledged, as after a lost acknowledgement."""
        self._unacknowledged[delivery.envelope_id] = delivery
        for connection in self.connections[:1]:
            await self._send(connection, delivery)

    async def _send(self, connection: Connection, delivery: Delivery) -> None:
        delivery.sendings += 1
        delivery.sent = delivery.sent or time.monotonic()
        if connection.silent or connection.socket.closed:
            return
        envelope = {
            "envelope_id": delivery.envelope_id,
            "type": delivery.kind,
            "payload": delivery.payload,
            "accepts_response_payload": delivery.kind != "events_api",
        }
        if delivery.kind == "events_api":
            envelope |= {"retry_attempt": delivery.sendings - 1, "retry_reason": "timeout" * (delivery.sendings > 1)}
        try:
            await connection.socket.send_json(envelope)
        except ConnectionError:
            return  # it stays unacknowledged, for the next connection

    async def disconnect(self, how: str = "abrupt") -> None:
        """End every connection: abruptly, or after saying so ("warning", "refresh_requested", "link_disabled")."""
        for connection in list(self.connections):
            if how == "abrupt":
                transport = connection.socket._req.transport if connection.socket._req else None
                if transport is not None:
                    transport.abort()
            elif not connection.socket.closed:
                with suppress(ConnectionError):  # its process was killed a moment ago
                    await connection.socket.send_json({"type": "disconnect", "reason": how, "debug_info": {}})

    def silence(self) -> None:
        for connection in self.connections:
            connection.silent = True


class Requests:
    """HTTP mode: signed requests to the bot's address, three times more where they are not taken."""

    def __init__(self, url: str, signing_secret: str) -> None:
        self.url = url
        self.deliveries: list[Delivery] = []
        self._secret = signing_secret

    async def deliver(self, delivery: Delivery) -> None:
        self.deliveries.append(delivery)
        await self.resend(delivery)

    async def resend(self, delivery: Delivery) -> None:
        if delivery.kind == "events_api":
            body, content_type = json.dumps(delivery.payload).encode(), "application/json"
        else:
            is_command = delivery.kind == "slash_commands"
            fields = delivery.payload if is_command else {"payload": json.dumps(delivery.payload)}
            body, content_type = URL.build(query=fields).raw_query_string.encode(), "application/x-www-form-urlencoded"
        delivery.sendings += 1
        started = time.monotonic()
        delivery.sent = delivery.sent or started
        headers = {"Content-Type": content_type, **sign(self._secret, body)}
        if delivery.sendings > 1:
            headers |= {"X-Slack-Retry-Num": str(delivery.sendings - 1), "X-Slack-Retry-Reason": "http_timeout"}
        status, text = await self.post(body, headers)
        if status == 200:
            delivery.latency = time.monotonic() - started
        delivery.response = json.loads(text) if text.startswith("{") else None

    async def post(self, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
        """Send any bytes, signed or not; return status and body."""
        limit = aiohttp.ClientTimeout(LIMITS["ack.deadline"])
        async with (
            aiohttp.ClientSession(timeout=limit) as session,
            session.post(URL(self.url), data=body, headers=headers) as answer,
        ):
            return answer.status, await answer.text()


def sign(secret: str, body: bytes, at: float | None = None) -> dict[str, str]:
    """Return the two headers that Slack signs a request with, as of now or as of ``at``."""
    stamp = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest}"}
