"""What happens on each thing that Slack sends; the same in Socket Mode and over HTTP."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError

from adapters.slack import views
from adapters.slack.answering import Answering
from adapters.slack.asked import CHECK_QUOTE, NAME, PICK, Asked, asked, keys, typing
from adapters.slack.blocks import FEEDBACK
from adapters.store import Opinion

log = logging.getLogger(__name__)


class Listeners:
    """What happens on each thing that Slack sends. What asks is claimed before it is acknowledged."""

    def __init__(self, answering: Answering, bot: str | None, keep_days: int) -> None:
        self._answering = answering
        self._bot = bot
        self._keep_days = keep_days
        self._commands = tuple(command.name for command in answering.desk.commands())

    def register(self, app: AsyncApp) -> None:
        """Listen."""
        app.middleware(self.claim)
        app.event("app_mention")(self.answer)
        app.event("message")(self.answer)
        app.event("app_home_opened")(self.show_home)
        app.command(re.compile(".*"))(self.answer_command)
        app.message_shortcut(CHECK_QUOTE)(self.answer_now)
        app.action(FEEDBACK)(self.take_feedback)
        app.action(re.compile("stet_.*"))(self.answer_now)
        app.options(NAME)(self.suggest)
        app.view(PICK)(self.answer_now)
        app.view(views.WHY)(self.take_reason)

    async def claim(
        self, body: dict[str, Any], context: dict[str, Any], next_: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Claim what asks; acknowledge what was claimed before, and what nobody here listens to."""
        question = asked(body, self._bot, self._commands)
        if question is None:
            if not _heard(body):
                return BoltResponse(status=200)
            await next_()
            return None
        claim = await self._answering.claim(question, keys(body))
        if claim is None:
            return BoltResponse(status=200)
        context["asked"], context["claim"] = question, claim
        await next_()
        return None

    async def answer(self, context: dict[str, Any]) -> None:
        """Answer a message."""
        await self._answering.answer(context["asked"], context["claim"])

    async def answer_now(self, ack: AsyncAck, context: dict[str, Any]) -> None:
        """Acknowledge, then answer."""
        await ack()
        await self.answer(context)

    async def answer_command(self, ack: AsyncAck, body: dict[str, Any], context: dict[str, Any]) -> None:
        """Answer a slash command; a bare ``/who`` gets the name picker."""
        await ack()
        question: Asked = context["asked"]
        if question.command == "who" and not question.text and await self._pick(question, body["trigger_id"]):
            await self._answering.keep(lambda: self._answering.store.finish(context["claim"]))
            return
        await self.answer(context)

    async def _pick(self, question: Asked, trigger: str) -> bool:
        try:
            view = views.picker(question.channel, question.response_url)
            await self._answering.web.client.views_open(trigger_id=trigger, view=view)
        except SlackApiError:
            log.exception("the name picker could not be shown")
            return False
        return True

    async def suggest(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Offer names that go on as typed."""
        question = await self._answering.question(typing(body))
        prefix = body.get("value") or ""
        names = await self._answering.read(lambda: self._answering.desk.names(prefix, views.OPTIONS, question))
        await ack(options=views.options(names))

    async def take_feedback(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Keep what somebody thinks of an answer; ask why where it was wrong."""
        await ack()
        number, _, verdict = body["actions"][0].get("value", "").partition(":")
        if not number.isdecimal():
            return
        right = verdict == "right"
        await self._keep(Opinion(int(number), body["user"]["id"], right))
        if not right:
            with suppress(SlackApiError):
                await self._answering.web.client.views_open(trigger_id=body["trigger_id"], view=views.why(int(number)))

    async def take_reason(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Keep why an answer was wrong."""
        await ack()
        view = body["view"]
        if view["private_metadata"].isdecimal():
            await self._keep(
                Opinion(int(view["private_metadata"]), body["user"]["id"], right=False, why=views.reason(view))
            )

    async def _keep(self, opinion: Opinion) -> None:
        await self._answering.keep(lambda: self._answering.store.record_opinion(opinion))

    async def show_home(self, event: dict[str, Any], body: dict[str, Any]) -> None:
        """Draw the Home tab, or offer questions in the Messages tab."""
        web = self._answering.web
        if event.get("tab") == "messages":
            prompts = [{"title": prompt.title, "message": prompt.message} for prompt in views.PROMPTS]
            with suppress(SlackApiError):
                await web.client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=prompts)
            return
        visit = Asked("", event["user"], event.get("channel", ""), body.get("team_id"))
        question = await self._answering.question(visit)
        holds = await self._answering.read(lambda: self._answering.desk.command("sources", "", question))
        await web.client.views_publish(user_id=visit.person, view=views.home(holds, self._keep_days))


def _heard(body: dict[str, Any]) -> bool:
    match body.get("type"):
        case "event_callback":
            return bool((body.get("event") or {}).get("type") == "app_home_opened")
        case "block_actions":
            return bool(body["actions"][0].get("action_id") == FEEDBACK)
        case "view_submission":
            return bool(body["view"].get("callback_id") == views.WHY)
        case "block_suggestion":
            return bool(body.get("action_id") == NAME)
    return False
