"""Slack's transport: whom it serves, how an answer is drawn, and how it is brought to its place.

Who asks in Slack -> whether a guest, or of another firm: as Slack says, and where Slack does not say, refused.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from slack_sdk.errors import SlackApiError

from adapters.slack import markup
from adapters.slack.blocks import MORE, Buttons, call, draw
from adapters.slack.requests import CALLED, SHARED, Answered, Request, more_key
from adapters.slack.rich_text import LEAST, Block, Drawing, context, escape, shorten
from adapters.slack.web import REFUSALS, Web, passes, reason
from adapters.storage.ledger import Ledger
from adapters.storage.records import CARD, AnswerRecord, Posting, Watch
from adapters.storage.store import Store
from adapters.transport import AwayError, HopelessError, Recent
from bot import messages
from bot.ask.follow_up import leans
from bot.channels import Channel, Channels
from bot.commands.table import BY_STATE, TABLE
from bot.escaping import escape_line
from bot.model import Answer, Asker, Listing, Message, Place, Question, Reply
from bot.outline import outline
from bot.small_talk import may_ask
from bot.standing_questions import NEWS_COMMAND
from retrieval import QUESTION, words

PLATFORM = "slack"
MORE_COMMAND = "more"
GONE = "That answer is no longer kept. Please ask the question again."
_NAMED = re.compile(rf"(?<![\w/])/(?={'|'.join(command.name for command in TABLE)}\b)")
# In a direct message without threads, the question before leads on to this one for so long.
LOOSELY = 900.0


@dataclass(frozen=True, slots=True)
class ReplyOptions:
    """``follow_up``: seconds for which a thread needs no mention; ``handover``: the channel of people to ask.

    ``channels``: what holds in each; ``stands``: whether the articles still have what a kept reply cites.
    """

    follow_up: float
    handover: str = ""
    channels: Channels = field(default_factory=Channels)
    stands: Callable[[AnswerRecord], bool] = field(default=lambda _: True)


class SlackTransport:
    """Serves one workspace."""

    platform = PLATFORM

    def __init__(
        self, web: Web, people: People, ledger: Ledger, refuses: Callable[[Question], bool], options: ReplyOptions
    ) -> None:
        self._people = people
        self._web, self._ledger, self._refuses = web, ledger, refuses
        self._stands = options.stands
        self._follow_up, self._handover, self._channels = options.follow_up, options.handover, options.channels

    def write(self, letter: Request) -> str:
        """Return a question as it is kept until it is answered."""
        return letter.as_json()

    def read(self, text: str) -> Request | None:
        """Return the question that was kept."""
        return Request.from_json(text)

    async def awaited(self, letter: Request) -> bool:
        """Return whether a question that was left over still waits: it may have been answered, and that not noted."""
        return letter.answered is not Answered.THREAD or not await self._web.posted(letter)

    async def can_post(self, letter: Request) -> bool | None:
        """Return whether the bot is where a letter comes from; ``None`` where Slack does not say."""
        return await self._web.is_member(letter.channel)

    def news(self, watch: Watch, words: str, key: str) -> Request:
        """Return what is told of news as a message of its own."""
        return Request(words, watch.person, watch.channel, watch.workspace, NEWS_COMMAND, key=key)

    async def announce(self, letter: Request) -> None:
        """Show a status beside the question."""
        if letter.answered is Answered.THREAD and letter.thread:
            await self._web.show_status(letter)

    async def question(self, letter: Request) -> Question:
        """Return what is asked as a question for the bot."""
        asker = Asker(letter.person, outsider=await self._people.is_outsider(letter))
        place = _place(letter)
        before = await self._before(letter) or await self._meant(letter)
        return Question(letter.text, before or None, asker, place, await self._shown(letter))

    async def _shown(self, letter: Request) -> str:
        """Return the state of what was shown last where a letter asks."""
        if letter.command or not (letter.within or letter.direct):
            return ""
        thread = letter.thread if letter.within else ""
        return await self._ledger.call_with_timeout(self._ledger.last_shown(letter.channel, thread)) or ""

    async def _before(self, letter: Request) -> str | None:
        """Return the question before in the same thread, or just before in a direct message; "" where none led on."""
        if letter.command or not (letter.within or letter.direct):
            return None
        thread, age = (letter.thread, None) if letter.within else ("", LOOSELY)
        return await self._ledger.call_with_timeout(self._ledger.last_question(letter.channel, thread, age))

    async def _meant(self, letter: Request) -> str:
        """Return the message under which the bot is asked of "that", where nobody asked it anything before."""
        if letter.command or not letter.within or not leans(words(letter.text)):
            return ""
        return markup.question(await self._web.root(letter))[:QUESTION]

    async def follows(self, letter: Request) -> Request | None:
        """Return a message that does not name the bot where it may go on from what it was asked in the thread.

        When that is long ago, who asked is told how to ask on.
        """
        wanted = self._follow_up and self._rules(letter).follow_ups
        if letter.command or not wanted or not may_ask(letter.text):
            return None
        place, age = (PLATFORM, letter.channel, letter.thread), self._follow_up

        def found(store: Store) -> Request | None:
            if store.last_question(*place, age) is not None:
                return letter
            asked = store.last_question(*place) is not None and store.has_asked(*place, letter.person)
            return replace(letter, remark=messages.ASK_ON) if asked else None

        return await self._ledger.call_with_timeout(self._ledger.read(found))  # as one call: it is waited for once

    async def pointed_at(self, letter: Request) -> Request:
        """Return a reaction with the words of what it is put on, to be answered beside that; else why it is not."""
        message = await self._web.message(letter.channel, letter.pressed)
        if message is None:
            return replace(letter, remark=messages.SLACK_HIDES_MESSAGE)
        return replace(letter, text=markup.everything(message), thread=message.get("thread_ts") or "")

    async def alone(self, letter: Request) -> Request:
        """Return the same, to be shown to its person alone, in the thread."""
        return replace(letter, answered=Answered.EPHEMERAL)

    def shown(self, letter: Request) -> Request:
        """Return a command as its channel has it answered: for the asker alone, or for all to see."""
        return letter if self._rules(letter).private else replace(letter, answered=Answered.CHANNEL)

    def _rules(self, letter: Request) -> Channel:
        return self._channels.of(_place(letter))

    async def leave(self, letter: Request) -> None:
        """Stop taking part in a thread, until the bot is named there again."""
        await self._ledger.call_with_timeout(self._ledger.forget_thread(letter.channel, letter.thread))

    def draw(self, letter: Request, reply: Reply, number: int | None) -> Drawing:
        """Return a reply drawn, with what is clicked beside it."""
        reply = in_slacks_words(reply)
        # what a command asked, nobody else has seen
        asked = letter.words if letter.answered is Answered.CHANNEL else ""
        alone = letter.answered is Answered.RESPONSE
        handover = bool(self._handover) and letter.command not in BY_STATE
        return draw(reply, Buttons(number, shareable=alone, asked=asked, handover=handover))

    def rendered_copy(self, letter: Request, reply: Reply) -> str:
        """Return what the asker alone is shown, as it is shared with all."""
        if letter.answered is not Answered.RESPONSE:
            return ""
        shown = draw(reply, Buttons(asked=letter.words))
        return json.dumps({"text": shown.text, "blocks": shown.blocks})

    async def at_hand(self, letter: Request) -> tuple[Request, Drawing] | None:
        """Return what was shown to one, for all to see, with who shares it; a refusal is for the presser alone."""
        if letter.command not in (SHARED, CALLED):
            return None
        if self._refuses(await self.question(letter)):
            return letter.alone(), draw(Message(messages.REFUSED))
        number = int(letter.text) if letter.text.isdecimal() else 0
        given = await self._ledger.call_with_timeout(self._ledger.stored_answer(number))
        if given is None or given.channel != letter.channel or (letter.command == SHARED and not given.rendered_copy):
            return letter.alone(), draw(Message(GONE))
        if letter.command == CALLED:
            return await self._handed_over(letter, given)
        if not await asyncio.to_thread(self._stands, given):
            return letter.alone(), draw(Message(messages.CHANGED))
        kept = json.loads(given.rendered_copy)
        sharer = messages.shared_by(letter.name)
        shared = context(sharer)
        return letter, Drawing(f"{escape(sharer)}\n{kept['text']}", (shared, *kept["blocks"]))

    async def _handed_over(self, letter: Request, given: AnswerRecord) -> tuple[Request, Drawing]:
        """Return a question for the people's channel, with the way to where it was asked."""
        link = await self._web.permalink(given.channel or "", given.thread or letter.pressed)
        handover = replace(letter, channel=self._handover, thread="", answered=Answered.THREAD, command=CALLED)
        return handover, call(given.question, letter.name, link)

    async def deliver(self, letter: Request, drawing: Drawing, replaces: str) -> str:
        """Post an answer."""
        if letter.command == CALLED and letter.answered is Answered.THREAD:
            await self._call(letter, drawing)
            return ""
        sent = await self._web.send(letter, drawing, replaces)
        if letter.command == SHARED and letter.answered is Answered.CHANNEL:
            await self._web.take_back(letter)  # what one saw alone, all see now
        elif letter.command == MORE_COMMAND and letter.pressed:
            await self._use_up(letter)
        return sent

    async def _call(self, letter: Request, drawing: Drawing) -> None:
        """Post a question for people, unless somebody did; tell who pressed what became of it."""
        try:
            done = await self._ledger.once(f"call:{letter.text}", lambda: self._web.send(letter, drawing))
        except AwayError:  # it is tried again by itself
            raise
        except Exception as error:
            await self._web.tell_presser(letter, messages.NOT_HANDED_OVER)
            raise HopelessError(f"STET_SLACK_HANDOVER cannot be posted in: {error}") from error
        if not done:
            raise AwayError("another process is handing over the question")
        await self._web.tell_presser(letter, messages.HANDED_OVER)

    async def _use_up(self, letter: Request) -> None:
        """Take "More" off its message: Slack is asked what that shows, so that nobody may edit it meanwhile.

        Whoever edits it just now draws it anew, and where the button is pressed by then, without it.
        """
        channel, message = letter.channel, letter.pressed
        claim = await self._ledger.claim_edit(channel, message)
        if claim is None:
            return
        try:
            await self._web.without_button(letter, MORE)
        finally:
            await asyncio.shield(self._ledger.delete_claim(claim))

    async def remove(self, channel: str, message: str) -> None:
        """Delete an answer."""
        await self._web.remove(channel, message)

    async def tell(self, channel: str, text: str) -> None:
        """Post words of the bot's own in a channel."""
        await self._web.tell(channel, text)

    async def regret(self, letter: Request, text: str) -> None:
        """Write to the person who asked."""
        with suppress(HopelessError, AwayError):
            await self._web.tell(letter.person, text)

    def posting(self, letter: Request, sent: str, number: int) -> Posting | None:
        """Return a message in a thread; what came by an address to answer to, Slack lets nobody edit."""
        if letter.answered is not Answered.THREAD:
            return None
        return Posting(letter.channel, sent, number, letter.origin)

    async def redraw(self, posting: Posting, given: AnswerRecord, reply: Reply) -> Drawing:
        """Return what a posted answer is by now, drawn; what was used up beside it stays away."""
        if posting.appearance == CARD:
            return draw_card(reply)
        if isinstance(reply, Answer) and reply.more:
            key = more_key(posting.channel, posting.message, reply.more)
            used = await self._ledger.call_with_timeout(self._ledger.is_claimed(key))
            reply = replace(reply, more="") if used else reply
        command = given.question.removeprefix("/").partition(" ")[0] if given.question.startswith("/") else ""
        handover = bool(self._handover) and command not in BY_STATE
        return await asyncio.to_thread(draw, reply, Buttons(posting.answer, handover=handover))

    async def edit(self, posting: Posting, drawing: Drawing) -> None:
        """Show a drawing in place of what a message shows, or of the card under a link in it."""
        if posting.appearance == CARD:
            message, _, address = posting.message.partition(" ")
            await self._web.unfurl(posting.channel, message, address, drawing.blocks)
            return
        await self._web.edit(posting.channel, posting.message, drawing)

    def leads_on(self, letter: Request, sent: str) -> Sequence[str]:
        """Return the question's thread, and in a direct message the conversation as a whole; under news, its own."""
        if letter.command == NEWS_COMMAND:
            return (sent,) if sent else ()
        if sent or letter.answered is not Answered.THREAD:
            return ()
        return (letter.thread, "") if letter.direct else (letter.thread,)


def _place(letter: Request) -> Place:
    return Place(PLATFORM, letter.workspace, letter.channel)


def card_id(message: str, address: str) -> str:
    """Return by what a card is known: the message that it stands under, and the link in it."""
    return f"{message} {address}"


def draw_card(reply: Reply) -> Drawing:
    """Return the card of a link, or what is said in its place; its words are text, nothing in it is interpreted."""
    listing = outline(reply)
    title, *facts = (_words(text) for text in (listing.title or "", *_lines(listing)))
    grey: list[Block] = [{"type": "context", "elements": facts[:1]}] if facts else []
    heading, *rest = ({"type": "section", "text": words} for words in (title, *facts[1:]))
    return Drawing(listing.title or "", (heading, *grey, *rest))


def _lines(listing: Listing) -> Iterator[str]:
    for section in listing.sections:
        yield from section.lines


def _words(text: str) -> Block:
    return {"type": "plain_text", "text": shorten(escape_line(text), LEAST), "emoji": False}


def in_slacks_words(reply: Reply) -> Reply:
    """Return what the bot says in its own voice with the commands as every Slack has them: ``/stet verify …``."""
    if not isinstance(reply, Message):
        return reply
    return Message(_NAMED.sub("/stet ", reply.text).replace("`help`", "/stet help").replace("`", ""))


KNOWN_FOR = 600.0  # seconds

log = logging.getLogger(__name__)


class People:
    """The people of the bot's workspace and its visitors; where ``outsiders`` may ask, nobody is one."""

    def __init__(self, web: Web, *, outsiders: bool) -> None:
        self._web = web
        self._nobody_is = outsiders
        self._guests = Recent[bool](KNOWN_FOR)

    async def is_outsider(self, asked: Request) -> bool:
        """Return whether a person is a guest, or of another firm; whoever Slack does not tell of is one.

        Raises ``AwayError`` where Slack cannot be asked now.
        """
        if self._nobody_is:
            return False
        if self._is_foreign(asked.team, asked.enterprise, asked.workspace):
            return True
        known = self._guests.get(asked.person)
        return self._guests.put(asked.person, await self._is_guest(asked)) if known is None else known

    def _is_foreign(self, team: str, enterprise: str, workspace: str | None) -> bool:
        home = self._web.home.team or workspace
        kin = bool(enterprise) and enterprise == self._web.home.enterprise
        return bool(team and home) and team != home and not kin

    async def _is_guest(self, asked: Request) -> bool:
        with self._web.translated():
            try:
                told = await self._web.client.api_call("users.info", params={"user": asked.person})
            except SlackApiError as error:
                if passes(error) or reason(error) in REFUSALS:
                    raise
                log.warning("%s is refused: Slack does not say who that is (%s)", asked.person, reason(error))
                return True
        user = told.get("user") or {}
        if not (user.get("team_id") or asked.team):
            return True
        kin = str((user.get("enterprise_user") or {}).get("enterprise_id") or "")
        signs = ("is_restricted", "is_ultra_restricted", "is_stranger")
        return any(map(user.get, signs)) or self._is_foreign(user.get("team_id") or "", kin, asked.workspace)
