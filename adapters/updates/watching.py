"""Standing questions -> a message in their channels when an article arrives that has news on them: each once.

The archive lists what arrived, in this process or another; the store has the subscriptions, and the news found so far.
A message is claimed, stored and retried as the answer to a question is.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from functools import partial
from itertools import groupby
from typing import Generic

from adapters.chat.inbox import Inbox
from adapters.chat.loops import Tasks, every
from adapters.chat.request import D, R
from adapters.settings import Settings
from adapters.storage.records import News, Watch
from adapters.storage.store import Store
from adapters.updates.alerts import Alerts
from adapters.updates.revising import EditRate, Reviser
from bot import sentence_links
from bot.model import Extract, Place, Question
from bot.standing_questions import due
from retrieval import Arrivals

EVERY_SECONDS = 5.0
HOURLY_LIMIT = 6  # messages in one channel
LISTED = 10  # pieces of news in one list; any more wait


class Watcher(Generic[R, D]):
    """Posts news in one platform's channels, at most ``HOURLY_LIMIT`` times in each; for one event loop."""

    def __init__(self, inbox: Inbox[R, D]) -> None:
        self._inbox, self._service, self._ledger = inbox, inbox.service, inbox.ledger
        self._transport = inbox.transport
        self._seen: int | None = None

    async def run(self) -> None:
        """Look every ``EVERY_SECONDS``; return at once where no articles can arrive."""
        arrivals = self._service.library.archive.arrivals
        if arrivals is not None:
            await every(EVERY_SECONDS, partial(self.sweep, arrivals), "standing questions cannot be asked")

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


def start_updates(tasks: Tasks, inbox: Inbox[R, D], settings: Settings, edit_rate: EditRate, unfinished: float) -> None:
    """Start what posts or edits unasked, and what takes up unfinished questions every ``unfinished`` seconds."""
    tasks.start(every(unfinished, inbox.take_up, "unfinished questions could not be taken up"))
    tasks.start(Reviser(inbox, edit_rate).run())
    tasks.start(Alerts(inbox, settings).run())
    tasks.start(Watcher(inbox).run())
