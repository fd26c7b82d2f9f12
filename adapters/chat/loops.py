"""Work that is repeated for as long as a platform is served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from retrieval import ArchiveError

log = logging.getLogger(__name__)


async def every(seconds: float, act: Callable[[], Awaitable[object]], failure: str) -> None:
    """Do ``act`` now and every ``seconds``, for ever; whatever it raises is logged as ``failure``."""
    while True:
        try:
            await act()
        except ArchiveError as error:
            log.warning("%s now: %s", failure, error)
        except Exception:
            log.exception("%s", failure)
        await asyncio.sleep(seconds)
