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
from urllib.parse import urlsplit

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters import away
from adapters.background import warm
from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, keep_up
from adapters.settings import Settings
from adapters.slack.blocks import Drawing
from adapters.slack.listeners import Listeners
from adapters.slack.requests import PLATFORM, SlackRequest
from adapters.slack.token_check import ROTATED, check, tokens
from adapters.slack.transport import SlackTransport
from adapters.slack.web import FAILURES, REFUSALS, BotIdentity, Clients, Web, connected, passes, reason, sdk_log
from adapters.slack.wires import Patience, Socket, UnfitTokenError, http_app
from adapters.storage.ledger import Ledger
from adapters.storage.store import Store
from adapters.updates.start import start_updates
from adapters.web import PortError, serve_http
from bot.service import QuestionService

AS_A_RULE = Patience()
SWITCH = 0.001
LIVES_FOR = 5.0  # seconds for which Slack's answer is reused by readiness probes

__all__ = ["SlackError", "check", "serve"]

log = logging.getLogger(__name__)


class SlackError(Exception):
    """The bot cannot run in Slack; the text says why, and what to do."""


def _say(how: str) -> None:
    print(f"stet: slack ready ({how})", flush=True)  # noqa: T201  (the line that others wait for)


async def serve(
    service: QuestionService,
    settings: Settings,
    stop: asyncio.Event,
    patience: Patience = AS_A_RULE,
    say: Callable[[str], None] = _say,
) -> None:
    """Serve until ``stop``; ``say`` is called with the mode, once it is connected.

    Raises ``SlackError`` where a token will not do, whenever that is; ``StoreError`` where the store's file will not.
    """
    _refuse_missing(settings)
    # the loop has little to do at a time, and is not to wait long for threads that search
    sys.setswitchinterval(SWITCH)
    await asyncio.to_thread(warm, service)
    with Store.of(settings) as store:
        context = SlackContext(service, settings, store, patience, say)
        await keep_up(lambda: _serve(context, stop), stop, SlackError, _note)


@dataclass(frozen=True, slots=True)
class SlackContext:
    service: QuestionService
    settings: Settings
    store: Store
    patience: Patience
    say: Callable[[str], None]


def _note(error: Exception, wait: float, is_first: bool) -> None:  # noqa: FBT001 - as ``keep_up`` calls it
    if isinstance(error, FAILURES):
        why = reason(error) if isinstance(error, SlackApiError) else away.why(error)
        log.log(logging.WARNING if is_first else logging.DEBUG, "Slack cannot be reached (%s); trying again", why)
        return
    debugging = log.isEnabledFor(logging.DEBUG)
    log.warning("the connection to Slack ended (%r); trying again in %g s", error, wait, exc_info=debugging)


async def _serve(context: SlackContext, stop: asyncio.Event) -> None:
    """Keep one connection until ``stop``, or until Slack refuses a token, which is raised."""
    settings, logger = context.settings, sdk_log(context.settings)
    async with connected(settings.slack_bot_token, settings.slack_api_url, logger, context.patience.call) as clients:
        home = await _identity(clients.hasty)
        refusal: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ledger = Ledger(PLATFORM, context.store)
        web = Web(clients, home, lambda why: _refuse(refusal, why))
        transport = SlackTransport(web, ledger, context.service, settings)
        inbox = Inbox(context.service, ledger, transport)
        app = _app(home, clients)
        tasks = Tasks()
        Listeners(inbox, transport, web, settings).register(app)
        wire = asyncio.ensure_future(_listen(context, app, web, inbox, stop))
        try:
            start_updates(tasks, inbox, settings, context.patience.revising, context.patience.unfinished)
            await asyncio.wait((wire, refusal), return_when=asyncio.FIRST_COMPLETED)
            await tasks.end()
            if refusal.done():
                refusal.result()
            wire.result()
            await inbox.drain(context.patience.goodbye)
        finally:
            await tasks.end()
            refusal.cancel()
            wire.cancel()
            await asyncio.wait((wire,))
            inbox.close()


def _refuse(refusal: asyncio.Future[None], why: str) -> None:
    if not refusal.done():
        refusal.set_exception(_unacceptable("SLACK_BOT_TOKEN", why))


def _unacceptable(name: str, why: str) -> SlackError:
    return SlackError(f"Slack does not accept {name} ({why}). `stet check` says more.")


def _refuse_missing(settings: Settings) -> None:
    needed = tokens(settings)
    for name, (value, _) in needed.items():
        if not value:
            raise SlackError(f"{name} is not set. `stet check` says where to find it.")
    for name, (value, prefix) in needed.items():
        fits = value.removeprefix(ROTATED).startswith(prefix) if prefix else not value.startswith(("xox", "xapp-"))
        if not fits:
            raise SlackError(f"{name} holds no token of its kind. `stet check` says where to find the right one.")


async def _identity(client: AsyncWebClient) -> BotIdentity:
    """Return who the bot is; raise ``SlackError`` where Slack refuses the token."""
    try:
        response = await client.auth_test()
    except SlackApiError as error:
        if reason(error) in REFUSALS:
            raise _unacceptable("SLACK_BOT_TOKEN", reason(error)) from error
        if passes(error):
            raise
        log.warning("Slack does not say who the bot is: %s", reason(error))
        return BotIdentity()
    return BotIdentity(response.get("user_id"), response.get("team_id") or "", response.get("enterprise_id") or "")


def _app(home: BotIdentity, clients: Clients) -> AsyncApp:
    token = clients.patient.token

    async def authorize() -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=home.enterprise or None,
            team_id=home.team or None,
            bot_user_id=home.user,
            bot_token=token,
        )

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


async def _listen(
    context: SlackContext, app: AsyncApp, web: Web, inbox: Inbox[SlackRequest, Drawing], stop: asyncio.Event
) -> None:
    settings, clients, say = context.settings, web.clients, context.say
    try:
        if settings.slack_mode == "http":
            server = http_app(app, settings.slack_signing_secret, Readiness(web, inbox, stop).holds)
            address = settings.slack_host, settings.slack_port
            await serve_http(PLATFORM, server, address, stop, lambda url: say(f"http, port {urlsplit(url).port}"))
        else:
            socket = Socket(app, settings.slack_app_token, clients.hasty, clients.logger, context.patience)
            await socket.run(stop, lambda: say("socket mode"))
    except PortError as error:
        raise SlackError(f"{settings.slack_host}: {error}") from error
    except UnfitTokenError as error:
        raise _unacceptable("SLACK_APP_TOKEN", str(error)) from error


class Readiness:
    """Whether a question would be answered now: the store can be read, and Slack knows the bot."""

    def __init__(self, web: Web, inbox: Inbox[SlackRequest, Drawing], stop: asyncio.Event) -> None:
        self._web, self._inbox, self._stop = web, inbox, stop
        self._asked, self._known = -LIVES_FOR, False

    async def holds(self) -> bool:
        """Return whether it is ready; Slack is asked again every few seconds."""
        ledger = self._inbox.ledger
        fact = await ledger.call_with_timeout(ledger.read(lambda store: (store.fact("ready"),)))
        if time.monotonic() - self._asked > LIVES_FOR:
            self._asked, self._known = time.monotonic(), await self._web.is_known()
        return fact is not None and self._known and not self._stop.is_set()
