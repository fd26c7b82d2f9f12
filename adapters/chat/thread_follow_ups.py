"""Lines in a thread that nobody addressed to the bot -> what it says to them: to everybody, to one person, or nothing.

A platform's listeners decide which lines get here, as requests that are ``unasked``: those that go on where the bot has
answered, for a while.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Generic

from adapters.answer_record import is_complete
from adapters.chat.request import D, R, Transport
from adapters.fair_queue import FairQueue
from adapters.storage.ledger import Ledger
from adapters.storage.store import Store
from bot import messages, references
from bot.model import Answer, Message, Question, Reply
from bot.outline import outline
from bot.service import QuestionService

PRIVATE_AN_HOUR = 3  # answers in a thread to what nobody asked the bot


class ThreadFollowUps(Generic[R, D]):
    """The rules on what nobody asked the bot, for one inbox and its ``turns``."""

    def __init__(self, service: QuestionService, ledger: Ledger, transport: Transport[R, D], turns: FairQueue) -> None:
        self._service, self._ledger, self._transport, self._turns = service, ledger, transport, turns

    async def answer(self, request: R, question: Question, reply: Reply) -> tuple[R, Reply] | None:
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
