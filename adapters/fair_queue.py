"""Many people's questions -> threads that answer them, so that nobody waits behind somebody else's questions.

Each person has a queue, of which at most ``EACH`` questions run at a time; who has waited longest is next. Few
questions run at once, because threads of one process only slow each other down. One that takes long gives up its place.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar

from adapters.operations.metrics import STAGES, UNDER_WAY, WAITING

PLACES = 2  # questions that run at a time; more would slow down the loop
EACH = 2  # running questions of one person
LONG = 0.25  # seconds after which a question gives up its place
THREADS = 64

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class QueuedQuestion:
    person: str
    act: Callable[[], Any]
    done: asyncio.Future[Any]
    since: float = field(default_factory=monotonic)


class FairQueue:
    """Runs what people ask for in threads, each in turn; for one event loop."""

    def __init__(self, places: int = PLACES, each: int = EACH, long: float = LONG) -> None:
        self._free = places
        self._each = each
        self._long = long
        self._waiting: dict[str, deque[QueuedQuestion]] = {}
        self._under_way: Counter[str] = Counter()
        self._placed: set[QueuedQuestion] = set()
        self._threads = ThreadPoolExecutor(THREADS, "stet-questions")

    async def run(self, person: str, act: Callable[[], T]) -> T:
        """Return what ``act`` returns, once it was this person's turn; raise what it raises."""
        turn = QueuedQuestion(person, act, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(person, deque()).append(turn)
        WAITING.inc()
        self._begin()
        found: T = await turn.done
        return found

    def close(self) -> None:
        """Start nothing more; running questions finish by themselves."""
        WAITING.dec(sum(map(len, self._waiting.values())))
        self._waiting.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _begin(self) -> None:
        """Start as many questions as there are places for; who has waited longest is first."""
        while self._free > 0 and self._under_way.total() < THREADS:
            person = next((who for who in self._waiting if self._under_way[who] < self._each), None)
            if person is None:
                return
            queue = self._waiting.pop(person)
            turn = queue.popleft()
            WAITING.dec()
            STAGES.labels("wait").observe(monotonic() - turn.since)
            if queue:
                self._waiting[person] = queue  # and so to the end of the line
            if not turn.done.cancelled():
                self._start(turn)

    def _start(self, turn: QueuedQuestion) -> None:
        loop = asyncio.get_running_loop()
        UNDER_WAY.inc()
        self._free -= 1
        self._placed.add(turn)
        self._under_way[turn.person] += 1
        patience = loop.call_later(self._long, self._give_up_place, turn)
        work = loop.run_in_executor(self._threads, turn.act)
        work.add_done_callback(lambda done: self._end(turn, done, patience))

    def _give_up_place(self, turn: QueuedQuestion) -> None:
        if turn in self._placed:
            self._placed.discard(turn)
            self._free += 1
            self._begin()

    def _end(self, turn: QueuedQuestion, work: asyncio.Future[Any], patience: asyncio.TimerHandle) -> None:
        patience.cancel()
        UNDER_WAY.dec()
        self._under_way -= Counter((turn.person,))  # this drops people without running questions
        _hand_over(work, turn.done)
        self._give_up_place(turn)
        self._begin()


def _hand_over(work: asyncio.Future[Any], done: asyncio.Future[Any]) -> None:
    if work.cancelled():
        done.cancel()
    elif error := work.exception():
        if not done.done():
            done.set_exception(error)
    elif not done.done():  # it was not cancelled
        done.set_result(work.result())
