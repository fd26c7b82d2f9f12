"""What goes beyond one answer in a channel or thread: standing questions, and lines that nobody addressed to the bot.

The commands ``/watch`` and ``/watches`` store, list and end what is watched for in a channel. Of the lines, a
platform's listeners decide which get here, as requests that are ``unasked``: those that go on where the bot has
answered, for a while. To these it says something to everybody, to one person, or nothing.
"""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Generic

from adapters.answer_record import is_complete
from adapters.chat.request import ChatRequest, D, R, Transport
from adapters.fair_queue import FairQueue
from adapters.storage.ledger import Ledger
from adapters.storage.store import Store, Watch
from bot import messages, references
from bot.model import Answer, Message, Question, Reply
from bot.outline import outline
from bot.sentence_links import read_number
from bot.service import QuestionService
from retrieval import QUESTION

PRIVATE_AN_HOUR = 3  # answers in a thread to what nobody asked the bot
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


class Conversations(Generic[R, D]):
    """Standing questions and unasked lines of one platform, for its inbox and the ``turns`` that this gives people."""

    def __init__(self, service: QuestionService, ledger: Ledger, transport: Transport[R, D], turns: FairQueue) -> None:
        self._service, self._ledger, self._transport, self._turns = service, ledger, transport, turns

    async def standing_reply(self, command: str, words: str, request: R, question: Question) -> Message:
        """Answer one of the two commands, for the channel or thread that it comes from."""
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

    async def follow_up(self, request: R, question: Question, reply: Reply) -> tuple[R, Reply] | None:
        """Return the request as it is answered, and with what; ``None`` where nothing is to be said.

        What not everybody is to see is for the person alone who did not ask the bot: what may answer, or once a day how
        to ask on. Both are for lines about what was shown, or about what the articles name; the first is for who has
        asked the bot in that place before, a few times an hour and person, or asks of what is shown there ("copy 1").
        """
        if await self._is_for_all(request, question, reply):
            return request, reply
        if self._service.refuses(question):
            return None
        if references.is_reference(question.text) and question.shown:
            return await self._transport.direct(request), reply
        if not request.remark and not await self._turns.run(request.person, lambda: self._service.concerns(question)):
            return None
        place = (request.channel, request.thread, request.person)
        if isinstance(reply, Answer) and await self._ledger.briefly(self._ledger.read_own(Store.has_asked, *place)):
            hour = datetime.now(UTC).strftime("%Y-%m-%dT%H")
            for number in range(PRIVATE_AN_HOUR):
                if await self._ledger.is_first([":".join(("private", *place, hour, str(number)))]):
                    return await self._transport.direct(request), reply
        if not await self._ledger.is_first([":".join(("aside", *place, date.today().isoformat()))]):  # noqa: DTZ011
            return None
        return await self._transport.direct(request), Message(request.remark or messages.ASK_ON)

    async def _is_for_all(self, request: R, question: Question, reply: Reply) -> bool:
        """Return whether everybody is shown the answer to what nobody asked the bot.

        It is certain by itself, with the same sentence first, or about what everybody has seen.
        """
        if not is_complete(reply):
            return False
        if references.is_reference(question.text):
            if not request.own_thread:
                return True
            own = self._ledger.read_own(Store.last_shown, request.channel, request.own_thread)
            return question.shown != await self._ledger.briefly(own)
        alone = replace(question, previous=None, shown="")
        if alone == question:
            return True
        by_itself = await self._turns.run(request.person, lambda: self._service.answer(alone))
        return is_complete(by_itself) and outline(by_itself).extracts[:1] == outline(reply).extracts[:1]
