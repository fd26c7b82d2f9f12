"""Errands -> replies on Discord: each claimed in the store before it is taken on, and finished there once answered.

So each is answered once, whatever is sent twice and whenever the process ends.
A store that fails costs what it would have kept, never the answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import discord

from adapters.discord import delivery
from adapters.discord.buttons import Controls, controls
from adapters.discord.errands import PLATFORM, Errand, given, read, run, write
from adapters.store import Claim, Store, StoreError
from bot import voice
from bot.desk import Desk
from bot.model import Message, Reply

log = logging.getLogger(__name__)

THINKERS = 2  # threads that ask the desk; more of them only take turns, and take them from the loop
LAST_WORDS = 5.0  # seconds that errands get to end when the program does
BAD_REQUEST = 400
UNKEPT = Claim(0, PLATFORM, "")  # stands for a claim that the store could not take

T = TypeVar("T")


class Runner:
    """Runs the errands of one connection; ``style`` is how replies are drawn."""

    def __init__(self, client: discord.Client, desk: Desk, store: Store, style: str) -> None:
        self._client, self._desk, self._store, self._style = client, desk, store, style
        self._acts = frozenset(command.name for command in desk.commands())
        self._thinking = ThreadPoolExecutor(THINKERS, "desk")
        self._keeping = ThreadPoolExecutor(1, "store")
        self._tasks: set[asyncio.Task[None]] = set()

    async def keep(self, use: Callable[[Store], T]) -> T | None:
        """Use the store, off the loop, one use after the other; ``None`` where it fails, which is logged."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._keeping, use, self._store)
        except StoreError as error:
            log.error("not kept: %s", error)  # noqa: TRY400 - the sentence says it all
            return None

    async def begin(self, errand: Errand, interaction: discord.Interaction | None) -> None:
        """Claim an errand, say "thinking…", and see to it; nothing where it is somebody else's."""
        claim = await self._claim(errand)
        if claim is None:
            return
        if interaction is not None and not await delivery.defer(interaction, errand):
            await self._finish(claim)
            return
        self._start(self._see_to(errand, claim, interaction))

    async def is_first(self, interaction: discord.Interaction) -> bool:
        """Claim what is answered on the spot; tell whether nobody did before."""
        key = f"interaction:{interaction.id}"
        kept = await self.keep(lambda store: (store.claim(PLATFORM, [key]),))
        claim = kept[0] if kept else UNKEPT
        if claim is not None:
            await self._finish(claim)
        return claim is not None

    async def take_up(self) -> None:
        """See to what an earlier process left."""
        for claim in await self.keep(lambda store: store.take_up(PLATFORM)) or ():
            self._start(self._resume(claim))

    async def settle(self) -> None:
        """Wait, not for ever, until what is under way is answered."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=LAST_WORDS)

    def close(self) -> None:
        """Let the threads go."""
        self._thinking.shutdown(wait=False, cancel_futures=True)
        self._keeping.shutdown(wait=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _claim(self, errand: Errand) -> Claim | None:
        kept = await self.keep(lambda store: (store.claim(PLATFORM, [errand.key], write(errand)),))
        return kept[0] if kept else UNKEPT

    async def _finish(self, claim: Claim) -> None:
        if claim is not UNKEPT:
            await self.keep(lambda store: store.finish(claim))

    async def _resume(self, claim: Claim) -> None:
        errand = read(claim.payload)
        if errand is None or errand.expired(time.time()):
            await self._finish(claim)
            return
        interaction = delivery.revive(self._client, errand)
        if interaction is None or await self._awaited(errand, interaction):
            await self._see_to(errand, claim, interaction)
        else:
            await self._finish(claim)

    async def _awaited(self, errand: Errand, interaction: discord.Interaction) -> bool:
        """Tell whether an interaction still waits for its reply; say "thinking…" where nobody did yet."""
        answered = await delivery.answered(self._client, errand)
        if answered is None and time.time() - errand.at < delivery.FIRST_RESPONSE:
            return await delivery.defer(interaction, errand)
        return not answered

    async def _see_to(self, errand: Errand, claim: Claim, interaction: discord.Interaction | None) -> None:
        try:
            await self._answer(errand, interaction)
        except discord.HTTPException as error:
            log.warning("Discord did not take the reply to %s: %s", errand.key, error)
            if error.status == BAD_REQUEST:
                await self._apologise(errand, interaction)
        except Exception:
            log.exception("%s was not answered", errand.key)
            await self._apologise(errand, interaction)
        await self._finish(claim)

    async def _answer(self, errand: Errand, interaction: discord.Interaction | None) -> None:
        reply: Reply = await asyncio.get_running_loop().run_in_executor(self._thinking, run, self._desk, errand)
        number = await self.keep(lambda store: store.record_answer(given(errand, reply)))
        drawing = delivery.draw(reply, controls(reply, number, self._acts), self._style)
        sent = await delivery.deliver(self._client, interaction, errand, drawing)
        if sent and not errand.command and not errand.remark:
            await self.keep(lambda store: store.remember_question(PLATFORM, errand.target, sent, errand.words))

    async def _apologise(self, errand: Errand, interaction: discord.Interaction | None) -> None:
        drawing = delivery.draw(Message(voice.FAILED), Controls(), self._style)
        with suppress(Exception):  # what went wrong is in the log; this is but the courtesy
            await delivery.deliver(self._client, interaction, errand, drawing)
