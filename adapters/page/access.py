"""Refusals, forms, and the security headers of every response."""

from collections.abc import AsyncGenerator

from starlette.datastructures import FormData, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.types import ASGIApp, Message as Event, Receive, Scope, Send

BAD, FORBIDDEN, NOT_FOUND, GONE, TOO_LARGE, UNAVAILABLE = 400, 403, 404, 410, 413, 503
MAX_FIELDS = 8  # of a form
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


def with_headers(app: ASGIApp) -> ASGIApp:
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
