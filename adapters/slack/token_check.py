"""``stet check`` for Slack: what Slack says to our tokens, in words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from functools import partial

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.chat.loops import describe_connection_error
from adapters.settings import Fault, OutOfReach, Settings, own_ids
from adapters.slack.api import Clients, connected, reason, sdk_log
from adapters.slack.blocks import draw
from bot.model import Reply

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
        lines += await _asked("SLACK_BOT_TOKEN", OAUTH, lambda: _bot(client, settings))
        for setting, channels in named.items():
            lines += await _asked(setting, "the channel's menu", partial(_channels, client, setting, channels))
        if settings.slack_mode == "socket":
            lines += await _asked("SLACK_APP_TOKEN", BASIC, lambda: _connections(clients, settings.slack_app_token))
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

        async def valid(name: str, reply: Reply) -> Lines:
            try:
                # the SDK's own method puts the blocks into the address, where they are too long
                await clients.hasty.api_call("blocks.validate", data={"blocks": json.dumps(draw(reply).blocks)})
            except SlackApiError as error:
                if reason(error) != INVALID:
                    raise
                wrong = (
                    f"{each.get('message')} (at {each.get('pointer')})" for each in error.response.get("errors", ())
                )
                return [Fault(f"the blocks of {name} are refused: {'; '.join(wrong) or INVALID}.")]
            return [f"the blocks of {name} are valid."]

        asked = [await _asked("SLACK_BOT_TOKEN", OAUTH, partial(valid, *each)) for each in replies.items()]
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


async def _asked(name: str, where: str, ask: Callable[[], Coroutine[object, object, Lines]]) -> Lines:
    try:
        async with asyncio.timeout(PATIENCE):
            return await ask()
    except SlackApiError as error:
        advice = ADVICE.get(reason(error), f"Slack refuses it ({reason(error)}); see {{}}").format(where)
        return [Fault(f"{name}: {advice}.")]
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        why = describe_connection_error(error)
        return [OutOfReach(f"{name} could not be tried: Slack cannot be reached ({why}).")]


async def _bot(client: AsyncWebClient, settings: Settings) -> Lines:
    response = await client.auth_test()
    lines = [f"the bot is {response.get('user') or 'there'}, in {response.get('team') or 'its workspace'}."]
    missing = _missing(response.headers, (*SCOPES, *(CARD_SCOPES if settings.unfurl else ())))
    if missing:
        lines.append(
            Fault(f"the bot lacks the scopes {', '.join(missing)}: add them under {OAUTH}, and install it again.")
        )
    spared = [scope for scope in _missing(response.headers, OPTIONAL) if scope not in missing]
    if spared:
        lines.append(f"the bot works without the scopes {', '.join(spared)}; docs/slack.md says what is lost.")
    return lines


def _missing(headers: Mapping[str, str], wanted: Iterable[str]) -> Lines:
    """Return the wanted scopes that are not granted; empty where Slack does not say which are."""
    granted = next((value for name, value in headers.items() if name.lower() == "x-oauth-scopes"), None)
    if granted is None:
        return []
    scopes = {scope.strip() for scope in granted.split(",")}
    return [scope for scope in wanted if scope not in scopes]


async def _channels(client: AsyncWebClient, setting: str, channels: Iterable[str]) -> Lines:
    lines = []
    for channel in filter(None, channels):
        try:
            response = await client.api_call("conversations.info", params={"channel": channel})
        except SlackApiError as error:
            unknown = Fault(f"{setting}: the channel {channel} is not known to the bot ({reason(error)}).")
            lines.append(f"{setting}: {UNTRIED.format(channel)}" if reason(error) == UNGRANTED else unknown)
            continue
        info = response.get("channel") or {}
        if info.get("is_archived"):
            lines.append(Fault(f"{setting}: the channel {channel} is archived: nobody can write there."))
        elif not info.get("is_member", True):
            wrong = f"{setting}: the bot is not in the channel {channel}: write /invite there, and its name."
            lines.append(Fault(wrong))
    return lines


async def _connections(clients: Clients, token: str) -> Lines:
    url = (await clients.hasty.apps_connections_open(app_token=token))["url"]
    async with clients.session.ws_connect(url) as socket:
        hello = json.loads((await socket.receive()).data)
    others = int(hello.get("num_connections") or 1) - 1
    if not others:
        return ["Socket Mode works, and no other process is connected."]
    return [f"Socket Mode works, but {others} more connected with this token: each gets only a part of the questions."]
