"""``/healthz``, ``/readyz`` and ``/metrics`` on a port and in a thread of their own, which answer when a loop hangs.

Alive is a process whose loop turns; ready is one that would answer a question now: every platform that it serves is
connected, the store keeps, its articles can be asked, and no feed that used to bring articles has gone silent.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import make_wsgi_app

from adapters.operations.metrics import ArchiveProbe, is_connected, silent_feeds
from adapters.settings import Settings
from adapters.storage.store import Store, StoreError

HERE = "127.0.0.1"
PATIENCE = 5.0  # seconds in which a loop has to turn
UNHURRIED = 10.0  # seconds in which a request has to come whole
TEXT = (("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"))

log = logging.getLogger(__name__)


class HealthError(Exception):
    """The address cannot be listened on; the text says why."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    timeout = UNHURRIED

    def log_message(self, *_: object) -> None:
        """Log nothing: a probe asks every few seconds."""


class Health:
    """What is told of the process that serves ``platforms`` in ``loop``, of what ``look`` looks at."""

    def __init__(
        self, platforms: Sequence[str], loop: asyncio.AbstractEventLoop, store: Store, look: ArchiveProbe
    ) -> None:
        self._platforms, self._loop, self._store, self._look = platforms, loop, store, look
        self._metrics: Callable[..., Iterable[bytes]] = make_wsgi_app()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        """Answer a request, as WSGI has it."""
        match environ.get("PATH_INFO"):
            case "/metrics":
                return self._metrics(environ, start_response)
            case "/healthz":
                lacks = [] if self._is_alive() else ["the loop does not turn"]
            case "/readyz":
                lacks = list(self._lacks())
            case _:
                start_response("404 Not Found", list(TEXT))
                return [b"/healthz, /readyz, /metrics\n"]
        start_response("503 Service Unavailable" if lacks else "200 OK", list(TEXT))
        return [f"{'; '.join(lacks) or 'ok'}\n".encode()]

    def _is_alive(self) -> bool:
        turned = asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop)
        try:
            turned.result(PATIENCE)
        except TimeoutError:
            turned.cancel()
            return False
        return True

    def _lacks(self) -> Iterator[str]:
        """Yield, in words, what keeps it from answering."""
        if not self._is_alive():
            yield "the loop does not turn"
        yield from (f"{platform} is not connected" for platform in self._platforms if not is_connected(platform))
        if not self._look.answers():
            yield "the articles cannot be asked"
        yield from (f"no article comes from {feed} any more" for feed in silent_feeds())
        try:
            self._store.save_fact("ready", "")
        except StoreError as error:
            log.warning("not ready: %s", error)
            yield "the store does not keep"


@contextmanager
def told(
    platforms: Sequence[str], settings: Settings, look: ArchiveProbe, say: Callable[[str], None]
) -> Iterator[None]:
    """Serve for as long as this lasts where the settings say so; ``say`` is given the address.

    To be entered in the loop that serves. Raises ``HealthError`` where the address cannot be had,
    ``StoreError`` where the store cannot be opened.
    """
    if not settings.health:
        yield
        return
    with Store.of(settings) as store:
        server = _listening(settings.health, Health(platforms, asyncio.get_running_loop(), store, look))
        thread = Thread(target=server.serve_forever, name="health", daemon=True)
        thread.start()
        say(f"http://{settings.health.rpartition(':')[0] or HERE}:{server.server_port}")
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def _listening(address: str, health: Health) -> WSGIServer:
    host, _, port = address.rpartition(":")
    if not (port.isascii() and port.isdigit()):
        raise HealthError("STET_HEALTH must be a host and a port, such as 127.0.0.1:8071.")
    try:
        return make_server(host or HERE, int(port), health, _Server, _Handler)
    except (OSError, OverflowError) as error:
        raise HealthError(f"{address} cannot be listened on: {error}. STET_HEALTH names another.") from error
