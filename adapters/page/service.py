"""Serves the page: only for this machine unless there is a secret."""

import asyncio
from collections.abc import Iterator
from functools import partial

from adapters.page.addresses import EVERYTHING, PASS_DAYS, SHORTEST_SECRET, Links, passes
from adapters.page.app import application
from adapters.settings import Fault, Settings, SettingsError
from adapters.storage.store import Store
from adapters.web import Say, announce, bracketed, origin, serve_http
from bot.service import QuestionService

LOOPBACK = {"127.0.0.1", "::1"}
SAY = partial(announce, "page")


def check(settings: Settings) -> Iterator[str]:
    if settings.page_url and origin(settings.page_url) is None:
        yield Fault("  STET_PAGE_URL is no web address: write https:// and a host. No form can be sent until then.")
    try:
        _refuse(settings)
    except SettingsError as error:
        yield Fault(f"  {error}")
    else:
        alone = f"  It is only for this machine ({settings.host}). STET_PAGE_SECRET opens it to others, by links."
        yield f"  Its links hold for {PASS_DAYS} days." if settings.page_secret else alone


def entrance_url(settings: Settings) -> str:
    """Return the URL that opens the whole page, while its pass is valid. Raises as ``serve`` does."""
    _refuse(settings)
    url = settings.page_url.rstrip("/") or f"http://{bracketed(settings.host)}:{settings.page_port}"
    issuer = passes(settings)
    return f"{url}{Links(token=issuer.issue(EVERYTHING) if issuer else '').to('/')}"


async def serve(service: QuestionService, settings: Settings, stop: asyncio.Event, say: Say = SAY) -> None:
    """Serve until ``stop``; ``say`` is called with the URL.

    Raises ``SettingsError`` where the secret could be guessed or the page would be open to others, ``PortError`` where
    the port cannot be opened, ``StoreError`` where the store cannot.
    """
    _refuse(settings)
    with Store.of(settings) as store:
        app = application(service, passes(settings), settings.page_url, store)
        await serve_http("page", app, (settings.host, settings.page_port), stop, say)


def _refuse(settings: Settings) -> None:
    if not settings.page_secret and settings.host not in LOOPBACK:
        raise SettingsError("STET_HOST opens the page to others; that takes a STET_PAGE_SECRET, and links by it.")
    if settings.page_secret and len(settings.page_secret) < SHORTEST_SECRET:
        raise SettingsError(f"STET_PAGE_SECRET is shorter than {SHORTEST_SECRET} characters; it could be guessed.")
