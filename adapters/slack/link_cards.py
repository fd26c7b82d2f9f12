"""A link to an article, posted in Slack -> a small card under it: what is to be known before anybody opens it."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from adapters.inbox import Inbox
from adapters.slack.requests import Request
from adapters.slack.rich_text import LEAST, Block, Drawing, shorten
from adapters.slack.transport import SlackTransport
from adapters.slack.web import Web
from adapters.transport import AwayError, HopelessError
from bot.linked import Linked, is_within
from bot.visible import visible_line

POSTED = "conversations_history"  # what is still being written is no message to put a card under

log = logging.getLogger(__name__)


class LinkCards:
    """Puts cards under links to ``domains``; nobody is told where there is none."""

    def __init__(
        self, inbox: Inbox[Request, Drawing], transport: SlackTransport, web: Web, domains: Sequence[str]
    ) -> None:
        self._inbox, self._transport, self._web, self._domains = inbox, transport, web, domains

    async def show(self, event: Mapping[str, Any], who: Request) -> None:
        """Show the cards of a message's links; each once in a channel for as long as it was just shown there."""
        addresses = [link["url"] for link in event.get("links") or () if is_within(link["url"], self._domains)]
        if not addresses or event.get("source", POSTED) != POSTED or who.person == self._web.home.user:
            return
        try:
            question = await self._transport.question(who)
            for address in addresses:
                found = await self._inbox.work(who.person, partial(self._inbox.desk.linked, address, question))
                if found:
                    key = f"link:{who.channel}:{found.citation.article_id}"
                    await self._inbox.ledger.not_again(key, partial(self._unfurl, event, address, found))
        except (AwayError, HopelessError) as error:
            log.warning("a link got no card: %s", error)

    async def _unfurl(self, event: Mapping[str, Any], address: str, card: Linked) -> None:
        with self._web.translated():
            await self._web.client.chat_unfurl(
                channel=event["channel"], ts=event["message_ts"], unfurls={address: {"blocks": drawn(card)}}
            )


def drawn(card: Linked) -> list[Block]:
    """Return a card as blocks; its words are text, nothing in it is interpreted."""
    title, facts, *rest = (_words(text) for text in (card.title, *card.lines))
    return [_section(title), {"type": "context", "elements": [facts]}, *map(_section, rest)]


def _section(words: Block) -> Block:
    return {"type": "section", "text": words}


def _words(text: str) -> Block:
    return {"type": "plain_text", "text": shorten(visible_line(text), LEAST), "emoji": False}
