"""Serves ASGI applications with uvicorn, on the caller's event loop or in a thread of their own.

Slow clients are cut off; what other sites' pages send is refused.

Health is such an application: ``/healthz``, ``/readyz`` and ``/metrics`` on a port and in a thread of their own, which
answer when a loop hangs.
A process is alive while its event loop turns. It is ready if it would answer a question now: every platform is
connected, the store works, the articles can be searched, and no feed that used to bring articles has gone silent.
"""

import asyncio
import errno
import logging
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from urllib.parse import urlsplit

import h11
import uvicorn
from prometheus_client import REGISTRY
from prometheus_client.exposition import choose_encoder
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from adapters.metrics import ArchiveProbe, is_connected, note_connected, silent_feeds
from adapters.settings import Settings, SettingsError
from adapters.storage.store import Store, StoreError

SHUTDOWN_SECONDS = 3  # that a response may still take once the server is stopped
REQUEST_SECONDS = 20.0  # in which a client has to send its whole request, headers and body
MAX_PORT = 65_535
MAX_CONNECTIONS = 500  # beyond them, the one that has waited longest for its request is closed
LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}
PORTS = {"http": 80, "https": 443}
CLIENT = "stet.client"  # the key of a request's scope with the name of who sent its token
NO_TOKEN = {"error": "invalid_token", "error_description": "Authentication required"}
NO_TOKEN_HEADERS = {"WWW-Authenticate": "Bearer " + ", ".join(f'{key}="{text}"' for key, text in NO_TOKEN.items())}
OTHER_SITE = "Another site sent this. Open the page at its own address, and send it from there."
_PORT = re.compile(r":\d*$")
DEFAULT_HOST = "127.0.0.1"
LOOP_SECONDS = 5.0  # in which an event loop has to turn
NOT_CACHED = {"cache-control": "no-store"}

Say = Callable[[str], None]  # is told the URL

log = logging.getLogger(__name__)


class PortError(SettingsError):
    """The port cannot be opened; the text says why."""


def open_socket(host: str, port: int, advice: str = "") -> socket.socket:
    """Listen on a port, on a free one where it is 0. Raises ``PortError``, with ``advice`` if another port would do."""
    if port > MAX_PORT:  # the socket module would leave its socket open
        raise PortError(f"port {port} cannot be opened: the highest is {MAX_PORT}.{advice}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        why = f"{error.strerror}".partition(" (")[0] + "."
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            why += advice
        raise PortError(f"port {port} cannot be opened on {host}: {why}") from error


def url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{bracketed(host)}:{port}"


def bracketed(host: str) -> str:
    """Return a host as URLs have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def announce(platform: str, address: str) -> None:
    print(f"stet: {platform} ready ({address})", flush=True)  # noqa: T201  (scripts wait for this line)


async def serve_http(platform: str, app: ASGIApp, address: tuple[str, int], stop: asyncio.Event, say: Say) -> None:
    """Serve at a host and port until ``stop``; ``say`` is called with the URL. Raises ``PortError``."""
    with open_socket(*address, f" STET_{platform.upper()}_PORT sets another.") as listener:
        server = _Server(app)
        serving, stopping = asyncio.ensure_future(server.serve([listener])), asyncio.ensure_future(stop.wait())
        say(url_of(listener))
        note_connected(platform, yes=True)
        try:
            await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            server.should_exit = True
            note_connected(platform, yes=False)
            await serving
            for connection in list(server.server_state.connections):  # those that took longer than uvicorn waits
                connection.transport.abort()


class _TimedProtocol(H11Protocol):
    """Closes a connection whose request is not complete in time: uvicorn's own timeouts begin after the request."""

    timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the class above
        super().connection_made(transport)
        self.await_request(waiting=True)
        if len(self.connections) > MAX_CONNECTIONS:
            waiting = [(c.timeout.when(), c) for c in self.connections if isinstance(c, _TimedProtocol) and c.timeout]
            _, oldest = min(waiting, key=lambda timed: timed[0])
            oldest.await_request(waiting=False)  # else the next of many at once chooses it again, before it is gone
            oldest.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.await_request(waiting=self.conn.their_state in (h11.IDLE, h11.SEND_BODY))

    def connection_lost(self, exc: Exception | None) -> None:
        self.await_request(waiting=False)
        super().connection_lost(exc)

    def await_request(self, *, waiting: bool) -> None:
        if waiting:
            self.timeout = self.timeout or self.loop.call_later(REQUEST_SECONDS, self.transport.abort)
        elif self.timeout:
            self.timeout.cancel()
            self.timeout = None


class _Server(uvicorn.Server):
    """A server that leaves the signals to the program around it."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_TimedProtocol,
                log_config=None,
                log_level="warning",
                access_log=False,  # an address or a header may hold a secret
                server_header=False,
                lifespan="off",
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            )
        )

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Guarded:
    """An application that is asked only by who may: the one check of token, host and origin.

    With ``client``, which returns the name of who has a token, a request needs a bearer token, and the name is put into
    its scope. Without, what other sites' pages send is refused: forms, and questions from their pictures, scripts and
    frames. A link on another site is followed. The page's own address is ``url``, or the host that was asked where
    there is no ``url``, or where the host is this machine. Where the page ``is_local``, the Host header must be a name
    or address of this machine: Starlette's own check cuts the host at its first colon, which is inside an IPv6 address.
    """

    def __init__(
        self, app: ASGIApp, url: str = "", *, is_local: bool = False, client: Callable[[str], str] | None = None
    ) -> None:
        self._app, self._url, self._is_local, self._client = app, url, is_local, client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answering = self._app
        if scope["type"] == "http":
            request = HTTPConnection(scope)
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            if self._client:
                scope[CLIENT] = self._client(token) if scheme.lower() == "bearer" else ""
                answering = self._app if scope[CLIENT] else JSONResponse(NO_TOKEN, 401, NO_TOKEN_HEADERS)
            elif self._is_local and not _is_loopback(request.headers.get("host", "")):
                answering = PlainTextResponse("Invalid host header", 400)
            elif not _is_own(request, self._url):
                answering = PlainTextResponse(OTHER_SITE, 403)
        await answering(scope, receive, send)


def _is_loopback(host: str) -> bool:
    return _PORT.sub("", host.lower()) in LOOPBACK


def _is_own(request: HTTPConnection, url: str) -> bool:
    headers = request.headers
    is_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if request.scope["method"] in ("GET", "HEAD"):
        return not is_elsewhere or headers.get("sec-fetch-dest") == "document"
    host = headers.get("host", "")
    asked = f"{request.scope['scheme']}://{host}" if not url or _is_loopback(host) else ""
    sent = [origin(value) for value in headers.getlist("origin")]
    return not is_elsewhere and len(sent) == 1 and sent[0] is not None and sent[0] in (origin(url), origin(asked))


def origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port of a web address as browsers compare them; None where it has none."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("idna").decode().removesuffix("."), parts.port
    except ValueError:
        return None
    is_web = parts.scheme in PORTS and host and "@" not in parts.netloc
    return (parts.scheme, host, PORTS[parts.scheme] if port is None else port) if is_web else None


class HealthError(Exception):
    """The address cannot be listened on; the text says why."""


def _health(platforms: Sequence[str], loop: asyncio.AbstractEventLoop, store: Store, probe: ArchiveProbe) -> Starlette:
    def dead() -> Iterator[str]:
        turn = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop)
        try:
            turn.result(LOOP_SECONDS)
        except TimeoutError:
            turn.cancel()
            yield "the event loop hangs"

    def faults() -> Iterator[str]:
        yield from dead()
        yield from (f"{platform} is not connected" for platform in platforms if not is_connected(platform))
        if not probe.answers():
            yield "the articles cannot be searched"
        yield from (f"no article comes from {feed} any more" for feed in silent_feeds())
        try:
            store.save_fact("ready", "")
        except StoreError as error:
            log.warning("not ready: %s", error)
            yield "the store does not work"

    return Starlette(
        routes=[
            Route("/healthz", lambda _: _response(dead())),
            Route("/readyz", lambda _: _response(faults())),
            Route("/metrics", _metrics),
        ],
        exception_handlers={404: lambda *_: PlainTextResponse("/healthz, /readyz, /metrics\n", 404, NOT_CACHED)},
    )


def _response(faults: Iterable[str]) -> Response:
    text = "; ".join(faults)
    return PlainTextResponse(f"{text or 'ok'}\n", 503 if text else 200, NOT_CACHED)


def _metrics(request: Request) -> Response:
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(REGISTRY), headers={"content-type": content_type})


@contextmanager
def serve_health(platforms: Sequence[str], settings: Settings, probe: ArchiveProbe, say: Say) -> Iterator[None]:
    """Serve meanwhile if the settings ask for it; ``say`` is called with the URL.

    Call it on the event loop that is watched. Raises ``HealthError`` where the address cannot be opened,
    ``StoreError`` where the store cannot.
    """
    if not settings.health:
        yield
        return
    host, _, port = settings.health.rpartition(":")
    if not (port.isascii() and port.isdigit()):
        raise HealthError("STET_HEALTH must be a host and a port, such as 127.0.0.1:8071.")
    try:
        listener = open_socket(host.strip("[]") or DEFAULT_HOST, int(port))  # of "[::1]:8071"
    except PortError as error:
        raise HealthError(f"{settings.health}: {error} STET_HEALTH names another.") from error
    with listener, Store.of(settings) as store:
        server = _Server(_health(platforms, asyncio.get_running_loop(), store, probe))
        thread = Thread(target=server.run, args=([listener],), daemon=True)  # with an event loop of its own
        thread.start()
        try:
            say(url_of(listener))
            yield
        finally:
            server.should_exit = True
            thread.join()
