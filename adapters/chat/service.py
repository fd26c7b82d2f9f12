"""What runs for as long as a platform is served: the connection, and beside it what nobody has to ask for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from adapters.away import pause, pauses
from adapters.chat.inbox import Inbox
from adapters.chat.loops import every
from adapters.chat.transport import D, R
from adapters.settings import Settings
from adapters.updates.correcting import CorrectionAlerts
from adapters.updates.revising import Pace, Reviser
from adapters.updates.silent_feeds import SilenceAlerts
from adapters.updates.watching import Watcher

SETTLED_SECONDS = 300.0  # of service, after which a failure is the first again


class Tasks:
    """Tasks that are under way, to be cancelled together."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def start_beside(self, inbox: Inbox[R, D], settings: Settings, pace: Pace, unfinished: float) -> None:
        """Start what takes up unfinished questions (every ``unfinished`` seconds), and posts or edits unasked."""
        self.start(every(unfinished, inbox.take_up, "unfinished questions could not be taken up"))
        self.start(Reviser(inbox, pace).run())
        self.start(SilenceAlerts(inbox, settings).run())
        self.start(CorrectionAlerts(inbox, settings).run())
        self.start(Watcher(inbox, settings.watch_hourly).run())

    def cancel(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()

    async def end(self) -> None:
        """Cancel all, and wait for their ends."""
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


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
