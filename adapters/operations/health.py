"""``/healthz``, ``/readyz`` and ``/metrics`` on a port and in a thread of their own, which answer when a loop hangs.

A process is alive while its event loop turns. It is ready if it would answer a question now: every platform is
connected, the store works, the articles can be searched, and no feed that used to bring articles has gone silent.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from prometheus_client import REGISTRY
from prometheus_client.exposition import choose_encoder
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.operations.metrics import ArchiveProbe, is_connected, silent_feeds
from adapters.settings import Settings
from adapters.storage.store import Store, StoreError
from adapters.web import PortError, http_server_thread, open_socket, url_of

DEFAULT_HOST = "127.0.0.1"
LOOP_SECONDS = 5.0  # in which an event loop has to turn
NOT_CACHED = {"cache-control": "no-store"}

log = logging.getLogger(__name__)


class HealthError(Exception):
    """The address cannot be listened on; the text says why."""


def _application(
    platforms: Sequence[str], loop: asyncio.AbstractEventLoop, store: Store, probe: ArchiveProbe
) -> Starlette:
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
def serve_health(
    platforms: Sequence[str], settings: Settings, probe: ArchiveProbe, say: Callable[[str], None]
) -> Iterator[None]:
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
        socket = open_socket(host or DEFAULT_HOST, int(port))
    except PortError as error:
        raise HealthError(f"{settings.health}: {error} STET_HEALTH names another.") from error
    with socket, Store.of(settings) as store:
        app = _application(platforms, asyncio.get_running_loop(), store, probe)
        with http_server_thread(app, socket):
            say(url_of(socket))
            yield
