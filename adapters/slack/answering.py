"""From a claimed question to the answer in its place: each once, none lost, and never on the loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from adapters import machine
from adapters.slack.asked import SHARED, Answered, Asked
from adapters.slack.blocks import Buttons, draw
from adapters.slack.rich_text import Drawing
from adapters.slack.web import HopelessError, Web
from adapters.store import Claim, Given, Store
from bot.desk import Desk
from bot.model import Asker, Message, Place, Question, Reply
from retrieval.limits import QUESTION

PLATFORM = "slack"
GONE = "That answer is no longer kept. Please ask the question again."
# In a direct message without threads, the question before leads on to this one for so long.
LOOSELY = 900.0
READERS = 2
# What is posted and not yet noted when the process is killed is posted again: let that be few.
POSTERS = 4

T = TypeVar("T")
log = logging.getLogger(__name__)


class Answering:
    """Answers what was claimed; ``desk`` and ``store`` are used in threads, ``web`` on the loop."""

    def __init__(self, desk: Desk, store: Store, web: Web) -> None:
        self.desk = desk
        self.web = web
        self.store = store
        self._reading = ThreadPoolExecutor(READERS, "stet-read")
        # apart, so that no claim waits behind a search
        self._keeping = ThreadPoolExecutor(1, "stet-keep")
        self._noting = ThreadPoolExecutor(1, "stet-note")
        self._posting = asyncio.Semaphore(POSTERS)
        self._under_way: set[object] = set()

    async def keep(self, act: Callable[[], T]) -> T:
        """Use the store."""
        return await asyncio.get_running_loop().run_in_executor(self._keeping, act)

    async def note(self, act: Callable[[], T]) -> T:
        """Use the store for what is done, ahead of all that is to be done."""
        return await asyncio.get_running_loop().run_in_executor(self._noting, act)

    async def read(self, act: Callable[[], T]) -> T:
        """Use the desk, or draw."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, act)

    async def claim(self, asked: Asked, keys: tuple[str, ...]) -> Claim | None:
        """Claim a question; ``None`` where it is answered already, or is not for us."""
        if asked.loose and await self._before(asked) is None:
            return None
        return await self.keep(lambda: self.store.claim(PLATFORM, keys, asked.as_json()))

    async def answer(self, asked: Asked, claim: Claim) -> None:
        """Answer, and finish the claim; where Slack cannot be reached, give it back for a later attempt."""
        with self._counted():
            try:
                drawing = await self._worked_out(asked)
                async with self._posting:
                    await self._post(asked, drawing)
                    await self.note(lambda: self.store.finish(claim))
            except Exception:
                log.exception("an answer could not be delivered; it will be tried again")
                await self.keep(lambda: self.store.release(claim))

    async def take_up(self) -> None:
        """Answer what was left unfinished: by a process that was killed, or while Slack could not be reached."""
        claims = await self.keep(lambda: self.store.take_up(PLATFORM))
        await asyncio.gather(*(self.answer(Asked.from_json(claim.payload), claim) for claim in claims))

    async def take_up_now_and_then(self, every: float) -> None:
        """Do so again and again, with so many seconds between."""
        while True:
            try:
                await self.take_up()
            except Exception:
                log.exception("unfinished questions could not be taken up")
            await asyncio.sleep(every)

    async def finish(self, patience: float) -> None:
        """Wait for what is under way, but not for ever; it is taken up on the next start."""
        try:
            async with asyncio.timeout(patience):
                while self._under_way:  # noqa: ASYNC110  (the end of the program, and nothing to be told by)
                    await asyncio.sleep(0.02)
        except TimeoutError:
            log.warning("%d answers are left for the next start", len(self._under_way))
        self._reading.shutdown(wait=False, cancel_futures=True)
        self._keeping.shutdown(wait=True)
        self._noting.shutdown(wait=True)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        token = object()
        self._under_way.add(token)
        try:
            yield
        finally:
            self._under_way.discard(token)

    async def _worked_out(self, asked: Asked) -> Drawing:
        status = asyncio.ensure_future(self._status(asked))
        try:
            return await self._drawn(asked)
        finally:
            # it must not come after the answer, which takes it away
            await status

    async def _post(self, asked: Asked, drawing: Drawing) -> None:
        try:
            await self.web.send(asked, drawing)
        except HopelessError as error:
            log.error("an answer for %s could not be delivered: %s", asked.channel, error)  # noqa: TRY400

    async def _status(self, asked: Asked) -> None:
        if asked.answered is Answered.THREAD and asked.thread:
            await self.web.show_status(asked)

    async def _drawn(self, asked: Asked) -> Drawing:
        if asked.command == SHARED:
            given = await self.keep(lambda: self._given(asked))
            if given is None:
                return draw(Message(GONE))
            asked = given
        question = await self.question(asked)
        reply = await self.read(lambda: self._reply(asked, question))
        buttons = await self.keep(lambda: self._record(asked, reply))
        return await self.read(lambda: draw(reply, buttons))

    async def question(self, asked: Asked) -> Question:
        """Return what is asked as the desk takes it, with all that permission is decided on."""
        asker = Asker(asked.person, outsider=await self.web.is_outsider(asked))
        place = Place(PLATFORM, asked.workspace, asked.channel)
        return Question(asked.text, await self._before(asked), asker, place)

    def _reply(self, asked: Asked, question: Question) -> Reply:
        if asked.command:
            return self.desk.command(asked.command, asked.text, question)
        return self.desk.answer(question)

    async def _before(self, asked: Asked) -> str | None:
        """Return the question before in the same thread; in a direct message, the one just before."""
        if asked.command or not (asked.within or asked.direct):
            return None
        thread, age = (asked.thread, None) if asked.within else ("", LOOSELY)
        return await self.keep(lambda: self.store.last_question(PLATFORM, asked.channel, thread, age))

    def _record(self, asked: Asked, reply: Reply) -> Buttons:
        """Keep an answer and its question; return what is clicked beside it."""
        leads_on = not asked.command and len(asked.text) <= QUESTION
        if asked.answered is Answered.THREAD and leads_on:
            for thread in (asked.thread, "") if asked.direct else (asked.thread,):
                self.store.remember_question(PLATFORM, asked.channel, thread, asked.text)
        if isinstance(reply, Message):
            return Buttons()
        told = machine.reply(reply)
        number = self.store.record_answer(
            Given(
                platform=PLATFORM,
                asker=asked.person,
                question=f"/{asked.command} {asked.text}" if asked.command else asked.text,
                reply=machine.line(told),
                digests=tuple(dict.fromkeys(_digests(told))),
                workspace=asked.workspace,
                channel=asked.channel,
                thread=asked.thread or None,
            )
        )
        return Buttons(number, shareable=asked.answered is Answered.RESPONSE)

    def _given(self, asked: Asked) -> Asked | None:
        """Return what was asked when the answer was given that is now shared."""
        given = self.store.answer(int(asked.text)) if asked.text.isdecimal() else None
        if given is None or given.channel != asked.channel:
            return None
        command, _, text = given.question.removeprefix("/").partition(" ")
        if not given.question.startswith("/"):
            command, text = "", given.question
        return Asked(text, asked.person, asked.channel, asked.workspace, command, answered=Answered.CHANNEL)


def _digests(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("digest"), str):
            yield value["digest"]
        for part in value.values():
            yield from _digests(part)
    elif isinstance(value, list):
        for part in value:
            yield from _digests(part)
