"""The page, served: in this process without a port, or on a free port in a thread of its own; and what it shows."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory

import httpx
from anyio.from_thread import start_blocking_portal
from lxml import html

from adapters.page.addresses import Passes
from adapters.page.app import application
from adapters.page.service import serve
from adapters.settings import Settings, load
from adapters.storage.store import Store
from bot.service import QuestionService
from bot.verbatim import collapse
from retrieval.model import Reading

HERE = "http://127.0.0.1"
SECRET = "a secret of the tests, long enough"
NOON = 1_900_000_000.0
PASSES = Passes(SECRET, 7, lambda: NOON)
SETTINGS = replace(load({}, Path("no such file")), page_port=0)


def browser(
    service: QuestionService, passes: Passes | None = None, url: str = "", store: Store | None = None
) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(application(service, passes, url, store))
    return httpx.AsyncClient(transport=transport, base_url=HERE, headers={"Origin": HERE})


@contextmanager
def served(service: QuestionService, settings: Settings = SETTINGS) -> Iterator[str]:
    """Serve while the context lasts, and return the address; the state is temporary unless the settings name one."""
    shown, stop = Queue[str](), asyncio.Event()
    with TemporaryDirectory() as folder, start_blocking_portal() as portal:
        stored = replace(settings, state=settings.state or f"{folder}/state.sqlite")
        serving = portal.start_task_soon(serve, service, stored, stop, shown.put)
        try:
            yield shown.get(timeout=30)
        finally:
            portal.call(stop.set)
            serving.result(timeout=30)


# -- what a page of HTML shows, read back out of it ----------------------------------------------------------------

Covered = set[tuple[int, int, bool]]


def parsed(response: httpx.Response) -> html.HtmlElement:
    assert response.status_code == 200, response.text
    return html.document_fromstring(response.text)


def rows(page: html.HtmlElement) -> list[html.HtmlElement]:
    return list(page.xpath("//span[contains(concat(' ', @class, ' '), ' sentence ')]"))


def index(row: html.HtmlElement) -> int:
    return int(row.get("id").rpartition("s")[2])


def words(row: html.HtmlElement) -> str:
    (shown,) = row.xpath("./span[starts-with(@class, 'words')]")
    return str(shown.text_content())


def covered(page: html.HtmlElement) -> Covered:
    """Return which sentence each caveat is drawn on, which sentence holds it, and whether it is drawn as sure."""
    return {
        (index(row), int(note.xpath("./a")[0].get("href").rpartition("s")[2]), "sure" in note.get("class"))
        for row in rows(page)
        for described in row.xpath("./span/@aria-describedby")
        for note in map(page.get_element_by_id, described.split())
    }


def due(reading: Reading) -> Covered:
    return {
        (place, caveat.sentence, sure)
        for caveat in reading.caveats
        for sure, places in ((True, caveat.covers), (False, caveat.possible))
        for place in places
    }


def squashed(element: html.HtmlElement) -> str:
    return collapse(str(element.text_content()))
