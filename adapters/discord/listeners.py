"""What happens on each thing that Discord sends, over one connection; and the life of that connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, pauses
from adapters.chat.transport import AwayError, HopelessError
from adapters.discord import requests
from adapters.discord.components import ROOM, Act, Controls, Menu, PressButton, compose, form
from adapters.discord.gateway import OUTAGE
from adapters.discord.panels import arrange, escape, quotation
from adapters.discord.requests import PLATFORM, DiscordRequest
from adapters.discord.slash_commands import fingerprint, plant
from adapters.discord.transport import (
    EDITING,
    FAILURES,
    PASSING,
    DiscordTransport,
    Sheet,
    defer,
    translating,
    unknown_servers,
)
from adapters.operations.metrics import note_connected
from adapters.settings import Settings
from adapters.storage.ledger import Ledger
from adapters.storage.store import Store
from adapters.updates.start import start_updates
from bot import messages
from bot.service import QuestionService
from bot.sentence_links import read_number
from retrieval import DRAFT, DRAFT_KINDS, ArticleError

log = logging.getLogger(__name__)

REGISTERING_SECONDS = 10.0
UNFINISHED_SECONDS = 10.0  # between looks for what could not be answered
REVISABLE_SECONDS = 600.0  # in which a question may be changed, and is answered again
MISSED_SECONDS = 120.0  # before it was connected, in which a mention is still answered
DRAIN_SECONDS = 5.0  # for requests to end when the program does
SYNC_WANTED = "discord commands to be registered anew"


class Wire(discord.Client):
    """A client that answers; ``ready`` is called when it is connected for the first time."""

    def __init__(self, service: QuestionService, settings: Settings, store: Store, ready: Callable[[], None]) -> None:
        super().__init__(
            intents=discord.Intents(
                guilds=True,
                guild_messages=True,
                dm_messages=True,
                message_content=settings.discord_content,
                guild_reactions=settings.discord_content,
            ),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )
        self._settings, self._tell_ready = settings, ready
        self._ledger = Ledger(PLATFORM, store)
        acts = frozenset(command.name for command in service.commands())
        self._transport = DiscordTransport(self, settings, acts)
        self._inbox: Inbox[DiscordRequest, Sheet] = Inbox(service, self._ledger, self._transport)
        self.complete, self.admitted = self._inbox.autocomplete, self._inbox.admitted
        self._tasks = Tasks()
        self._is_serving = self._closing = False
        self.tree: app_commands.CommandTree[Wire] = app_commands.CommandTree(
            self,
            allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=AppInstallationType(guild=True, user=False),
        )
        self.tree.error(self._failed)
        plant(self.tree, service, self)

    async def setup_hook(self) -> None:
        self.add_dynamic_items(PressButton, Menu)
        if not await self._registered(logging.WARNING):
            self._tasks.start(self._register())

    async def _register(self) -> None:
        for wait in pauses():
            await asyncio.sleep(wait)
            if await self._registered(logging.DEBUG):
                return

    async def _registered(self, level: int) -> bool:
        """Register the commands once; return whether Discord has them now, and log a failure at ``level``."""
        try:
            async with asyncio.timeout(REGISTERING_SECONDS):
                await self._sync()
        except FAILURES as error:
            log.log(level, "the commands could not be registered, and will be; mentions are answered: %r", error)
            return False
        return True

    async def _sync(self) -> None:
        dev = self._settings.discord_dev_guild
        guild = discord.Object(int(dev)) if dev else None
        fact = f"discord commands {self.application_id} {self._settings.discord_api_base} {dev}"
        found = fingerprint(self.tree)
        if await self._ledger.fact(fact) == found and not await self._ledger.fact(SYNC_WANTED):
            return
        if guild:
            self.tree.copy_global_to(guild=guild)
        await self.tree.sync(guild=guild)
        await self._ledger.save_fact(fact, found)
        await self._ledger.save_fact(SYNC_WANTED, "")

    async def on_ready(self) -> None:
        """Log which servers of the settings it is not in, as nobody there is answered; look for what was missed."""
        for fault in unknown_servers(self._settings.discord_guilds, (server.id for server in self.guilds)):
            log.warning("%s", fault)
        self._tasks.start(self._catch_up())

    async def _catch_up(self) -> None:
        """Answer mentions in channels that came while the bot was not connected; a claim keeps others out."""
        since = discord.utils.utcnow() - timedelta(seconds=MISSED_SECONDS)
        channels: list[discord.TextChannel | discord.Thread] = []
        for server in self.guilds:
            channels += (*server.text_channels, *server.threads)
        for channel in channels:
            last = channel.last_message_id  # a channel without a new message is not asked
            if last is None or discord.utils.snowflake_time(last) < since:
                continue
            try:
                async for message in channel.history(after=since):
                    if requests.names(message, self.user):
                        await self.on_message(message)
            except FAILURES as error:
                log.debug("what was missed in %s is not known: %r", channel.id, error)

    async def on_connect(self) -> None:
        """Note that the bot is there, and take up what an earlier process left."""
        note_connected(PLATFORM, yes=True)
        OUTAGE.over()
        if self._is_serving:
            return
        self._is_serving = True
        self._tell_ready()
        start_updates(self._tasks, self._inbox, self._settings, EDITING, UNFINISHED_SECONDS)

    on_resumed = on_connect

    async def on_disconnect(self) -> None:
        note_connected(PLATFORM, yes=False)

    async def close(self) -> None:
        if self._closing:  # discord.py does so too, where Discord ends the connection for good
            await super().close()
            return
        self._closing = True
        await self._inbox.drain(DRAIN_SECONDS)
        self._tasks.cancel()
        await super().close()
        note_connected(PLATFORM, yes=False)
        self._inbox.close()

    async def take(self, interaction: discord.Interaction, command: str, words: str) -> None:
        """Answer a command, for all to see where its channel has it so."""
        request = requests.from_interaction(interaction, command, words)
        private = self._inbox.service.channels.of(request.place).private
        await self._begin(replace(request, ephemeral=private), interaction)

    async def proof(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Proof a message, or the file in it, for who asks alone; neither draft nor findings are stored."""
        request = requests.from_interaction(interaction)
        if not await self._is_first(interaction) or not await defer(interaction, request):
            return
        reply = await self._inbox.proof(request, lambda: _draft(message))
        panels = await asyncio.to_thread(arrange, reply, ROOM)
        try:
            await self._transport.deliver(request, compose(panels, Controls()), "")
        except (discord.HTTPException, *PASSING) as error:
            log.warning("a proof could not be delivered: %s", error)

    async def _begin(self, request: DiscordRequest, interaction: discord.Interaction | None) -> None:
        """Claim a request, show "thinking…", and start on it; do nothing where another process has it."""
        handle = await self._inbox.claim(request, [request.key])
        if handle is None:
            return
        if interaction is not None and not await defer(interaction, request):
            await self._ledger.finish(handle)
            return
        self._tasks.start(self._inbox.answer(request, handle))

    async def _is_first(self, interaction: discord.Interaction) -> bool:
        """Return whether no other process has answered the interaction."""
        return await self._ledger.is_first([f"interaction:{interaction.id}"])

    async def _failed(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        log.error("a command was not answered", exc_info=error)
        if interaction.type is discord.InteractionType.application_command and not interaction.response.is_done():
            request = requests.from_interaction(interaction, remark=messages.FAILED)
            await self._begin(request, interaction)

    async def press(self, interaction: discord.Interaction, act: Act, state: str) -> None:
        match act:
            case Act.MORE | Act.CLOSEST | Act.CONTEXT | Act.COPY:
                command = Act.MORE if act is Act.CLOSEST else act
                await self._begin(requests.from_interaction(interaction, command, state), interaction)
            case Act.DONE if await self._is_first(interaction):
                await mark_done(interaction)
            case _ if not await self._is_first(interaction):
                return
            case _ if not await self.admitted(requests.from_interaction(interaction)):
                await interaction.response.send_message(messages.REFUSED, ephemeral=True)
            case Act.CALL:
                await hand_over(interaction, state, self._ledger, self._settings.discord_handover)
            case Act.RIGHT:
                await interaction.response.send_message(messages.THANKS, ephemeral=True)
                await self._judge(interaction, state, right=True)
            case Act.WRONG:
                await interaction.response.send_modal(form(state))
                await self._judge(interaction, state, right=False)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle a form, known by its id alone, so that one opened before a restart works too."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        found = requests.complaint(interaction)
        if found and await self._is_first(interaction):
            answer, why = found
            await interaction.response.send_message(messages.THANKS, ephemeral=True)
            await self._judge(interaction, answer, right=False, why=why or None)

    async def _judge(
        self, interaction: discord.Interaction, answer: str, *, right: bool, why: str | None = None
    ) -> None:
        who = requests.from_interaction(interaction)
        await self._inbox.judge(who, answer, right=right, why=why)

    async def on_message(self, message: discord.Message) -> None:
        if message.author.bot or message.type not in requests.WRITTEN:
            return
        if message.edited_at is None and (links := requests.links(message)):
            who = requests.from_message(message)
            self._tasks.start(self._inbox.show_cards(links, self._settings.unfurl, who, requests.LINKS))
        named, direct = requests.names(message, self.user), requests.guild_of(message) is None
        unasked = not (direct or named)
        follow_up = self._settings.follow_up_minutes * 60
        going_on = follow_up and self._inbox.service.channels.of(requests.place(message)).follow_ups
        if unasked and not (going_on and requests.may_follow(message, self.user)):
            return
        words = requests.words(message)
        if message.content.strip() and not words and not requests.is_call(message, self.user):
            return
        hidden = unasked and requests.is_hidden(message, self.user)
        if unasked and not (hidden or requests.goes_on(message, words)):
            return
        previous, shown = await self._before(message)
        if unasked and previous is None and not requests.follows(message, self.user):
            return
        remark = messages.DISCORD_HIDES_REPLY if hidden else ""
        if unasked and requests.waited(message) > follow_up:
            place = (str(message.channel.id), "", str(message.author.id))
            if hidden or not await self._ledger.has_asked(*place):
                return
            remark = messages.ASK_ON
        meant = previous or requests.meant(message, words, self.user)
        request = requests.from_message(message, words, meant or None)
        await self._begin(replace(request, remark=remark, unasked=unasked, shown=shown), None)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Check the quotations of a message for who reacts to it, in a message to them alone."""
        member = payload.member
        if member is None or member.bot or payload.emoji.name not in self._settings.reaction:
            return
        try:
            channel = self.get_channel(payload.channel_id) or await self.fetch_channel(payload.channel_id)
            partial = self.get_partial_messageable(payload.channel_id, guild_id=payload.guild_id)
            message = await partial.fetch_message(payload.message_id)
            request = await self._transport.direct(requests.from_reaction(message, channel, member))
        except (HopelessError, AwayError, *FAILURES) as error:
            log.warning("a reaction was not answered: %s", error)
            return
        await self._begin(request, None)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Answer a question again that was changed soon after it was asked."""
        message = payload.message
        age = (discord.utils.utcnow() - message.created_at).total_seconds()
        if message.edited_at is not None and age < REVISABLE_SECONDS:
            await self.on_message(message)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        self._tasks.start(self._inbox.withdraw(str(payload.channel_id), str(payload.message_id)))

    async def _before(self, message: discord.Message) -> tuple[str | None, str]:
        """Return the question behind the bot's message that this one answers, and the state of what that shows."""
        if message.reference is None or not requests.may_follow(message, self.user):
            return None, ""
        channel, thread = str(message.channel.id), str(message.reference.message_id)
        return await self._ledger.last_question(channel, thread), await self._ledger.last_shown(channel, thread) or ""


async def _draft(message: discord.Message) -> tuple[str | bytes, str]:
    files = [each for each in message.attachments if each.filename.lower().endswith(DRAFT_KINDS)]
    if not files:
        return requests.everything(message), ""
    if files[0].size > DRAFT.most:
        raise ArticleError(DRAFT.refusal)
    content = b""
    with translating():
        content = await files[0].read()
    return content, files[0].filename


async def hand_over(interaction: discord.Interaction, answer: str, ledger: Ledger, channel: str) -> None:
    """Post the question behind an answer for people, unless it was posted before; confirm it to who pressed."""
    await interaction.response.defer(ephemeral=True, thinking=True)
    number = read_number(answer)
    record = None if number is None else await ledger.call_with_timeout(ledger.stored_answer(number))
    text = messages.EXPIRED
    if record is not None and channel:
        link = interaction.message.jump_url if interaction.message else ""
        heading = f"**{escape(messages.handover_request(interaction.user.display_name))}**"
        words = "\n".join((heading, quotation(record.question), link))

        async def post() -> None:
            await interaction.client.get_partial_messageable(int(channel)).send(view=_note(words, done=False))

        text = messages.HANDED_OVER
        try:
            if not await ledger.once(f"call:{answer}", post):
                text = messages.NOT_HANDED_OVER
        except (discord.HTTPException, ValueError, *PASSING) as error:
            log.warning("a question could not be handed to people: %s", error)
            text = messages.NOT_HANDED_OVER
    await interaction.edit_original_response(content=text)


async def mark_done(interaction: discord.Interaction) -> None:
    shown = interaction.message.components if interaction.message else []
    words = [part.content for part in shown if isinstance(part, discord.TextDisplay)]
    words.append(f"-# {escape(messages.marked_done(interaction.user.display_name))}")
    await interaction.response.edit_message(view=_note("\n".join(words), done=True))


def _note(text: str, *, done: bool) -> discord.ui.LayoutView:
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(text))
    if not done:
        row: discord.ui.ActionRow[discord.ui.LayoutView] = discord.ui.ActionRow()
        row.add_item(PressButton(Act.DONE, ""))
        view.add_item(row)
    return view
