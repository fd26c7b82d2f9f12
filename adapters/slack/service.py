"""Slack's wire: the listeners, one set for both modes, and the process around them.

What ends it is a token that Slack refuses, at the start or later; everything else is tried again.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, describe_connection_error, keep_up, warm
from adapters.settings import Settings
from adapters.slack import api
from adapters.slack.api import Clients, SlackError, SlackTransport, reason, unacceptable
from adapters.slack.events import SlackListeners
from adapters.slack.requests import PLATFORM
from adapters.slack.socket_mode import Socket, Timeouts, http_app
from adapters.slack.token_check import check, token_faults
from adapters.storage.ledger import Ledger
from adapters.storage.store import Store
from adapters.updates.watching import start_updates
from adapters.web import PortError, announce, serve_http
from bot.service import QuestionService

AS_A_RULE = Timeouts()
SAY = partial(announce, PLATFORM)
SWITCH = 0.001
LIVES_FOR = 5.0  # seconds for which Slack's answer is reused by readiness probes

__all__ = ["SlackError", "check", "serve"]

log = logging.getLogger(__name__)


async def serve(
    service: QuestionService,
    settings: Settings,
    stop: asyncio.Event,
    timeouts: Timeouts = AS_A_RULE,
    say: Callable[[str], None] = SAY,
) -> None:
    """Serve until ``stop``; ``say`` is called with the mode, once it is connected.

    Raises ``SlackError`` where a token will not do, whenever that is; ``StoreError`` where the store's file will not.
    """
    if faults := list(token_faults(settings)):
        raise SlackError(" ".join(faults))
    # the loop has little to do at a time, and is not to wait long for threads that search
    sys.setswitchinterval(SWITCH)
    await asyncio.to_thread(warm, service)
    with Store.of(settings) as store:
        server = SlackServer(service, settings, store, timeouts, say, stop)
        await keep_up(server.run, stop, SlackError, _note)


def _note(error: Exception, wait: float, is_first: bool) -> None:  # noqa: FBT001 - as ``keep_up`` calls it
    if isinstance(error, api.FAILURES):
        why = reason(error) if isinstance(error, SlackApiError) else describe_connection_error(error)
        log.log(logging.WARNING if is_first else logging.DEBUG, "Slack cannot be reached (%s); trying again", why)
        return
    debugging = log.isEnabledFor(logging.DEBUG)
    log.warning("the connection to Slack ended (%r); trying again in %g s", error, wait, exc_info=debugging)


@dataclass(slots=True)
class SlackServer:
    """Keeps connections, one after the other, until ``stop``."""

    service: QuestionService
    settings: Settings
    store: Store
    timeouts: Timeouts
    say: Callable[[str], None]
    stop: asyncio.Event
    _asked: float = -LIVES_FOR
    _known: bool = False

    async def run(self) -> None:
        """Keep one connection until ``stop``, or until Slack refuses a token, which is raised."""
        settings, logger = self.settings, api.sdk_log(self.settings)
        async with api.connected(
            settings.slack_bot_token, settings.slack_api_url, logger, self.timeouts.call
        ) as clients:
            home = await _identity(clients.hasty)
            refusal: asyncio.Future[None] = asyncio.get_running_loop().create_future()

            def refuse(why: str) -> None:
                if not refusal.done():
                    refusal.set_exception(unacceptable("SLACK_BOT_TOKEN", why))

            ledger = Ledger(PLATFORM, self.store)
            slack = SlackTransport(clients, home, refuse, ledger, settings)
            inbox = Inbox(self.service, ledger, slack)
            app, tasks = _app(home, clients), Tasks()
            SlackListeners(inbox, slack, settings).register(app)
            listening = asyncio.ensure_future(self._listen(app, slack, ledger))
            try:
                start_updates(tasks, inbox, settings, self.timeouts.revising, self.timeouts.unfinished)
                await asyncio.wait((listening, refusal), return_when=asyncio.FIRST_COMPLETED)
                await tasks.end()
                if refusal.done():
                    refusal.result()
                listening.result()
                await inbox.drain(self.timeouts.goodbye)
            finally:
                await tasks.end()
                refusal.cancel()
                listening.cancel()
                await asyncio.wait((listening,))
                inbox.close()

    async def _listen(self, app: AsyncApp, slack: SlackTransport, ledger: Ledger) -> None:
        settings, clients = self.settings, slack.clients
        try:
            if settings.slack_mode == "http":
                server = http_app(app, settings.slack_signing_secret, partial(self._is_ready, slack, ledger))
                address = settings.slack_host, settings.slack_port
                await serve_http(
                    PLATFORM, server, address, self.stop, lambda url: self.say(f"http, port {urlsplit(url).port}")
                )
            else:
                socket = Socket(app, settings.slack_app_token, clients, self.timeouts)
                await socket.run(self.stop, lambda: self.say("socket mode"))
        except PortError as error:
            raise SlackError(f"{settings.slack_host}: {error}") from error

    async def _is_ready(self, slack: SlackTransport, ledger: Ledger) -> bool:
        """Return whether a question would be answered now: the store can be read, and Slack knows the bot."""
        is_readable = await ledger.briefly(ledger.read(lambda store: store.fact("ready") is None or True))
        if time.monotonic() - self._asked > LIVES_FOR:
            self._asked, self._known = time.monotonic(), await slack.is_known()
        return bool(is_readable) and self._known and not self.stop.is_set()


async def _identity(client: AsyncWebClient) -> AuthorizeResult:
    response: Any = {}
    try:
        response = await client.auth_test()
    except SlackApiError as error:
        if reason(error) in api.REFUSALS:
            raise unacceptable("SLACK_BOT_TOKEN", reason(error)) from error
        if api.passes(error):
            raise
        log.warning("Slack does not say who the bot is: %s", reason(error))
    home = {name: response.get(name) or None for name in ("enterprise_id", "team_id")}
    return AuthorizeResult(**home, bot_user_id=response.get("user_id"), bot_token=client.token)


def _app(home: AuthorizeResult, clients: Clients) -> AsyncApp:
    async def authorize() -> AuthorizeResult:
        return home

    # who wrote what is decided once, where it is read; what Slack has signed, at the door
    return AsyncApp(
        name="stet",
        client=clients.patient,
        authorize=authorize,
        raise_error_for_unhandled_request=True,
        request_verification_enabled=False,
        ignoring_self_events_enabled=False,
        logger=clients.logger,
    )
