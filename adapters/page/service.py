"""The page's wire: on this machine alone unless there is a secret."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from adapters.http_server import listening, run_http_server, written
from adapters.page.addresses import EVERYTHING, LEAST_SECRET, Links, passes, root
from adapters.page.app import application
from adapters.settings import Fault, Settings, SettingsError
from adapters.storage.store import Store
from bot.service import QuestionService

HERE = {"127.0.0.1", "::1"}


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
    url = settings.page_url.rstrip("/") or f"http://{written(settings.page_host)}:{settings.page_port}"
    issuing = passes(settings)
    return f"{url}{Links(given=issuing.issue(EVERYTHING) if issuing else '').to('/')}"


def _say(how: str) -> None:
    print(f"stet: page ready ({how})", flush=True)  # noqa: T201  (the line that others wait for)


async def serve(
    service: QuestionService, settings: Settings, stop: asyncio.Event, say: Callable[[str], None] = _say
) -> None:
    """Serve until ``stop``; ``say`` is told the address that it listens on.

    Raises ``PageError`` where the secret could be guessed or the page would be open to others, ``PortError`` where no
    port is to be had, ``StoreError`` where the state cannot be opened.
    """
    _refuse(settings)
    with (
        listening(settings.page_host, settings.page_port) as place,
        Store.of(settings) as store,
    ):
        app = application(service, passes(settings), root(settings), store)
        await run_http_server("page", app, place, stop, say)


def _refuse(settings: Settings) -> None:
    """Raise ``PageError`` for a page that could be read by those it is not for."""
    if not settings.page_secret and settings.page_host not in HERE:
        raise PageError("STET_PAGE_HOST opens the page to others; that takes a STET_PAGE_SECRET, and links by it.")
    if settings.page_secret and len(settings.page_secret) < LEAST_SECRET:
        raise PageError(_WEAK)
