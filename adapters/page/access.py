"""Who may see what, forms, and the security headers of every response."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace

from starlette.datastructures import FormData, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message as Event, Receive, Scope, Send

from adapters.page import labels
from adapters.page.addresses import EVERYTHING, Links, Passes, article_path, article_scope, origin, version
from adapters.page.version_view import OpenedVersion
from bot import verbatim
from bot.service import QuestionService
from retrieval import Reading, VersionSummary

BAD, FORBIDDEN, NOT_FOUND, GONE, TOO_LARGE, UNAVAILABLE = 400, 403, 404, 410, 413, 503
MAX_FIELDS = 8  # of a form
LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
PORT = re.compile(r":\d*$")
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # an address may hold a pass, and so only its origin is sent; without that, browsers send forms with Origin: null
    "referrer-policy": "strict-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",  # an article may be under embargo, and a pass ends
    "x-robots-tag": "noindex",
}


class Refusal(HTTPException):
    """The request is answered with a page that says why it is refused."""


class ArticleChangedError(Refusal):
    def __init__(self) -> None:
        super().__init__(GONE, labels.ARTICLE_CHANGED)


@dataclass(frozen=True, slots=True)
class Access:
    """The page's access control; ``root`` is the path under which browsers find the page."""

    service: QuestionService
    passes: Passes | None = None
    root: str = ""
    process_passes: Passes = field(default_factory=lambda: Passes(secrets.token_urlsafe(), days=1))

    @property
    def tokens(self) -> Passes:
        """The passes that sign forms, also where the page needs none."""
        return self.passes or self.process_passes

    def links(self, request: Request, scope: str = EVERYTHING) -> Links:
        """Return the links for a request. Raises ``Refusal`` where its pass opens neither ``scope`` nor everything."""
        token = request.query_params.get("pass", "")
        if self.passes is None:
            return Links(self.root)
        for opened in (EVERYTHING, scope):
            if self.passes.opens(token, opened):
                return Links(self.root, token, everything=opened == EVERYTHING)
        raise Refusal(FORBIDDEN, labels.ONLY_BY_LINK)

    def open_version(self, article_id: str, wanted: str, links: Links) -> OpenedVersion:
        """Return the version of an article that is ``wanted``. Raises ``ArticleChangedError`` where there is none.

        Whoever may see only one version may see the others of the same source.
        """
        try:
            history = self.service.library.archive.history(article_id)
        except KeyError as error:
            raise ArticleChangedError from error
        places = [place for place, each in enumerate(history) if version(each.digest) == wanted]
        if not places:
            raise ArticleChangedError
        source = history[places[-1]].source
        seen = history if links.everything else tuple(each for each in history if each.source == source)
        return OpenedVersion(article_id, places[-1], history, seen)

    def reading(self, article_id: str, summary: VersionSummary) -> Reading | None:
        """Return the reading of a version of an article; None where it is gone."""
        archive, digest = self.service.library.archive, version(summary.digest)
        newest = verbatim.reading(archive, article_id)
        if newest and version(newest.article.digest) == digest:
            return newest
        return verbatim.version(archive, article_id, summary.digest)

    def version_url(self, article_id: str, summary: VersionSummary, links: Links) -> str:
        """Return the URL of a version for somebody who came with ``links`` to another; both expire together."""
        path, wanted = article_path(article_id, summary.digest), version(summary.digest)
        if links.everything or self.passes is None:
            return links.to(path)
        return replace(links, token=self.passes.issue_like(links.token, article_scope(article_id, wanted))).to(path)


def only_from_this_machine(app: ASGIApp) -> ASGIApp:
    """Refuse requests whose Host header is not a name or address of this machine.

    Starlette's own check cuts the host at its first colon, which is inside an IPv6 address.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        host = HTTPConnection(scope).headers.get("host", "") if scope["type"] in ("http", "websocket") else "localhost"
        answering = app if _is_loopback(host) else PlainTextResponse("Invalid host header", BAD)
        await answering(scope, receive, send)

    return serve


def _is_loopback(host: str) -> bool:
    return PORT.sub("", host.lower()) in LOOPBACK


def only_from_its_own_pages(app: ASGIApp, url: str) -> ASGIApp:
    """Refuse what other sites' pages send: forms, and questions from their pictures, scripts and frames.

    A link on another site is followed. The page's own address is ``url``, or the host that was asked where there is
    no ``url``, or where the host is this machine.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        is_own = scope["type"] != "http" or _is_own(HTTPConnection(scope), scope["method"], url)
        answering = app if is_own else PlainTextResponse(labels.OTHER_SITE, FORBIDDEN)
        await answering(scope, receive, send)

    return serve


def _is_own(request: HTTPConnection, method: str, url: str) -> bool:
    headers = request.headers
    is_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if method in ("GET", "HEAD"):
        return not is_elsewhere or headers.get("sec-fetch-dest") == "document"
    host = headers.get("host", "")
    asked = f"{request.scope['scheme']}://{host}" if not url or _is_loopback(host) else ""
    sent = [origin(each) for each in headers.getlist("origin")]
    return not is_elsewhere and len(sent) == 1 and sent[0] is not None and sent[0] in (origin(url), origin(asked))


def with_headers(app: ASGIApp) -> ASGIApp:
    """Add ``HEADERS`` to every response."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Event) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await app(scope, receive, send_with_headers)

    return serve


class MemoryParser(MultiPartParser):
    """Parses a form with files, none of which is written to disk."""

    spool_max_size = 0  # no limit


async def read_form(
    request: Request, parser: type[FormParser | MultiPartParser], max_bytes: int, refusal: str
) -> FormData:
    """Return what a form sends. Raises ``Refusal`` where it is no form of this kind, or too large."""

    async def stream() -> AsyncGenerator[bytes, None]:
        size = 0
        async for chunk in request.stream():
            size += len(chunk)
            if size > max_bytes:
                raise Refusal(TOO_LARGE, refusal)
            yield chunk

    try:
        return await parser(request.headers, stream(), max_fields=MAX_FIELDS, max_part_size=max_bytes).parse()
    except (MultiPartException, KeyError) as error:  # KeyError: there is no Content-Type
        raise Refusal(TOO_LARGE, refusal) from error
