"""Discord's transport: whom it serves, how an answer is drawn, sent once, and tried again where that helps."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import aiohttp
import discord
from discord.http import Route

from adapters.answer_record import command_and_words
from adapters.chat.loops import describe_connection_error
from adapters.chat.request import AwayError, HopelessError, Recent, Transport
from adapters.discord.panels import DiscordDrawing, compose, draw, escape, one_line
from adapters.discord.requests import MALFORMED, PLATFORM, TOKEN_SECONDS, WITH_QUESTION_ABOVE, DiscordRequest, as_asker
from adapters.settings import Settings, own_ids
from adapters.storage.store import CARD, AnswerRecord, Posting
from adapters.updates.revising import EditRate
from bot import messages
from bot.commands.command_table import BY_STATE
from bot.model import Asker, Listing, Message, Place, Reply
from bot.outline import outline
from bot.standing_questions import NEWS_COMMAND

ACKNOWLEDGED = 40060
NO_HISTORY = 160002  # who may not read what was said before may not reply to it
FIRST_RESPONSE = 3.0  # seconds that Discord waits for it
AGAIN = 0.1
WAITS = (0.5, 2.0)  # seconds between attempts, beyond those that discord.py makes itself
ORIGINAL: Any = "@original"  # in place of the id of an interaction's first response
EDITING = EditRate()  # of posted answers: discord.py keeps to Discord's limits by itself
TRANSIENT_ERRORS = (discord.DiscordServerError, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
FAILURES = (discord.HTTPException, *TRANSIENT_ERRORS, *MALFORMED)  # of a call
LABEL = 120  # characters of a card's title, and of its outlet and day; a caveat is never cut
GONE_TOKEN = 50027  # "Invalid Webhook Token": the interaction is too old

log = logging.getLogger(__name__)


class DiscordTransport(Transport[DiscordRequest, DiscordDrawing]):
    platform = PLATFORM
    request_type = DiscordRequest

    def __init__(self, client: discord.Client, settings: Settings) -> None:
        self._client, self._settings = client, settings
        self.handover = "".join(own_ids(PLATFORM, settings.handover)[:1])
        self._known = Recent[tuple[Asker, str | None]]()

    async def is_waiting(self, request: DiscordRequest) -> bool:
        if not request.token or time.time() - request.at > TOKEN_SECONDS:
            return not request.token
        try:
            original = await self._webhook(request).fetch_message(ORIGINAL)
        except TRANSIENT_ERRORS as error:
            raise AwayError(describe_connection_error(error)) from error
        except discord.HTTPException:  # before any answer
            return time.time() - request.at >= FIRST_RESPONSE or await self._defer_again(request)
        return original.flags.loading

    async def _defer_again(self, request: DiscordRequest) -> bool:
        """Show "thinking…" for a process that ended; return whether the reply can be brought afterwards."""
        path = "/interactions/{webhook_id}/{webhook_token}/callback"
        route = Route("POST", path, webhook_id=int(request.id), webhook_token=request.token)
        flags = discord.MessageFlags(ephemeral=request.ephemeral or request.shared).value
        kind = discord.InteractionResponseType.deferred_channel_message.value
        try:
            await self._client.http.request(route, json={"type": kind, "data": {"flags": flags}})
        except discord.HTTPException as error:
            return error.code == ACKNOWLEDGED
        except TRANSIENT_ERRORS:
            return False
        return True

    async def can_post(self, request: DiscordRequest) -> bool | None:
        try:
            number = int(request.channel)
            channel = self._client.get_channel(number) or await self._client.fetch_channel(number)
        except (discord.Forbidden, discord.NotFound):
            return False
        except FAILURES as error:
            log.debug("Discord does not say whether the bot may write in %s: %r", request.channel, error)
            return None
        if not isinstance(channel, discord.Thread | discord.abc.GuildChannel):
            return True
        try:
            allowed = channel.permissions_for(channel.guild.me)
        except (discord.ClientException, AttributeError):  # of a server or a channel that is not known yet
            return None
        if isinstance(channel, discord.Thread):
            return allowed.view_channel and allowed.send_messages_in_threads and not channel.locked
        return allowed.view_channel and allowed.send_messages

    async def sender(self, request: DiscordRequest) -> tuple[Asker, Place]:
        if request.workspace and request.command != NEWS_COMMAND:
            return request.asker, request.place
        asker, server = await self._known.get(request.person, lambda: self._look_up(request.asker))
        return asker, replace(request.place, workspace=request.workspace or server)

    async def _look_up(self, asker: Asker) -> tuple[Asker, str | None]:
        """Return the asker as the first server knows them that is served, and its id; an outsider where none does."""
        for guild in self._client.guilds:
            if self._settings.discord_guilds and str(guild.id) not in self._settings.discord_guilds:
                continue
            try:
                member = await guild.fetch_member(int(asker.id))
            except discord.NotFound:
                continue
            except TRANSIENT_ERRORS as error:
                raise AwayError(f"Discord cannot be asked who writes ({describe_connection_error(error)})") from error
            except discord.HTTPException as error:
                if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                    raise AwayError("Discord asks to wait before it says who writes") from error
                log.warning("%s is refused: Discord does not say who that is in a server (%s)", asker.id, error)
                continue
            return as_asker(member), str(guild.id)
        return Asker(asker.id, outsider=not self._settings.allow_outsiders), None

    async def message_above(self, request: DiscordRequest) -> str:
        return request.above

    async def direct_channel(self, request: DiscordRequest) -> str:
        own = None
        with translating():
            own = await self._client.create_dm(discord.Object(int(request.person)))
        if not own:
            raise AwayError("Discord's receipt for a conversation was not understood")
        return str(own.id)

    async def direct(self, request: DiscordRequest) -> DiscordRequest:
        if request.token:
            return replace(request, ephemeral=True)
        return replace(request, channel=await self.direct_channel(request), apart=True)

    def render(self, request: DiscordRequest, reply: Reply, number: int | None) -> DiscordDrawing:
        note, is_words = "", isinstance(reply, Message)
        if request.shared and not is_words:
            note = messages.CHANGED_BEFORE_SHARING if request.ephemeral else messages.shared_by(request.name)
        asked = one_line(request.words) if request.is_headed and (request.apart or not is_words) else ""
        answers = request.command not in BY_STATE
        handover, shareable = bool(self.handover) and answers, bool(request.ephemeral and request.workspace) and answers
        return draw(reply, number, note, asked, handover=handover, shareable=shareable)

    async def send(self, request: DiscordRequest, drawing: DiscordDrawing, replaces: str) -> str:
        try:
            try:
                return await self._sent(request, drawing, replaces)
            except discord.HTTPException as error:
                if error.status != HTTPStatus.BAD_REQUEST:
                    raise
                log.error("Discord did not take the reply to %s: %s", request.key, error)  # noqa: TRY400
            return await self._sent(request, self.render(request, Message(messages.FAILED), None), replaces)
        except discord.HTTPException as error:
            raise _translated(error) from error

    async def _sent(self, request: DiscordRequest, drawing: DiscordDrawing, replaces: str) -> str:
        """Send a reply, or show it in place of a message; return its id, "" where Discord's receipt does not say.

        Raises ``discord.HTTPException`` where Discord refuses it, ``AwayError`` where it cannot take it now.
        """
        view = compose(drawing)
        in_public = request.shared and not request.ephemeral
        if request.token and not in_public:
            return await _patiently(lambda: self._webhook(request).edit_message(ORIGINAL, view=view))
        guild = int(request.workspace) if request.workspace else None
        channel = self._client.get_partial_messageable(int(request.channel), guild_id=guild)
        if replaces:
            return await _patiently(lambda: channel.get_partial_message(int(replaces)).edit(view=view))
        send: dict[str, Any] = {"view": view, "nonce": request.id}
        if in_public:
            sent, said = "", messages.shared_by("")
            try:
                sent = await _patiently(lambda: channel.send(**send))
            except discord.Forbidden:
                said = messages.not_shown(request.words)
            view = compose(draw(Message(said)))
            await _patiently(lambda: self._webhook(request).edit_message(ORIGINAL, view=view))
            return sent
        if not request.apart:
            reference = StringReference(message_id=int(request.id), channel_id=int(request.channel), guild_id=guild)
            try:
                return await _patiently(lambda: channel.send(**send, reference=reference, mention_author=False))
            except discord.HTTPException as error:
                if error.code != NO_HISTORY:
                    raise
        return await _patiently(lambda: channel.send(**send))

    def _webhook(self, request: DiscordRequest) -> discord.Webhook:
        """Return an interaction's address; it serves another process as well, after a crash."""
        return discord.Webhook.partial(int(request.application), request.token, client=self._client)

    async def delete(self, channel: str, message: str) -> None:
        try:
            await self._client.get_partial_messageable(int(channel)).get_partial_message(int(message)).delete()
        except discord.NotFound:  # another process, which gets the same event, was quicker
            return
        except discord.HTTPException as error:
            log.warning("an answer could not be taken away: %s", error)

    async def redraw(self, posting: Posting, record: AnswerRecord, reply: Reply) -> DiscordDrawing:
        if posting.appearance == CARD:
            return DiscordDrawing(card=draw_card(reply))
        asked = one_line(record.question) if posting.appearance == WITH_QUESTION_ABOVE else ""
        handover = bool(self.handover) and command_and_words(record)[0] not in BY_STATE
        answer = None if isinstance(reply, Message) else posting.answer
        return await asyncio.to_thread(draw, reply, answer, asked, handover=handover)

    async def edit(self, posting: Posting, drawing: DiscordDrawing) -> None:
        shown: dict[str, Any] = {"embed": drawing.card} if drawing.card else {"view": compose(drawing)}
        message = self._client.get_partial_messageable(int(posting.channel)).get_partial_message(int(posting.message))
        with translating():
            await message.edit(**shown)

    async def attach(self, request: DiscordRequest, address: str, card: Listing) -> Posting | None:
        del address
        guild = int(request.workspace) if request.workspace else None
        channel = int(request.channel)
        reference = StringReference(message_id=int(request.origin), channel_id=channel, guild_id=guild)
        sent = None
        with translating():
            sent = await self._client.get_partial_messageable(channel, guild_id=guild).send(
                embed=draw_card(card), reference=reference, mention_author=False
            )
        return Posting(request.channel, str(sent.id), 0, request.origin, CARD) if sent else None

    async def post(self, channel: str, text: str) -> None:
        with translating():
            await self._client.get_partial_messageable(int(channel)).send(escape(text), suppress_embeds=True)


def draw_card(reply: Reply) -> discord.Embed:
    """Return the card of a link, or what is said in its place; its words are shown literally."""
    listing = outline(reply)
    lines = [line for section in listing.sections for line in section.lines]
    shown = "\n".join(escape(line) for line in (*(one_line(line, LABEL) for line in lines[:1]), *lines[1:]))
    address = next((citation.url for section in listing.sections for citation in section.cited), None)
    return discord.Embed(title=escape(one_line(listing.title or "", LABEL)), description=shown, url=address)


def _translated(error: discord.HTTPException) -> Exception:
    """Return ``HopelessError`` for what no attempt can mend, ``AwayError`` for what a new token or time can."""
    if error.status == HTTPStatus.UNAUTHORIZED and error.code != GONE_TOKEN:
        return AwayError("Discord does not accept the token")
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return AwayError("Discord asks to wait")
    return HopelessError(str(error))


@contextmanager
def translating() -> Iterator[None]:
    """Raise what Discord and the wire report as the inbox's errors."""
    try:
        yield
    except TRANSIENT_ERRORS as error:
        raise AwayError(f"Discord cannot be reached ({describe_connection_error(error)})") from error
    except discord.HTTPException as error:
        raise _translated(error) from error
    except MALFORMED as error:  # it was taken, or there would be an HTTPException
        log.debug("Discord's receipt was not understood: %r", error)


def unknown_servers(named: Iterable[str], joined: Iterable[int]) -> Iterator[str]:
    """Say of each server that is ``named`` in the settings, and that the bot has not ``joined``, what to do."""
    for server in sorted({*named}.difference(map(str, joined))):
        yield (
            f"It is not in the server {server}, which STET_DISCORD_GUILDS names: invite it there, or copy the id again."
        )


class StringReference(discord.MessageReference):
    """A reference whose ids are strings, as Discord's schema wants them; discord.py writes numbers."""

    def to_message_reference_dict(self) -> Any:  # noqa: ANN401 - discord.py's own type is private
        guild = {"guild_id": str(self.guild_id)} if self.guild_id else {}
        ids = {"message_id": str(self.message_id), "channel_id": str(self.channel_id)}
        return {**ids, **guild, "fail_if_not_exists": False}


async def defer(interaction: discord.Interaction, request: DiscordRequest) -> bool:
    """Show "thinking…"; return whether the reply can be brought afterwards."""
    began = time.monotonic()
    while time.monotonic() - began < FIRST_RESPONSE:
        try:
            await interaction.response.defer(thinking=True, ephemeral=request.ephemeral or request.shared)
        except discord.HTTPException as error:
            # an attempt before may have arrived though its receipt was lost
            if error.code != ACKNOWLEDGED:
                log.warning("interaction %s could not be acknowledged: %s", request.id, error)
            return error.code == ACKNOWLEDGED
        except TRANSIENT_ERRORS as error:
            log.warning("interaction %s is acknowledged again: %r", request.id, error)
            await asyncio.sleep(AGAIN)
        except MALFORMED as error:
            log.warning("Discord's receipt for an acknowledgement was not understood: %r", error)
            return True
        else:
            return True
    return False


async def _patiently(send: Callable[[], Awaitable[discord.Message]]) -> str:
    """Send, again where it may help; return the message's id, "" where Discord's receipt does not say it."""
    for wait in (*WAITS, None):
        try:
            return str((await send()).id)
        except MALFORMED as error:
            # it was taken, or there would be an HTTPException: sending it again would show it twice
            log.warning("Discord's receipt for a reply was not understood: %r", error)
            return ""
        except TRANSIENT_ERRORS as error:
            if wait is None:
                raise AwayError(f"Discord cannot be reached ({describe_connection_error(error)})") from error
            log.warning("a reply could not be sent, trying again in %g s: %s", wait, error)
            await asyncio.sleep(wait)
    raise AssertionError
