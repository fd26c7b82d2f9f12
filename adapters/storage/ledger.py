"""The store as a platform's event loop uses it: in threads, in order, and without making anybody wait for long.

A store that fails or is locked by another process loses records, but no answer to a person.
That an answer was sent is recorded as soon as the store works again.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from prometheus_client import Counter

from adapters.storage.store import Claim, Posting, ReplyMessage, Store, StoreError

STORE_FAILURES = Counter("stet_store_failures", "Uses of the store that failed.")

WAIT_SECONDS = 1.0  # that anybody waits for the store
CLAIM_WAIT_SECONDS = 2.0  # a platform waits three for the first sign of life
LATE_CLAIM_SECONDS = 3.0  # more that an answer waits for its claim, which a database that is only slow gives by then
REPEAT_AFTER_SECONDS = 3600.0  # until what was shown unasked may be shown again
MAX_RECENT_KEYS = 20_000  # remembered beside the store

T = TypeVar("T")
P = ParamSpec("P")
StoreCall = Callable[Concatenate[Store, P], T]
OwnCall = Callable[Concatenate[Store, str, P], T]
log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class ClaimHandle:
    """An event that this process answers, with what the store has said of its claim by now.

    Without a ``claim`` the store failed, or has not answered yet, unless it is ``lost`` to another process.
    ``claiming`` is under way where the store is slow.
    """

    claim: Claim | None = None
    lost: bool = False
    claiming: asyncio.Task[None] | None = None
    answered: bool = False
    message: ReplyMessage | None = None
    posting: Posting | None = None


class Ledger:
    """The store's claims and answers of one platform. Reads see the state when they began, and wait for no write."""

    def __init__(self, platform: str, store: Store) -> None:
        self.platform, self._store = platform, store
        self._reader = ThreadPoolExecutor(1, "stet-read")
        self._writer = ThreadPoolExecutor(1, "stet-write")
        # apart, so that what is finished is recorded without waiting behind what begins
        self._finisher = ThreadPoolExecutor(1, "stet-finish")
        self._recent_keys: OrderedDict[str, None] = OrderedDict()
        self._claiming: dict[str, asyncio.Task[None]] = {}
        self._unrecorded: list[ClaimHandle] = []
        self._once = asyncio.Lock()

    async def write(self, function: StoreCall[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Call ``function`` with the store, one call at a time; return None where it fails, which is logged."""
        return await self._call(self._writer, partial(function, self._store, *args, **kwargs))

    async def read(self, function: StoreCall[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Call ``function``, which only reads, beside the writes; return None where it fails, which is logged."""
        return await self._call(self._reader, partial(function, self._store, *args, **kwargs))

    async def read_own(self, function: OwnCall[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Read as ``read`` does what is this platform's; the platform is put in as the first argument."""
        return await self.read(function, self.platform, *args, **kwargs)

    async def write_own(self, function: OwnCall[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        return await self.write(function, self.platform, *args, **kwargs)

    async def briefly(self, call: Coroutine[Any, Any, T | None]) -> T | None:
        """Wait briefly for a call of the store; return None where it takes longer. It goes on by itself."""
        task = asyncio.ensure_future(call)
        done, _ = await asyncio.wait((task,), timeout=WAIT_SECONDS)
        return task.result() if done else None

    async def claim(
        self, keys: Sequence[str], payload: str = "", within: float = CLAIM_WAIT_SECONDS
    ) -> ClaimHandle | None:
        """Claim an event under every one of its ``keys``; ``None`` where any of them was claimed before.

        Waits at most ``within`` seconds for the store.
        """
        if any(key in self._recent_keys for key in keys):
            # whoever repeats an event takes the answer as a sign that it is stored
            if earlier := {self._claiming[key] for key in keys if key in self._claiming}:
                await asyncio.wait(earlier, timeout=within)
            return None
        self._recent_keys.update(dict.fromkeys(keys))
        while len(self._recent_keys) > MAX_RECENT_KEYS:
            self._recent_keys.popitem(last=False)
        handle = ClaimHandle()
        claiming = asyncio.create_task(self._claim(handle, keys, payload))
        self._claiming |= dict.fromkeys(keys, claiming)
        done, _ = await asyncio.wait((claiming,), timeout=within)
        if done:
            claiming.result()  # raises what is no failure of the store
        else:
            handle.claiming = claiming
        return None if handle.lost else handle

    async def _claim(self, handle: ClaimHandle, keys: Sequence[str], payload: str) -> None:
        def claim(store: Store) -> tuple[Claim | None]:
            return (store.claim(self.platform, keys, payload),)

        try:
            if claimed := await self.write(claim):
                [handle.claim] = claimed
                handle.lost = handle.claim is None
        finally:
            for key in keys:
                self._claiming.pop(key, None)
        if handle.answered:
            self._unrecorded.append(handle)

    async def is_lost(self, handle: ClaimHandle) -> bool:
        """Return whether another process has the event. Waits for a claim under way: only one process may answer.

        A store that fails, or takes longer than ``LATE_CLAIM_SECONDS``, loses nothing: this process answers then.
        """
        if handle.claiming is not None:
            await asyncio.wait((handle.claiming,), timeout=LATE_CLAIM_SECONDS)
        return handle.lost

    async def is_first(self, keys: Sequence[str]) -> bool:
        """Claim and finish what is answered at once; return whether nobody did before."""
        handle = await self.claim(keys)
        if handle is not None:
            await self.finish(handle)
        return handle is not None

    async def once(self, key: str, act: Callable[[], Awaitable[object]]) -> bool:
        """Do once for ever what ``key`` names; return whether it is done, ``False`` where another process is doing it.

        What ``act`` raises is raised, and it can be tried again.
        """
        kind = f"{self.platform} deeds"

        def begin(store: Store) -> tuple[Claim | None, bool]:
            for left in store.take_up(kind):  # by a process that was killed meanwhile
                store.delete_claim(left)
            claim = store.claim(kind, [key])
            return claim, claim is None and store.is_finished(kind, key)

        async with self._once:
            claim, is_done = await self.write(begin) or (None, None)
            if claim is None and is_done is not None:
                return is_done
            await self._finish_after(act, claim)
            return True

    async def at_most_hourly(self, key: str, act: Callable[[], Awaitable[object]]) -> None:
        """Do what ``key`` names unless it was done within the hour; what failed may be done again at once.

        Nothing is done where the store fails.
        """
        claim = await self.write(Store.claim_again, f"{self.platform} now and then", key, REPEAT_AFTER_SECONDS)
        if claim is not None:
            await self._finish_after(act, claim)

    async def _finish_after(self, act: Callable[[], Awaitable[object]], claim: Claim | None) -> None:
        try:
            await act()
        except BaseException:
            if claim is not None:
                await asyncio.shield(self.write(Store.delete_claim, claim))
            raise
        if claim is not None:
            await self.write(Store.finish, claim)

    async def finish(
        self, handle: ClaimHandle, message: ReplyMessage | None = None, posting: Posting | None = None
    ) -> None:
        handle.answered, handle.message, handle.posting = True, message, posting
        await asyncio.wait((asyncio.ensure_future(self._finish(handle)),), timeout=WAIT_SECONDS)

    async def _finish(self, handle: ClaimHandle) -> None:
        if handle.claim and not await self._record(Store.finish, handle.claim, handle.message, handle.posting):
            self._unrecorded.append(handle)

    async def release(self, handle: ClaimHandle, *, spent: bool) -> bool:
        """Release the claim for a later attempt; return whether that is recorded."""
        return handle.claim is not None and await self._record(Store.release, handle.claim, spent=spent)

    async def catch_up(self) -> None:
        unrecorded, self._unrecorded = self._unrecorded, []
        for handle in unrecorded:
            await self._finish(handle)

    async def take_up(self) -> tuple[ClaimHandle, ...]:
        """Catch up, and return the events that nobody works on any more."""
        await self.catch_up()
        taken = await self._call(self._finisher, lambda: self._store.take_up(self.platform))
        return tuple(ClaimHandle(claim) for claim in taken or ())

    async def _record(self, function: StoreCall[P, None], /, *args: P.args, **kwargs: P.kwargs) -> bool:
        def record() -> bool:
            function(self._store, *args, **kwargs)
            return True

        return await self._call(self._finisher, record) or False

    async def _call(self, threads: ThreadPoolExecutor, function: Callable[[], T]) -> T | None:
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, function)
        except StoreError as error:
            STORE_FAILURES.inc()
            log.error("not stored: %s", error)  # noqa: TRY400 - the sentence says it all
            return None

    def close(self) -> None:
        """Wait until all writes are done, and end the threads."""
        for threads in (self._reader, self._writer, self._finisher):
            threads.shutdown(wait=True)
