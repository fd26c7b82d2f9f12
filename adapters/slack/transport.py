"""Slack's transport: whom it serves, how an answer is drawn, and how it is sent.

A guest, or a person of another firm, is an outsider; so is anyone whom Slack does not describe.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from slack_sdk.errors import SlackApiError

from adapters.answer_record import command_and_words
from adapters.chat.parts import shorten
from adapters.chat.request import Recent, Transport, asks_on
from adapters.settings import Settings
from adapters.slack import markup
from adapters.slack.blocks import LEAST, MORE, Block, Buttons, RenderedMessage, call, context, draw, escape
from adapters.slack.requests import PLATFORM, Answered, SlackRequest, more_key
from adapters.slack.web import REFUSALS, Web, passes, reason
from adapters.storage.ledger import Ledger
from adapters.storage.records import CARD, AnswerRecord, Posting
from adapters.storage.store import Store
from bot import messages
from bot.channels import Channel
from bot.commands.command_table import BY_STATE
from bot.escaping import escape_line
from bot.link_card import LinkCard
from bot.model import Answer, Asker, Card, Message, Place, Reply
from bot.outline import outline
from bot.service import QuestionService
from retrieval import QUESTION

MORE_COMMAND = "more"
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

    async def sender(self, request: SlackRequest) -> tuple[Asker, Place]:
        return Asker(request.person, outsider=await self._guests.is_outsider(request)), request.place

    async def message_above(self, request: SlackRequest) -> str:
        root = await self._web.message(request.channel, request.thread) if request.within else None
        is_own = root is not None and root.get("user") == self._web.home.user
        return "" if root is None or is_own else markup.question(root.get("text") or "")[:QUESTION]

    async def follows(self, request: SlackRequest) -> SlackRequest | None:
        """Return a message that does not name the bot where it may go on from what it was asked in the thread.

        When that is long ago, the person is shown how to ask on.
        """
        wanted = self._follow_up and self._rules(request).follow_ups
        if request.command or not wanted or not asks_on(request.text):
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
        return replace(request, answered=Answered.RESPONSE if request.response_url else Answered.EPHEMERAL)

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
        if request.shared and not isinstance(reply, Message):
            note = messages.CHANGED_BEFORE_SHARING if alone else messages.shared_by(request.name)
            return RenderedMessage(f"{escape(note)}\n{drawing.text}", (context(note), *drawing.blocks))
        return replace(drawing, is_failure=isinstance(reply, Message))

    async def hand_over(self, request: SlackRequest, record: AnswerRecord) -> None:
        """Post a question in the people's channel, with the way to where it was asked; raise as ``send``."""
        link = await self._web.permalink(record.channel or "", record.thread or request.pressed)
        handover = replace(request, channel=self._handover, thread="", answered=Answered.THREAD)
        await self._web.send(handover, call(record.question, request.name, link))

    async def send(self, request: SlackRequest, drawing: RenderedMessage, replaces: str) -> str:
        sent = await self._web.send(request, drawing, replaces)
        if request.shared and request.answered is Answered.CHANNEL:
            await self._web.take_back(request)  # what one saw alone, all see now
        elif request.command == MORE_COMMAND and request.pressed:
            await self._use_up(request)
        return sent

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
        handover = bool(self._handover) and command_and_words(record)[0] not in BY_STATE
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
