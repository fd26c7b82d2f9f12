"""Slack's wire: the listeners, one set for both modes, and the process around them; ``stet check`` for Slack.

What ends it is a token that Slack refuses, at the start or later; everything else is tried again. ``check`` says in
words what Slack says to our tokens.
"""

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, describe_connection_error, keep_up, warm
from adapters.chat.request import Recent
from adapters.settings import Fault, OutOfReach, Settings, own_ids
from adapters.slack import api
from adapters.slack.api import Clients, SlackError, SlackTransport, connected, reason, sdk_log, unacceptable
from adapters.slack.blocks import draw
from adapters.slack.events import SlackListeners
from adapters.slack.requests import PLATFORM
from adapters.slack.socket_mode import Socket, Timeouts, http_app
from adapters.storage.ledger import Ledger
from adapters.storage.store import Store
from adapters.updates.posting import start_updates
from adapters.web import PortError, announce, serve_http
from bot.model import Reply
from bot.service import QuestionService

AS_A_RULE = Timeouts()
SAY = partial(announce, PLATFORM)
SWITCH = 0.001
LIVES_FOR = 5.0  # seconds for which Slack's answer is reused by readiness probes

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
        await keep_up(SlackServer(service, settings, store, timeouts, say, stop).run, stop, SlackError, _note)


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
    _known: Recent[bool] = field(default_factory=lambda: Recent[bool](LIVES_FOR))

    async def run(self) -> None:
        """Keep one connection until ``stop``, or until Slack refuses a token, which is raised."""
        settings, logger = self.settings, sdk_log(self.settings)
        async with connected(settings.slack_bot_token, settings.slack_api_url, logger, self.timeouts.call) as clients:
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
        is_known = await self._known.get(PLATFORM, slack.is_known)
        return bool(is_readable) and is_known and not self.stop.is_set()


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


# -- ``stet check`` --------------------------------------------------------------------------------------------------

SCOPES = ("app_mentions:read", "assistant:write", "chat:write", "commands", "im:history", "users:read")
# docs/slack.md says what is lost without each
OPTIONAL = tuple(
    "channels:history channels:read files:read groups:history groups:read links:read links:write mpim:history"
    " reactions:read".split()
)
CARD_SCOPES = ("links:read", "links:write")  # needed where STET_UNFURL is set
# how tokens begin: all that Slack documents of their form
KINDS = {"xoxb-": "a bot token", "xapp-": "an app-level token", "xoxp-": "a person's token", "xox": "another kind"}
OAUTH, BASIC = "OAuth & Permissions", "Basic Information, App-Level Tokens"
UNGRANTED = "missing_scope"
UNTRIED = "without channels:read, or groups:read for a private one, Slack does not say if the bot is in {}."
ADVICE = {
    "invalid_auth": "it is not valid: copy it again from {}",
    "not_allowed_token_type": "it is a token of another kind: the right one is under {}",
    "token_revoked": "it was revoked: install the app again, then copy it from {}",
    "account_inactive": "the app was removed from the workspace: install it again, then copy it from {}",
    UNGRANTED: "it lacks the scope connections:write: make a new one under {}",
}
PATIENCE = 10.0
INVALID = "invalid_blocks"

ROTATED = "xoxe."  # before a token that Slack replaces every few hours
Lines = Sequence[str]


def check(settings: Settings) -> tuple[str, ...]:
    """Return what is right and what is missing, a sentence each; nothing in it is secret."""
    return tuple(asyncio.run(_check(settings)))


async def _check(settings: Settings) -> Lines:
    if faults := [Fault(f"Slack: {fault}") for fault in token_faults(settings)]:
        return faults
    lines: list[str] = []
    named = {
        "STET_SLACK_CHANNELS": settings.slack_channels,
        "STET_HANDOVER": own_ids("slack", settings.handover),
        "STET_ALARM_CHANNEL": own_ids("slack", (settings.alarm_channel,)),
    }
    async with connected(settings.slack_bot_token, settings.slack_api_url, sdk_log(settings)) as clients:
        client = clients.hasty
        lines += await _asked("SLACK_BOT_TOKEN", OAUTH, _bot(client, settings))
        for setting, channels in named.items():
            lines += await _asked(setting, "the channel's menu", _channels(client, setting, channels))
        if settings.slack_mode == "socket":
            lines += await _asked("SLACK_APP_TOKEN", BASIC, _connections(clients, settings.slack_app_token))
    if not (settings.slack_channels or own_ids("slack", settings.people)):
        lines.append("everybody in the workspace may ask: STET_SLACK_CHANNELS and STET_PEOPLE name nobody.")
    if settings.allow_outsiders:
        lines.append("guests and people of other firms may ask: STET_ALLOW_OUTSIDERS is 1.")
    return [type(line)(f"Slack: {line}") for line in lines]


def check_blocks(settings: Settings, replies: Mapping[str, Reply]) -> Lines:
    """Return what Slack says of the layout of replies, by their names; nothing is posted."""
    return tuple(asyncio.run(_check_blocks(settings, replies)))


async def _check_blocks(settings: Settings, replies: Mapping[str, Reply]) -> Lines:
    async with connected(settings.slack_bot_token, settings.slack_api_url, sdk_log(settings)) as clients:

        async def valid(name: str, reply: Reply) -> AsyncIterator[str]:
            try:
                # the SDK's own method puts the blocks into the address, where they are too long
                await clients.hasty.api_call("blocks.validate", data={"blocks": json.dumps(draw(reply).blocks)})
            except SlackApiError as error:
                if reason(error) != INVALID:
                    raise
                wrong = (f"{row.get('message')} (at {row.get('pointer')})" for row in error.response.get("errors", ()))
                yield Fault(f"the blocks of {name} are refused: {'; '.join(wrong) or INVALID}.")
            else:
                yield f"the blocks of {name} are valid."

        asked = [await _asked("SLACK_BOT_TOKEN", OAUTH, valid(*each)) for each in replies.items()]
    return [type(line)(f"Slack: {line}") for lines in asked for line in lines]


def token_faults(settings: Settings) -> Iterator[str]:
    """Yield which tokens are missing or of another kind, and where the right ones are; Slack isn't asked."""
    wanted = {"SLACK_BOT_TOKEN": (settings.slack_bot_token, "xoxb-", OAUTH)}
    if settings.slack_mode == "http":
        wanted["SLACK_SIGNING_SECRET"] = (settings.slack_signing_secret, "", "Basic Information")
    else:
        wanted["SLACK_APP_TOKEN"] = (settings.slack_app_token, "xapp-", BASIC)
    kinds = {name: _kind(token) for name, (token, _, _) in wanted.items()}
    if kinds == {"SLACK_BOT_TOKEN": KINDS["xapp-"], "SLACK_APP_TOKEN": KINDS["xoxb-"]}:
        yield "SLACK_BOT_TOKEN holds the app-level token, and SLACK_APP_TOKEN the bot token: exchange them."
        return
    for name, (token, start, place) in wanted.items():
        kind, begins = kinds[name] or "no token of Slack's", f", which begins with {start}" if start else ""
        if not token:
            yield f"{name} is not set: copy it from {place}."
        elif kinds[name] != KINDS.get(start, ""):
            yield f"{name} holds {kind}: copy the right one from {place}{begins}."


def _kind(token: str) -> str:
    return next((kind for start, kind in KINDS.items() if token.removeprefix(ROTATED).startswith(start)), "")


async def _asked(name: str, where: str, says: AsyncIterator[str]) -> Lines:
    try:
        async with asyncio.timeout(PATIENCE):
            return [line async for line in says]
    except SlackApiError as error:
        advice = ADVICE.get(reason(error), f"Slack refuses it ({reason(error)}); see {{}}").format(where)
        return [Fault(f"{name}: {advice}.")]
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        why = describe_connection_error(error)
        return [OutOfReach(f"{name} could not be tried: Slack cannot be reached ({why}).")]


async def _bot(client: AsyncWebClient, settings: Settings) -> AsyncIterator[str]:
    response = await client.auth_test()
    yield f"the bot is {response.get('user') or 'there'}, in {response.get('team') or 'its workspace'}."
    missing = _missing(response.headers, (*SCOPES, *(CARD_SCOPES if settings.unfurl else ())))
    if missing:
        yield Fault(f"the bot lacks the scopes {', '.join(missing)}: add them under {OAUTH}, and install it again.")
    if spared := [scope for scope in _missing(response.headers, OPTIONAL) if scope not in missing]:
        yield f"the bot works without the scopes {', '.join(spared)}; docs/slack.md says what is lost."


def _missing(headers: Mapping[str, str], wanted: Iterable[str]) -> Lines:
    """Return the wanted scopes that are not granted; empty where Slack does not say which are."""
    granted = next((value for name, value in headers.items() if name.lower() == "x-oauth-scopes"), None)
    if granted is None:
        return []
    scopes = {scope.strip() for scope in granted.split(",")}
    return [scope for scope in wanted if scope not in scopes]


async def _channels(client: AsyncWebClient, setting: str, channels: Iterable[str]) -> AsyncIterator[str]:
    for channel in filter(None, channels):
        try:
            response = await client.api_call("conversations.info", params={"channel": channel})
        except SlackApiError as error:
            unknown = Fault(f"{setting}: the channel {channel} is not known to the bot ({reason(error)}).")
            yield f"{setting}: {UNTRIED.format(channel)}" if reason(error) == UNGRANTED else unknown
            continue
        info = response.get("channel") or {}
        if info.get("is_archived"):
            yield Fault(f"{setting}: the channel {channel} is archived: nobody can write there.")
        elif not info.get("is_member", True):
            yield Fault(f"{setting}: the bot is not in the channel {channel}: write /invite there, and its name.")


async def _connections(clients: Clients, token: str) -> AsyncIterator[str]:
    url = (await clients.hasty.apps_connections_open(app_token=token))["url"]
    async with clients.session.ws_connect(url) as socket:
        hello = json.loads((await socket.receive()).data)
    others = int(hello.get("num_connections") or 1) - 1
    also = f"but {others} more connected with this token: each gets only a part of the questions"
    yield f"Socket Mode works, {also if others else 'and no other process is connected'}."
