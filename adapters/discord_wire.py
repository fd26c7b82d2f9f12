"""One connection to Discord: what people do there -> errands -> replies.

Each errand is claimed in the store before it is taken on and finished there once it is answered, so that it is
answered once, whatever is sent twice and whenever the process ends.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import discord
from discord.app_commands import AppCommandContext, AppInstallationType

from adapters import discord_delivery as delivery
from adapters import discord_intake as intake
from adapters import discord_session as session
from adapters.buttons import Act, Controls, PressButton, controls, form
from adapters.discord_commands import SpeakingTree, fingerprint, plant
from adapters.discord_errands import PLATFORM, Errand, given, read, run, write
from adapters.settings import Settings
from adapters.store import Claim, Opinion, Store, StoreError
from bot import voice
from bot.desk import Desk
from bot.model import Message, Reply

log = logging.getLogger(__name__)

THINKERS = 2  # threads that ask the desk; more of them only take turns, and take them from the loop
LAST_WORDS = 5.0  # seconds that errands get to end when the program does
IDENTIFY_EVERY = 5.0
FIRST_RESPONSE = 3.0
NOTE_EVERY = 1.0
FIRST = 1  # the number of a session's first event
KEEP_SESSION = 4000  # of the codes to close with, one that does not end the session
SESSION = "discord session"
SYNC_WANTED = "discord commands to be registered anew"

T = TypeVar("T")


class Wire(discord.Client):
    """A client that answers; ``ready`` is called when it is connected for the first time."""

    def __init__(self, desk: Desk, settings: Settings, store: Store, ready: Callable[[], None]) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self._desk, self._settings, self._store = desk, settings, store
        self._tell_ready = ready
        self._thinking = ThreadPoolExecutor(THINKERS, "desk")
        self._keeping = ThreadPoolExecutor(1, "store")
        self._errands: set[asyncio.Task[None]] = set()
        self._identified = -IDENTIFY_EVERY
        self._begun = False
        self._noting: asyncio.Task[None] | None = None
        self._left: session.Session | None = None
        self._acts = frozenset(command.name for command in desk.commands())
        self.tree = SpeakingTree(
            self,
            allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=AppInstallationType(guild=True, user=False),
        )
        plant(self.tree, desk, self)

    async def setup_hook(self) -> None:
        """Prepare what must be there before the first event."""
        self.add_dynamic_items(PressButton)
        self._left = session.read(await self._keep(lambda: self._store.fact(SESSION)), time.time())
        try:
            await self._sync()
        except (discord.HTTPException, StoreError) as error:
            log.warning("the commands could not be registered; mentions and messages are answered: %s", error)

    async def _sync(self) -> None:
        """Tell Discord of the commands where they are not those of the last time."""
        dev = self._settings.discord_dev_guild
        guild = discord.Object(int(dev)) if dev else None
        fact = f"discord commands {self.application_id} {self._settings.discord_api_base} {dev}"
        found = fingerprint(self.tree)
        if await self._keep(lambda: self._store.fact(fact)) == found and not await self._sync_wanted():
            return
        if guild:
            self.tree.copy_global_to(guild=guild)
        await self.tree.sync(guild=guild)
        await self._keep(lambda: self._store.keep_fact(fact, found))
        await self._keep(lambda: self._store.keep_fact(SYNC_WANTED, ""))

    async def _sync_wanted(self) -> bool:
        wanted = await self._keep(lambda: self._store.fact(SYNC_WANTED))
        return bool(wanted)

    def left_session(self) -> dict[str, object] | None:
        """Return, once, how to go on with the session of an earlier process."""
        left, self._left = self._left, None
        return session.adopt(self, left) if left else None

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Let five seconds pass between two sessions, as Discord asks, but no more."""
        del shard_id, initial
        await asyncio.sleep(max(0.0, self._identified + IDENTIFY_EVERY - time.monotonic()))
        self._identified = time.monotonic()

    async def on_connect(self) -> None:
        """Begin, or go on, with a new session."""
        stood = session.current(self, time.time())
        # what may have come in these moments is not claimed yet; after a crash it has to come again
        await self._note(replace(stood, sequence=FIRST) if stood else None)
        await self._begin_serving()

    async def on_resumed(self) -> None:
        """Begin, or go on, with the session there was."""
        await self._begin_serving()

    async def _begin_serving(self) -> None:
        """Say that the bot is there, and take up what an earlier process left."""
        if self._begun:
            return
        self._begun = True
        self._tell_ready()
        self._noting = asyncio.create_task(self._note_sessions())
        for claim in await self._keep(lambda: self._store.take_up(PLATFORM)):
            self._start(self._resume(claim))

    async def _note_sessions(self) -> None:
        """Keep where the session stood a second ago: by now what came until then is claimed."""
        while True:
            stood = session.current(self, time.time())
            await asyncio.sleep(NOTE_EVERY)
            await self._note(stood)

    async def _note(self, stood: session.Session | None) -> None:
        if stood is not None:
            await self._keep(lambda: self._store.keep_fact(SESSION, session.write(stood)))

    async def close(self) -> None:
        """End what is under way, then the connection, but not the session: the next process goes on with it."""
        stood = session.current(self, time.time())
        if self._noting:
            self._noting.cancel()
        if self._errands:
            await asyncio.wait(self._errands, timeout=LAST_WORDS)
        if stood is not None and self.ws.open:
            await self._note(stood)
            await self.ws.close(code=KEEP_SESSION)
        await super().close()
        self._thinking.shutdown(wait=False, cancel_futures=True)
        self._keeping.shutdown(wait=True)

    async def take(self, interaction: discord.Interaction, command: str, words: str) -> None:
        """Answer a command."""
        ephemeral = self._settings.discord_ephemeral
        await self._begin(intake.from_interaction(interaction, command, words, ephemeral=ephemeral), interaction)

    async def failed(self, interaction: discord.Interaction, error: Exception) -> None:
        """Say in words that a command failed, whatever happened."""
        log.error("a command was not answered", exc_info=error)
        if interaction.type is discord.InteractionType.application_command and not interaction.response.is_done():
            errand = intake.from_interaction(interaction, "", "", ephemeral=True, remark=voice.FAILED)
            await self._begin(errand, interaction)

    async def press(self, interaction: discord.Interaction, act: Act, state: str) -> None:
        """Answer a button."""
        match act:
            case Act.MORE | Act.CONTEXT | Act.COPY:
                await self._begin(intake.from_interaction(interaction, act.value, state, ephemeral=True), interaction)
            case Act.RIGHT:
                await self._thank(interaction)
                await self._judge(interaction, state, right=True)
            case Act.WRONG:
                await interaction.response.send_modal(form(state))
                await self._judge(interaction, state, right=False)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Take in a form; it is known by its id alone, so that one opened before a restart counts as well."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        found = intake.complaint(interaction)
        if found:
            answer, why = found
            await self._thank(interaction)
            await self._judge(interaction, answer, right=False, why=why or None)

    async def _judge(
        self, interaction: discord.Interaction, answer: str, *, right: bool, why: str | None = None
    ) -> None:
        if answer.isdecimal():
            opinion = Opinion(int(answer), str(interaction.user.id), right, why)
            await self._keep(lambda: self._store.record_opinion(opinion))

    async def _thank(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(voice.THANKS, ephemeral=True)

    async def on_message(self, message: discord.Message) -> None:
        """Answer a mention, a direct message, an answer to one of the bot's own."""
        named, follows = intake.names(message, self.user), intake.follows(message, self.user)
        direct = intake.guild_of(message) is None
        if message.author.bot or message.type not in intake.WRITTEN or not (direct or named or follows):
            return
        words = intake.words(message, self.user)
        # without the mention that Discord puts into an answer, a bot is not shown what it says
        remark = voice.UNSEEN if follows and not (words or named or direct) else ""
        previous = await self._previous(message) if follows else None
        await self._begin(intake.from_message(message, words, previous, remark), None)

    async def _previous(self, message: discord.Message) -> str | None:
        channel, thread = str(message.channel.id), str(message.reference.message_id if message.reference else "")
        return await self._keep(lambda: self._store.last_question(PLATFORM, channel, thread))

    async def _begin(self, errand: Errand, interaction: discord.Interaction | None) -> None:
        """Claim an errand, say "thinking…", and see to it; nothing where it is somebody else's."""
        claim = await self._keep(lambda: self._store.claim(PLATFORM, [errand.key], write(errand)))
        if claim is None:
            return
        if interaction is not None and not await delivery.defer(interaction, errand):
            await self._keep(lambda: self._store.finish(claim))
            return
        self._start(self._see_to(errand, claim, interaction))

    async def _resume(self, claim: Claim) -> None:
        """See to an errand that an earlier process claimed, unless it is too late or was answered after all."""
        errand = read(claim.payload)
        if errand is None or errand.expired(time.time()):
            await self._keep(lambda: self._store.finish(claim))
            return
        interaction = delivery.revive(self, errand)
        if interaction is not None:
            answered = await delivery.answered(self, errand)
            fresh = answered is None and time.time() - errand.at < FIRST_RESPONSE
            if answered or (fresh and not await delivery.defer(interaction, errand)):
                await self._keep(lambda: self._store.finish(claim))
                return
        await self._see_to(errand, claim, interaction)

    async def _see_to(self, errand: Errand, claim: Claim, interaction: discord.Interaction | None) -> None:
        try:
            await self._answer(errand, interaction)
        except discord.HTTPException as error:
            log.warning("Discord did not take the reply to %s: %s", errand.key, error)
        except Exception:
            log.exception("%s was not answered", errand.key)
            drawing = delivery.draw(Message(voice.FAILED), Controls(), self._settings.discord_style)
            with suppress(Exception):  # what went wrong is in the log; this is but the courtesy
                await delivery.deliver(self, interaction, errand, drawing)
        await self._keep(lambda: self._store.finish(claim))

    async def _answer(self, errand: Errand, interaction: discord.Interaction | None) -> None:
        reply: Reply = await asyncio.get_running_loop().run_in_executor(self._thinking, run, self._desk, errand)
        number = await self._keep(lambda: self._store.record_answer(given(errand, reply)))
        drawing = delivery.draw(reply, controls(reply, number, self._acts), self._settings.discord_style)
        sent = await delivery.deliver(self, interaction, errand, drawing)
        if not errand.command and not errand.remark:
            channel, words = errand.target, errand.words
            await self._keep(lambda: self._store.remember_question(PLATFORM, channel, sent, words))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _keep(self, use: Callable[[], T]) -> T:
        """Use the store, off the loop, one use after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._keeping, use)
