"""The page, served: in this process without a port, and on a free port in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from threading import Thread

import httpx

from adapters.page.addresses import Pages, Passes
from adapters.page.app import application
from adapters.page.service import serve
from adapters.settings import Settings, load
from adapters.storage.store import Store
from bot.service import QuestionService

HERE = "http://127.0.0.1"
SECRET = "a secret of the tests, long enough"
NOON = 1_900_000_000.0
PASSES = Passes(SECRET, 7, lambda: NOON)
PAGES = Pages(HERE, PASSES)
SETTINGS = replace(load({}, Path("no such file")), page_port=0)


def browser(
    service: QuestionService, passes: Passes | None = None, url: str = "", host: str = HERE, store: Store | None = None
) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(application(service, passes, url, store))
    return httpx.AsyncClient(transport=transport, base_url=host, headers={"Origin": host})


@contextmanager
def served(service: QuestionService, settings: Settings = SETTINGS) -> Iterator[str]:
    """Serve while the context lasts, and return the address; the state is temporary unless the settings name one."""
    with TemporaryDirectory() as folder:
        state = settings.state or str(Path(folder) / "state.sqlite")
        with _served(service, replace(settings, state=state)) as address:
            yield address


@contextmanager
def _served(service: QuestionService, settings: Settings) -> Iterator[str]:
    shown: Queue[str] = Queue()
    stopping: Queue[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Queue()

    async def run() -> None:
        stop = asyncio.Event()
        stopping.put((asyncio.get_running_loop(), stop))
        await serve(service, settings, stop, shown.put)

    thread = Thread(target=asyncio.run, args=(run(),))
    thread.start()
    loop, stop = stopping.get(timeout=30)
    try:
        yield shown.get(timeout=30)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=30)
