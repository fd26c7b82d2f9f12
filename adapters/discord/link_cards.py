"""A link to an article, posted on Discord -> a small card as a reply: what is to be known before anybody opens it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

import discord

from adapters.discord import events
from adapters.discord.requests import Request
from adapters.discord.transport import DiscordTransport, Sheet
from adapters.inbox import Inbox
from bot.link_card import is_within

MOST = 5  # links of one message
_ADDRESS = re.compile(r"https?://[^\s<>|]+", re.IGNORECASE)
_BEHIND = ".,;:!?\"'*_"  # what ends a sentence, or an emphasis, and no address


class LinkCards:
    """Puts cards under links to ``domains``; nobody is told where there is none."""

    def __init__(self, inbox: Inbox[Request, Sheet], transport: DiscordTransport, domains: Sequence[str]) -> None:
        self._inbox, self._transport, self._domains = inbox, transport, domains

    def addresses(self, message: discord.Message) -> tuple[str, ...]:
        """Return the links of a message that may get a card; none where Discord keeps back what it says."""
        found = dict.fromkeys(map(_address, _ADDRESS.findall(message.content)))
        return tuple(address for address in found if is_within(address, self._domains))[:MOST]

    async def show(self, message: discord.Message) -> None:
        """Show the cards of a message's links; each once in a channel for as long as it was just shown there."""
        who = events.from_message(message, "", None, "")
        for address in self.addresses(message):
            await self._inbox.show_card(address, who, partial(self._transport.attach, who))


def _address(written: str) -> str:
    """Return an address without what stands behind it; a bracket is its own where it opens in it."""
    bare = written.rstrip(_BEHIND)
    return _address(bare[:-1]) if bare.endswith(")") and bare.count(")") > bare.count("(") else bare
