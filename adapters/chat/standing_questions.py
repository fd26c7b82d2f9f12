"""The commands ``/watch`` and ``/watches``: what is watched for in a channel is stored, listed and ended."""

from __future__ import annotations

import asyncio
import re
from typing import Generic

from adapters.chat.request import ChatRequest, D, R, Transport
from adapters.storage.ledger import Ledger
from adapters.storage.records import Watch
from adapters.storage.store import Store
from bot import messages
from bot.model import Message, Question
from bot.sentence_links import read_number
from bot.service import QuestionService
from retrieval import QUESTION

_TYPED = re.compile(r"(?i)(/?)(watch|watches)(?:\s+(.*))?", re.DOTALL)


def standing_command(request: ChatRequest) -> tuple[str, str] | None:
    """Return which of the two commands a request is, and its words; ``None`` for any other request.

    To the bot itself both can be written without a slash, as far as they are no question.
    """
    if request.command in ("watch", "watches"):
        return request.command, request.text.strip()
    typed = None if request.command else _TYPED.fullmatch(request.text.strip())
    if typed is None:
        return None
    slash, command, words = typed[1], typed[2].lower(), (typed[3] or "").strip()
    is_other = request.unasked or words.endswith("?") or (command == "watches" and words and not words.isdecimal())
    return (command, words) if slash or not is_other else None


class StandingQuestions(Generic[R, D]):
    """Answers both commands on one platform, for the channel or thread that they come from."""

    def __init__(self, service: QuestionService, ledger: Ledger, transport: Transport[R, D]) -> None:
        self._service, self._ledger, self._transport = service, ledger, transport

    async def reply(self, command: str, words: str, request: R, question: Question) -> Message:
        place, archive = question.place, self._service.library.archive
        if self._service.refuses(question) or place is None or not place.channel:
            return Message(messages.REFUSED)
        if archive.arrivals is None:
            return Message(messages.WATCH_ARCHIVE)
        if command == "watches":
            return await self._list_or_end(words, request.channel)
        if not words or len(words) > QUESTION:
            return Message(messages.TOO_LONG if words else messages.WATCH_USAGE)
        can_post = await self._transport.can_post(request)
        if can_post is False:
            return Message(messages.WATCH_NO_ACCESS)
        since = await asyncio.to_thread(archive.arrivals.last)
        channel, person = place.channel, question.asker.id if question.asker else ""
        # in a thread of Discord's, the place is the channel around it
        thread = request.channel if request.channel != channel else ""
        watch = Watch(0, place.platform, place.workspace, channel, person, " ".join(words.split()), since, thread)
        is_added = await self._ledger.write(Store.add_watch, watch)
        if is_added is None:
            return Message(messages.FAILED)
        if not is_added:
            return Message(messages.WATCH_FULL)
        unsure = "" if can_post else f" {messages.WATCH_ACCESS_UNKNOWN}"
        return Message(messages.watch_started(watch.words) + unsure)

    async def _list_or_end(self, number: str, channel: str) -> Message:
        watches = await self._ledger.read_own(Store.watches, channel) or ()
        if not watches:
            return Message(messages.NO_WATCH)
        if not number:
            return Message(messages.watch_list(watch.words for watch in watches))
        place = read_number(number)
        if not place or place > len(watches):
            return Message(messages.NO_SUCH_WATCH)
        ended = watches[place - 1]
        await self._ledger.write(Store.remove_watch, ended.id)
        return Message(messages.watch_ended(ended.words))
