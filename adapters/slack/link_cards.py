"""A link to an article, posted in Slack -> a small card under it: what is to be known before anybody opens it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from adapters.inbox import Inbox
from adapters.slack.requests import Request
from adapters.slack.rich_text import Drawing
from adapters.slack.transport import card_id, draw_card
from adapters.slack.web import Web
from adapters.storage.records import CARD, Posting
from bot.link_card import LinkCard, is_within

POSTED = "conversations_history"  # what is still being written is no message to put a card under


class LinkCards:
    """Puts cards under links to ``domains``; nobody is told where there is none."""

    def __init__(self, inbox: Inbox[Request, Drawing], web: Web, domains: Sequence[str]) -> None:
        self._inbox, self._web, self._domains = inbox, web, domains

    async def show(self, event: Mapping[str, Any], who: Request) -> None:
        """Show the cards of a message's links; each once in a channel for as long as it was just shown there."""
        addresses = [link["url"] for link in event.get("links") or () if is_within(link["url"], self._domains)]
        if not addresses or event.get("source", POSTED) != POSTED or who.person == self._web.home.user:
            return
        for address in addresses:
            show = partial(self._show, event["channel"], event["message_ts"], address)
            await self._inbox.show_card(address, who, show)

    async def _show(self, channel: str, message: str, address: str, card: LinkCard) -> Posting:
        await self._web.unfurl(channel, message, address, draw_card(card.listing).blocks)
        return Posting(channel, card_id(message, address), 0, message, CARD)
