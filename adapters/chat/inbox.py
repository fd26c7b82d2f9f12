"""Chat requests -> answers where they were asked, each once and none lost; the same on every platform.

A platform makes requests of what it is sent, and has a transport that draws and sends.
The inbox claims a request before anybody works on it, asks for the reply when it is the person's turn, and finishes
the claim once the answer is sent. What a killed process leaves behind, or could not send, is taken up again.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Generic
from weakref import WeakValueDictionary

from adapters.answer_record import command_and_words, is_confident, new_record, shows, stored_link
from adapters.chat.conversations import Conversations, standing_command
from adapters.chat.request import SHARE, AwayError, ChatRequest, D, HopelessError, R, Transport
from adapters.fair_queue import FairQueue
from adapters.metrics import DELAYED, count, outcome, stage
from adapters.storage.ledger import ClaimHandle, Ledger
from adapters.storage.store import AnswerRecord, Opinion, ReplyMessage, Store
from bot import messages, references
from bot.ask.follow_up import leans
from bot.command import Argument
from bot.commands.command_table import Suggestion
from bot.commands.proof import listing
from bot.link_card import is_within
from bot.model import Listing, Message, Question, Reply
from bot.sentence_links import read_number
from bot.service import QuestionService
from bot.standing_questions import NEWS_COMMAND
from retrieval import QUESTION, ArticleError, words as split

# An answer that was sent, but not noted when the process is killed, is sent again: few may be in that state.
POSTERS = 4
POSTERS_OF_A_CHANNEL = 3
# One that takes longer waits for the platform (a rate limit, an outage), and gives up its place to others.
POSTING_SECONDS = 0.5
LINK = "/link"  # stored as the question of a card under a link
COMPLETERS = 2  # keystrokes at a time: they take a moment, or wait for a cluster that hangs
DRAIN_POLL_SECONDS = 0.02

Draft = tuple[str | bytes, str]  # a text, or a file with its name

log = logging.getLogger(__name__)


class Inbox(Generic[R, D]):
    """Answers the requests of one platform; for one event loop, with ``service`` used in threads."""

    def __init__(self, service: QuestionService, ledger: Ledger, transport: Transport[R, D]) -> None:
        self.service, self.ledger, self.transport = service, ledger, transport
        self.turns = FairQueue()
        self._conversations = Conversations(service, ledger, transport, self.turns)
        self._completing = ThreadPoolExecutor(COMPLETERS, "stet-complete")
        self._posting = asyncio.Semaphore(POSTERS)
        self._posting_in: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._under_way = 0
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self._deleted: set[tuple[str, str]] = set()
        self._unreleased: list[tuple[R, ClaimHandle]] = []

    async def autocomplete(self, argument: Argument, typed: str, limit: int, asked: Question) -> tuple[Suggestion, ...]:
        loop, complete = asyncio.get_running_loop(), self.service.autocomplete
        return await loop.run_in_executor(self._completing, complete, argument, typed, limit, asked)

    async def question(self, request: R) -> Question:
        """Return what is asked, with the question before and what was shown, or the message that "that" means."""
        asker, place = await self.transport.sender(request)
        threads, previous, shown = () if request.command else request.threads_before, None, ""
        if threads:
            lookup = self.ledger.read_own(Store.last_question, request.channel, threads[0], request.seconds_before)
            previous = await self.ledger.briefly(lookup)
            shown = await self.ledger.briefly(self.ledger.read_own(Store.last_shown, request.channel, *threads)) or ""
        if not (previous or request.command) and leans(split(request.text)):
            previous = await self.transport.message_above(request)
        return Question(request.text, previous or None, asker, place, shown)

    async def admitted(self, request: R) -> Question | None:
        question = await self.question(request)
        return None if self.service.refuses(question) else question

    async def judge(self, request: R, answer: str, *, right: bool, why: str | None = None) -> bool:
        number = read_number(answer)
        if number is None or await self.admitted(request) is None:
            return False
        await self.ledger.write(Store.record_opinion, Opinion(number, request.person, right, why))
        return True

    async def proof(self, request: R, load: Callable[[], Awaitable[Draft]], draw: Callable[[Reply], D]) -> bool:
        """Show the findings on what ``load`` brings, of which nothing is stored; return whether that is settled."""
        reply: Reply = Message(messages.REFUSED)
        try:
            if question := await self.admitted(request):
                draft, name = await load()
                proof = await self.turns.run(request.person, lambda: self.service.proof(draft, question, name))
                reply = proof if isinstance(proof, Message) else listing(proof)
        except ArticleError as error:
            reply = Message(f"{messages.UNREADABLE_DRAFT} {error}")
        except (AwayError, HopelessError) as error:
            reply = Message(f"{messages.UNREADABLE_DRAFT} {error}.")
        try:
            await self.transport.send(request, await asyncio.to_thread(draw, reply), "")
        except (AwayError, HopelessError) as error:
            log.warning("a proof could not be delivered: %s", error)
            return isinstance(error, HopelessError)
        return True

    async def show_cards(
        self, addresses: Iterable[str], domains: Sequence[str], request: R, most: int | None = None
    ) -> None:
        """Show cards under links to ``domains``, ``most`` at most, in the message that is the origin of ``request``.

        In one channel, an article gets no second card for a while.
        """
        for address in islice((address for address in addresses if is_within(address, domains)), most):
            try:
                question = await self.question(request)
                card = await self.turns.run(request.person, partial(self.service.link_card, address, question))
                if card:
                    (cited,) = card.sections[0].cited
                    attach = partial(self._attach_card, question, request, address, card)
                    await self.ledger.at_most_hourly(f"link:{request.channel}:{cited.article_id}", attach)
            except (AwayError, HopelessError) as error:
                log.warning("a link got no card: %s", error)

    async def _attach_card(self, question: Question, request: R, address: str, card: Listing) -> None:
        """Show a card and store where, so that it is withdrawn with its article; nobody asked for it."""
        posting = await self.transport.attach(request, address, card)
        if posting is None:
            return
        answer = new_record(replace(question, asker=None), LINK, stored_link(card))

        def note(store: Store) -> None:
            store.note_posting(self.transport.platform, replace(posting, answer=store.record_answer(answer)))

        await self.ledger.write(note)

    async def answer(self, request: R, handle: ClaimHandle) -> None:
        """Answer, and finish the claim; where the platform cannot be reached, leave it for a later attempt."""
        self._under_way += 1
        try:
            # a question and its edited versions are answered one after the other
            with stage("whole"):
                async with self.locked(*_place(request)) if request.origin else nullcontext():
                    await self._answer(request, handle)
        except HopelessError as error:
            log.warning("an answer in %s could not be delivered: %s", request.channel or "private", error)
            if request.origin and not (request.unasked or request.edited):
                with suppress(HopelessError, AwayError):
                    private = await self.transport.direct_channel(request)
                    await self.transport.post(private, messages.not_shown(request.words))
            await self.ledger.finish(handle)
        except AwayError as error:
            await self._release(request, handle, error, spent=False)
        except Exception as error:  # noqa: BLE001 - whatever it is, a few more attempts are made
            await self._release(request, handle, error, spent=True)
        finally:
            self._under_way -= 1

    async def _answer(self, request: R, handle: ClaimHandle) -> None:
        replaces = ""
        if request.edited:
            replaces = await self.ledger.briefly(self.ledger.read_own(Store.shown_for, *_place(request))) or ""
        if handle.lost:
            return
        result = await self._drawn_reply(request, silently=request.unasked and not replaces)
        if result is None or await self.ledger.is_lost(handle) or _place(request) in self._deleted:
            await self.ledger.finish(handle)
            return
        to, reply, number, drawing = result
        await self._remember(to, reply)
        async with self._place_to_post(to.channel):
            with stage("deliver"):
                sent = await self.transport.send(to, drawing, replaces)
            is_seen = to is request and request.origin and sent
            seen = ReplyMessage(request.channel, request.origin, sent) if is_seen else None
            posting = to.posting(sent, number) if sent and number is not None else None
            await self.ledger.finish(handle, seen, posting)
        await self._remember(to, reply, sent)

    async def _drawn_reply(self, request: R, *, silently: bool) -> tuple[R, Reply, int | None, D] | None:
        """Return the request as it is answered, reply, number and drawing; ``None`` where nothing is to be said."""
        status = None if silently else asyncio.ensure_future(self.transport.show_status(request))
        try:
            question = replace(await self.question(request), brief=True)
            if request.command == SHARE:
                return await self._shared(request, question)
            standing = None if request.remark else standing_command(request)
            if standing:
                reply: Reply = await self._conversations.standing_reply(*standing, request, question)
            else:
                reply = await self.turns.run(request.person, lambda: self._timed_reply(request, question))
            if request.command == NEWS_COMMAND and isinstance(reply, Message):  # the news was taken down meanwhile
                return None
            if silently:
                said = await self._conversations.follow_up(request, question, reply)
                if said is None:
                    return None
                request, reply = said
            number = await self._record(request, question, reply)
            return request, reply, number, await self._draw(request, reply, number)
        finally:
            if status:  # it must not come after the answer, which takes it away
                await status

    async def _shared(self, request: R, question: Question) -> tuple[R, Reply, int | None, D]:
        """Ask again what one person was shown: the same reply is for all to see, another for who shares it first."""
        number = read_number(request.text) or 0
        record = await self.ledger.briefly(self.ledger.read(Store.answer, number))
        text = messages.REFUSED if self.service.refuses(question) else messages.EXPIRED
        if text == messages.REFUSED or record is None or record.channel != request.channel:
            request, reply = await self.transport.direct(request), Message(text)
            return request, reply, None, await self._draw(request, reply, None)
        command, words = command_and_words(record)
        request = replace(request, command=command, text=words)
        question = replace(question, text=words, previous=record.previous, shown=record.shown)
        again = await self.turns.run(request.person, lambda: self._timed_reply(request, question))
        if shows(record, again):
            return request, again, number, await self._draw(request, again, None)
        request = await self.transport.direct(request)
        changed = await self._record(request, question, again)
        return request, again, changed, await self._draw(request, again, changed)

    async def hand_over(self, answer: str, post: Callable[[AnswerRecord], Awaitable[object]]) -> str:
        """Post the question behind an answer for people, unless that was done; return what the presser is told."""
        number = read_number(answer)
        record = None if number is None else await self.ledger.briefly(self.ledger.read(Store.answer, number))
        if record is None:
            return messages.EXPIRED
        try:
            if await self.ledger.once(f"call:{answer}", partial(post, record)):
                return messages.HANDED_OVER
        except (AwayError, HopelessError, ValueError) as error:
            log.warning("a question could not be handed to people: %s", error)
        return messages.NOT_HANDED_OVER

    def _timed_reply(self, request: R, question: Question) -> Reply:
        with stage("answer"):
            reply = self._reply(request, question)
        count(self.transport.platform, reply)
        return reply

    def _reply(self, request: R, question: Question) -> Reply:
        if request.remark:
            return Message(request.remark)
        try:
            if request.command == NEWS_COMMAND:
                return self.service.announce(json.loads(request.text), question)
            if request.command:
                reply = self.service.command(request.command, request.text, question)
                return Message(messages.EXPIRED) if reply == Message(messages.NO_SUCH_QUOTATION) else reply
            return self.service.answer(question)
        except Exception:
            log.exception("a question was not answered")
            return Message(messages.FAILED)

    async def _record(self, request: R, question: Question, reply: Reply) -> int | None:
        """Store an answer; return the number that feedback and the audit refer to, where there is one."""
        number = None
        if not isinstance(reply, Message):
            scope = (await asyncio.to_thread(self.service.library_for, question)).scope
            answer = new_record(question, request.words, reply, scope)
            answer = replace(
                answer, channel=request.channel, thread=request.thread or None, unasked=int(request.unasked)
            )
            number = await self.ledger.briefly(self.ledger.write(Store.record_answer, answer))
        fields = {"platform": self.transport.platform, "answer": number, "outcome": outcome(reply)}
        log.info("answered: %s, number %s", outcome(reply), number, extra=fields)
        return number

    async def _draw(self, request: R, reply: Reply, number: int | None) -> D:
        try:
            with stage("draw"):
                return await asyncio.to_thread(self.transport.render, request, reply, number)
        except Exception:
            log.exception("a reply was not drawn")
            return await asyncio.to_thread(self.transport.render, request, Message(messages.FAILED), None)

    async def _remember(self, request: R, reply: Reply, sent: str = "") -> None:
        """Store what was shown in a thread, and the question, where the next one may lean on it.

        Nobody leans on a question that found nothing, but it takes part in the thread. What is asked of something
        shown leaves the question before in its place, and so does what nobody asked the bot in a shared thread.
        """
        state = references.state_of(reply)
        if request.remark or (request.command and not state):
            return
        leads = not request.command and is_confident(reply) and len(request.text) <= QUESTION
        leads = leads and not references.is_reference(request.text) and not (request.unasked and request.thread)
        threads = request.threads(sent)
        platform, question = self.transport.platform, request.text if leads else ""

        def remember(store: Store) -> None:
            for thread in threads:
                store.remember_question(platform, request.channel, thread, question, state)

        if threads:
            await self.ledger.briefly(self.ledger.write(remember))

    async def _release(self, request: R, handle: ClaimHandle, error: Exception, *, spent: bool) -> None:
        """Leave a request for a later attempt; the first failure is a warning in the log."""
        DELAYED.labels(self.transport.platform).inc()
        level = logging.WARNING if handle.claim is None or handle.claim.attempts == 1 else logging.DEBUG
        debugging = log.isEnabledFor(logging.DEBUG)
        log.log(level, "an answer could not be delivered, and will be: %s", error or repr(error), exc_info=debugging)
        if not await self.ledger.release(handle, spent=spent):
            self._unreleased.append((request, handle))

    # -- what was left over, changed or deleted ----------------------------------------------------------------

    async def take_up(self) -> None:
        unreleased, self._unreleased = self._unreleased, []
        read = self.transport.request_type.from_json
        left = [(read(handle.claim.payload), handle) for handle in await self.ledger.take_up() if handle.claim]
        await asyncio.gather(*(self._resume(request, handle) for request, handle in (*unreleased, *left)))

    async def _resume(self, request: R | None, handle: ClaimHandle) -> None:
        try:
            is_waiting = request is not None and await self.transport.is_waiting(request)
        except AwayError:
            is_waiting = True
        if request is not None and is_waiting:
            await self.answer(request, handle)
        else:
            await self.ledger.finish(handle)

    async def withdraw(self, channel: str, origin: str) -> None:
        """Delete the answer to a deleted message; one that is under way is not sent."""
        place = (channel, origin)
        if place in self._locks:
            self._deleted.add(place)
        async with self.locked(*place):
            self._deleted.discard(place)
            answer = await self.ledger.briefly(self.ledger.read_own(Store.shown_for, channel, origin))
            if answer:
                try:
                    await self.transport.delete(channel, answer)
                except Exception as error:  # noqa: BLE001 - what cannot be deleted stays
                    log.warning("the answer to a deleted question could not be taken away: %r", error)
                await self.ledger.briefly(self.ledger.write_own(Store.forget_posting, channel, answer))

    @asynccontextmanager
    async def _place_to_post(self, channel: str) -> AsyncIterator[None]:
        """Let a few post at a time, so that a channel that is rate limited delays no other."""
        # the weak reference lives for as long as anybody posts, or waits to
        async with self._posting_in.setdefault(channel, asyncio.Semaphore(POSTERS_OF_A_CHANNEL)):
            await self._posting.acquire()
            with ExitStack() as place:
                place.callback(self._posting.release)
                timer = asyncio.get_running_loop().call_later(POSTING_SECONDS, place.close)
                try:
                    yield
                finally:
                    timer.cancel()

    # -- under way ---------------------------------------------------------------------------------------------

    async def drain(self, seconds: float) -> None:
        """Wait for what is under way, so many seconds at most; the rest is taken up on the next start."""
        try:
            async with asyncio.timeout(seconds):
                while self._under_way:  # noqa: ASYNC110 - the end of the program; nothing would set an event
                    await asyncio.sleep(DRAIN_POLL_SECONDS)
        except TimeoutError:
            log.warning("%d answers are left for the next start", self._under_way)
        await self.ledger.write(lambda _: None)  # writes that are queued before this one are done by then
        await self.ledger.catch_up()

    def close(self) -> None:
        self.turns.close()
        self._completing.shutdown(wait=False, cancel_futures=True)
        self.ledger.close()

    def locked(self, channel: str, origin: str) -> AbstractAsyncContextManager[None]:
        """Let nothing else change the answer to the message ``origin`` meanwhile."""
        # the weak reference lives for as long as anybody has the lock, or waits for it
        return self._locks.setdefault((channel, origin), asyncio.Lock())


def _place(request: ChatRequest) -> tuple[str, str]:
    return request.channel, request.origin
