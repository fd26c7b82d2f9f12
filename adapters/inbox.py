"""What people ask on any platform -> answers in their places: each once, none lost; one machine for every platform.

A platform's package makes letters of what it is sent, and has a transport that draws and delivers.
Between them stands the inbox: it claims a letter before anybody works on it, has the desk asked when it is its
person's turn, and finishes the claim once the answer is delivered. What a process leaves behind when it is killed,
or could not deliver, is taken up again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from adapters import stored_reply
from adapters.answer_record import chat_record, is_complete, is_confident, record_of
from adapters.fair_queue import FairQueue
from adapters.operations.metrics import DELAYED, count, outcome, stage
from adapters.standing import StandingQuestions, asked
from adapters.storage.ledger import CLAIM_WAIT_SECONDS, ClaimHandle, Ledger
from adapters.storage.store import Posting, ReplyMessage, Store
from adapters.transport import AwayError, D, HopelessError, L, Transport
from bot import messages, references
from bot.ask.follow_up import opens, pronoun
from bot.command import Argument
from bot.commands.completion import Suggestion
from bot.link_card import LinkCard
from bot.model import Answer, Message, Question, Reply
from bot.service import QuestionService
from bot.standing_questions import NEWS_COMMAND
from retrieval import QUESTION, words

# What is delivered and not yet noted when the process is killed is delivered again: let that be few.
POSTERS = 4
POSTERS_OF_A_CHANNEL = 3
# One that takes longer waits for the platform (a rate limit, an outage), and others need not wait for it.
POSTING = 0.5  # seconds
LINK = "/link"  # what is kept as the question of a card under a link
COMPLETERS = 2  # keystrokes at a time: they take a moment, or wait for a cluster that hangs
GLANCE = 0.02  # seconds between looks for the end of what is under way, when the program ends

T = TypeVar("T")
log = logging.getLogger(__name__)


class Inbox(Generic[L, D]):
    """Answers letters; for one event loop, with ``service`` used in threads."""

    def __init__(self, service: QuestionService, ledger: Ledger, transport: Transport[L, D]) -> None:
        self.service = service
        self.ledger = ledger
        self._transport = transport
        self._standing = StandingQuestions(service, ledger, transport)
        self._turns = FairQueue()
        self._completing = ThreadPoolExecutor(COMPLETERS, "stet-complete")
        self._posting = asyncio.Semaphore(POSTERS)
        self._posting_in: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._under_way: set[object] = set()
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._gone: set[tuple[str, str]] = set()
        self._unkept: list[tuple[L, ClaimHandle]] = []

    async def complete(self, argument: Argument, typed: str, limit: int, question: Question) -> tuple[Suggestion, ...]:
        """Return what completes an argument of a command, not behind the questions that wait for their turn."""
        loop, complete = asyncio.get_running_loop(), self.service.complete
        return await loop.run_in_executor(self._completing, complete, argument, typed, limit, question)

    async def work(self, person: str, act: Callable[[], T]) -> T:
        """Call the desk when it is this person's turn."""
        return await self._turns.run(person, act)

    async def show_card(self, address: str, letter: L, show: Callable[[LinkCard], Awaitable[Posting | None]]) -> None:
        """Have the card of an article's link shown, unless one was just now in the same channel; keep where it is.

        ``letter`` says who posted the link where; ``show`` returns where the card is.
        """
        try:
            question = await self._transport.question(letter)
            card = await self.work(letter.person, partial(self.service.link_card, address, question))
            if card:
                shown = partial(self._card_shown, question, card, show)
                await self.ledger.at_most_hourly(f"link:{letter.channel}:{card.citation.article_id}", shown)
        except (AwayError, HopelessError) as error:
            log.warning("a link got no card: %s", error)

    async def _card_shown(
        self, question: Question, card: LinkCard, show: Callable[[LinkCard], Awaitable[Posting | None]]
    ) -> None:
        """Show a card and keep it, so that it is withdrawn with its article; nobody asked for it."""
        given = record_of(replace(question, asker=None), LINK, stored_reply.link(card))
        posting, platform = await show(card), self._transport.platform

        def note(store: Store, posting: Posting) -> None:
            store.note_posting(platform, replace(posting, answer=store.record_answer(given)))

        if posting:
            await self.ledger.write(partial(note, posting=posting))

    async def claim(self, letter: L, keys: Sequence[str], within: float = CLAIM_WAIT_SECONDS) -> ClaimHandle | None:
        """Claim a letter under every one of its ``keys``; ``None`` where any of them was claimed before.

        A store that says nothing ``within`` so many seconds is not waited for.
        """
        return await self.ledger.claim(keys, self._transport.write(letter), within)

    async def answer(self, letter: L, receipt: ClaimHandle) -> None:
        """Answer, and finish the claim; where the platform cannot be reached, leave it for a later attempt."""
        with self._counted(), stage("whole"):
            try:
                async with self._one_at_a_time(letter):
                    await self._answer(letter, receipt)
            except HopelessError as error:
                log.warning("an answer in %s could not be delivered: %s", letter.channel or "private", error)
                if letter.origin and not (letter.unasked or letter.edited):
                    await self._transport.regret(letter, messages.not_shown(str(error)))
                await self.ledger.finish(receipt)
            except AwayError as error:
                await self._leave(letter, receipt, error, spent=False)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again: so often, and no more
                await self._leave(letter, receipt, error, spent=True)

    async def _answer(self, letter: L, receipt: ClaimHandle) -> None:
        at_hand = await self._transport.at_hand(letter)
        if at_hand:
            async with self._place_to_post(at_hand[0].channel):
                await self._transport.deliver(*at_hand, "")
                await self.ledger.finish(receipt)
            return
        replaces = await self._shown_for(letter) if letter.edited else ""
        if receipt.lost:
            return
        worked_out = await self._worked_out(letter, silently=letter.unasked and not replaces)
        if worked_out is None or await self.ledger.is_lost(receipt) or _place(letter) in self._gone:
            await self.ledger.finish(receipt)
            return
        to, reply, number, drawing = worked_out
        await self._lead_on(to, reply)
        async with self._place_to_post(to.channel):
            with stage("deliver"):
                sent = await self._transport.deliver(to, drawing, replaces)
            shown = (
                ReplyMessage(letter.channel, letter.origin, sent) if to is letter and letter.origin and sent else None
            )
            posting = self._transport.posting(to, sent, number) if sent and number is not None else None
            await self.ledger.finish(receipt, shown, posting)
        await self._lead_on(to, reply, sent)

    async def _shown_for(self, letter: L) -> str:
        """Return the message that answers an edited question, as it was before."""
        channel, origin = _place(letter)
        return await self.ledger.call_with_timeout(self.ledger.shown_for(channel, origin)) or ""

    async def _worked_out(self, letter: L, *, silently: bool) -> tuple[L, Reply, int | None, D] | None:
        """Return the letter as it is answered, reply, number and drawing; ``None`` where nothing is to be said."""
        announcing = None if silently else asyncio.ensure_future(self._transport.announce(letter))
        try:
            question = replace(await self._transport.question(letter), brief=True)
            standing = None if letter.remark else asked(letter)
            if standing:
                reply: Reply = await self._standing.reply(*standing, letter, question)
            else:
                reply = await self._turns.run(letter.person, lambda: self._timed_reply(letter, question))
            if letter.command == NEWS_COMMAND and isinstance(reply, Message):  # there is no news by now
                return None
            if silently and not await self._turns.run(letter.person, lambda: self._is_for_all(question, reply)):
                aside = await self._aside(letter, question, reply)
                if aside is None:
                    return None
                letter, reply = aside
            number = await self._recorded(letter, question, reply)
            return letter, reply, number, await self._drawn(letter, reply, number)
        finally:
            if announcing:  # it must not come after the answer, which takes it away
                await announcing

    def _is_for_all(self, question: Question, reply: Reply) -> bool:
        """Return whether all are shown what nobody asked the bot: it is found for certain.

        Words of the question before count for one that leans on it in so many words; another has to stand alone.
        """
        if not is_complete(reply):
            return False
        asked = words(question.text)
        leans = opens(asked) or pronoun(asked) is not None or references.is_reference(question.text)
        return leans or not question.previous or is_complete(self.service.answer(replace(question, previous=None)))

    async def _aside(self, letter: L, question: Question, reply: Reply) -> tuple[L, Reply] | None:
        """Return what who did not ask the bot is told alone: what may answer, or once a day how to ask on.

        The first is for who has asked it in that place before.
        """
        if self.service.refuses(question):
            return None
        place = (letter.channel, letter.thread, letter.person)
        if not (isinstance(reply, Answer) and await self.ledger.call_with_timeout(self.ledger.has_asked(*place))):
            if not await self.ledger.is_first([":".join(("aside", *place, date.today().isoformat()))]):  # noqa: DTZ011
                return None
            reply = Message(letter.remark or messages.ASK_ON)
        return await self._transport.alone(letter), reply

    def _timed_reply(self, letter: L, question: Question) -> Reply:
        with stage("answer"):
            reply = self._reply(letter, question)
        count(self._transport.platform, reply)
        return reply

    def _reply(self, letter: L, question: Question) -> Reply:
        if letter.remark:
            return Message(letter.remark)
        try:
            if letter.command == NEWS_COMMAND:
                return self.service.announce(json.loads(letter.text), question)
            if letter.command:
                reply = self.service.command(letter.command, letter.text, question)
                return Message(messages.EXPIRED) if reply == Message(messages.NO_SUCH_EXTRACT) else reply
            return self.service.answer(question)
        except Exception:
            log.exception("a question was not answered", extra={"question": letter.text})
            return Message(messages.FAILED)

    async def _recorded(self, letter: L, question: Question, reply: Reply) -> int | None:
        """Keep an answer; return the number that feedback and the audit refer to, where there is one."""
        number = None
        if not isinstance(reply, Message):
            scope = (await asyncio.to_thread(self.service.holdings_for, question)).scope
            told = chat_record(letter, question, reply, self._transport.rendered_copy(letter, reply), scope)
            number = await self.ledger.call_with_timeout(self.ledger.record_answer(told))
        known = {"platform": self._transport.platform, "answer": number, "outcome": outcome(reply)}
        log.info("answered: %s, number %s", outcome(reply), number, extra={**known, "question": letter.text})
        return number

    async def _drawn(self, letter: L, reply: Reply, number: int | None) -> D:
        try:
            with stage("draw"):
                return await asyncio.to_thread(self._transport.draw, letter, reply, number)
        except Exception:
            log.exception("a reply was not drawn")
            return await asyncio.to_thread(self._transport.draw, letter, Message(messages.FAILED), None)

    async def _lead_on(self, letter: L, reply: Reply, sent: str = "") -> None:
        """Note what was shown, and where a question leads on to the next.

        One that found nothing leads nowhere, but takes part; what is asked of something shown leaves the question,
        and so does what nobody asked the bot, in a thread that all share.
        """
        state = references.state_of(reply)
        if letter.remark or (letter.command and not state):
            return
        leads = not letter.command and is_confident(reply) and len(letter.text) <= QUESTION
        leads = leads and not references.is_reference(letter.text) and not (letter.unasked and letter.thread)
        threads = self._transport.leads_on(letter, sent)
        platform, question = self._transport.platform, letter.text if leads else ""

        def remember(store: Store) -> None:
            for thread in threads:
                store.remember_question(platform, letter.channel, thread, question, state)

        if threads:
            await self.ledger.call_with_timeout(self.ledger.write(remember))

    async def _leave(self, letter: L, receipt: ClaimHandle, error: Exception, *, spent: bool) -> None:
        """Leave a letter for a later attempt, and log that the first time."""
        DELAYED.labels(self._transport.platform).inc()
        first = receipt.claim is None or receipt.claim.attempts == 1
        told = log.isEnabledFor(logging.DEBUG)  # where, as STET_DEBUG has it
        level = logging.WARNING if first else logging.DEBUG
        log.log(level, "an answer could not be delivered, and will be: %s", error or repr(error), exc_info=told)
        if not await self.ledger.release(receipt, spent=spent):
            self._unkept.append((letter, receipt))

    # -- what was left over, changed or taken back -------------------------------------------------------------

    async def take_up(self) -> None:
        """Answer what was left unfinished: by a process that was killed, or while the platform was away."""
        unkept, self._unkept = self._unkept, []
        left = [(self._transport.read(r.claim.payload), r) for r in await self.ledger.take_up() if r.claim]
        await asyncio.gather(*(self._resume(letter, receipt) for letter, receipt in (*unkept, *left)))

    async def _resume(self, letter: L | None, receipt: ClaimHandle) -> None:
        try:
            awaited = letter is not None and await self._transport.awaited(letter)
        except AwayError:
            awaited = True
        if letter is not None and awaited:
            await self.answer(letter, receipt)
        else:
            await self.ledger.finish(receipt)

    async def take_up_now_and_then(self, every: float) -> None:
        """Call ``take_up`` every ``every`` seconds, for ever."""
        while True:
            try:
                await self.take_up()
            except Exception:
                log.exception("unfinished questions could not be taken up")
            await asyncio.sleep(every)

    async def withdraw(self, channel: str, origin: str) -> None:
        """Delete the answer to a deleted message; one that is under way is not given."""
        place = (channel, origin)
        if place in self._locks:
            self._gone.add(place)
        async with self._lock(place):
            self._gone.discard(place)
            shown = await self.ledger.call_with_timeout(self.ledger.shown_for(channel, origin))
            if shown:
                await self._removed(channel, shown)
                await self.ledger.call_with_timeout(self.ledger.forget_posting(channel, shown))

    async def _removed(self, channel: str, message: str) -> None:
        try:
            await self._transport.remove(channel, message)
        except Exception as error:  # noqa: BLE001 - what cannot be taken away stays
            log.warning("the answer to a deleted question could not be taken away: %r", error)

    @asynccontextmanager
    async def _place_to_post(self, channel: str) -> AsyncIterator[None]:
        """Let a few post at a time, and so that a channel that is rate limited holds up no other."""
        # who posts, or waits to, keeps it alive
        async with self._posting_in.setdefault(channel, asyncio.Semaphore(POSTERS_OF_A_CHANNEL)):
            await self._posting.acquire()
            with ExitStack() as place:
                place.callback(self._posting.release)
                timer = asyncio.get_running_loop().call_later(POSTING, place.close)
                try:
                    yield
                finally:
                    timer.cancel()

    # -- under way ---------------------------------------------------------------------------------------------

    async def settle(self, patience: float) -> None:
        """Wait for what is under way, but not for ever; the rest is taken up on the next start."""
        try:
            async with asyncio.timeout(patience):
                while self._under_way:  # noqa: ASYNC110 - the end of the program, and nothing to be told by
                    await asyncio.sleep(GLANCE)
        except TimeoutError:
            log.warning("%d answers are left for the next start", len(self._under_way))
        await self.ledger.write(lambda _: None)  # what was begun to be kept is kept first
        await self.ledger.catch_up()

    def close(self) -> None:
        """Shut down the threads."""
        self._turns.close()
        self._completing.shutdown(wait=False, cancel_futures=True)
        self.ledger.close()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        token = object()
        self._under_way.add(token)
        try:
            yield
        finally:
            self._under_way.discard(token)

    @asynccontextmanager
    async def _one_at_a_time(self, letter: L) -> AsyncIterator[None]:
        """Serialise a question and its edited versions."""
        if not letter.origin:
            yield
            return
        async with self._lock(_place(letter)):
            yield

    def alone(self, channel: str, origin: str) -> AbstractAsyncContextManager[None]:
        """Hold back whatever else would change the answer to the message ``origin`` meanwhile."""
        return self._lock((channel, origin))

    @asynccontextmanager
    async def _lock(self, place: tuple[str, str]) -> AsyncIterator[None]:
        # who holds it, or waits for it, keeps it alive
        async with self._locks.setdefault(place, asyncio.Lock()):
            yield


def _place(letter: L) -> tuple[str, str]:
    return letter.channel, letter.origin
