"""The page's wire: uvicorn on the service's own loop, on this machine alone unless there is a secret."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from adapters.faults import Fault
from adapters.operations.metrics import note_connected
from adapters.page.addresses import EVERYTHING, LEAST_SECRET, Links, passes, root
from adapters.page.app import application
from adapters.settings import Settings, SettingsError
from adapters.storage.store import Store, default_path
from bot.desk import Desk

HERE = "127.0.0.1"
GOODBYE = 3  # seconds that a response may take yet when told to stop
ASKED = 20.0  # seconds in which a browser has to have asked, headers and form together
WAITING = 500  # connections; of more, the one on which has been waited longest for a request is let go


class PageError(SettingsError):
    """The page cannot be served; the text says why, and what to do."""


def check(settings: Settings) -> Iterator[str]:
    """Yield how the page would be served, in words."""
    if not settings.page_secret:
        yield f"  It is for this machine alone ({settings.page_host}). STET_PAGE_SECRET opens it to others, by links."
    elif len(settings.page_secret) < LEAST_SECRET:
        yield Fault(f"  {_WEAK}")
    else:
        yield f"  Its links hold for {settings.page_days} days."


_WEAK = f"STET_PAGE_SECRET is shorter than {LEAST_SECRET} characters; it could be guessed."


def entrance(settings: Settings) -> str:
    """Return the address that opens the whole page, for as long as its links hold; ``PageError`` as for ``serve``."""
    _refuse(settings)
    url = settings.page_url.rstrip("/") or f"http://{settings.page_host}:{settings.page_port}"
    issuing = passes(settings)
    return f"{url}{Links(given=issuing.issue(EVERYTHING) if issuing else '').to('/')}"


def _say(how: str) -> None:
    print(f"stet: page ready ({how})", flush=True)  # noqa: T201  (the line that others wait for)


async def serve(desk: Desk, settings: Settings, stop: asyncio.Event, say: Callable[[str], None] = _say) -> None:
    """Serve until ``stop``; ``say`` is told the address that it listens on.

    Raises ``PageError`` where the secret could be guessed, the page would be open to others, or no port is to be had,
    ``StoreError`` where what readers flag cannot be kept.
    """
    _refuse(settings)
    with _listening(settings) as place, Store(settings.state or default_path(), settings.keep_days) as store:
        server = _Server(_config(application(desk, passes(settings), root(settings), store)))
        serving = asyncio.ensure_future(server.serve([place]))
        say(_address(place))
        note_connected("page", yes=True)
        await asyncio.wait((serving, told := asyncio.ensure_future(stop.wait())), return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        server.should_exit = True
        note_connected("page", yes=False)
        await serving


def _config(app: ASGIApp) -> uvicorn.Config:
    """Return how to serve: with no log of requests, for an address may hold a pass."""
    return uvicorn.Config(
        app,
        http=_Impatient,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=GOODBYE,
    )


class _Impatient(H11Protocol):
    """A connection that is let go where its request does not come whole in time: the server's own times begin later."""

    late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the class above
        super().connection_made(transport)
        self._expect()
        if len(self.connections) > WAITING:
            late = [
                (each.late.when(), id(each), each)
                for each in self.connections
                if isinstance(each, _Impatient) and each.late
            ]
            min(late)[-1].transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect()
        else:
            self._expect_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        self._expect_no_more()
        super().connection_lost(exc)

    def _expect(self) -> None:
        self.late = self.late or self.loop.call_later(ASKED, self.transport.abort)

    def _expect_no_more(self) -> None:
        if self.late:
            self.late.cancel()
            self.late = None


class _Server(uvicorn.Server):
    """A server that leaves the signals to the service around it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _refuse(settings: Settings) -> None:
    """Raise ``PageError`` for a page that could be read by those it is not for."""
    if not settings.page_secret and settings.page_host != HERE:
        raise PageError("STET_PAGE_HOST opens the page to others; that takes a STET_PAGE_SECRET, and links by it.")
    if settings.page_secret and len(settings.page_secret) < LEAST_SECRET:
        raise PageError(_WEAK)


@contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """Yield the socket; the port is a free one where 0 was asked for."""
    try:
        place = socket.create_server((settings.page_host, settings.page_port), backlog=2048)
    except OSError as error:
        raise PageError(f"port {settings.page_port} cannot be had: {error.strerror}.") from error
    with place:
        yield place


def _address(place: socket.socket) -> str:
    host, port = place.getsockname()[:2]
    return f"http://{host}:{port}"
