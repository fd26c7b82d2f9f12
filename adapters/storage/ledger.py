"""The store as a platform's loop uses it: off the loop, in order, and never in anybody's way.

A store that fails, or is held up by another process, costs what it would have kept and no answer.
What it could not note of an answer that was given is noted as soon as it can be.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from adapters.operations.metrics import STORE_FAILURES
from adapters.storage.store import Claim, Posting, ReplyMessage, Store, StoreError

PATIENCE = 1.0  # seconds that anybody waits for the store
CLAIMING = 2.0  # seconds that a claim is waited for; a platform waits three for the first sign of life
LATE = 3.0  # seconds more that an answer waits for its claim, which a database that is only slow gives by then
AGAIN = 3600.0  # seconds for which what was shown unasked is not shown again
SEEN = 20_000  # keys remembered beside the store

T = TypeVar("T")
P = ParamSpec("P")
Call = Callable[Concatenate["Ledger", P], Coroutine[Any, Any, T | None]]
log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class ClaimHandle:
    """That a letter is this process's to answer: its claim where the store has it by now, and what became of it.

    ``claiming`` is under way where the store is slow; it is ``lost`` where another process turns out to have it.
    """

    claim: Claim | None = None
    claiming: asyncio.Future[tuple[Claim | None] | None] | None = None
    lost: bool = False
    answered: bool = False
    shown: ReplyMessage | None = None
    posting: Posting | None = None


def _reads(method: Callable[Concatenate[Store, P], T]) -> Call[P, T]:
    """Return a method of the ledger that reads from the store; its result is None where that fails."""

    async def call(ledger: Ledger, /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        return await ledger.read(lambda store: method(store, *args, **kwargs))

    return call


def _writes(method: Callable[Concatenate[Store, P], T]) -> Call[P, T]:
    """Return a method of the ledger that writes to the store; its result is None where that fails."""

    async def call(ledger: Ledger, /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        return await ledger.keep(lambda store: method(store, *args, **kwargs))

    return call


def _of_platform(call: Callable[Concatenate[Ledger, str, P], T]) -> Callable[Concatenate[Ledger, P], T]:
    """Return a method of the ledger that asks for its own platform."""

    def own(ledger: Ledger, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return call(ledger, ledger.platform, *args, **kwargs)

    return own


class Ledger:
    """The store's claims and answers of one platform.

    Reads wait for no writes: what a call reads is what was written when it began.
    """

    fact = _reads(Store.fact)
    stored_answer = _reads(Store.answer)
    has_asked = _of_platform(_reads(Store.has_asked))
    is_claimed = _of_platform(_reads(Store.is_claimed))
    last_question = _of_platform(_reads(Store.last_question))
    last_shown = _of_platform(_reads(Store.last_shown))
    posting = _of_platform(_reads(Store.posting))
    postings_to_review = _of_platform(_reads(Store.postings_to_review))
    shown_for = _of_platform(_reads(Store.shown_for))
    recent_news_count = _of_platform(_reads(Store.recent_news_count))
    remaining = _of_platform(_reads(Store.remaining))
    watches = _of_platform(_reads(Store.watches))

    save_fact = _writes(Store.save_fact)
    record_answer = _writes(Store.record_answer)
    record_opinion = _writes(Store.record_opinion)
    add_watch = _writes(Store.add_watch)
    remove_watch = _writes(Store.remove_watch)
    add_news = _writes(Store.add_news)
    mark_news_delivered = _writes(Store.mark_news_delivered)
    delete_claim = _writes(Store.delete_claim)
    claim_edit = _of_platform(_writes(Store.claim_edit))
    note_review = _of_platform(_writes(Store.note_review))
    forget_posting = _of_platform(_writes(Store.forget_posting))
    forget_thread = _of_platform(_writes(Store.forget_thread))
    # an event's claim, as the store has it; ``claim``, ``finish`` and ``release`` are of a whole request
    claim_event = _writes(Store.claim)
    take_up_claims = _writes(Store.take_up)
    finish_claim = _writes(Store.finish)
    release_claim = _writes(Store.release)

    def __init__(self, platform: str, store: Store) -> None:
        self.platform, self._store = platform, store
        self._reading = ThreadPoolExecutor(1, "stet-read")
        # apart, so that nothing that is done waits behind what is to be done
        self._keeping = ThreadPoolExecutor(1, "stet-keep")
        self._noting = ThreadPoolExecutor(1, "stet-note")
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._claiming: dict[str, asyncio.Future[tuple[Claim | None] | None]] = {}
        self._undone: list[ClaimHandle] = []
        self._doing = asyncio.Lock()

    async def keep(self, use: Callable[[Store], T]) -> T | None:
        """Call ``use`` on the store, one call at a time; return None where it fails, which is logged."""
        return await self._used(self._keeping, use)

    async def read(self, use: Callable[[Store], T]) -> T | None:
        """Call ``use``, which only reads, beside what is written; return None where it fails, which is logged."""
        return await self._used(self._reading, use)

    async def call_with_timeout(self, call: Coroutine[Any, Any, T | None]) -> T | None:
        """Wait briefly for a call of the store; return None where it takes longer. It goes on by itself."""
        using = asyncio.ensure_future(call)
        done, _ = await asyncio.wait((using,), timeout=PATIENCE)
        return using.result() if done else None

    async def claim(self, keys: Sequence[str], payload: str = "", within: float = CLAIMING) -> ClaimHandle | None:
        """Claim an event under every one of its ``keys``; ``None`` where any of them was claimed before.

        A store that says nothing ``within`` so many seconds is not waited for.
        """
        if not self._is_new(keys):
            await self._settled(keys, within)
            return None
        receipt = ClaimHandle()
        claiming = asyncio.ensure_future(self.keep(lambda store: (store.claim(self.platform, keys, payload),)))
        self._claiming |= dict.fromkeys(keys, claiming)
        claiming.add_done_callback(lambda _: self._forget(keys))
        done, _ = await asyncio.wait((claiming,), timeout=within)
        if not done:
            receipt.claiming = claiming
            claiming.add_done_callback(lambda late: self._came_late(receipt, late.result()))
            return receipt
        kept = claiming.result()
        if kept == (None,):
            return None
        receipt.claim = kept[0] if kept else None
        return receipt

    async def is_lost(self, receipt: ClaimHandle) -> bool:
        """Return whether another process has it. Waits for a claim under way: two processes must not both answer.

        A store that fails, or takes longer than ``LATE``, loses nothing: without it, whoever is asked answers.
        """
        if receipt.claiming is not None:
            await asyncio.wait((receipt.claiming,), timeout=LATE)
        return receipt.lost

    async def _settled(self, keys: Sequence[str], within: float) -> None:
        """Wait until the store has what is being claimed: whoever repeats it takes an answer as that it is safe."""
        if earlier := {self._claiming[key] for key in keys if key in self._claiming}:
            await asyncio.wait(earlier, timeout=within)

    def _forget(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._claiming.pop(key, None)

    def _is_new(self, keys: Sequence[str]) -> bool:
        """Return whether this process has seen none of the keys."""
        if any(key in self._seen for key in keys):
            return False
        self._seen.update(dict.fromkeys(keys))
        while len(self._seen) > SEEN:
            self._seen.popitem(last=False)
        return True

    def _came_late(self, receipt: ClaimHandle, kept: tuple[Claim | None] | None) -> None:
        receipt.claim = kept[0] if kept else None
        receipt.lost = kept == (None,)
        if receipt.answered:
            self._undone.append(receipt)

    async def is_first(self, keys: Sequence[str]) -> bool:
        """Claim what is answered on the spot; return whether nobody did before."""
        receipt = await self.claim(keys)
        if receipt is not None:
            await self.finish(receipt)
        return receipt is not None

    async def once(self, key: str, act: Callable[[], Awaitable[object]]) -> bool:
        """Do once for all what ``key`` names; return whether it is done, ``False`` where another process is at it.

        What ``act`` raises is raised, and it can be tried again.
        """
        deeds = f"{self.platform} deeds"

        def begun(store: Store) -> tuple[Claim | None, bool]:
            for left in store.take_up(deeds):  # by a process that was killed meanwhile
                store.delete_claim(left)
            claim = store.claim(deeds, [key])
            return claim, claim is None and store.is_finished(deeds, key)

        async with self._doing:
            claim, done = await self.keep(begun) or (None, None)
            if claim is None and done is not None:
                return done
            try:
                await act()
            except BaseException:
                if claim is not None:
                    await asyncio.shield(self.delete_claim(claim))
                raise
            if claim is not None:
                await self.finish_claim(claim)
            return True

    async def at_most_hourly(self, key: str, act: Callable[[], Awaitable[object]]) -> None:
        """Do what ``key`` names, unless somebody did within ``AGAIN`` seconds; what failed may be done again at once.

        Nothing is done where the store cannot say.
        """
        deeds = f"{self.platform} now and then"
        claim = await self.keep(lambda store: store.claim_anew(deeds, key, AGAIN))
        if claim is None:
            return
        try:
            await act()
        except BaseException:
            await asyncio.shield(self.delete_claim(claim))
            raise
        await self.finish_claim(claim)

    async def finish(
        self, receipt: ClaimHandle, shown: ReplyMessage | None = None, posting: Posting | None = None
    ) -> None:
        """Note that it is answered, and by which message."""
        receipt.answered, receipt.shown, receipt.posting = True, shown, posting
        await asyncio.wait((asyncio.ensure_future(self._finish(receipt)),), timeout=PATIENCE)

    async def _finish(self, receipt: ClaimHandle) -> None:
        claim = receipt.claim
        if claim is not None and not await self._noted(
            lambda store: store.finish(claim, receipt.shown, receipt.posting)
        ):
            self._undone.append(receipt)

    async def release(self, receipt: ClaimHandle, *, spent: bool) -> bool:
        """Release it for a later attempt; return whether the store has that."""
        claim = receipt.claim
        if claim is None:
            return False
        return await self._noted(lambda store: store.release(claim, spent=spent))

    async def catch_up(self) -> None:
        """Note what could not be noted before."""
        undone, self._undone = self._undone, []
        for receipt in undone:
            await self._finish(receipt)

    async def take_up(self) -> tuple[ClaimHandle, ...]:
        """Return what nobody works on any more; first note what could not be noted before."""
        await self.catch_up()
        taken = await self._used(self._noting, lambda store: store.take_up(self.platform))
        return tuple(ClaimHandle(claim) for claim in taken or ())

    async def _noted(self, act: Callable[[Store], None]) -> bool:
        def noting(store: Store) -> bool:
            act(store)
            return True

        return await self._used(self._noting, noting) or False

    async def _used(self, threads: ThreadPoolExecutor, use: Callable[[Store], T]) -> T | None:
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, use, self._store)
        except StoreError as error:
            STORE_FAILURES.inc()
            log.error("not kept: %s", error)  # noqa: TRY400 - the sentence says it all
            return None

    def close(self) -> None:
        """Shut down the threads once they have stored what they were given."""
        self._reading.shutdown(wait=True)
        self._keeping.shutdown(wait=True)
        self._noting.shutdown(wait=True)
