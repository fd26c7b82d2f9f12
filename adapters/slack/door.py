"""HTTP mode: signed requests of Slack's to the app; everything else is turned away before anybody reads it."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qs

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.signature import Clock, SignatureVerifier

EVENTS = ("event_callback", "url_verification", "app_rate_limited")
LARGEST = 1_000_000


class _Now(Clock):
    """The clock by which a signature is too old."""

    def now(self) -> float:
        return time.time()


@asynccontextmanager
async def listening(
    app: AsyncApp, signing_secret: str, at: tuple[str, int], is_ready: Callable[[], Awaitable[bool]]
) -> AsyncIterator[int]:
    """Serve ``/slack/events``, ``/healthz`` and ``/readyz``; give the port, which is a free one where 0 was asked for.

    ``at`` is the host and port to listen on.
    Raises ``OSError`` where the port cannot be had.
    """
    door = Door(app, SignatureVerifier(signing_secret, _Now()), is_ready)
    server = web.Application(client_max_size=LARGEST)
    server.router.add_post("/slack/events", door.events)
    server.router.add_get("/healthz", door.health)
    server.router.add_get("/readyz", door.readiness)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=3)
    await runner.setup()
    try:
        await web.TCPSite(runner, *at).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


class Door:
    """Lets in what Slack has signed, and what is Slack's."""

    def __init__(self, app: AsyncApp, verifier: SignatureVerifier, is_ready: Callable[[], Awaitable[bool]]) -> None:
        self._app = app
        self._verifier = verifier
        self._is_ready = is_ready

    async def events(self, request: web.Request) -> web.Response:
        """Take whatever Slack sends: 401 without its signature, 400 without its shape."""
        body = await request.read()
        stamp, signature = (request.headers.get(f"X-Slack-{name}") for name in ("Request-Timestamp", "Signature"))
        if not self._signed(body, stamp, signature):
            return web.Response(status=401, text="not signed by Slack")
        if not of_slack(body, request.content_type):
            return web.Response(status=400, text="not a request of Slack's")
        return await to_aiohttp_response(await self._app.async_dispatch(await to_bolt_request(request)))

    async def health(self, _: web.Request) -> web.Response:
        """Say that the process lives."""
        return web.Response(text="ok")

    async def readiness(self, _: web.Request) -> web.Response:
        """Say whether questions can be answered."""
        ready = await self._is_ready()
        return web.Response(text="ready" if ready else "not ready", status=200 if ready else 503)

    def _signed(self, body: bytes, timestamp: str | None, signature: str | None) -> bool:
        if not timestamp or not signature or not timestamp.isascii() or not timestamp.isdigit():
            return False
        try:
            return self._verifier.is_valid(body, timestamp, signature)
        except (UnicodeDecodeError, TypeError):  # what is no text, Slack has not signed
            return False


def of_slack(body: bytes, content_type: str) -> bool:
    """Tell whether a body has the shape of an event, a command or an interaction."""
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
