"""The bot's own messages in the channel that ``STET_ALARM_CHANNEL`` names: silent feeds, corrections; each once.

A feed that brought articles and has stopped is also a line in the log and a metric. Its message is posted again only
after the feed brought something. A notice of a correction whose old version other articles repeat quotes no article,
so it need not change when one is removed. ``corrections`` shows the sentences.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic

from adapters.chat.inbox import Inbox
from adapters.chat.loops import every
from adapters.chat.request import AwayError, D, HopelessError, R
from adapters.metrics import note_silences
from adapters.settings import Settings, discreet, own_ids
from adapters.storage.records import Claim
from adapters.storage.store import Store
from bot import messages
from bot.commands.corrections import LOOKED, carried_on
from bot.model import Place, Question
from bot.service import QuestionService
from retrieval import Arrivals, Subscriptions

EVERY_SECONDS = 30.0
HOUR = 3600.0  # seconds

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Silence:
    """For how many ``seconds`` a feed has brought nothing, since when (``news``), and whether that is too long."""

    feed: str
    seconds: float
    news: float
    alarming: bool

    @property
    def sentence(self) -> str:
        return messages.feed_silent(self.feed, int(self.seconds // HOUR))


def silences(feeds: Subscriptions, settings: Settings, now: float) -> tuple[Silence, ...]:
    """Return the silence of each feed that ever brought an article; none is too long where no limit is set."""
    limit = settings.silence_hours * HOUR
    return tuple(
        Silence(discreet(feed.url), now - feed.news, feed.news, bool(limit) and now - feed.news > limit)
        for feed in feeds.every()
        if feed.news is not None
    )


class SilenceWatch:
    """Writes the silences of one process's archive into the log and the metrics."""

    def __init__(self, service: QuestionService, settings: Settings, now: Callable[[], float] = time.time) -> None:
        self._service, self._settings, self._now = service, settings, now
        self._logged: set[tuple[str, float]] = set()

    async def run(self) -> None:
        """Look every ``EVERY_SECONDS``; return at once where the archive follows no feeds."""
        feeds = self._service.library.archive.subscriptions
        if feeds is not None:
            look = partial(asyncio.to_thread, self.look, feeds)
            await every(EVERY_SECONDS, look, "the feeds' silence is not known")

    def look(self, feeds: Subscriptions) -> None:
        """Note what is silent now; one silence is logged once."""
        found = silences(feeds, self._settings, self._now())
        note_silences({each.feed: each.seconds for each in found}, {each.feed for each in found if each.alarming})
        alarming = {(each.feed, each.news): each for each in found if each.alarming}
        for key, silence in alarming.items():
            if key not in self._logged:
                log.warning("%s", silence.sentence)
        self._logged = set(alarming)


class Alerts(Generic[R, D]):
    """Posts in the alarm channel if it is on this platform, once among all processes that share the store."""

    def __init__(self, inbox: Inbox[R, D], settings: Settings) -> None:
        self._service, self._ledger, self._transport = inbox.service, inbox.ledger, inbox.transport
        self._settings, self._platform = settings, inbox.transport.platform
        self._seen: int | None = None
        self._channel = "".join(own_ids(self._platform, (settings.alarm_channel,)))
        self._claims = f"{self._platform} alarms"

    async def run(self) -> None:
        """Post what could not be posted before, and what is new; return at once without an alarm channel here."""
        archive = self._service.library.archive
        looks: list[Awaitable[None]] = []
        if self._channel and archive.subscriptions is not None:
            look = partial(self.look_for_silences, archive.subscriptions)
            looks.append(every(EVERY_SECONDS, look, "the feeds' silence could not be posted"))
        if self._channel and archive.arrivals is not None:
            look = partial(self.look_for_corrections, archive.arrivals)
            looks.append(every(EVERY_SECONDS, look, "corrections could not be looked for"))
        await asyncio.gather(*looks)

    async def look_for_silences(self, feeds: Subscriptions) -> None:
        await self._post_left_over()
        for silence in await asyncio.to_thread(silences, feeds, self._settings, time.time()):
            if silence.alarming:
                await self._post_once(f"{silence.feed} {silence.news}", silence.sentence)

    async def look_for_corrections(self, arrivals: Arrivals) -> None:
        """Post what the articles correct that arrived since the last look; the first look posts nothing."""
        await self._post_left_over()
        fact = f"{self._platform} corrections told, {await asyncio.to_thread(arrivals.identity)}"
        if self._seen is None:
            known = await self._ledger.read(Store.fact, fact)
            self._seen = await asyncio.to_thread(arrivals.last) if known is None else int(known)
            await self._ledger.write(Store.save_fact, fact, str(self._seen))
        while arrived := await asyncio.to_thread(arrivals.after, self._seen):
            for key, number in await asyncio.to_thread(self._corrected, {arrival.article_id for arrival in arrived}):
                await self._post_once(f"correction {key}", messages.corrected_elsewhere(number))
            self._seen = arrived[-1].number
            await self._ledger.write(Store.save_fact, fact, str(self._seen))

    def _corrected(self, article_ids: set[str]) -> list[tuple[str, int]]:
        """Return each corrected version with the number of sentences elsewhere that still have the old words."""
        place = Place(self._platform, None, self._channel)
        archive = self._service.library_for(Question("", place=place)).archive
        versions = [key for article_id, key in archive.superseded(LOOKED) if article_id in article_ids]
        counts = [(key, sum(len(others) for _, _, others in carried_on(archive, key))) for key in versions]
        return [(key, number) for key, number in counts if number]

    async def _post_left_over(self) -> None:
        for claim in await self._ledger.write(Store.take_up, self._claims) or ():
            await self._post(claim)

    async def _post_once(self, key: str, text: str) -> None:
        """Post a text, unless one with this key was posted or is being posted."""
        in_chat = messages.in_words(text, messages.IN_CHAT)
        if claim := await self._ledger.write(Store.claim, self._claims, [key], in_chat):
            await self._post(claim)

    async def _post(self, claim: Claim) -> None:
        try:
            await self._transport.post(self._channel, claim.payload)
        except AwayError:
            await self._ledger.write(Store.release, claim, spent=False)
            return
        except HopelessError as error:
            log.warning("STET_ALARM_CHANNEL cannot be posted in: %s", error)
        await self._ledger.write(Store.finish, claim)
