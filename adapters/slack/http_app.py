"""HTTP mode: signed requests of Slack's to the app; everything else is turned away before anybody reads it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import parse_qs

from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.signature import SignatureVerifier
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.slack.requests import dispatched

EVENTS = ("event_callback", "url_verification", "app_rate_limited")
MAX_BYTES = 1_000_000


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
        if not _is_signed(verifier, whole, request.headers):
            return PlainTextResponse("not signed by Slack", 401)
        if not of_slack(whole, request.headers.get("content-type", "")):
            return PlainTextResponse("not a request of Slack's", 400)
        return to_starlette_response(await dispatched(app, lambda: to_async_bolt_request(request, whole)))

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok")

    async def readiness(_: Request) -> Response:
        return PlainTextResponse("ready") if await is_ready() else PlainTextResponse("not ready", 503)

    routes = [
        Route("/slack/events", events, methods=["POST"]),
        Route("/healthz", health),
        Route("/readyz", readiness),
    ]
    return Starlette(routes=routes)


def _is_signed(verifier: SignatureVerifier, body: bytes, headers: Mapping[str, str]) -> bool:
    try:
        return verifier.is_valid_request(body, headers)
    except (ValueError, TypeError):  # no text, no number: Slack has not signed it
        return False


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
