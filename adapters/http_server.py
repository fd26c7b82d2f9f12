"""An ASGI application, served over HTTP on the service's own loop until it is told to stop: uvicorn."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from adapters.operations.metrics import note_connected
from adapters.settings import SettingsError

GOODBYE = 3  # seconds that a response may take yet when told to stop
ASKED = 20.0  # seconds in which whoever connects has to have asked, headers and body together
WAITING = 500  # connections; of more, the one on which has been waited longest for a request is let go


class PortError(SettingsError):
    """The port cannot be had; the text says why."""


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Yield the socket; the port is a free one where 0 was asked for. Raises ``PortError``."""
    try:
        place = socket.create_server((host, port), family=_family(host), backlog=2048)
    except OSError as error:
        raise PortError(f"port {port} cannot be had: {error.strerror}.") from error
    with place:
        yield place


def written(host: str) -> str:
    """Return a host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


async def run_http_server(
    platform: str, app: ASGIApp, place: socket.socket, stop: asyncio.Event, say: Callable[[str], None]
) -> None:
    """Serve until ``stop``; ``say`` is told the address that it listens on."""
    server = _Server(_config(app))
    serving = asyncio.ensure_future(server.serve([place]))
    host, port = place.getsockname()[:2]
    say(f"http://{written(host)}:{port}")
    note_connected(platform, yes=True)
    await asyncio.wait((serving, told := asyncio.ensure_future(stop.wait())), return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    server.should_exit = True
    note_connected(platform, yes=False)
    await serving


def _config(app: ASGIApp) -> uvicorn.Config:
    """Return how to serve: with no log of requests, for an address or a header may hold a secret."""
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
