"""Feeds that used to bring articles and bring none any more -> an alarm: figures, a line in the log, a message.

A silence is told once, however many processes notice it, and anew only after the feed brought something.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from adapters.operations.metrics import note_silences
from adapters.settings import Settings, discreet
from adapters.storage.ledger import Ledger
from adapters.storage.records import Claim
from adapters.transport import AwayError, D, HopelessError, L, Transport
from bot.service import QuestionService
from retrieval import ArchiveError, Subscriptions

EVERY = 30.0  # seconds between two looks
HOUR = 3600.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Silence:
    """For how many ``seconds`` a feed has brought nothing, since when (``news``), and whether that is too long."""

    feed: str
    seconds: float
    news: float
    alarming: bool

    @property
    def told(self) -> str:
        """The same in words."""
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
    """Tells the log and the figures of the silences of one process's archive."""

    def __init__(self, service: QuestionService, settings: Settings, now: Callable[[], float] = time.time) -> None:
        self._service, self._settings, self._now = service, settings, now
        self._told: set[tuple[str, float]] = set()

    async def go_on(self) -> None:
        """Look now and then, for ever; do nothing where the articles are in no archive that follows feeds."""
        feeds = self._service.holdings.archive.subscriptions
        while feeds is not None:
            try:
                await asyncio.to_thread(self.look, feeds)
            except ArchiveError as error:
                log.warning("the feeds' silence is not known now: %s", error)
            await asyncio.sleep(EVERY)

    def look(self, feeds: Subscriptions) -> None:
        """Tell of what is silent now; of one silence once in the log."""
        found = silences(feeds, self._settings, self._now())
        note_silences({each.feed: each.seconds for each in found}, {each.feed for each in found if each.alarming})
        alarming = {(each.feed, each.news): each for each in found if each.alarming}
        for key, silence in alarming.items():
            if key not in self._told:
                log.warning("%s", silence.told)
        self._told = set(alarming)


class SilenceAlerts(Generic[L, D]):
    """Tells a channel of one platform of each silence, once among all processes that share the store."""

    def __init__(
        self, service: QuestionService, settings: Settings, ledger: Ledger, transport: Transport[L, D]
    ) -> None:
        self._service, self._settings, self._ledger, self._transport = service, settings, ledger, transport
        self._channel = settings.alarm_channel if platform(settings.alarm_channel) == transport.platform else ""
        self._claims = f"{transport.platform} alarms"

    async def go_on(self) -> None:
        """Look now and then, for ever; do nothing where no channel of this platform is named, or nothing followed."""
        feeds = self._service.holdings.archive.subscriptions
        while self._channel and feeds is not None:
            try:
                await self.look(feeds)
            except Exception:
                log.exception("the feeds' silence could not be told")
            await asyncio.sleep(EVERY)

    async def look(self, feeds: Subscriptions, now: Callable[[], float] = time.time) -> None:
        """Tell of what is silent now and was not told of, and of what could not be told before."""
        for claim in await self._ledger.take_up_claims(self._claims) or ():
            await self._told(claim)
        for silence in await asyncio.to_thread(silences, feeds, self._settings, now()):
            if silence.alarming and (claimed := await self._claimed(silence)):
                await self._told(claimed)

    async def _claimed(self, silence: Silence) -> Claim | None:
        key = f"{silence.feed} {silence.news}"
        return await self._ledger.claim_event(self._claims, [key], silence.told)

    async def _told(self, claim: Claim) -> None:
        try:
            await self._transport.tell(self._channel, claim.payload)
        except AwayError:
            await self._ledger.release_claim(claim, spent=False)
            return
        except HopelessError as error:
            log.warning("STET_ALARM_CHANNEL cannot be posted in: %s", error)
        await self._ledger.finish_claim(claim)


def platform(channel: str) -> str:
    """Return the platform whose channels have such ids: Discord's are numbers."""
    return "discord" if channel.isdigit() else "slack"
