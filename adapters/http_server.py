"""Serves ASGI applications with uvicorn, on the caller's event loop or in a thread; slow clients are cut off."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from adapters.operations.metrics import note_connected
from adapters.settings import SettingsError

SHUTDOWN_SECONDS = 3  # that a response may still take once the server is stopped
REQUEST_SECONDS = 20.0  # in which a client has to send its whole request, headers and body
MAX_PORT = 65_535
MAX_CONNECTIONS = 500  # beyond them, the one that has waited longest for its request is closed


class PortError(SettingsError):
    """The port cannot be opened; the text says why."""


def open_socket(host: str, port: int) -> socket.socket:
    """Listen on a port, on a free one where it is 0. Raises ``PortError``."""
    if port > MAX_PORT:  # the socket module would leave its socket open
        raise PortError(f"port {port} cannot be opened: the highest is {MAX_PORT}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise PortError(f"port {port} cannot be opened: {error.strerror}.") from error


def url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{bracketed(host)}:{port}"


def bracketed(host: str) -> str:
    """Return a host as URLs have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def announce(platform: str, address: str) -> None:
    print(f"stet: {platform} ready ({address})", flush=True)  # noqa: T201  (scripts wait for this line)


async def run_http_server(
    platform: str, app: ASGIApp, listener: socket.socket, stop: asyncio.Event, say: Callable[[str], None]
) -> None:
    """Serve until ``stop``; ``say`` is called with the URL."""
    server = _Server(_config(app))
    serving = asyncio.ensure_future(server.serve([listener]))
    say(url_of(listener))
    note_connected(platform, yes=True)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        server.should_exit = True
        note_connected(platform, yes=False)
        await serving
        for connection in list(server.server_state.connections):  # those that took longer than uvicorn waits
            connection.transport.abort()


@contextmanager
def http_server_thread(app: ASGIApp, listener: socket.socket) -> Iterator[None]:
    """Serve in a thread with an event loop of its own, which answers while the caller's loop hangs."""
    server = _Server(_config(app))
    thread = Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=_TimedProtocol,
        log_config=None,
        log_level="warning",
        access_log=False,  # an address or a header may hold a secret
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


class _TimedProtocol(H11Protocol):
    """Closes a connection whose request is not complete in time: uvicorn's own timeouts begin after the request."""

    timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in the class above
        super().connection_made(transport)
        self._start_timeout()
        if len(self.connections) > MAX_CONNECTIONS:
            waiting = [each for each in self.connections if isinstance(each, _TimedProtocol) and each.timeout]
            oldest = min(waiting, key=lambda each: each.timeout.when() if each.timeout else 0.0)
            oldest.cancel_timeout()  # else the next of many at once chooses it again, before it is gone
            oldest.transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._start_timeout()
        else:
            self.cancel_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self.cancel_timeout()
        super().connection_lost(exc)

    def _start_timeout(self) -> None:
        self.timeout = self.timeout or self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def cancel_timeout(self) -> None:
        if self.timeout:
            self.timeout.cancel()
            self.timeout = None


class _Server(uvicorn.Server):
    """A server that leaves the signals to the program around it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
