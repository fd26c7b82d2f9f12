"""Standing questions -> told in their channels when an article comes in that has news on them: each once.

The archive tells what arrived, to this process or another; the store knows what is watched for, and what was found.
What is told is a letter that nobody wrote: it is claimed, answered, kept and taken up again as questions are.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Sequence
from itertools import groupby
from typing import Generic

from adapters.inbox import Inbox
from adapters.storage.records import News, Watch
from adapters.transport import D, L, Transport
from bot import state
from bot.model import Extract, Place, Question
from bot.standing_questions import due
from retrieval import ArchiveError, Arrivals

EVERY = 5.0  # seconds between two looks at the archive
LISTED = 10  # pieces of news in one list; what is more waits

log = logging.getLogger(__name__)


class Watcher(Generic[L, D]):
    """Tells one platform's channels of news, at most ``hourly`` times an hour each; for one event loop."""

    def __init__(self, inbox: Inbox[L, D], transport: Transport[L, D], hourly: int) -> None:
        self._inbox, self._service, self._ledger = inbox, inbox.service, inbox.ledger
        self._transport, self._hourly = transport, max(hourly, 1)
        self._seen: int | None = None

    async def go_on(self) -> None:
        """Look now and then, for ever; do nothing where the articles are in no archive that others come into."""
        arrivals = self._service.holdings.archive.arrivals
        while arrivals is not None:
            try:
                await self.sweep(arrivals)
            except ArchiveError as error:
                log.warning("standing questions cannot be asked now: %s", error)
            except Exception:
                log.exception("standing questions could not be asked")
            await asyncio.sleep(EVERY)

    async def sweep(self, arrivals: Arrivals) -> None:
        """Note what is new in what arrived since the last time, and tell what was not told."""
        platform = self._transport.platform
        fact = f"{platform} watched, {await asyncio.to_thread(arrivals.identity)}"
        if self._seen is None:
            self._seen = int(await self._ledger.fact(fact) or 0)
        while arrived := await asyncio.to_thread(arrivals.after, self._seen):
            # what is watched for by now: whoever asked for it since, asked for what comes after
            every = await self._ledger.watches()
            if every is None:
                return
            for watch in every:
                fresh = {each.article_id for each in arrived if each.number > watch.since}
                for article, extracts in (await asyncio.to_thread(self._due, watch, fresh)).items():
                    await self._noted(watch, article, extracts)
            self._seen = arrived[-1].number
            await self._ledger.save_fact(fact, str(self._seen))
        await self._tell()

    def _due(self, watch: Watch, article_ids: set[str]) -> dict[str, tuple[Extract, ...]]:
        place = Place(watch.platform, watch.workspace, watch.channel)
        seen = self._service.holdings_for(Question(watch.words, place=place))
        return dict(due(seen, watch.words, article_ids)) if article_ids else {}

    async def _noted(self, watch: Watch, article: str, extracts: Sequence[Extract]) -> None:
        mark = hashlib.sha256(extracts[0].text.encode("utf-8", "surrogatepass")).hexdigest()
        places = state.encode(state.address(extract.citation, extract.index) for extract in extracts)
        await self._ledger.add_news(watch.id, mark, article, places)

    async def _tell(self) -> None:
        """Tell what was not told, of each channel as much as the hour allows: what is more, in one list."""
        remaining = await self._ledger.pending_news() or ()
        by_channel = sorted(remaining, key=lambda news: news.watch.target)
        for channel, found in groupby(by_channel, key=lambda news: news.watch.target):
            news = tuple(found)
            lately = await self._ledger.recent_news_count(channel)
            room = self._hourly - lately if lately is not None else 0
            alone = len(news) if len(news) <= room else max(room - 1, 0)
            for batch in (*((each,) for each in news[:alone]), news[alone : alone + LISTED] if room > 0 else ()):
                if batch:
                    await self._told(batch)

    async def _told(self, batch: tuple[News, ...]) -> None:
        """Have one message written, unless another process has that in hand; whoever has, it is told."""
        platform, keys = self._transport.platform, {each: f"news:{each.watch.id}:{each.mark}" for each in batch}
        free = await self._ledger.read(
            lambda store: tuple(each for each in batch if not store.is_claimed(platform, keys[each]))
        )
        if free is None:  # the store does not say: it is asked again
            return
        if free:
            watch = free[0].watch
            words = json.dumps([[each.watch.words, each.places] for each in free])
            letter = self._transport.news(watch, words, keys[free[0]])
            receipt = await self._inbox.claim(letter, [keys[each] for each in free])
            await self._ledger.mark_news_delivered(free)
            if receipt is not None:
                await self._inbox.answer(letter, receipt)
        if taken := tuple(each for each in batch if each not in free):
            await self._ledger.mark_news_delivered(taken)
