"""Discord's transport: whom it serves, how an answer is drawn, and how it is brought to its place."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from http import HTTPStatus

import discord

from adapters import away
from adapters.discord import delivery
from adapters.discord.buttons import Controls, controls
from adapters.discord.gateway import MALFORMED
from adapters.discord.markdown import escape, one_line
from adapters.discord.members import Members
from adapters.discord.panels import Panel
from adapters.discord.requests import PLATFORM, Request, read, write
from adapters.settings import Settings
from adapters.storage.records import CARD, AnswerRecord, Posting, Watch
from adapters.transport import AwayError, HopelessError
from bot import messages
from bot.commands.table import BY_STATE
from bot.link_card import LinkCard
from bot.model import Asker, Message, Place, Question, Reply
from bot.outline import outline
from bot.standing_questions import NEWS_COMMAND

BAD_REQUEST, UNAUTHORISED = 400, 401
LABEL = 120  # characters of a card's title, and of its outlet and day; a caveat is never cut
HEADED = "headed"  # a message with the question above the answer; in older rows behind the name of a style
EMBEDS = "embeds"  # older rows begin so where the answer was drawn as embeds
GONE_TOKEN = 50027  # "Invalid Webhook Token": the interaction is too old

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A reply laid out with its buttons, or a link's card: all that can be worked out away from the loop."""

    panels: tuple[Panel, ...]
    controls: Controls
    card: discord.Embed | None = None


class DiscordTransport:
    """Serves one application; ``acts`` are the commands that buttons may use."""

    platform = PLATFORM

    def __init__(self, client: discord.Client, members: Members, settings: Settings, acts: frozenset[str]) -> None:
        self._client, self._members, self._acts = client, members, acts
        self._handover = bool(settings.discord_handover)

    def write(self, letter: Request) -> str:
        """Return an request as it is kept until it is answered."""
        return write(letter)

    def read(self, text: str) -> Request | None:
        """Return the request that was kept."""
        return read(text)

    async def awaited(self, letter: Request) -> bool:
        """Return whether an request that was left over still waits; say "thinking…" where nobody did yet."""
        if letter.expired(time.time()):
            return False
        if not letter.token:
            return True
        answered = await delivery.answered(self._client, letter)
        if answered is None and time.time() - letter.at < delivery.FIRST_RESPONSE:
            return await delivery.defer_again(self._client, letter)
        return not answered

    async def can_post(self, letter: Request) -> bool | None:
        """Return whether the bot may write where a letter comes from; ``None`` where Discord does not say."""
        try:
            number = int(letter.channel)
            channel = self._client.get_channel(number) or await self._client.fetch_channel(number)
        except (discord.Forbidden, discord.NotFound):
            return False
        except (discord.HTTPException, *delivery.PASSING, *MALFORMED) as error:
            log.debug("Discord does not say whether the bot may write in %s: %r", letter.channel, error)
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

    def news(self, watch: Watch, words: str, key: str) -> Request:
        """Return what is told of news as a message of its own."""
        place = Place(PLATFORM, watch.workspace, watch.channel)
        name = blake2b(key.encode(), digest_size=12).hexdigest()  # the nonce by which Discord knows it again
        return Request(name, time.time(), watch.target, Asker(watch.person), place, words, NEWS_COMMAND, aside=True)

    async def announce(self, letter: Request) -> None:
        """Do nothing: a command is deferred before it is claimed, and a message is answered at once."""

    async def question(self, letter: Request) -> Question:
        """Return what is asked; whoever writes directly is looked up in the servers that the bot serves."""
        if letter.place.workspace and letter.command != NEWS_COMMAND:
            return letter.question
        asker, server = await self._members.known(letter.asker)
        place = replace(letter.place, workspace=letter.place.workspace or server)
        return replace(letter.question, asker=asker, place=place)

    async def alone(self, letter: Request) -> Request:
        """Return the same, to be answered where the bot and its person are among themselves."""
        with _translating():
            own = await self._client.create_dm(discord.Object(int(letter.person)))
        return replace(letter, channel=str(own.id), aside=True)

    def draw(self, letter: Request, reply: Reply, number: int | None) -> Sheet:
        """Return a reply laid out with its buttons; what was asked stands above where it does not stand there."""
        pressed = letter.command in BY_STATE
        told = letter.token and not (pressed or isinstance(reply, Message))
        asked = letter.words if (told or letter.aside) and letter.command != NEWS_COMMAND else ""
        buttons = controls(reply, number, self._acts, handover=self._handover and not pressed)
        return Sheet(delivery.arranged(reply, asked), buttons)

    def rendered_copy(self, letter: Request, reply: Reply) -> str:
        """Return nothing: what one is shown alone stays so."""
        del letter, reply
        return ""

    async def at_hand(self, letter: Request) -> tuple[Request, Sheet] | None:
        """Return nothing: every request is for the bot."""
        del letter
        return None

    async def deliver(self, letter: Request, drawing: Sheet, replaces: str) -> str:
        """Send an answer; where Discord does not take it, an apology."""
        try:
            return await self._sent(letter, drawing, replaces)
        except discord.HTTPException as error:
            if error.status != BAD_REQUEST:
                raise _translated(error) from error
            log.error("Discord did not take the reply to %s: %s", letter.key, error)  # noqa: TRY400
        try:
            return await self._sent(letter, self.draw(letter, Message(messages.FAILED), None), replaces)
        except discord.HTTPException as error:
            raise _translated(error) from error

    async def _sent(self, letter: Request, drawing: Sheet, replaces: str) -> str:
        try:
            drawn = delivery.drawn(drawing.panels, drawing.controls)
            return await delivery.deliver(self._client, letter, drawn, replaces)
        except delivery.PASSING as error:
            raise AwayError(f"Discord cannot be reached ({away.why(error)})") from error

    async def remove(self, channel: str, message: str) -> None:
        """Delete an answer."""
        try:
            await self._client.get_partial_messageable(int(channel)).get_partial_message(int(message)).delete()
        except discord.NotFound:  # another process, which is told of it as well, was quicker
            return
        except discord.HTTPException as error:
            log.warning("an answer could not be taken away: %s", error)

    def posting(self, letter: Request, sent: str, number: int) -> Posting | None:
        """Return a message that all see; when it is edited, the question stays above it or stays away."""
        if letter.ephemeral:
            return None
        if letter.command == NEWS_COMMAND:
            return Posting(letter.channel, sent, number)
        headed = letter.aside or (bool(letter.token) and letter.command not in BY_STATE)
        return Posting(letter.channel, sent, number, letter.origin, HEADED if headed else "")

    async def redraw(self, posting: Posting, given: AnswerRecord, reply: Reply) -> Sheet:
        """Return what a posted answer is by now, laid out with its buttons."""
        if posting.appearance == CARD:
            return Sheet((), Controls(), draw_card(reply))
        asked = given.question if posting.appearance.endswith(HEADED) else ""
        pressed = given.question.removeprefix("/").partition(" ")[0] in BY_STATE
        buttons = controls(reply, posting.answer, self._acts, handover=self._handover and not pressed)
        panels = await asyncio.to_thread(delivery.arranged, reply, asked)
        return Sheet(panels, Controls() if isinstance(reply, Message) else buttons)

    async def edit(self, posting: Posting, drawing: Sheet) -> None:
        """Show a reply in place of what a message shows."""
        drawn = {"embed": drawing.card} if drawing.card else delivery.drawn(drawing.panels, drawing.controls)
        if posting.appearance.startswith(EMBEDS):  # Discord takes no components beside them
            drawn |= {"content": None, "embeds": []}
        message = self._client.get_partial_messageable(int(posting.channel)).get_partial_message(int(posting.message))
        with _translating():
            await message.edit(**drawn)

    async def attach(self, letter: Request, card: LinkCard) -> Posting | None:
        """Show a card as a reply to a message that asks nothing; return where it is, if Discord says that."""
        guild = int(letter.place.workspace) if letter.place.workspace else None
        channel = int(letter.channel)
        reference = delivery.StringReference(message_id=int(letter.id), channel_id=channel, guild_id=guild)
        sent = None
        with _translating():
            sent = await self._client.get_partial_messageable(channel, guild_id=guild).send(
                embed=draw_card(card.listing), reference=reference, mention_author=False
            )
        return Posting(letter.channel, str(sent.id), 0, letter.id, CARD) if sent else None

    async def tell(self, channel: str, text: str) -> None:
        """Post words of the bot's own in a channel."""
        with _translating():
            await self._client.get_partial_messageable(int(channel)).send(escape(text), suppress_embeds=True)

    async def regret(self, letter: Request, text: str) -> None:
        """Write to the person who asked."""
        with suppress(HopelessError, AwayError):
            await self.tell((await self.alone(letter)).channel, text)

    def leads_on(self, letter: Request, sent: str) -> Sequence[str]:
        """Return the answer itself: who replies to it asks on."""
        del letter
        return (sent,) if sent else ()


def draw_card(reply: Reply) -> discord.Embed:
    """Return the card of a link, or what is said in its place; its words are shown as they stand."""
    listing = outline(reply)
    lines = [line for section in listing.sections for line in section.lines]
    shown = "\n".join(escape(line) for line in (*(one_line(line, LABEL) for line in lines[:1]), *lines[1:]))
    address = next((citation.url for section in listing.sections for citation in section.cited), None)
    return discord.Embed(title=escape(one_line(listing.title or "", LABEL)), description=shown, url=address)


def _translated(error: discord.HTTPException) -> Exception:
    """Return ``HopelessError`` for what no attempt can mend, ``AwayError`` for what a new token or time can."""
    if error.status == UNAUTHORISED and error.code != GONE_TOKEN:
        return AwayError("Discord does not accept the token")
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return AwayError("Discord asks to wait")
    return HopelessError(str(error))


@contextmanager
def _translating() -> Iterator[None]:
    """Raise what Discord and the wire report as couriers do."""
    try:
        yield
    except delivery.PASSING as error:
        raise AwayError(f"Discord cannot be reached ({away.why(error)})") from error
    except discord.HTTPException as error:
        raise _translated(error) from error
    except MALFORMED as error:  # it was taken, or there would be an HTTPException
        log.debug("Discord's receipt was not understood: %r", error)
