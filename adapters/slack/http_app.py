"""HTTP mode: signed requests of Slack's to the app; everything else is turned away before anybody reads it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

from adapters.slack.requests import dispatched

EVENTS = ("event_callback", "url_verification", "app_rate_limited")
LARGEST = 1_000_000
# Slack waits three seconds for an answer: whoever has sent no request whole in so long is not Slack.
UNHURRIED = 10.0


@asynccontextmanager
async def listening(
    app: AsyncApp,
    signing_secret: str,
    at: tuple[str, int],
    is_ready: Callable[[], Awaitable[bool]],
    patience: float = UNHURRIED,
) -> AsyncIterator[int]:
    """Serve ``/slack/events``, ``/healthz`` and ``/readyz``; yield the port, a free one where 0 was asked for.

    ``at`` is the host and port to listen on; whoever sends no request whole in ``patience`` seconds is let go.
    Raises ``OSError`` where the port cannot be had.
    """
    endpoints = Endpoints(app, SignatureVerifier(signing_secret), is_ready)
    idle = Idle()
    server = web.Application(client_max_size=LARGEST, middlewares=[idle.busy])
    server.router.add_post("/slack/events", endpoints.events)
    server.router.add_get("/healthz", endpoints.health)
    server.router.add_get("/readyz", endpoints.readiness)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=3, keepalive_timeout=UNHURRIED)
    await runner.setup()
    watch = asyncio.ensure_future(idle.watch(runner, patience))
    try:
        await web.TCPSite(runner, *at).start()
        yield int(runner.addresses[0][1])
    finally:
        watch.cancel()
        await runner.cleanup()


class Idle:
    """Connections on which nothing happens: each is closed after a while, or many would stay open for ever."""

    def __init__(self) -> None:
        self._quiet_since: dict[web.RequestHandler, float] = {}
        self._at_work: set[web.RequestHandler] = set()

    @property
    def busy(self) -> Any:  # noqa: ANN401  (aiohttp's own type of it is an alias of a generic)
        @web.middleware
        async def busy(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:  # noqa: ANN401
            self._at_work.add(request.protocol)
            try:
                return await handler(request)
            finally:
                self._at_work.discard(request.protocol)

        return busy

    async def watch(self, runner: web.AppRunner, patience: float) -> None:
        while True:
            await asyncio.sleep(patience / 5)
            now = time.monotonic()
            quiet = [c for c in (runner.server.connections if runner.server else ()) if c not in self._at_work]
            self._quiet_since = {connection: self._quiet_since.get(connection, now) for connection in quiet}
            for connection, since in self._quiet_since.items():
                if now - since > patience and connection.transport:
                    connection.transport.abort()


class Endpoints:
    """Lets in what Slack has signed, and what is Slack's."""

    def __init__(self, app: AsyncApp, verifier: SignatureVerifier, is_ready: Callable[[], Awaitable[bool]]) -> None:
        self._app = app
        self._verifier = verifier
        self._is_ready = is_ready

    async def events(self, request: web.Request) -> web.Response:
        """Handle whatever Slack sends: 401 without its signature, 400 without its shape."""
        try:
            async with asyncio.timeout(UNHURRIED):
                body = await request.read()
        except TimeoutError:
            return web.Response(status=408, text="that took too long")
        if not self._signed(body, request.headers):
            return web.Response(status=401, text="not signed by Slack")
        if not of_slack(body, request.content_type):
            return web.Response(status=400, text="not a request of Slack's")
        text = body.decode()
        response = await dispatched(
            self._app,
            lambda: AsyncBoltRequest(body=text, query=request.query_string, headers=dict(request.headers)),
        )
        return await to_aiohttp_response(response)

    async def health(self, _: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def readiness(self, _: web.Request) -> web.Response:
        ready = await self._is_ready()
        return web.Response(text="ready" if ready else "not ready", status=200 if ready else 503)

    def _signed(self, body: bytes, headers: Mapping[str, str]) -> bool:
        try:
            return self._verifier.is_valid_request(body, headers)
        except (ValueError, TypeError):  # no text, no number: Slack has not signed it
            return False


def of_slack(body: bytes, content_type: str) -> bool:
    """Return whether a body has the shape of an event, a command or an interaction."""
    try:
        text = body.decode()
        if content_type == "application/json":
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
