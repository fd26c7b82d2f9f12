"""The bot's own messages in the channel that ``STET_ALARM_CHANNEL`` names: each posted once."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Generic

from adapters.chat.inbox import Inbox
from adapters.chat.loops import every
from adapters.chat.transport import AwayError, D, HopelessError, R
from adapters.settings import Settings
from adapters.storage.records import Claim

log = logging.getLogger(__name__)


class Alerts(Generic[R, D]):
    """Posts in the alarm channel if it is on this platform, once among all processes that share the store."""

    def __init__(self, inbox: Inbox[R, D], settings: Settings) -> None:
        self._ledger, self._transport = inbox.ledger, inbox.transport
        self.platform = inbox.transport.platform
        self.channel = settings.alarm_channel if platform(settings.alarm_channel) == self.platform else ""
        self._claims = f"{self.platform} alarms"

    async def run(self, seconds: float, look: Callable[[], Awaitable[None]], failure: str) -> None:
        """Call ``look`` every ``seconds``, after posting what could not be posted before.

        Returns at once where this platform has no alarm channel.
        """

        async def post_and_look() -> None:
            for claim in await self._ledger.take_up_claims(self._claims) or ():
                await self._post(claim)
            await look()

        if self.channel:
            await every(seconds, post_and_look, failure)

    async def post(self, key: str, text: str) -> None:
        """Post a text, unless one with this key was posted or is being posted."""
        if claim := await self._ledger.claim_event(self._claims, [key], text):
            await self._post(claim)

    async def _post(self, claim: Claim) -> None:
        try:
            await self._transport.post(self.channel, claim.payload)
        except AwayError:
            await self._ledger.release_claim(claim, spent=False)
            return
        except HopelessError as error:
            log.warning("STET_ALARM_CHANNEL cannot be posted in: %s", error)
        await self._ledger.finish_claim(claim)


def platform(channel: str) -> str:
    """Return the platform that a channel id belongs to: Discord's ids are numbers."""
    return "discord" if channel.isdigit() else "slack"
