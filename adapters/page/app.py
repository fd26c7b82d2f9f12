"""The page's addresses -> what is shown there: articles as read, replies of the desk, copies.

Nothing is shown without a pass where passes are in use; where they are not, only to a browser that believes it talks
to this machine itself. The desk and the drawing work in threads; an article that was just drawn is at hand.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from adapters.page import labels, rendering
from adapters.page.addresses import EVERYTHING, Links, Passes, article_path, article_scope, version
from adapters.page.headers import Headers
from adapters.page.reply_view import View, view
from bot import state, verbatim
from bot.commands.clip import FORMS
from bot.desk import Desk
from bot.model import Asker, Clipping, Message, Place, Question, Reply
from retrieval import Reading

DRAWN = 32  # articles at hand
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
FORBIDDEN, NOT_FOUND, CHANGED = 403, 404, 410


def application(desk: Desk, passes: Passes | None = None, root: str = "") -> Starlette:
    """Return the page over what ``desk`` holds; ``root`` is the path under which browsers find it."""
    page = Page(desk, passes, root)
    routes = [
        Route("/", page.ask),
        Route("/a/{article:path}/{version}", page.article),
        Route("/copy/{form}/{article:path}/{version}/{index:int}", page.copy),
        Route("/who/{name:path}", page.who),
        Route("/unverified", page.listing),
        Route("/sources", page.listing),
        Route("/more/{state}", page.more),
        Route("/style.css", _static("style.css", "text/css")),
        Route("/icon.svg", _static("icon.svg", "image/svg+xml")),
        Route("/page.js", _static("page.js", "text/javascript")),
    ]
    # a name of another's that leads to this machine must not make its browser read articles out
    hosts = [] if passes else [Middleware(TrustedHostMiddleware, allowed_hosts=LOOPBACK)]
    return Starlette(
        routes=routes, middleware=[Middleware(Headers), *hosts], exception_handlers={NOT_FOUND: page.nowhere}
    )


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page as it is sent, and the same packed by gzip."""

    plain: bytes
    packed: bytes


Key = tuple[str, str, Links]


class Page:
    """What stands at each address."""

    def __init__(self, desk: Desk, passes: Passes | None, root: str) -> None:
        self._desk = desk
        self._passes = passes
        self._root = root
        self._drawn: dict[Key, asyncio.Future[Drawn]] = {}

    def ask(self, request: Request) -> Response:
        """Return the page with the reply, or with an empty form."""
        links = self._links(request)
        if not links.everything:
            return self._closed(links)
        asked = request.query_params.get("q", "")
        if not asked:
            return HTMLResponse(rendering.reply(View(labels.ASK), links))
        return self._reply(self._desk.answer(_question(asked)), asked, links, asked)

    def who(self, request: Request) -> Response:
        """Return the page on somebody."""
        return self._command(request, "who", request.path_params["name"])

    def listing(self, request: Request) -> Response:
        """Return the page of what is unverified, or of what is held."""
        return self._command(request, request.url.path.rpartition("/")[2], request.query_params.get("q", ""))

    def more(self, request: Request) -> Response:
        """Return the page with the next extracts of an answer."""
        return self._command(request, "more", request.path_params["state"])

    async def article(self, request: Request) -> Response:
        """Return the page of an article as it was read."""
        article_id, wanted = request.path_params["article"], request.path_params["version"]
        links = self._links(request, article_scope(article_id, wanted))
        if links is CLOSED:
            return self._closed(links)
        reading = self._held(article_id, wanted)
        if reading is None:
            return self._said(labels.GONE, links, CHANGED)
        drawn = await self._at_hand(article_id, reading.article.digest, links)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return HTMLResponse(drawn.packed, headers={"content-encoding": "gzip", "vary": "accept-encoding"})
        return HTMLResponse(drawn.plain, headers={"vary": "accept-encoding"})

    def copy(self, request: Request) -> Response:
        """Return a sentence in plain text, as it is pasted elsewhere."""
        article_id, wanted = request.path_params["article"], request.path_params["version"]
        links = self._links(request, article_scope(article_id, wanted))
        if links is CLOSED:
            return self._closed(links)
        reading = self._held(article_id, wanted)
        if reading is None or request.path_params["form"] not in FORMS:
            return self._said(labels.GONE, links, CHANGED)
        address = state.Address(state.key(article_id, reading.article.digest), request.path_params["index"])
        argument = f"{state.encode([address])} {request.path_params['form']}"
        copied = self._desk.command("copy", argument, _question(""))
        if not isinstance(copied, Clipping):
            return self._said(labels.GONE, links, CHANGED)
        return PlainTextResponse(copied.text.encode("utf-8", "backslashreplace"))

    async def nowhere(self, request: Request, _: Exception) -> Response:
        """Return the page for an unknown address."""
        return self._said(labels.NOWHERE, self._links(request), NOT_FOUND)

    def _links(self, request: Request, scope: str = EVERYTHING) -> Links:
        """Return the addresses for whoever asks: ``CLOSED`` where neither ``scope`` nor everything is open to them."""
        given = request.query_params.get("pass", "")
        if self._passes is None:
            return Links(self._root)
        if self._passes.opens(given, EVERYTHING):
            return Links(self._root, given)
        if scope != EVERYTHING and self._passes.opens(given, scope):
            return Links(self._root, given, everything=False)
        return CLOSED

    def _held(self, article_id: str, wanted: str) -> Reading | None:
        """Return an article as it was read, if it is still that version."""
        reading = verbatim.reading(self._desk.holdings.archive, article_id)
        return reading if reading and version(reading.article.digest) == wanted else None

    async def _at_hand(self, article_id: str, digest: str, links: Links) -> Drawn:
        """Return an article's page; many who ask for it at once wait for one drawing."""
        key = (article_id, digest, links)
        if key not in self._drawn:
            while len(self._drawn) >= DRAWN:
                self._drawn.pop(next(iter(self._drawn)))
            self._drawn[key] = asyncio.ensure_future(run_in_threadpool(self._draw, article_id, links))
        try:
            # who goes away must not end it for the others
            return await asyncio.shield(self._drawn[key])
        except Exception:
            self._drawn.pop(key, None)
            raise

    def _draw(self, article_id: str, links: Links) -> Drawn:
        plain = rendering.article(self._desk.holdings.archive.reading(article_id), links).encode()
        return Drawn(plain, gzip.compress(plain, mtime=0))

    def _command(self, request: Request, name: str, argument: str) -> Response:
        links = self._links(request)
        if not links.everything:
            return self._closed(links)
        return self._reply(self._desk.command(name, argument, _question("")), argument, links)

    def _reply(self, reply: Reply, heading: str, links: Links, asked: str = "") -> Response:
        def held(line: str) -> str | None:
            return self._listed(line, links)

        return HTMLResponse(rendering.reply(view(reply, heading), links, asked, held))

    def _listed(self, line: str, links: Links) -> str | None:
        """Return where the article stands that a line of a listing names last."""
        citation = verbatim.article(self._desk.holdings.archive, line.rpartition(" · ")[2])
        return links.to(article_path(citation.article_id, citation.digest)) if citation else None

    def _closed(self, links: Links) -> Response:
        return self._said(labels.CLOSED, links, FORBIDDEN)

    def _said(self, words: str, links: Links, status: int) -> Response:
        shown = Links(self._root, everything=False) if links is CLOSED else links
        return HTMLResponse(rendering.reply(view(Message(words), "Stet"), shown), status)


CLOSED = Links(everything=False)


def _question(text: str) -> Question:
    return Question(text, asker=Asker("page"), place=Place("page"))


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = rendering.static(name)
    return lambda _: Response(content, media_type=kind)
