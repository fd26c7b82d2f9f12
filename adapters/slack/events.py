"""What happens on each thing that Slack sends; the same in Socket Mode and over HTTP.

``SlackListeners.claim`` keeps a repeated event from being answered twice (``adapters/chat/inbox.py``).
"""

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
from adapters.chat.request import FOLLOW_UP_SECONDS, asks_on
from adapters.settings import Settings
from adapters.slack import blocks, requests
from adapters.slack.api import SlackTransport, reason, without
from adapters.slack.blocks import SlackDrawing
from adapters.slack.requests import PLATFORM, Answered, SlackRequest
from adapters.storage.store import Store
from bot import messages
from bot.command import Argument
from bot.commands.command_table import TABLE
from bot.small_talk import SmallTalk, small_talk
from retrieval import DRAFT

# Slack sends again what is not acknowledged within three seconds.
CLAIMED_WITHIN = 2.5
POSTED = "conversations_history"

log = logging.getLogger(__name__)


class SlackListeners:
    """What happens on each thing that Slack sends. What asks is claimed before it is acknowledged."""

    def __init__(self, inbox: Inbox[SlackRequest, SlackDrawing], slack: SlackTransport, settings: Settings) -> None:
        self._inbox, self._slack = inbox, slack
        self._keep_days, self._domains, self._tasks = settings.keep_days, settings.unfurl, Tasks()
        self._commands = [row.name for row in TABLE if row.argument is not Argument.STATE]

    def register(self, app: AsyncApp) -> None:
        asks = [self.claim]
        for event in ("app_mention", "message", requests.REACTED, requests.STEP):
            app.event(event, middleware=asks)(self.answer)
        app.event("app_home_opened")(self.show_home)
        app.event("link_shared")(self.show_cards)
        app.event("app_uninstalled")(self.sent_away)
        app.event("tokens_revoked")(self.sent_away)
        app.error(self.say)
        app.command(re.compile(".*"), middleware=asks)(self.answer)
        app.message_shortcut(requests.CHECK_QUOTE, middleware=asks)(self.answer)
        app.message_shortcut(requests.PROOF)(self.proof)
        app.action(blocks.FEEDBACK)(self.take_feedback)
        app.action(blocks.DONE)(self.mark_done)
        app.action(re.compile("stet_.*"), middleware=asks)(self.answer)
        app.options(blocks.NAME)(self.suggest)
        app.view(blocks.PICK, middleware=asks)(self.answer)
        app.view(blocks.WHY)(self.take_reason)

    async def claim(
        self, body: dict[str, Any], context: dict[str, Any], next_: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Claim a request and pass it on; only acknowledge what asks nothing, or was claimed before."""
        began = time.monotonic()
        gone = requests.deleted(body)
        if gone:
            self._tasks.start(self._inbox.withdraw(*gone))  # in its own time
            return BoltResponse(status=200)
        question = requests.asked(body, context, self._slack.home.bot_user_id, self._commands)
        if question is None:
            return BoltResponse(status=200)
        if small_talk(question.text) is SmallTalk.END and question.within:
            leave = self._inbox.ledger.write_own(Store.forget_thread, question.channel, question.thread)
            await self._inbox.ledger.briefly(leave)
            return BoltResponse(status=200)
        if question.unasked:
            question = await self._follows(question)
            if question is None:
                return BoltResponse(status=200)
        if (body.get("event") or {}).get("type") == requests.REACTED:
            message = await self._slack.message(question.channel, question.pressed)
            thread = (message or {}).get("thread_ts") or ""
            text, remark = (requests.everything(message), "") if message else ("", messages.SLACK_HIDES_MESSAGE)
            question = replace(question, text=text, thread=thread, remark=remark)
        if question.execution and not (question.channel and self._inbox.service.channels.of(question.place).steps):
            question = replace(question, remark=messages.STEP_REFUSED)
        if requests.is_command(body) and not self._inbox.service.channels.of(question.place).private:
            question = replace(question, answered=Answered.CHANNEL)
        names = (*requests.keys(body), *requests.once(question))
        question = replace(question, key=names[0] if names else "")
        handle = await self._inbox.ledger.claim(names, question.to_json(), began + CLAIMED_WITHIN - time.monotonic())
        if handle is None:
            return BoltResponse(status=200)
        context["asked"], context["handle"] = question, handle
        await next_()
        return None

    async def _follows(self, request: SlackRequest) -> SlackRequest | None:
        """Return a message that does not name the bot where it may go on from what it was asked in the thread.

        When that is long ago, the person is shown how to ask on.
        """
        wanted = self._inbox.service.channels.of(request.place).follow_ups
        if request.command or not wanted or not asks_on(request.text):
            return None
        place, ledger = (PLATFORM, request.channel, request.thread), self._inbox.ledger

        def look_up(store: Store) -> SlackRequest | None:
            if store.last_question(*place, FOLLOW_UP_SECONDS) is not None:
                return request
            asked = store.last_question(*place) is not None and store.has_asked(*place, request.person)
            return replace(request, remark=messages.ASK_ON) if asked else None

        return await ledger.briefly(ledger.read(look_up))  # as one call: it is waited for once

    async def answer(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        """Do what was claimed: answer, proof a draft, hand a question over; a bare ``/who`` gets the name picker."""
        await ack()
        request, handle = context["asked"], context["handle"]
        if "command" in body and request.command == "who" and not request.text:
            try:
                view = blocks.name_picker(request.channel, request.response_url)
                await self._slack.client.views_open(trigger_id=body["trigger_id"], view=view)
            except SlackApiError as error:
                log.warning("the name picker could not be shown: %s", reason(error))
            else:
                await self._inbox.ledger.finish(handle)
                return
        if request.command == requests.PROOF:
            await self._slack.show_status(request)
            if await self._inbox.proof(request, lambda: self._draft(body["event"]), blocks.draw):
                await self._inbox.ledger.finish(handle)
        elif request.command == requests.CALLED:
            await self._inbox.ledger.finish(handle)
            text = messages.REFUSED
            if await self._inbox.admitted(request) is not None:
                text = await self._inbox.hand_over(request.text, partial(self._slack.hand_over, request))
            confirmation = {"text": text, "response_type": "ephemeral", "replace_original": False}
            await self._slack.try_to(self._slack.clients.webhook(request.response_url).send_dict(confirmation))
        else:
            await self._inbox.answer(request, handle)

    async def proof(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        message = body.get("message") or {}
        await self._inbox.proof(requests.private(body, context), lambda: self._draft(message), blocks.draw)

    async def _draft(self, message: dict[str, Any]) -> tuple[str | bytes, str]:
        file = requests.draft_file(message)
        if not file:
            return requests.everything(message), ""
        return await self._slack.download(file, DRAFT.most), file.get("name") or ""

    async def suggest(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        question = await self._inbox.question(requests.presence(body, context))
        names = await self._inbox.autocomplete(Argument.NAME, body.get("value") or "", blocks.MAX_NAMES, question)
        await ack(options=blocks.name_options(name.value for name in names))

    async def take_feedback(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        number, _, verdict = body["actions"][0].get("value", "").partition(":")
        right = verdict == "right"
        if await self._inbox.judge(requests.presence(body, context), number, right=right) and not right:
            view = blocks.why_form(int(number))
            await self._slack.try_to(self._slack.client.views_open(trigger_id=body["trigger_id"], view=view))

    async def mark_done(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        message, who = body.get("message") or {}, requests.presence(body, context)
        note = blocks.context(messages.marked_done(who.name))
        shown = [*without(message.get("blocks") or [], blocks.DONE), note]
        update, text = self._slack.client.chat_update, message.get("text") or ""
        await self._slack.try_to(update(channel=who.channel, ts=message["ts"], text=text, blocks=shown))

    async def take_reason(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        await ack()
        who, view = requests.presence(body, context), body["view"]
        await self._inbox.judge(who, view["private_metadata"], right=False, why=blocks.given_reason(view))

    async def sent_away(self, event: dict[str, Any]) -> None:
        tokens = event.get("tokens") or {}
        if event["type"] == "app_uninstalled" or self._slack.home.bot_user_id in (tokens.get("bot") or ()):
            self._slack.refuse(event["type"])

    async def say(self, error: Exception, response: BoltResponse | None) -> None:
        """Log in a line what went wrong; Slack repeats all but what is malformed, or what nobody here listens to."""
        if not isinstance(error, BoltUnhandledRequestError):
            log.error("something of Slack's was not dealt with: %r", error, exc_info=log.isEnabledFor(logging.DEBUG))
        if response is not None and isinstance(error, (*requests.MALFORMED, BoltUnhandledRequestError)):
            response.status = 200

    async def show_cards(self, event: dict[str, Any], body: dict[str, Any], context: dict[str, Any]) -> None:
        who = requests.presence(body, context)
        # what is still being written is no message to put a card under
        if event.get("source", POSTED) == POSTED and who.person != self._slack.home.bot_user_id:
            request = replace(who, channel=event["channel"], origin=event["message_ts"])
            links = [link["url"] for link in event.get("links") or ()]
            await self._inbox.show_cards(links, self._domains, request)

    async def show_home(self, event: dict[str, Any], body: dict[str, Any], context: dict[str, Any]) -> None:
        if event.get("tab") == "messages":
            prompts = [{"title": title, "message": asked} for title, asked in blocks.PROMPTS.items()]
            suggest = self._slack.client.assistant_threads_setSuggestedPrompts
            await self._slack.try_to(suggest(channel_id=event["channel"], prompts=prompts))
            return
        visit = replace(requests.presence(body, context), command="sources")
        question = await self._inbox.question(visit)
        holds = await self._inbox.turns.run(visit.person, lambda: self._inbox.service.command("sources", "", question))
        await self._slack.client.views_publish(user_id=visit.person, view=blocks.home(holds, self._keep_days))
