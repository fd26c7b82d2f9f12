"""``stet discord``: the connection, renewed until the program stops; ``stet check`` for Discord.

What ends a connection for good is a token that Discord refuses; everything else is tried again. As it comes, discord.py
lets one malformed message end the client, and waits up to 17 minutes between attempts.
"""

import asyncio
import logging
import re
import zlib
from collections.abc import Iterator
from contextlib import closing
from functools import cache, partial
from typing import Any
from urllib.parse import urlencode

import aiohttp
import discord
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route

from adapters.chat.loops import describe_connection_error, keep_up, warm
from adapters.discord.events import SYNC_WANTED, DiscordListeners
from adapters.discord.requests import MALFORMED, PLATFORM
from adapters.discord.transport import unknown_servers
from adapters.settings import Fault, OutOfReach, Settings, own_ids
from adapters.storage.store import Store
from bot.service import QuestionService

log = logging.getLogger(__name__)

READY = "stet: discord ready"
CLOSED_FOR_GOOD = {
    4004: "Discord refuses the token. Copy it again from the application's page, Bot, into DISCORD_TOKEN.",
    4013: "Discord does not know the intents that the bot asks for. Install the newest version of stet.",
    4014: "Discord does not show the bot what is written in channels. Switch the Message Content Intent on, under Bot,"
    " or take STET_DISCORD_CONTENT away.",
}
PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, embed_links=True, read_message_history=True
)
LONGEST_WAIT = 30.0
RECONNECTING = "Attempting a reconnect"  # how discord.py's log line begins

# as every example of Discord's is; it promises no form, so a token that it takes is right whatever it looks like
TOKEN_FORM = re.compile(r"[\w-]+=*(?:\.[\w-]+){2}")
UNLIKE = (
    " DISCORD_TOKEN doesn't look like a bot token, which is three parts with dots between them, and nothing else:"
    " copy it from the application's page, Bot, Reset Token."
)


class DiscordError(Exception):
    """Discord does not let the bot in; the text says what to do."""


class OutOfReachError(DiscordError):
    """Discord could not be asked."""


def resync(settings: Settings) -> None:
    """Register the commands again at the next start, changed or not.

    Raises ``DiscordError`` where Discord refuses the token or cannot be reached, ``StoreError`` where that cannot be
    stored.
    """
    with closing(Store.of(settings)) as store:
        store.save_fact(SYNC_WANTED, "yes")
    try:
        ask_discord(settings)
    except OutOfReachError as error:
        raise OutOfReachError(f"Discord was {error} The commands are registered at the next start.") from error


class OneLinePerOutage(logging.Filter):
    """Logs an outage in one line, however often discord.py reports it with a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self._is_reported = False

    def level(self) -> int:
        """Return the level for a failure: the first of an outage is a warning."""
        is_reported, self._is_reported = self._is_reported, True
        return logging.DEBUG if is_reported else logging.WARNING

    def over(self) -> None:
        self._is_reported = False

    def filter(self, record: logging.LogRecord) -> bool:
        if self._is_reported and record.levelno == logging.INFO:  # that it logs in, at each attempt
            return False
        if not record.exc_info or not str(record.msg).startswith(RECONNECTING) or log.isEnabledFor(logging.DEBUG):
            return True
        words = "the connection to Discord is lost (%s); reconnecting until it is back"
        log.log(self.level(), words, why(record.exc_info[1]))
        return False


OUTAGE = OneLinePerOutage()
logging.getLogger(discord.client.__name__).addFilter(OUTAGE)


def why(error: BaseException | None) -> str:
    if isinstance(error, AttributeError) and error.__context__:
        error = error.__context__  # discord.py stumbles where the first attempt of all failed
    return describe_connection_error(error) if isinstance(error, aiohttp.ClientError | OSError) else str(error)


class PatientSocket(DiscordWebSocket):
    """A gateway connection that outlives a message it cannot read."""

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401 - discord.py says so
        try:
            await super().received_message(msg)
        except MALFORMED as error:
            log.warning("a gateway message was not understood and is skipped: %r", error)
        except zlib.error:
            log.warning("the gateway's stream is broken; resuming")
            await self.close()
            raise ReconnectWebSocket(self.shard_id) from None


class PatientBackoff(ExponentialBackoff[bool]):
    """Waits longer after each failure, but never long enough for a newsroom to notice."""

    def delay(self) -> float:
        return min(super().delay(), LONGEST_WAIT)


def install(api_base: str, gateway_url: str) -> None:
    """Make discord.py use these classes and addresses; an empty gateway address keeps Discord's own."""
    # discord.py has no other way in: its client names both classes itself
    discord.client.DiscordWebSocket = PatientSocket  # type: ignore[misc]
    discord.client.ExponentialBackoff = PatientBackoff  # type: ignore[attr-defined,assignment]
    Route.BASE = api_base.rstrip("/")
    if gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)


def _refuse_foreign(token: str) -> None:
    """Raise ``DiscordError`` for what is surely no token of Discord's, which then doesn't get to see it."""
    kind = "a token of Slack's" if token.startswith(("xox", "xapp-")) else "an id" if token.isdecimal() else ""
    if kind:
        raise DiscordError(f"DISCORD_TOKEN holds {kind}. Copy the token from the application's page, Bot.")


async def serve(service: QuestionService, settings: Settings, stop: asyncio.Event) -> None:
    """Answer on Discord until ``stop`` is set.

    Raises ``DiscordError`` where Discord refuses the bot, ``StoreError`` where the store cannot be opened.
    """
    _refuse_foreign(settings.discord_token)
    install(settings.discord_api_base, settings.discord_gateway_url)
    # the bot doesn't speak: no warning that the libraries for voice are missing
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    announce = cache(partial(print, READY, flush=True))  # once: whoever started the program waits for this line

    def ready() -> None:
        OUTAGE.over()
        announce()

    await asyncio.to_thread(warm, service)
    with closing(Store.of(settings)) as store:
        OUTAGE.over()
        make = partial(DiscordListeners, service, settings, store, ready)
        await keep_up(lambda: _connection(make(), settings.discord_token, stop), stop, DiscordError, _note)


def _note(error: Exception, *_: object) -> None:
    debugging = log.isEnabledFor(logging.DEBUG)
    words = "the connection to Discord ended (%s); trying again until it is back"
    log.log(OUTAGE.level(), words, why(error), exc_info=debugging)


async def _connection(client: discord.Client, token: str, stop: asyncio.Event) -> None:
    running = asyncio.create_task(client.start(token))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        await client.close()
        running.cancel()
        [failure] = await asyncio.gather(running, return_exceptions=True)
    match failure:
        case discord.LoginFailure():
            raise DiscordError(CLOSED_FOR_GOOD[4004]) from failure
        case discord.PrivilegedIntentsRequired():
            raise DiscordError(CLOSED_FOR_GOOD[4014]) from failure
        case discord.ConnectionClosed(code=code) if code in CLOSED_FOR_GOOD:
            raise DiscordError(CLOSED_FOR_GOOD[code]) from failure
        case Exception():
            raise failure


def invite(application: int) -> str:
    """Return the address at which a server's owner lets the bot in, with exactly the permissions it needs."""
    query = {"client_id": application, "scope": "bot applications.commands", "permissions": PERMISSIONS.value}
    return f"https://discord.com/oauth2/authorize?{urlencode(query)}"


def check(settings: Settings) -> Iterator[str]:
    try:
        application, servers, channels = ask_discord(settings)
    except DiscordError as error:
        kind = OutOfReach if isinstance(error, OutOfReachError) else Fault
        yield kind(f"Discord: {error}")
    else:
        yield f"Discord: the token is good, the application is {application.name}."
        yield f"Discord: invite it with {invite(application.id)}"
        yield from (Fault(f"Discord: {fault}") for fault in unknown_servers(settings.discord_guilds, servers))
        if application.bot_public and not settings.discord_guilds:
            yield (
                "Discord: anybody may invite this bot and ask it: switch Public Bot off under Installation and Bot,"
                " or list your servers in STET_DISCORD_GUILDS."
            )
        if not any((settings.discord_guilds, settings.discord_channels, own_ids(PLATFORM, settings.people))):
            yield (
                "Discord: everybody in every server that it is in may ask:"
                " STET_DISCORD_GUILDS and other lists are empty."
            )
        if settings.allow_outsiders:
            yield "Discord: guests, and people who are in none of its servers, may ask: STET_ALLOW_OUTSIDERS is 1."
        yield from channels


def ask_discord(settings: Settings) -> tuple[discord.AppInfo, list[int], list[Fault]]:
    """Return what ``_application`` does; raises ``DiscordError`` where Discord doesn't answer or refuses."""
    _refuse_foreign(settings.discord_token)
    install(settings.discord_api_base, settings.discord_gateway_url)
    unlike = "" if TOKEN_FORM.fullmatch(settings.discord_token) else UNLIKE
    try:
        return asyncio.run(_application(settings))
    except discord.LoginFailure as error:
        raise DiscordError(CLOSED_FOR_GOOD[4004] + unlike) from error
    except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
        kind = DiscordError if unlike else OutOfReachError
        raise kind(f"not reached at {settings.discord_api_base}: {why(error)}.{unlike}") from error
    except MALFORMED as error:
        raise DiscordError(f"what answers at {settings.discord_api_base} is not understood.") from error


async def _application(settings: Settings) -> tuple[discord.AppInfo, list[int], list[Fault]]:
    named = {"STET_HANDOVER": settings.handover, "STET_ALARM_CHANNEL": (settings.alarm_channel,)}
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(settings.discord_token)
        channels = [(name, number) for name, ids in named.items() for number in own_ids(PLATFORM, ids)]
        wrong = [(name, number, await _wrong(client, number)) for name, number in channels]
        faults = [Fault(f"Discord: {name}: the channel {number} {why}") for name, number, why in wrong if why]
        servers = [server.id async for server in client.fetch_guilds(limit=None)]
        return await client.application_info(), servers, faults


async def _wrong(client: discord.Client, number: str) -> str:
    if not number.isdecimal():
        return "is no channel's id: copy it with a right click, in Developer Mode."
    try:
        channel = await client.fetch_channel(int(number))
        if not isinstance(channel, discord.abc.GuildChannel) or client.user is None:
            return ""
        channel.guild = await client.fetch_guild(channel.guild.id)
        allowed = channel.permissions_for(await channel.guild.fetch_member(client.user.id))
    except discord.HTTPException as error:
        return f"is not shown to the bot ({error.status} {error.response.reason}): {error.text}."
    lacking = [name for name in ("view_channel", "send_messages") if not getattr(allowed, name)]
    words = " and ".join(name.replace("_", " ").title() for name in lacking)
    return f"does not let the bot write: allow it {words} there." if lacking else ""
