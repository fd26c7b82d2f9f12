"""Feeds that brought articles and have stopped -> an alarm: metrics, a line in the log, a message.

The message is posted once, however many processes notice, and again only after the feed brought something.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic

from adapters.chat.inbox import Inbox
from adapters.chat.loops import every
from adapters.chat.transport import D, R
from adapters.operations.metrics import note_silences
from adapters.settings import Settings, discreet
from adapters.updates.alerts import Alerts
from bot.service import QuestionService
from retrieval import Subscriptions

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
        hours = int(self.seconds // HOUR)
        return f"No article has come from {self.feed} for {hours} hours, and some used to. `stet check` says more."


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
        feeds = self._service.holdings.archive.subscriptions
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


class SilenceAlerts(Generic[R, D]):
    """Posts each silence in the alarm channel."""

    def __init__(self, inbox: Inbox[R, D], settings: Settings) -> None:
        self._service, self._settings, self._alerts = inbox.service, settings, Alerts(inbox, settings)

    async def run(self) -> None:
        feeds = self._service.holdings.archive.subscriptions
        if feeds is not None:
            await self._alerts.run(EVERY_SECONDS, partial(self.look, feeds), "the feeds' silence could not be posted")

    async def look(self, feeds: Subscriptions, now: Callable[[], float] = time.time) -> None:
        """Post each silence that was not posted yet."""
        for silence in await asyncio.to_thread(silences, feeds, self._settings, now()):
            if silence.alarming:
                await self._alerts.post(f"{silence.feed} {silence.news}", silence.sentence)
