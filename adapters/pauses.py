"""How long to wait before what failed is tried again: longer each time, never long enough for a newsroom to notice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, repeat

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # seconds, after the first failures in a row
LONGEST = 30.0


def pauses() -> Iterator[float]:
    """Yield the seconds to wait after the first failure, the second, and so on without end."""
    return chain(PAUSES, repeat(LONGEST))


async def pause(stop: asyncio.Event, seconds: float) -> None:
    """Wait for ``seconds``, or until ``stop`` is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
