"""Slack's wire: the listeners, one set for both modes, and the process around them."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.settings import Settings
from adapters.slack.answering import Answering
from adapters.slack.check import check
from adapters.slack.door import listening
from adapters.slack.listeners import Listeners
from adapters.slack.log import discreet
from adapters.slack.socket_mode import Patience, Socket
from adapters.slack.web import Clients, Web, connected, reason
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
AS_A_RULE = Patience()
SWITCH = 0.001

__all__ = ["SlackError", "check", "serve"]

log = logging.getLogger(__name__)


class SlackError(Exception):
    """The bot cannot run in Slack; the text says why, and what to do."""


def _say(how: str) -> None:
    print(f"stet: slack ready ({how})", flush=True)  # noqa: T201  (the line that others wait for)


async def serve(
    desk: Desk,
    settings: Settings,
    stop: asyncio.Event,
    patience: Patience = AS_A_RULE,
    say: Callable[[str], None] = _say,
) -> None:
    """Serve until ``stop``; ``say`` is told how, once it is connected.

    Raises ``SlackError`` where a token will not do, ``StoreError`` where the file of the store will not.
    """
    _refuse_missing(settings)
    # the loop has little to do at a time, and is not to wait long for threads that search
    sys.setswitchinterval(SWITCH)
    logger = discreet(settings)
    async with connected(settings.slack_bot_token, settings.slack_api_url, logger) as clients:
        identity = await _identity(clients.patient)
        if settings.slack_mode == "socket":
            await _try_app_token(clients.patient, settings.slack_app_token)
        with Store(settings.state or default_path(), settings.keep_days) as store:
            answering = Answering(desk, store, Web(clients))
            app = _app(settings, identity, clients)
            Listeners(answering, identity.bot_user_id, settings.keep_days).register(app)
            async with _taking_up(answering, patience.unfinished):
                if settings.slack_mode == "http":
                    await _serve_http(app, settings, answering, stop, say)
                else:
                    socket = Socket(app, settings.slack_app_token, clients.patient, logger, patience)
                    await socket.run(stop, lambda: say("socket mode"))
                await answering.finish(patience.goodbye)


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


async def _try_app_token(client: AsyncWebClient, token: str) -> None:
    """Raise ``SlackError`` for an app-level token that Slack refuses; the SDK would knock with it for ever."""
    try:
        await client.apps_connections_open(app_token=token)
    except SlackApiError as error:
        if reason(error) in (*REFUSALS, "missing_scope"):
            raise SlackError(
                f"Slack does not accept SLACK_APP_TOKEN ({reason(error)}). `stet check` says more."
            ) from error
        log.warning("Slack gives no connection yet: %s", reason(error))


def _app(settings: Settings, identity: AuthorizeResult, clients: Clients) -> AsyncApp:
    async def authorize() -> AuthorizeResult:
        return identity

    # who wrote what is decided once, where it is read
    return AsyncApp(
        name="stet",
        client=clients.patient,
        authorize=authorize,
        signing_secret=settings.slack_signing_secret,
        ignoring_self_events_enabled=False,
        logger=clients.logger,
    )


@asynccontextmanager
async def _taking_up(answering: Answering, every: float) -> AsyncIterator[None]:
    task = asyncio.ensure_future(answering.take_up_now_and_then(every))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _serve_http(
    app: AsyncApp, settings: Settings, answering: Answering, stop: asyncio.Event, say: Callable[[str], None]
) -> None:
    async def is_ready() -> bool:
        try:
            await answering.keep(lambda: answering.store.fact("ready"))
        except StoreError:
            return False
        return not stop.is_set()

    try:
        async with listening(app, settings.slack_signing_secret, settings.slack_port, is_ready) as port:
            say(f"http, port {port}")
            await stop.wait()
    except OSError as error:
        raise SlackError(f"port {settings.slack_port} cannot be had: {error.strerror}") from error
