"""discord.py's client, made patient: malformed messages are skipped, lost connections are resumed soon.

As it comes, discord.py lets one malformed message end the client, and waits up to 17 minutes between attempts.
"""

import logging
import zlib
from typing import Any

import aiohttp
import discord
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route

from adapters.chat.loops import describe_connection_error

log = logging.getLogger(__name__)

MALFORMED = (ValueError, TypeError, LookupError, AttributeError)
LONGEST_WAIT = 30.0
RECONNECTING = "Attempting a reconnect"  # how discord.py's log line begins


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
