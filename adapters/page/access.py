"""Requests -> what whoever sends them may see, and the words for those who may not."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from adapters.page import labels, rendering
from adapters.page.addresses import EVERYTHING, Links, Passes, version
from adapters.page.reply_view import view
from bot import verbatim
from bot.desk import Desk
from bot.model import Message
from retrieval import Reading

FORBIDDEN, NOT_FOUND, CHANGED = 403, 404, 410
CLOSED = Links(everything=False)


@dataclass(frozen=True, slots=True)
class Access:
    """The page's door: ``root`` is the path under which browsers find it, ``flags`` whether flags are kept."""

    desk: Desk
    passes: Passes | None = None
    root: str = ""
    flags: bool = False

    def links(self, request: Request, scope: str = EVERYTHING) -> Links:
        """Return the addresses for whoever asks: ``CLOSED`` where neither ``scope`` nor everything is open to them."""
        given = request.query_params.get("pass", "")
        if self.passes is None:
            return Links(self.root, flags=self.flags)
        if self.passes.opens(given, EVERYTHING):
            return Links(self.root, given, flags=self.flags)
        if scope != EVERYTHING and self.passes.opens(given, scope):
            return Links(self.root, given, everything=False, flags=self.flags)
        return CLOSED

    def held(self, article_id: str, wanted: str) -> Reading | None:
        """Return an article as it was read, if it is still that version."""
        reading = verbatim.reading(self.desk.holdings.archive, article_id)
        return reading if reading and version(reading.article.digest) == wanted else None

    def closed(self) -> Response:
        """Return the page for who has no pass."""
        return self.said(labels.CLOSED, CLOSED, FORBIDDEN)

    def gone(self, links: Links) -> Response:
        """Return the page for an article that has changed or gone."""
        return self.said(labels.GONE, links, CHANGED)

    def said(self, words: str, links: Links, status: int = 200) -> Response:
        """Return a page with ``words`` and nothing else."""
        shown = Links(self.root, everything=False) if links is CLOSED else links
        return HTMLResponse(rendering.reply(view(Message(words), "Stet"), shown), status)
