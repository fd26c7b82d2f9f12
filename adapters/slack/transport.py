"""Slack's transport: whom it serves, how an answer is drawn, and how it is sent.

A guest, or a person of another firm, is an outsider; so is anyone whom Slack does not describe.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace

from slack_sdk.errors import SlackApiError

from adapters.chat.parts import shorten
from adapters.chat.request import AwayError, HopelessError, Recent, Transport
from adapters.settings import Settings
from adapters.slack import markup
from adapters.slack.blocks import LEAST, MORE, Block, Buttons, RenderedMessage, call, context, draw, escape
from adapters.slack.requests import CALLED, PLATFORM, SHARED, Answered, SlackRequest, more_key
from adapters.slack.web import REFUSALS, Web, passes, reason
from adapters.storage.ledger import Ledger
from adapters.storage.records import CARD, AnswerRecord, Posting
from adapters.storage.store import Store
from adapters.stored_reply import is_current
from bot import messages
from bot.ask.follow_up import leans
from bot.channels import Channel
from bot.commands.command_table import BY_STATE
from bot.escaping import escape_line
from bot.link_card import LinkCard
from bot.model import Answer, Asker, Card, Message, Question, Reply
from bot.outline import outline
from bot.references import is_reference
from bot.service import QuestionService
from bot.small_talk import may_ask
from bot.state import read_number
from retrieval import QUESTION, words

MORE_COMMAND = "more"
GONE = "That answer is no longer stored. Please ask the question again."
# In a direct message without threads, the question before leads on to this one for so long.
LOOSELY = 900.0
KNOWN_FOR = 600.0  # seconds

log = logging.getLogger(__name__)


class SlackTransport(Transport[SlackRequest, RenderedMessage]):
    """Serves one workspace."""

    platform = PLATFORM
    request_type = SlackRequest

    def __init__(self, web: Web, ledger: Ledger, service: QuestionService, settings: Settings) -> None:
        self._web, self._ledger, self._service = web, ledger, service
        self._guests = GuestLookup(web, outsiders=settings.allow_outsiders)
        self._follow_up, self._handover = settings.follow_up_minutes * 60, settings.slack_handover

    async def is_waiting(self, request: SlackRequest) -> bool:
        # it may have been answered, and that not noted
        return request.answered is not Answered.THREAD or not await self._web.posted(request)

    async def can_post(self, request: SlackRequest) -> bool | None:
        return await self._web.is_member(request.channel)

    async def show_status(self, request: SlackRequest) -> None:
        if request.answered is Answered.THREAD and request.thread:
            await self._web.show_status(request)

    async def question(self, request: SlackRequest) -> Question:
        asker = Asker(request.person, outsider=await self._guests.is_outsider(request))
        place = request.place
        before = await self._before(request) or await self._meant(request)
        return Question(request.text, before or None, asker, place, await self._shown(request))

    async def _shown(self, request: SlackRequest) -> str:
        if request.command or not (request.within or request.is_direct):
            return ""
        threads = (request.thread, request.own_thread) if request.within else ("",)
        return await self._ledger.call_with_timeout(self._ledger.last_shown(request.channel, *threads)) or ""

    async def _before(self, request: SlackRequest) -> str | None:
        """Return the question before in the same thread, or just before in a direct message; "" where none led on."""
        if request.command or not (request.within or request.is_direct):
            return None
        thread, age = (request.thread, None) if request.within else ("", LOOSELY)
        return await self._ledger.call_with_timeout(self._ledger.last_question(request.channel, thread, age))

    async def _meant(self, request: SlackRequest) -> str:
        """Return the message under which the bot is asked of "that", where nobody asked it anything before."""
        if request.command or not request.within or not leans(words(request.text)):
            return ""
        root = await self._web.message(request.channel, request.thread)
        is_own = root is not None and root.get("user") == self._web.home.user
        return "" if root is None or is_own else markup.question(root.get("text") or "")[:QUESTION]

    async def follows(self, request: SlackRequest) -> SlackRequest | None:
        """Return a message that does not name the bot where it may go on from what it was asked in the thread.

        When that is long ago, the person is shown how to ask on.
        """
        wanted = self._follow_up and self._rules(request).follow_ups
        if request.command or not wanted or not (may_ask(request.text) or is_reference(request.text)):
            return None
        place, age = (PLATFORM, request.channel, request.thread), self._follow_up

        def found(store: Store) -> SlackRequest | None:
            if store.last_question(*place, age) is not None:
                return request
            asked = store.last_question(*place) is not None and store.has_asked(*place, request.person)
            return replace(request, remark=messages.ASK_ON) if asked else None

        return await self._ledger.call_with_timeout(self._ledger.read(found))  # as one call: it is waited for once

    async def pointed_at(self, request: SlackRequest) -> SlackRequest:
        message = await self._web.message(request.channel, request.pressed)
        if message is None:
            return replace(request, remark=messages.SLACK_HIDES_MESSAGE)
        return replace(request, text=markup.everything(message), thread=message.get("thread_ts") or "")

    async def direct(self, request: SlackRequest) -> SlackRequest:
        return replace(request, answered=Answered.EPHEMERAL)

    async def direct_channel(self, request: SlackRequest) -> str:
        return request.person  # whom Slack takes for a channel

    def shown(self, request: SlackRequest) -> SlackRequest:
        """Return a command as its channel has it answered: for the asker alone, or for all to see."""
        return request if self._rules(request).private else replace(request, answered=Answered.CHANNEL)

    def _rules(self, request: SlackRequest) -> Channel:
        return self._service.channels.of(request.place)

    async def leave(self, request: SlackRequest) -> None:
        await self._ledger.call_with_timeout(self._ledger.forget_thread(request.channel, request.thread))

    def render(self, request: SlackRequest, reply: Reply, number: int | None) -> RenderedMessage:
        # what a command asked, nobody else has seen
        asked = request.typed if request.answered is Answered.CHANNEL else ""
        alone = request.answered is Answered.RESPONSE
        handover = bool(self._handover) and request.command not in BY_STATE
        drawing = draw(reply, Buttons(number, shareable=alone, asked=asked, handover=handover))
        return replace(drawing, is_failure=isinstance(reply, Message))

    def rendered_copy(self, request: SlackRequest, reply: Reply) -> str:
        """Return what only the asker is shown, as it will be shared with everybody."""
        if request.answered is not Answered.RESPONSE:
            return ""
        shown = draw(reply, Buttons(asked=request.typed))
        return json.dumps({"text": shown.text, "blocks": shown.blocks})

    async def stored_drawing(self, request: SlackRequest) -> tuple[SlackRequest, RenderedMessage] | None:
        """Return what was shown to one, for all to see, with who shares it; a refusal is for the presser alone."""
        if request.command not in (SHARED, CALLED):
            return None
        if self._service.refuses(await self.question(request)):
            return request.for_presser(), draw(Message(messages.REFUSED))
        number = read_number(request.text) or 0
        record = await self._ledger.call_with_timeout(self._ledger.stored_answer(number))
        if (
            record is None
            or record.channel != request.channel
            or (request.command == SHARED and not record.rendered_copy)
        ):
            return request.for_presser(), draw(Message(GONE))
        if request.command == CALLED:
            return await self._handed_over(request, record)
        archive = self._service.holdings.archive
        if not await asyncio.to_thread(is_current, json.loads(record.reply), archive):
            return request.for_presser(), draw(Message(messages.CHANGED))
        drawing = json.loads(record.rendered_copy)
        sharer = messages.shared_by(request.name)
        shared = context(sharer)
        return request, RenderedMessage(f"{escape(sharer)}\n{drawing['text']}", (shared, *drawing["blocks"]))

    async def _handed_over(self, request: SlackRequest, record: AnswerRecord) -> tuple[SlackRequest, RenderedMessage]:
        """Return a question for the people's channel, with the way to where it was asked."""
        link = await self._web.permalink(record.channel or "", record.thread or request.pressed)
        handover = replace(request, channel=self._handover, thread="", answered=Answered.THREAD, command=CALLED)
        return handover, call(record.question, request.name, link)

    async def send(self, request: SlackRequest, drawing: RenderedMessage, replaces: str) -> str:
        if request.command == CALLED and request.answered is Answered.THREAD:
            await self._call(request, drawing)
            return ""
        sent = await self._web.send(request, drawing, replaces)
        if request.command == SHARED and request.answered is Answered.CHANNEL:
            await self._web.take_back(request)  # what one saw alone, all see now
        elif request.command == MORE_COMMAND and request.pressed:
            await self._use_up(request)
        return sent

    async def _call(self, request: SlackRequest, drawing: RenderedMessage) -> None:
        """Post a question for people, unless somebody did; tell who pressed what became of it."""
        try:
            done = await self._ledger.once(f"call:{request.text}", lambda: self._web.send(request, drawing))
        except AwayError:  # it is tried again by itself
            raise
        except Exception as error:
            await self._web.confirm(request, messages.NOT_HANDED_OVER)
            raise HopelessError(f"STET_SLACK_HANDOVER cannot be posted in: {error}") from error
        if not done:
            raise AwayError("another process is handing over the question")
        await self._web.confirm(request, messages.HANDED_OVER)

    async def _use_up(self, request: SlackRequest) -> None:
        """Take "More" off its message: Slack is asked what that shows, so that nobody may edit it meanwhile.

        A process that is editing it draws it again, without the button once that was pressed.
        """
        channel, message = request.channel, request.pressed
        claim = await self._ledger.claim_edit(channel, message)
        if claim is None:
            return
        try:
            await self._web.remove_button(request, MORE)
        finally:
            await asyncio.shield(self._ledger.delete_claim(claim))

    async def delete(self, channel: str, message: str) -> None:
        await self._web.delete(channel, message)

    async def post(self, channel: str, text: str) -> None:
        await self._web.post(channel, text)

    async def attach(self, request: SlackRequest, address: str, card: LinkCard) -> Posting:
        await self._web.unfurl(request.channel, request.origin, address, draw_card(card.listing).blocks)
        return Posting(request.channel, f"{request.origin} {address}", 0, request.origin, CARD)

    async def redraw(self, posting: Posting, record: AnswerRecord, reply: Reply) -> RenderedMessage:
        """Return what a posted answer is by now, drawn; what was used up beside it stays away."""
        if posting.appearance == CARD:
            return draw_card(reply)
        if isinstance(reply, Answer | Card) and reply.more:
            key = more_key(posting.channel, posting.message, reply.more)
            used = await self._ledger.call_with_timeout(self._ledger.is_claimed(key))
            reply = replace(reply, more="") if used else reply
        command = record.question.removeprefix("/").partition(" ")[0] if record.question.startswith("/") else ""
        handover = bool(self._handover) and command not in BY_STATE
        return await asyncio.to_thread(draw, reply, Buttons(posting.answer, handover=handover))

    async def edit(self, posting: Posting, drawing: RenderedMessage) -> None:
        if posting.appearance == CARD:
            message, _, address = posting.message.partition(" ")
            await self._web.unfurl(posting.channel, message, address, drawing.blocks)
            return
        await self._web.edit(posting.channel, posting.message, drawing)


def draw_card(reply: Reply) -> RenderedMessage:
    """Return the card of a link, or what is said in its place; its words are text, nothing in it is interpreted."""
    listing = outline(reply)
    lines = (line for section in listing.sections for line in section.lines)
    title, *facts = (_words(text) for text in (listing.title or "", *lines))
    grey: list[Block] = [{"type": "context", "elements": facts[:1]}] if facts else []
    heading, *rest = ({"type": "section", "text": words} for words in (title, *facts[1:]))
    return RenderedMessage(listing.title or "", (heading, *grey, *rest))


def _words(text: str) -> Block:
    return {"type": "plain_text", "text": shorten(escape_line(text), LEAST), "emoji": False}


class GuestLookup:
    """The people of the bot's workspace and its visitors; where ``outsiders`` may ask, nobody is one."""

    def __init__(self, web: Web, *, outsiders: bool) -> None:
        self._web = web
        self._nobody_is = outsiders
        self._known = Recent[bool](KNOWN_FOR)

    async def is_outsider(self, request: SlackRequest) -> bool:
        """Return whether a person is a guest, or of another firm; anyone whom Slack does not describe is one.

        Raises ``AwayError`` where Slack cannot be asked now.
        """
        if self._nobody_is:
            return False
        if self._is_foreign(request.team, request.enterprise, request.workspace):
            return True
        return await self._known.get(request.person, lambda: self._is_guest(request))

    def _is_foreign(self, team: str, enterprise: str, workspace: str | None) -> bool:
        home = self._web.home.team or workspace
        kin = bool(enterprise) and enterprise == self._web.home.enterprise
        return bool(team and home) and team != home and not kin

    async def _is_guest(self, request: SlackRequest) -> bool:
        with self._web.translated():
            try:
                response = await self._web.client.api_call("users.info", params={"user": request.person})
            except SlackApiError as error:
                if passes(error) or reason(error) in REFUSALS:
                    raise
                log.warning("%s is refused: Slack does not say who that is (%s)", request.person, reason(error))
                return True
        user = response.get("user") or {}
        if not (user.get("team_id") or request.team):
            return True
        kin = str((user.get("enterprise_user") or {}).get("enterprise_id") or "")
        signs = ("is_restricted", "is_ultra_restricted", "is_stranger")
        return any(map(user.get, signs)) or self._is_foreign(user.get("team_id") or "", kin, request.workspace)
