"""Requests -> what whoever sends them may see, and the words for those who may not.

Every response has the headers that keep a browser to what the page itself brings.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message as Event, Receive, Scope, Send

from adapters.page import labels, rendering
from adapters.page.addresses import EVERYTHING, Links, Passes, article_path, article_scope, version
from adapters.page.reply_view import view
from adapters.page.version_view import OpenedVersion
from bot import verbatim
from bot.model import Message
from bot.service import QuestionService
from retrieval import Reading, VersionSummary

BAD, FORBIDDEN, NOT_FOUND, CHANGED, TOO_LARGE, UNAVAILABLE = 400, 403, 404, 410, 413, 503
LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
PORT = re.compile(r":\d*$")
CLOSED = Links(everything=False)
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # an address may hold a pass
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",  # an article may be under embargo, and a pass ends
    "x-robots-tag": "noindex",
}


@dataclass(frozen=True, slots=True)
class Access:
    """The page's door: ``root`` is the path under which browsers find it."""

    service: QuestionService
    passes: Passes | None = None
    root: str = ""
    of_this_process: Passes = field(default_factory=lambda: Passes(secrets.token_urlsafe(), days=1))

    @property
    def tokens(self) -> Passes:
        """What signs the forms, whether or not the page takes passes."""
        return self.passes or self.of_this_process

    def links(self, request: Request, scope: str = EVERYTHING) -> Links:
        """Return the addresses for whoever asks: ``CLOSED`` where neither ``scope`` nor everything is open to them."""
        given = request.query_params.get("pass", "")
        if self.passes is None:
            return Links(self.root)
        if self.passes.opens(given, EVERYTHING):
            return Links(self.root, given)
        if scope != EVERYTHING and self.passes.opens(given, scope):
            return Links(self.root, given, everything=False)
        return CLOSED

    def held(self, article_id: str, wanted: str) -> Reading | None:
        """Return an article as it was read, if that version is still the newest."""
        reading = verbatim.reading(self.service.holdings.archive, article_id)
        return reading if reading and version(reading.article.digest) == wanted else None

    def opened(self, article_id: str, wanted: str, links: Links) -> OpenedVersion | None:
        """Return which version of an article is asked for by who came with ``links``; None where it is not held.

        Who may see one version may see those that are of the same source, and no other.
        """
        try:
            history = self.service.holdings.archive.history(article_id)
        except KeyError:
            return None
        place = max((n for n, held in enumerate(history) if version(held.digest) == wanted), default=-1)
        if place < 0:
            return None
        source = history[place].source
        seen = history if links.everything else tuple(held for held in history if held.source == source)
        return OpenedVersion(article_id, place, history, seen)

    def read(self, article_id: str, held: VersionSummary) -> Reading | None:
        """Return what was read in a version of an article; None where it is gone."""
        return self.held(article_id, version(held.digest)) or verbatim.version(
            self.service.holdings.archive, article_id, held.digest
        )

    def address(self, article_id: str, held: VersionSummary, links: Links) -> str:
        """Return the address of a version of an article for who came with ``links`` to another; they end alike."""
        path, wanted = article_path(article_id, held.digest), version(held.digest)
        if links.everything or self.passes is None:
            return links.to(path)
        return replace(links, given=self.passes.also(links.given, article_scope(article_id, wanted))).to(path)

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


class LoopbackOnly:
    """Lets in only a browser that believes it talks to this machine itself, by name or by either loopback address.

    Starlette's own check ends the host's name at its first colon, which an IPv6 address has inside.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request as ``app`` does, or refuse it for its host."""
        host = HTTPConnection(scope).headers.get("host", "") if scope["type"] in ("http", "websocket") else "localhost"
        app = self._app if PORT.sub("", host) in LOOPBACK else PlainTextResponse("Invalid host header", BAD)
        await app(scope, receive, send)


class Headers:
    """Adds the headers, whatever the response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request as ``app`` does, with the headers added."""

        async def sent(message: Event) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, sent)


FIELDS = 8


async def fields(request: Request, largest: int) -> dict[str, str] | None:
    """Return the fields of the form that was sent; None where it is no form, or has more than ``largest`` bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > largest:
            return None
    try:
        return dict(parse_qsl(body.decode("ascii"), max_num_fields=FIELDS, errors="replace"))
    except ValueError:
        return None
