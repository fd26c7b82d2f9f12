"""What is posted without being asked: news on standing questions, silent feeds, corrections; each once.

The archive lists what arrived, in this process or another; the store has the subscriptions, and the news found so far.
A message with news is claimed, stored and retried as the answer to a question is. Alarms go to the channel that
``STET_ALARM_CHANNEL`` names. A feed that brought articles and has stopped is also a line in the log and a metric. Its
message is posted again only after the feed brought something. A notice of a correction whose old version other articles
repeat quotes no article, so it need not change when one is removed. ``corrections`` shows the sentences.
"""

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Generic

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, every
from adapters.chat.request import AwayError, D, HopelessError, R
from adapters.metrics import note_silences
from adapters.settings import Settings, discreet, own_ids
from adapters.storage.store import Claim, News, Store, Watch
from adapters.updates.revising import EditRate, Reviser
from bot import messages, sentence_links
from bot.commands.corrections import LOOKED, carried_on
from bot.model import Extract, Place, Question
from bot.service import QuestionService
from bot.standing_questions import due
from retrieval import Arrivals, Subscriptions

NEWS_EVERY_SECONDS, ALARMS_EVERY_SECONDS = 5.0, 30.0  # between two looks
HOURLY_LIMIT = 6  # messages with news in one channel
LISTED = 10  # pieces of news in one list; any more wait
HOUR = 3600.0  # seconds

log = logging.getLogger(__name__)


class Watcher(Generic[R, D]):
    """Posts news in one platform's channels, at most ``HOURLY_LIMIT`` times in each; for one event loop."""

    def __init__(self, inbox: Inbox[R, D]) -> None:
        self._inbox, self._service, self._ledger = inbox, inbox.service, inbox.ledger
        self._transport = inbox.transport
        self._seen: int | None = None

    async def run(self) -> None:
        """Look every ``NEWS_EVERY_SECONDS``; return at once where no articles can arrive."""
        arrivals = self._service.library.archive.arrivals
        if arrivals is not None:
            await every(NEWS_EVERY_SECONDS, partial(self.sweep, arrivals), "standing questions cannot be asked")

    async def sweep(self, arrivals: Arrivals) -> None:
        """Store the news in the articles that arrived since the last look, and post what was not posted."""
        platform = self._transport.platform
        fact = f"{platform} watched, {await asyncio.to_thread(arrivals.identity)}"
        if self._seen is None:
            self._seen = int(await self._ledger.read(Store.fact, fact) or 0)
        while arrived := await asyncio.to_thread(arrivals.after, self._seen):
            # read each time: a subscription may have been added meanwhile
            watches = await self._ledger.read_own(Store.watches)
            if watches is None:
                return
            for watch in watches:
                fresh = {each.article_id for each in arrived if each.number > watch.since}
                for article, extracts in (await asyncio.to_thread(self._due, watch, fresh)).items():
                    mark = hashlib.sha256(extracts[0].text.encode("utf-8", "surrogatepass")).hexdigest()
                    places = sentence_links.encode(map(sentence_links.address, extracts))
                    await self._ledger.write(Store.add_news, watch.id, mark, article, places)
            self._seen = arrived[-1].number
            await self._ledger.write(Store.save_fact, fact, str(self._seen))
        await self._post_all()

    def _due(self, watch: Watch, article_ids: set[str]) -> dict[str, tuple[Extract, ...]]:
        place = Place(watch.platform, watch.workspace, watch.channel)
        seen = self._service.library_for(Question(watch.words, place=place))
        return dict(due(seen, watch.words, article_ids)) if article_ids else {}

    async def _post_all(self) -> None:
        """Post what was not posted: single messages up to the hourly limit of a channel, the rest in one list."""
        pending = await self._ledger.read_own(Store.pending_news) or ()
        by_channel = sorted(pending, key=lambda news: news.watch.target)
        for channel, group in groupby(by_channel, key=lambda news: news.watch.target):
            news = tuple(group)
            lately = await self._ledger.read_own(Store.recent_news_count, channel)
            room = HOURLY_LIMIT - lately if lately is not None else 0
            single = len(news) if len(news) <= room else max(room - 1, 0)
            for batch in (*((each,) for each in news[:single]), news[single : single + LISTED] if room > 0 else ()):
                if batch:
                    await self._post(batch)

    async def _post(self, batch: tuple[News, ...]) -> None:
        """Post one message unless another process is posting it; either way, mark it as posted."""
        platform, keys = self._transport.platform, {each: f"news:{each.watch.id}:{each.mark}" for each in batch}
        free = await self._ledger.read(
            lambda store: tuple(each for each in batch if not store.is_claimed(platform, keys[each]))
        )
        if free is None:  # the store cannot be asked now
            return
        if free:
            watch = free[0].watch
            words = json.dumps([[each.watch.words, each.places] for each in free])
            request = self._transport.request_type.news(watch, words, keys[free[0]])
            handle = await self._ledger.claim([keys[each] for each in free], request.to_json())
            await self._ledger.write(Store.mark_news_delivered, free)
            if handle is not None:
                await self._inbox.answer(request, handle)
        if taken := tuple(each for each in batch if each not in free):
            await self._ledger.write(Store.mark_news_delivered, taken)


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
        """Look every ``ALARMS_EVERY_SECONDS``; return at once where the archive follows no feeds."""
        feeds = self._service.library.archive.subscriptions
        if feeds is not None:
            look = partial(asyncio.to_thread, self.look, feeds)
            await every(ALARMS_EVERY_SECONDS, look, "the feeds' silence is not known")

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
            looks.append(every(ALARMS_EVERY_SECONDS, look, "the feeds' silence could not be posted"))
        if self._channel and archive.arrivals is not None:
            look = partial(self.look_for_corrections, archive.arrivals)
            looks.append(every(ALARMS_EVERY_SECONDS, look, "corrections could not be looked for"))
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
        counts = [(key, sum(len(section.extracts) - 1 for section in carried_on(archive, key))) for key in versions]
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


def start_updates(tasks: Tasks, inbox: Inbox[R, D], settings: Settings, edit_rate: EditRate, unfinished: float) -> None:
    """Start what posts or edits unasked, and what takes up unfinished questions every ``unfinished`` seconds."""
    tasks.start(every(unfinished, inbox.take_up, "unfinished questions could not be taken up"))
    tasks.start(Reviser(inbox, edit_rate).run())
    tasks.start(Alerts(inbox, settings).run())
    tasks.start(Watcher(inbox).run())
