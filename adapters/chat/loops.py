"""What runs before and for as long as a platform is served: the connection, why it fails, and what is repeated."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from itertools import chain, repeat
from typing import Any

from bot.command import Argument
from bot.model import Question
from bot.service import QuestionService
from retrieval import ArchiveError, freeze_loaded

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # seconds, after the first failures in a row
LONGEST = 30.0
SETTLED_SECONDS = 300.0  # of service, after which a failure is the first again

log = logging.getLogger(__name__)


class Tasks:
    """Tasks that are under way, to be cancelled together."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()

    async def end(self) -> None:
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def pauses() -> Iterator[float]:
    return chain(PAUSES, repeat(LONGEST))


async def pause(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def keep_up(
    serve: Callable[[], Awaitable[object]],
    stop: asyncio.Event,
    fatal: type[Exception],
    note: Callable[[Exception, float, bool], None],
) -> None:
    """Call ``serve`` until ``stop`` is set, again after each error that is not ``fatal``; that one is raised.

    ``note`` is called with the error, the seconds until the next attempt, and whether it is the first in a row.
    """
    waits, is_first = pauses(), True
    while not stop.is_set():
        began = time.monotonic()
        try:
            await serve()
        except fatal:
            raise
        except Exception as error:  # noqa: BLE001 - noted
            if time.monotonic() - began > SETTLED_SECONDS:
                waits, is_first = pauses(), True
            wait = next(waits)
            note(error, wait, is_first)
            is_first = False
            await pause(stop, wait)


def describe_connection_error(error: Exception) -> str:
    import aiohttp  # noqa: PLC0415 - of the extras slack and discord; the page and MCP need this module without them

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


def warm(service: QuestionService) -> None:
    """Load what the first question would otherwise wait for."""
    service.autocomplete(Argument.NAME, "", 1)
    service.answer(Question("Who said what?"))
    freeze_loaded()


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
