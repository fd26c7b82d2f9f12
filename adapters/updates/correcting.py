"""A correction whose old version other articles repeat -> a notice in the alarm channel, once.

The notice quotes no article, so it need not change when one is removed. ``corrections`` shows the sentences.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Generic

from adapters.chat.inbox import Inbox
from adapters.chat.transport import D, R
from adapters.settings import Settings
from adapters.updates.alerts import Alerts
from bot import messages
from bot.commands.corrections import LOOKED, carried_on
from bot.model import Place, Question
from retrieval import Arrivals

EVERY_SECONDS = 30.0


class CorrectionAlerts(Generic[R, D]):
    """Looks at articles that arrive while the bot runs, and says which corrections other articles may need too."""

    def __init__(self, inbox: Inbox[R, D], settings: Settings) -> None:
        self._service, self._ledger, self._alerts = inbox.service, inbox.ledger, Alerts(inbox, settings)
        self._seen: int | None = None

    async def run(self) -> None:
        arrivals = self._service.holdings.archive.arrivals
        if arrivals is not None:
            await self._alerts.run(EVERY_SECONDS, partial(self.look, arrivals), "corrections could not be looked for")

    async def look(self, arrivals: Arrivals) -> None:
        """Post what the articles correct that arrived since the last look; the first look posts nothing."""
        fact = f"{self._alerts.platform} corrections told, {await asyncio.to_thread(arrivals.identity)}"
        if self._seen is None:
            known = await self._ledger.fact(fact)
            self._seen = await asyncio.to_thread(arrivals.last) if known is None else int(known)
            await self._ledger.save_fact(fact, str(self._seen))
        while arrived := await asyncio.to_thread(arrivals.after, self._seen):
            for key, number in await asyncio.to_thread(self._corrected, {each.article_id for each in arrived}):
                await self._alerts.post(f"correction {key}", messages.corrected_elsewhere(number))
            self._seen = arrived[-1].number
            await self._ledger.save_fact(fact, str(self._seen))

    def _corrected(self, article_ids: set[str]) -> list[tuple[str, int]]:
        """Return each corrected version with the number of sentences elsewhere that still have the old words."""
        place = Place(self._alerts.platform, None, self._alerts.channel)
        archive = self._service.holdings_for(Question("", place=place)).archive
        versions = [key for article_id, key in archive.superseded(LOOKED) if article_id in article_ids]
        found = [(key, sum(len(each.others) for each in carried_on(archive, key))) for key in versions]
        return [(key, number) for key, number in found if number]
