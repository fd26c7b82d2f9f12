"""What happens on each thing that Discord sends, over one connection; and the life of that connection.

Slash commands come from the table of commands, and are registered when that changed.
"""

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from functools import partial
from inspect import Parameter, Signature
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, pauses
from adapters.chat.request import FOLLOW_UP_SECONDS, AwayError, HopelessError, asks_on
from adapters.discord import panels, requests, transport
from adapters.discord.panels import DiscordDrawing
from adapters.discord.requests import PATTERN, PLATFORM, Act, DiscordRequest, from_interaction
from adapters.discord.transport import DiscordTransport
from adapters.metrics import note_connected
from adapters.settings import Settings
from adapters.storage.ledger import Ledger
from adapters.storage.store import AnswerRecord, Store
from adapters.updates.posting import start_updates
from bot import messages
from bot.command import Argument, Command
from bot.commands.command_table import TABLE
from bot.escaping import escape_line
from bot.service import QuestionService
from retrieval import DRAFT, DRAFT_KINDS, ArticleError

log = logging.getLogger(__name__)

REGISTERING_SECONDS = 10.0
UNFINISHED_SECONDS = 30.0  # between looks for what could not be answered
REVISABLE_SECONDS = 600.0  # in which a question may be changed, and is answered again
MISSED_SECONDS = 120.0  # before it was connected, in which a mention is still answered
DRAIN_SECONDS = 5.0  # for requests to end when the program does
SYNC_WANTED = "discord commands to be registered anew"
CHECK, PROOF = "Check this quote", "Proof this"
VERIFY = "verify"
REACTION = "🔍"  # checks the quotations of what it is put on
LONGEST_CHOICE = 100
CHOICES = 25
UNKNOWN_INTERACTION = 10062
_ALSO = re.compile(r"\[([a-z]+) [A-Z]+\]")  # in a usage: an optional part with a word before it, "[about WORDS]"

_EITHER = Parameter.POSITIONAL_OR_KEYWORD


class DiscordListeners(discord.Client):
    """A client that answers; ``ready`` is called whenever it is connected."""

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
        self._transport = DiscordTransport(self, settings)
        self._inbox: Inbox[DiscordRequest, DiscordDrawing] = Inbox(service, self._ledger, self._transport)
        self.complete, self.admitted = self._inbox.autocomplete, self._inbox.admitted
        self._tasks = Tasks()
        self._is_serving = self._closing = False
        self.tree: app_commands.CommandTree[DiscordListeners] = app_commands.CommandTree(
            self,
            allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=AppInstallationType(guild=True, user=False),
        )
        self.tree.error(self._failed)
        register_commands(self.tree, self)

    async def setup_hook(self) -> None:
        if not await self._registered(logging.WARNING):
            self._tasks.start(self._register())

    async def _register(self) -> None:
        for wait in pauses():
            await asyncio.sleep(wait)
            if await self._registered(logging.DEBUG):
                return

    async def _registered(self, level: int) -> bool:
        """Register the commands if they changed; return whether Discord has them, and log a failure at ``level``."""
        fact = f"discord commands {self.application_id} {self._settings.discord_api_base}"
        payloads = sorted(json.dumps(each.to_dict(self.tree), sort_keys=True) for each in self.tree.get_commands())
        fingerprint = hashlib.sha256("\n".join(payloads).encode()).hexdigest()
        try:
            async with asyncio.timeout(REGISTERING_SECONDS):
                is_wanted = await self._ledger.read(Store.fact, SYNC_WANTED)
                if is_wanted or await self._ledger.read(Store.fact, fact) != fingerprint:
                    await self.tree.sync()
                    await self._ledger.write(Store.save_fact, fact, fingerprint)
                    await self._ledger.write(Store.save_fact, SYNC_WANTED, "")
        except transport.FAILURES as error:
            log.log(level, "the commands could not be registered, and will be; mentions are answered: %r", error)
            return False
        return True

    async def on_ready(self) -> None:
        """Log which servers of the settings it is not in, as nobody there is answered; look for what was missed."""
        for fault in transport.unknown_servers(self._settings.discord_guilds, (server.id for server in self.guilds)):
            log.warning("%s", fault)
        self._tasks.start(self._catch_up())

    async def _catch_up(self) -> None:
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
            except transport.FAILURES as error:
                log.debug("what was missed in %s is not known: %r", channel.id, error)

    async def on_connect(self) -> None:
        note_connected(PLATFORM, yes=True)
        self._tell_ready()
        if not self._is_serving:
            self._is_serving = True
            start_updates(self._tasks, self._inbox, self._settings, transport.EDITING, UNFINISHED_SECONDS)

    on_resumed = on_connect

    async def on_disconnect(self) -> None:
        note_connected(PLATFORM, yes=False)

    def dispatch(self, event: str, /, *args: object, **kwargs: object) -> None:
        if not self.is_closed():  # for what it reads while it closes, discord.py has no event loop any more
            super().dispatch(event, *args, **kwargs)

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
        request = from_interaction(interaction, command, words)
        private = self._inbox.service.channels.of(request.place).private
        await self._begin(replace(request, ephemeral=private), interaction)

    async def proof(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Proof a message, or the file in it, for who asks alone; neither draft nor findings are stored."""
        request = from_interaction(interaction)
        if not await self._is_first(interaction) or not await transport.defer(interaction, request):
            return
        await self._inbox.proof(request, lambda: _draft(message), lambda reply: DiscordDrawing(panels.arrange(reply)))

    async def _begin(self, request: DiscordRequest, interaction: discord.Interaction | None) -> None:
        """Claim a request, show "thinking…", and start on it; do nothing where another process has it."""
        handle = await self._ledger.claim([request.key], request.to_json())
        if handle is None:
            return
        if interaction is not None and not await transport.defer(interaction, request):
            await self._ledger.finish(handle)
            return
        self._tasks.start(self._inbox.answer(request, handle))

    async def _is_first(self, interaction: discord.Interaction) -> bool:
        return await self._ledger.is_first([f"interaction:{interaction.id}"])

    async def _failed(self, interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        log.error("a command was not answered", exc_info=error)
        if interaction.type is discord.InteractionType.application_command and not interaction.response.is_done():
            await self._begin(from_interaction(interaction, remark=messages.FAILED), interaction)

    async def press(self, interaction: discord.Interaction, act: Act, state: str) -> None:
        match act:
            case Act.MORE | Act.CLOSEST | Act.CONTEXT | Act.COPY:
                command = Act.MORE if act is Act.CLOSEST else act
                await self._begin(from_interaction(interaction, command, state), interaction)
            case Act.SHARE:
                request = from_interaction(interaction, act, state)
                name = interaction.user.display_name
                await self._begin(replace(request, ephemeral=False, shared=True, name=name), interaction)
            case Act.DONE if await self._is_first(interaction):
                await mark_done(interaction)
            case _ if not await self._is_first(interaction):
                return
            case _ if not await self.admitted(from_interaction(interaction)):
                await interaction.response.send_message(messages.REFUSED, ephemeral=True)
            case Act.CALL:
                await interaction.response.defer(ephemeral=True, thinking=True)
                text = await self._inbox.hand_over(state, partial(self._hand_over, interaction))
                await interaction.edit_original_response(content=text)
            case Act.RIGHT:
                await interaction.response.send_message(messages.THANKS, ephemeral=True)
                await self._inbox.judge(from_interaction(interaction), state, right=True)
            case Act.WRONG:
                await interaction.response.send_modal(panels.form(state))
                await self._inbox.judge(from_interaction(interaction), state, right=False)

    async def _hand_over(self, interaction: discord.Interaction, record: AnswerRecord) -> None:
        """Post a question in the people's channel, with the way to where it was asked; raise as a transport's send."""
        link = interaction.message.jump_url if interaction.message else ""
        heading = f"**{panels.escape(messages.handover_request(interaction.user.display_name))}**"
        channel = self.get_partial_messageable(int(self._transport.handover))
        with transport.translating():
            text, done = "\n".join((heading, panels.quotation(record.question), link)), panels.button(Act.DONE, "")
            await channel.send(view=panels.layout(discord.ui.TextDisplay(text), discord.ui.ActionRow(done)))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle a button, a choice or a form, known by its id alone, so that one from before a restart works too."""
        data: Any = interaction.data
        if interaction.type is discord.InteractionType.component:
            pressed = PATTERN.fullmatch((data.get("values") or [data["custom_id"]])[0])
            if pressed:
                await self.press(interaction, Act(pressed["act"]), pressed["state"])
        elif interaction.type is discord.InteractionType.modal_submit:
            complaint = requests.complaint(data)
            if complaint and await self._is_first(interaction):
                answer, why = complaint
                await interaction.response.send_message(messages.THANKS, ephemeral=True)
                await self._inbox.judge(from_interaction(interaction), answer, right=False, why=why or None)

    async def on_message(self, message: discord.Message) -> None:
        if message.author.bot or message.type not in requests.USER_MESSAGE_TYPES:
            return
        request = requests.from_message(message, self.user)
        if message.edited_at is None and (links := requests.links(message)):
            bare = replace(request, text="", replied_to="", above="")
            self._tasks.start(self._inbox.show_cards(links, self._settings.unfurl, bare, requests.LINKS))
        named, direct = requests.names(message, self.user), request.workspace is None
        unasked = not (direct or named)
        leads_on = request.replied_to and self._inbox.service.channels.of(request.place).follow_ups
        if (unasked and not leads_on) or not requests.is_answerable(message, request.text, self.user):
            return
        hidden = unasked and requests.is_hidden(message, self.user)
        if unasked and not (hidden or (asks_on(request.text) and not message.raw_mentions)):
            return
        is_own = not unasked or requests.follows(message, self.user)
        if not is_own and await self._ledger.read_own(Store.last_question, request.channel, request.replied_to) is None:
            return
        remark = messages.DISCORD_HIDES_REPLY if hidden else ""
        if unasked and requests.waited(message) > FOLLOW_UP_SECONDS:
            if hidden or not await self._ledger.read_own(Store.has_asked, request.channel, "", request.person):
                return
            remark = messages.ASK_ON
        await self._begin(replace(request, remark=remark, unasked=unasked), None)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Check the quotations of a message for who reacts to it, in a message to them alone."""
        member = payload.member
        if member is None or member.bot or payload.emoji.name != REACTION:
            return
        try:
            channel = self.get_channel(payload.channel_id) or await self.fetch_channel(payload.channel_id)
            partial = self.get_partial_messageable(payload.channel_id, guild_id=payload.guild_id)
            message = await partial.fetch_message(payload.message_id)
            request = await self._transport.direct(requests.from_reaction(message, channel, member))
        except (HopelessError, AwayError, *transport.FAILURES) as error:
            log.warning("a reaction was not answered: %s", error)
            return
        await self._begin(request, None)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        message = payload.message
        if message.edited_at and (discord.utils.utcnow() - message.created_at).total_seconds() < REVISABLE_SECONDS:
            await self.on_message(message)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        self._tasks.start(self._inbox.withdraw(str(payload.channel_id), str(payload.message_id)))


async def _draft(message: discord.Message) -> tuple[str | bytes, str]:
    files = [each for each in message.attachments if each.filename.lower().endswith(DRAFT_KINDS)]
    if not files:
        return requests.everything(message), ""
    if files[0].size > DRAFT.most:
        raise ArticleError(DRAFT.refusal)
    content = b""
    with transport.translating():
        content = await files[0].read()
    return content, files[0].filename


async def mark_done(interaction: discord.Interaction) -> None:
    shown = interaction.message.components if interaction.message else []
    words = [part.content for part in shown if isinstance(part, discord.TextDisplay)]
    words.append(f"-# {panels.escape(messages.marked_done(interaction.user.display_name))}")
    await interaction.response.edit_message(view=panels.layout(discord.ui.TextDisplay("\n".join(words))))


def register_commands(tree: app_commands.CommandTree[Any], client: DiscordListeners) -> None:
    @app_commands.describe(question="For example: how many people were evacuated?")
    async def ask(interaction: discord.Interaction, question: str) -> None:
        await client.take(interaction, "", requests.question(question))

    async def check(interaction: discord.Interaction, message: discord.Message) -> None:
        await client.take(interaction, VERIFY, requests.everything(message))

    tree.add_command(app_commands.Command(name="ask", description="Ask the newsroom's articles.", callback=ask))
    for command in TABLE:
        if command.argument is not Argument.STATE:
            tree.add_command(_slash(command, client))
    tree.add_command(app_commands.ContextMenu(name=CHECK, callback=check))
    tree.add_command(app_commands.ContextMenu(name=PROOF, callback=client.proof))


def _slash(command: Command, client: DiscordListeners) -> app_commands.Command[Any, ..., None]:
    takes, also = command.argument, _ALSO.search(command.usage)
    is_optional = command.usage.partition(" ")[2].startswith("[")

    async def use(interaction: discord.Interaction, words: str = "", more: str = "") -> None:
        await client.take(interaction, command.name, f"{words} {also[1]} {more}" if also and more else words)

    # discord.py reads the options off the signature
    options = [("words", Parameter.empty if not is_optional or also else ""), *([("more", "")] if also else [])]
    parameters = [Parameter("interaction", _EITHER, annotation=discord.Interaction)]
    parameters += [Parameter(name, _EITHER, default=default, annotation=str) for name, default in options]
    use.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    callback: Callable[..., Coroutine[Any, Any, None]] = app_commands.rename(words=takes.value)(use)
    callback = app_commands.describe(words=command.usage[:LONGEST_CHOICE])(callback)
    if also:
        callback = app_commands.rename(more=also[1])(callback)
        callback = app_commands.describe(more=also[0].strip("[]"))(callback)
    if takes in (Argument.NAME, Argument.ARTICLE):

        async def complete(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            question = await client.admitted(from_interaction(interaction, words=typed))
            suggestions = await client.complete(takes, typed, CHOICES, question) if question else ()
            return [
                app_commands.Choice(name=panels.one_line(escape_line(one.label), LONGEST_CHOICE), value=one.value)
                for one in suggestions
                if 0 < len(one.value) <= LONGEST_CHOICE and one.label.strip()
            ]

        callback = app_commands.autocomplete(words=complete)(callback)
    return app_commands.Command(name=command.name, description=command.help[:LONGEST_CHOICE], callback=callback)


def _is_no_stale_autocomplete(record: logging.LogRecord) -> bool:
    """Keep out of the log that a keystroke was answered too late: by the next one, or another process, overtaken."""
    error, stale = record.exc_info[1] if record.exc_info else None, (UNKNOWN_INTERACTION, transport.ACKNOWLEDGED)
    return not (isinstance(error, discord.HTTPException) and error.code in stale)


logging.getLogger(app_commands.tree.__name__).addFilter(_is_no_stale_autocomplete)
