"""How Slack reaches the bot: over a websocket that stays up, or by signed requests; both end in bolt's app.

Socket Mode: a connection that is lost is made again, one that has gone silent is replaced. There is one loop that
connects, and it is this one: the SDK's client holds a connection and makes none by itself.
HTTP mode: what is not signed, or not Slack's, is turned away before anybody reads it.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from urllib.parse import parse_qs

import aiohttp
from slack_bolt.adapter.socket_mode.async_internals import send_async_response
from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.signature import SignatureVerifier
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.chat.loops import describe_connection_error, pause, pauses
from adapters.metrics import note_connected
from adapters.slack.api import REFUSALS, Clients, reason, unacceptable
from adapters.slack.requests import MALFORMED, PLATFORM
from adapters.updates.revising import EditRate

# With another kind of token, or without its one scope, no attempt helps either.
UNFIT = (*REFUSALS, "missing_scope")
EDITING = EditRate(edit=1.2)
EVENTS = ("event_callback", "url_verification", "app_rate_limited")
MAX_BYTES = 1_000_000

log = logging.getLogger(__name__)


async def dispatched(app: AsyncApp, read: Callable[[], AsyncBoltRequest]) -> BoltResponse:
    """Let ``app`` handle what ``read`` returns; a malformed one is acknowledged, or Slack would send it again."""
    try:
        return await app.async_dispatch(read())
    except MALFORMED as error:
        log.warning("a request of Slack's was not understood: %r", error)
        return BoltResponse(status=200)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: between pings, without any sign of life, to connect, without a connection, between looks.

    Questions that could not be answered wait for ``unfinished``; the end waits for answers for ``goodbye``, and a call
    of Slack's has to end in ``call``. ``revising`` is how posted answers are edited: Slack takes fifty edits a minute.
    """

    ping: float = 5.0
    silence: float = 20.0
    connecting: float = 20.0
    closed: float = 0.5
    look: float = 0.1
    unfinished: float = 30.0
    goodbye: float = 5.0
    call: float = 30.0
    revising: EditRate = EDITING


class Connection(SocketModeClient):
    """One connection; where the SDK would make a new one, it is closed, and so replaced by whoever watches."""

    async def connect(self) -> None:
        """Connect to ``wss_uri``, once; raises what keeps it from that."""
        self.current_session = await self.aiohttp_client_session.ws_connect(
            str(self.wss_uri), autoping=False, heartbeat=self.ping_interval, proxy=self.proxy
        )
        self.current_session_monitor = asyncio.ensure_future(self.monitor_current_session())
        self.message_receiver = asyncio.ensure_future(self.receive_messages())

    async def connect_to_new_endpoint(self, force: bool = False) -> None:  # noqa: FBT001, FBT002 - the SDK's
        del force
        if self.current_session is not None:
            await self.current_session.close()


class Socket:
    """Keeps one connection for ``app`` until ``stop`` is set."""

    def __init__(self, app: AsyncApp, token: str, clients: Clients, timeouts: Timeouts) -> None:
        self._app, self._token, self._timeouts = app, token, timeouts
        self._client, self._logger = clients.hasty, clients.logger
        self._heard, self._lost = 0.0, False

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Stay connected until ``stop``; ``ready`` is called once, on the first connection.

        Raises ``SlackError`` where Slack refuses the token, whenever it does.
        """
        announce, waits = cache(ready), pauses()
        while not stop.is_set():
            connection = await self._connected(stop)
            if connection is None:
                await pause(stop, next(waits))
                continue
            waits = pauses()
            try:
                announce()
                note_connected(PLATFORM, yes=True)
                await self._watch(connection, stop)
            finally:
                note_connected(PLATFORM, yes=False)
                await self._close(connection)

    async def _connected(self, stop: asyncio.Event) -> Connection | None:
        connecting = asyncio.ensure_future(self._connect())
        stopping = asyncio.ensure_future(stop.wait())
        try:
            async with asyncio.timeout(self._timeouts.connecting):
                await asyncio.wait((connecting, stopping), return_when=asyncio.FIRST_COMPLETED)
                return await connecting if connecting.done() else None
        except SlackApiError as error:
            if reason(error) in UNFIT:
                raise unacceptable("SLACK_APP_TOKEN", reason(error)) from error
            self._say(reason(error))
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            self._say(describe_connection_error(error))
        finally:
            stopping.cancel()
            connecting.cancel()
            await asyncio.wait((connecting,))  # it closes what it has opened
        return None

    def _say(self, why: str) -> None:
        """Report once that there is no connection, until there was one again."""
        level, self._lost = (logging.DEBUG if self._lost else logging.WARNING), True
        log.log(level, "no connection to Slack yet (%s); trying again", why)

    async def _connect(self) -> Connection:
        address = str((await self._client.apps_connections_open(app_token=self._token))["url"])
        connection = Connection(
            self._token, self._logger, self._client, auto_reconnect_enabled=False, ping_interval=self._timeouts.ping
        )
        connection.wss_uri = address

        async def note(_: object) -> None:
            self._heard = time.time()

        connection.on_message_listeners.append(note)
        connection.socket_mode_request_listeners.append(self._take)
        try:
            await connection.connect()
        except BaseException:
            await self._close(connection)
            raise
        self._heard, self._lost = time.time(), False
        return connection

    async def _take(self, client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        began = time.time()
        response = await dispatched(self._app, partial(AsyncBoltRequest, mode="socket_mode", body=request.payload))
        # on a connection that is gone, Slack sends it again on the next, where it is known
        with suppress(ConnectionError, aiohttp.ClientError):
            await send_async_response(client, request, response, began)

    async def _watch(self, connection: Connection, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await pause(stop, self._timeouts.look)
            session = connection.current_session
            if session is None or session.closed:
                await pause(stop, self._timeouts.closed)  # Slack is not asked for the next at once, time and again
                log.info("the connection to Slack is lost; making a new one")
                return
            if time.time() - max(self._heard, connection.last_ping_pong_time or 0.0) > self._timeouts.silence:
                log.warning("the connection to Slack has gone silent; making a new one")
                return

    async def _close(self, connection: Connection) -> None:
        # a dead connection may not even close
        with suppress(Exception):
            async with asyncio.timeout(1):
                await connection.close()  # type: ignore[no-untyped-call]  # the SDK's
        for task in (connection.message_processor, connection.current_session_monitor, connection.message_receiver):
            if task is not None:
                task.cancel()
        await connection.aiohttp_client_session.close()


def http_app(app: AsyncApp, signing_secret: str, is_ready: Callable[[], Awaitable[bool]]) -> Starlette:
    """Return the application with ``/slack/events``, ``/healthz`` and ``/readyz``."""
    verifier = SignatureVerifier(signing_secret)

    async def events(request: Request) -> Response:
        """Handle whatever Slack sends: 401 without its signature, 400 without its shape."""
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BYTES:
                return PlainTextResponse("too large", 413)
        whole = bytes(body)
        try:
            is_signed = verifier.is_valid_request(whole, request.headers)
        except (ValueError, TypeError):  # no text, no number: Slack has not signed it
            is_signed = False
        if not is_signed:
            return PlainTextResponse("not signed by Slack", 401)
        if not of_slack(whole, request.headers.get("content-type", "")):
            return PlainTextResponse("not a request of Slack's", 400)
        return to_starlette_response(await dispatched(app, lambda: to_async_bolt_request(request, whole)))

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok")

    async def readiness(_: Request) -> Response:
        return PlainTextResponse("ready") if await is_ready() else PlainTextResponse("not ready", 503)

    routes = [Route("/slack/events", events, methods=["POST"]), Route("/healthz", health), Route("/readyz", readiness)]
    return Starlette(routes=routes)


def of_slack(body: bytes, content_type: str) -> bool:
    """Return whether a body has the shape of an event, a command or an interaction."""
    try:
        text = body.decode()
        if content_type.partition(";")[0] == "application/json":
            return _typed(json.loads(text), EVENTS)
        form = parse_qs(text, keep_blank_values=True)
        if "payload" in form:
            return _typed(json.loads(form["payload"][0]))
    except (ValueError, RecursionError):
        return False
    return "ssl_check" in form or ("command" in form and "user_id" in form)


def _typed(value: object, types: tuple[str, ...] = ()) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    if value["type"] == "event_callback" and not isinstance(value.get("event"), dict):
        return False
    return not types or value["type"] in types
