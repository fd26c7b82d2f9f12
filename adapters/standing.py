"""The commands about standing questions: what is watched for in a channel is kept in the store, and ended there."""

from __future__ import annotations

import asyncio
import re
from typing import Generic

from adapters.storage.ledger import Ledger
from adapters.storage.records import Watch
from adapters.transport import D, L, Letter, Transport
from bot import messages
from bot.model import Message, Question
from bot.service import QuestionService
from retrieval import QUESTION

_TYPED = re.compile(r"/(watch|watches)(?:\s+(.*))?", re.DOTALL)


def asked(letter: Letter) -> tuple[str, str] | None:
    """Return the command about standing questions that a letter is, and its words; None for any other."""
    if letter.command in ("watch", "watches"):
        return letter.command, letter.text.strip()
    typed = None if letter.command else _TYPED.fullmatch(letter.text.strip())
    return (typed[1], (typed[2] or "").strip()) if typed else None


class StandingQuestions(Generic[L, D]):
    """Answers these commands on one platform; what is watched for is that of the channel or thread they come from."""

    def __init__(self, service: QuestionService, ledger: Ledger, transport: Transport[L, D]) -> None:
        self._service, self._ledger, self._transport = service, ledger, transport

    async def reply(self, command: str, words: str, letter: L, question: Question) -> Message:
        """Return the reply to ``command`` with its ``words``, which ``letter`` is."""
        place, archive = question.place, self._service.holdings.archive
        if self._service.refuses(question) or place is None or not place.channel:
            return Message(messages.REFUSED)
        if archive.arrivals is None:
            return Message(messages.WATCH_ARCHIVE)
        if command == "watches":
            return await self._listed(words, letter.channel)
        if not words or len(words) > QUESTION:
            return Message(messages.TOO_LONG if words else messages.WATCH_USAGE)
        can_post = await self._transport.can_post(letter)
        if can_post is False:
            return Message(messages.WATCH_NO_ACCESS)
        since = await asyncio.to_thread(archive.arrivals.last)
        channel, person = place.channel, question.asker.id if question.asker else ""
        thread = letter.channel if letter.channel != channel else ""  # rules go by the channel that it is in
        watch = Watch(0, place.platform, place.workspace, channel, person, " ".join(words.split()), since, thread)
        kept = await self._ledger.add_watch(watch)
        if kept is None:
            return Message(messages.FAILED)
        if not kept:
            return Message(messages.WATCH_FULL)
        unsure = "" if can_post else f" {messages.WATCH_ACCESS_UNKNOWN}"
        return Message(messages.watch_started(watch.words) + unsure)

    async def _listed(self, number: str, channel: str) -> Message:
        held = await self._ledger.watches(channel) or ()
        if not held:
            return Message(messages.NO_WATCH)
        if not number:
            return Message(messages.watch_list(watch.words for watch in held))
        if not (number.isdecimal() and 0 < int(number) <= len(held)):
            return Message(messages.NO_SUCH_WATCH)
        ended = held[int(number) - 1]
        await self._ledger.remove_watch(ended.id)
        return Message(messages.watch_ended(ended.words))
