"""Slack's wire: the listeners, one set for both modes, and the process around them."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.settings import Settings
from adapters.slack_answering import Answering
from adapters.slack_http import listening
from adapters.slack_listeners import Listeners
from adapters.slack_log import discreet
from adapters.slack_socket import Patience, Socket
from adapters.slack_web import Web, connect, reason
from adapters.store import Store, StoreError, default_path
from bot.desk import Desk

# Slack's words for a token that will not do; everything else may pass.
REFUSALS = (
    "invalid_auth",
    "not_authed",
    "account_inactive",
    "token_revoked",
    "token_expired",
    "not_allowed_token_type",
)
LAST_WORDS = 5.0

log = logging.getLogger(__name__)


class SlackError(Exception):
    """The bot cannot run in Slack; the text says why, and what to do."""


def run(desk: Desk, settings: Settings) -> int:
    """Serve until SIGTERM or SIGINT; return the exit status, having said on standard error what went wrong."""
    try:
        asyncio.run(_run(desk, settings))
    except (SlackError, StoreError) as error:
        print(f"stet: {error}", file=sys.stderr)  # noqa: T201  (for the person who started it)
        return 1
    return 0


async def _run(desk: Desk, settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await serve(desk, settings, stop)


async def serve(desk: Desk, settings: Settings, stop: asyncio.Event, patience: Patience | None = None) -> None:
    """Serve until ``stop``. Raises ``SlackError`` where a token will not do, ``StoreError`` where the file will not."""
    _refuse_missing(settings)
    logger = discreet(settings)
    client = connect(settings.slack_bot_token, settings.slack_api_url, logger)
    hasty = connect(settings.slack_bot_token, settings.slack_api_url, logger, patient=False)
    identity = await _identity(client)
    with Store(settings.state or default_path(), settings.keep_days) as store:
        answering = Answering(desk, store, Web(client, hasty, logger))
        app = _app(settings, identity, client, logger)
        Listeners(answering, identity.bot_user_id, settings.keep_days).register(app)
        async with _taking_up(answering):
            if settings.slack_mode == "http":
                await _serve_http(app, settings, answering, stop)
            else:
                socket = Socket(app, settings.slack_app_token, client, logger, patience or Patience())
                await socket.run(stop, lambda: _say("socket mode"))
            await answering.finish(LAST_WORDS)


def _refuse_missing(settings: Settings) -> None:
    """Raise ``SlackError`` for a token that is missing, or stands in another's place."""
    http = settings.slack_mode == "http"
    needed = {"SLACK_BOT_TOKEN": (settings.slack_bot_token, "xoxb-")}
    if http:
        needed["SLACK_SIGNING_SECRET"] = (settings.slack_signing_secret, "")
    else:
        needed["SLACK_APP_TOKEN"] = (settings.slack_app_token, "xapp-")
    for name, (value, _) in needed.items():
        if not value:
            raise SlackError(f"{name} is not set. `stet check` says where to find it.")
    for name, (value, prefix) in needed.items():
        if value.startswith(("xoxb-", "xapp-", "xoxp-")) and not value.startswith(prefix or "-"):
            raise SlackError(f"{name} holds a token of another kind. `stet check` says where to find the right one.")


async def _identity(client: AsyncWebClient) -> AuthorizeResult:
    """Return who the bot is; where Slack will not say, whoever holds the token."""
    try:
        told: Mapping[str, Any] = cast("Mapping[str, Any]", await client.auth_test())
    except SlackApiError as error:
        if reason(error) in REFUSALS:
            raise SlackError(
                f"Slack does not accept SLACK_BOT_TOKEN ({reason(error)}). `stet check` says more."
            ) from error
        log.warning("Slack does not say who the bot is: %s", reason(error))
        told = {}
    except (OSError, TimeoutError) as error:
        raise SlackError(f"Slack cannot be reached ({type(error).__name__}).") from error
    named = {name: told.get(name) for name in ("enterprise_id", "team_id", "bot_id")}
    return AuthorizeResult(**named, bot_user_id=told.get("user_id"), bot_token=client.token)


def _app(settings: Settings, identity: AuthorizeResult, client: AsyncWebClient, logger: logging.Logger) -> AsyncApp:
    async def authorize() -> AuthorizeResult:
        return identity

    # who wrote what is decided once, where it is read
    return AsyncApp(
        name="stet",
        client=client,
        authorize=authorize,
        signing_secret=settings.slack_signing_secret,
        ignoring_self_events_enabled=False,
        logger=logger,
    )


@asynccontextmanager
async def _taking_up(answering: Answering) -> AsyncIterator[None]:
    task = asyncio.ensure_future(answering.take_up_now_and_then())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _serve_http(app: AsyncApp, settings: Settings, answering: Answering, stop: asyncio.Event) -> None:
    async def is_ready() -> bool:
        try:
            await answering.keep(lambda: answering.store.fact("ready"))
        except StoreError:
            return False
        return not stop.is_set()

    try:
        async with listening(app, settings.slack_signing_secret, settings.slack_port, is_ready) as port:
            _say(f"http, port {port}")
            await stop.wait()
    except OSError as error:
        raise SlackError(f"port {settings.slack_port} cannot be had: {error.strerror}") from error


def _say(how: str) -> None:
    print(f"stet: slack ready ({how})", flush=True)  # noqa: T201  (the line that others wait for)
