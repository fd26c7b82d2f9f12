"""What happens on each thing that Slack sends; the same in Socket Mode and over HTTP.

``Listeners.claim`` keeps a repeated event from being answered twice (``adapters/chat/inbox.py``).
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks
from adapters.chat.request import AwayError, HopelessError
from adapters.settings import Settings
from adapters.slack import markup, views
from adapters.slack.blocks import DONE, FEEDBACK, RenderedMessage, context as grey, draw
from adapters.slack.requests import (
    CALLED,
    CHECK_QUOTE,
    MALFORMED,
    NAME,
    PICK,
    PROOF,
    REACTED,
    STEP,
    SlackRequest,
    asked,
    deleted,
    draft_file,
    is_command,
    keys,
    once,
    presence,
    private,
)
from adapters.slack.transport import SlackTransport
from adapters.slack.web import Web, reason, without
from bot import messages
from bot.command import Argument
from bot.small_talk import SmallTalk, small_talk
from retrieval import DRAFT

# Slack sends again what is not acknowledged within three seconds.
CLAIMED_WITHIN = 2.5
POSTED = "conversations_history"

log = logging.getLogger(__name__)


class Listeners:
    """What happens on each thing that Slack sends. What asks is claimed before it is acknowledged."""

    def __init__(
        self,
        inbox: Inbox[SlackRequest, RenderedMessage],
        transport: SlackTransport,
        web: Web,
        settings: Settings,
    ) -> None:
        self._inbox, self._transport, self._web = inbox, transport, web
        self._keep_days = settings.keep_days
        self._reactions, self._steps = settings.reaction, settings.slack_steps
        self._domains, self._tasks = settings.unfurl, Tasks()
        typed = (row.name for row in inbox.service.commands() if row.argument is not Argument.STATE)
        self._commands = tuple(typed)

    def register(self, app: AsyncApp) -> None:
        asks = [self.claim]
        for event in ("app_mention", "message", REACTED, STEP):
            app.event(event, middleware=asks)(self.answer)
        app.event("app_home_opened")(self.show_home)
        app.event("link_shared")(self.show_cards)
        app.event("app_uninstalled")(self.sent_away)
        app.event("tokens_revoked")(self.sent_away)
        app.error(self.say)
        app.command(re.compile(".*"), middleware=asks)(self.answer_command)
        app.message_shortcut(CHECK_QUOTE, middleware=asks)(self.answer_now)
        app.message_shortcut(PROOF)(self.proof)
        app.action(FEEDBACK)(self.take_feedback)
        app.action(DONE)(self.mark_done)
        app.action(re.compile("stet_.*"), middleware=asks)(self.answer_now)
        app.options(NAME)(self.suggest)
        app.view(PICK, middleware=asks)(self.answer_now)
        app.view(views.WHY)(self.take_reason)

    async def claim(
        self, body: dict[str, Any], context: dict[str, Any], next_: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Claim a request and pass it on; only acknowledge what asks nothing, or was claimed before.

        Slack sends again what isn't acknowledged within three seconds.
        """
        began = time.monotonic()
        gone = deleted(body)
        if gone:
            self._tasks.start(self._inbox.withdraw(*gone))  # in its own time
            return BoltResponse(status=200)
        question = asked(body, context, self._web.home.user, self._commands, self._reactions)
        if question is None:
            return BoltResponse(status=200)
        if small_talk(question.text) is SmallTalk.END and question.within:
            await self._transport.leave(question)
            return BoltResponse(status=200)
        if question.unasked:
            question = await self._transport.follows(question)
            if question is None:
                return BoltResponse(status=200)
        if (body.get("event") or {}).get("type") == REACTED:
            question = await self._transport.pointed_at(question)
        if question.execution and question.channel not in self._steps:
            question = replace(question, remark=messages.STEP_REFUSED)
        question = self._transport.shown(question) if is_command(body) else question
        names = (*keys(body), *once(question))
        question = replace(question, key=names[0] if names else "")
        left = CLAIMED_WITHIN - (time.monotonic() - began)
        handle = await self._inbox.claim(question, names, left)
        if handle is None:
            return BoltResponse(status=200)
        context["asked"], context["handle"] = question, handle
        await next_()
        return None

    async def answer(self, body: dict[str, Any], context: dict[str, Any]) -> None:
        request: SlackRequest = context["asked"]
        if request.command == PROOF:
            await self._transport.show_status(request)
            if await self._send_proof(request, body["event"]):
                await self._inbox.ledger.finish(context["handle"])
        else:
            await self._inbox.answer(request, context["handle"])

    async def answer_now(self, ack: AsyncAck, context: dict[str, Any]) -> None:
        await ack()
        request: SlackRequest = context["asked"]
        if request.command == CALLED:
            await self._inbox.ledger.finish(context["handle"])
            await self._web.confirm(request, await self._handed_over(request))
        else:
            await self._inbox.answer(request, context["handle"])

    async def _handed_over(self, request: SlackRequest) -> str:
        if await self._inbox.admitted(request) is None:
            return messages.REFUSED
        return await self._inbox.hand_over(request.text, partial(self._transport.hand_over, request))

    async def proof(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        await self._send_proof(private(body, context), body.get("message") or {})

    async def _send_proof(self, request: SlackRequest, message: dict[str, Any]) -> bool:
        """Proof a draft for who asks alone, and return whether Slack took the reply; nothing of either is stored."""
        reply = await self._inbox.proof(request, lambda: self._draft(message))
        try:
            await self._web.send(request, await asyncio.to_thread(draw, reply))
        except (AwayError, HopelessError) as error:
            log.warning("a proof could not be delivered: %s", error)
            return isinstance(error, HopelessError)
        return True

    async def _draft(self, message: dict[str, Any]) -> tuple[str | bytes, str]:
        file = draft_file(message)
        if not file:
            return markup.everything(message), ""
        return await self._web.download(file, DRAFT.most), file.get("name") or ""

    async def answer_command(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        """Answer a slash command; a bare ``/who`` gets the name picker."""
        await ack()
        question: SlackRequest = context["asked"]
        if question.command == "who" and not question.text and await self._pick(question, body["trigger_id"]):
            await self._inbox.ledger.finish(context["handle"])
            return
        await self._inbox.answer(question, context["handle"])

    async def _pick(self, question: SlackRequest, trigger: str) -> bool:
        try:
            view = views.picker(question.channel, question.response_url)
            await self._web.client.views_open(trigger_id=trigger, view=view)
        except SlackApiError as error:
            log.warning("the name picker could not be shown: %s", reason(error))
            return False
        return True

    async def suggest(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        who = presence(body, context)
        question = await self._inbox.question(who)
        prefix = body.get("value") or ""
        found = await self._inbox.complete(Argument.NAME, prefix, views.OPTIONS, question)
        await ack(options=views.options(one.value for one in found))

    async def take_feedback(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        number, _, verdict = body["actions"][0].get("value", "").partition(":")
        right = verdict == "right"
        if await self._inbox.judge(presence(body, context), number, right=right) and not right:
            view = views.why(int(number))
            await self._web.try_to(self._web.client.views_open(trigger_id=body["trigger_id"], view=view))

    async def mark_done(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        message, who = body.get("message") or {}, presence(body, context)
        blocks = [*without(message.get("blocks") or [], DONE), grey(messages.marked_done(who.name))]
        update = self._web.client.chat_update(
            channel=who.channel, ts=message["ts"], text=message.get("text") or "", blocks=blocks
        )
        await self._web.try_to(update)

    async def take_reason(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        view = body["view"]
        why = views.reason(view)
        await self._inbox.judge(presence(body, context), view["private_metadata"], right=False, why=why)

    async def sent_away(self, event: dict[str, Any]) -> None:
        tokens = event.get("tokens") or {}
        if event["type"] == "app_uninstalled" or self._web.home.user in (tokens.get("bot") or ()):
            self._web.refused(event["type"])

    async def say(self, error: Exception, response: BoltResponse | None) -> None:
        """Log in a line what went wrong; Slack repeats all but what is malformed, or what nobody here listens to."""
        if not isinstance(error, BoltUnhandledRequestError):
            log.error("something of Slack's was not dealt with: %r", error, exc_info=log.isEnabledFor(logging.DEBUG))
        if response is not None and isinstance(error, (*MALFORMED, BoltUnhandledRequestError)):
            response.status = 200

    async def show_cards(self, event: dict[str, Any], body: dict[str, Any], context: dict[str, Any]) -> None:
        who = presence(body, context)
        # what is still being written is no message to put a card under
        if event.get("source", POSTED) == POSTED and who.person != self._web.home.user:
            request = replace(who, channel=event["channel"], origin=event["message_ts"])
            links = [link["url"] for link in event.get("links") or ()]
            await self._inbox.show_cards(links, self._domains, request)

    async def show_home(self, event: dict[str, Any], body: dict[str, Any], context: dict[str, Any]) -> None:
        web = self._web
        if event.get("tab") == "messages":
            prompts = [{"title": title, "message": asked} for title, asked in views.PROMPTS.items()]
            suggest = web.client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=prompts)
            await web.try_to(suggest)
            return
        visit = replace(presence(body, context), command="sources")
        question = await self._inbox.question(visit)
        holds = await self._inbox.work(visit.person, lambda: self._inbox.service.command("sources", "", question))
        await web.client.views_publish(user_id=visit.person, view=views.home(holds, self._keep_days))
