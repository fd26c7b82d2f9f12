"""A server that cannot be reached: why, and how long to wait before each further attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, repeat

import aiohttp


def why(error: Exception) -> str:
    match error:
        case TimeoutError():
            return "it does not answer in time"
        case aiohttp.ClientConnectorDNSError():
            return "its name is not found"
        case aiohttp.ClientSSLError():
            return "its certificate is not accepted"
        case ConnectionRefusedError() | aiohttp.ClientConnectorError():
            return "nobody answers there"
        case _:
            return "the connection broke off"


PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # seconds, after the first failures in a row
LONGEST = 30.0


def pauses() -> Iterator[float]:
    """Yield the seconds to wait after the first failure, the second, and so on without end."""
    return chain(PAUSES, repeat(LONGEST))


async def pause(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
