"""A link to an article, posted on Discord -> a small card as a reply: what is to be known before anybody opens it."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import partial

import discord

from adapters.discord import events
from adapters.discord.markdown import escape, one_line
from adapters.discord.requests import Request
from adapters.discord.transport import DiscordTransport, Sheet
from adapters.inbox import Inbox
from adapters.transport import AwayError, HopelessError
from bot.linked import Linked, is_within

MOST = 5  # links of one message
LABEL = 120  # characters of a title, and of outlet and day; a caveat is never cut
_ADDRESS = re.compile(r"https?://[^\s<>|]+", re.IGNORECASE)
_BEHIND = ".,;:!?\"'*_"  # what ends a sentence, or an emphasis, and no address

log = logging.getLogger(__name__)


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
        try:
            question = await self._transport.question(who)
            for address in self.addresses(message):
                found = await self._inbox.work(who.person, partial(self._inbox.desk.linked, address, question))
                if found:
                    key = f"link:{who.channel}:{found.citation.article_id}"
                    show = partial(self._transport.attach, who, drawn(found))
                    await self._inbox.ledger.not_again(key, show)
        except (AwayError, HopelessError) as error:
            log.warning("a link got no card: %s", error)


def _address(written: str) -> str:
    """Return an address without what stands behind it; a bracket is its own where it opens in it."""
    bare = written.rstrip(_BEHIND)
    return _address(bare[:-1]) if bare.endswith(")") and bare.count(")") > bare.count("(") else bare


def drawn(card: Linked) -> discord.Embed:
    """Return a card as an embed; its words are shown as they stand."""
    facts, *rest = card.lines
    lines = map(escape, (one_line(facts, LABEL), *rest))
    return discord.Embed(title=escape(one_line(card.title, LABEL)), description="\n".join(lines), url=card.citation.url)
