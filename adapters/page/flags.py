"""A reader says what was read wrongly in a sentence: the form at its address, and what becomes of it when it is sent.

Who may read an article may flag its sentences. A form comes back with the token it was given out with, so that no
other site can send one from a reader's browser, whether or not the page takes passes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from adapters.page import labels, rendering
from adapters.page.access import CLOSED, FORBIDDEN, Access
from adapters.page.addresses import Links, article_scope, flag_scope
from adapters.page.flag_form import IncompleteFlagError, fields, flag, flag_form
from adapters.storage.records import Flag
from adapters.storage.store import Store, StoreError
from retrieval import Reading

ADDRESS = "/flag/{article:path}/{version}/{index:int}"
LARGEST = 16_384  # bytes of a form: every field at its longest, as browsers write it
BAD, TOO_LARGE, UNAVAILABLE = 400, 413, 503

log = logging.getLogger(__name__)


def flag_routes(access: Access, store: Store) -> Iterator[Route]:
    """Yield where sentences are flagged."""
    flagging = Flagging(access, store)
    yield Route(ADDRESS, flagging.form, methods=["GET"])
    yield Route(ADDRESS, flagging.sent, methods=["POST"])


class Flagging:
    """Returns the forms, and stores what readers send."""

    def __init__(self, access: Access, store: Store) -> None:
        self._access = access
        self._store = store

    def form(self, request: Request) -> Response:
        """Return the form for a sentence."""
        links = self._links(request)
        if links is CLOSED:
            return self._access.closed()
        reading = self._held(request)
        if reading is None:
            return self._access.gone(links)
        form = flag_form(reading, request.path_params["index"], self._access.tokens.issue(_scope(request)))
        return HTMLResponse(rendering.flag(form, links))

    async def sent(self, request: Request) -> Response:
        """Store what a reader sent."""
        links = self._links(request)
        if links is CLOSED:
            return self._access.closed()
        sent = await fields(request, LARGEST)
        if sent is None:
            return self._access.said(labels.FLAG_UNSENT, links, TOO_LARGE)
        if not self._access.tokens.opens(sent.get("token", ""), _scope(request)):
            return self._access.said(labels.FLAG_UNSENT, links, FORBIDDEN)
        return await run_in_threadpool(self._answered, request, sent, links)

    def _answered(self, request: Request, sent: Mapping[str, str], links: Links) -> Response:
        reading = self._held(request)
        if reading is None:
            return self._access.gone(links)
        try:
            flagged = flag(reading, request.path_params["index"], sent)
        except IncompleteFlagError:
            return self._access.said(labels.FLAG_INCOMPLETE, links, BAD)
        return self._kept(flagged, links)

    def _kept(self, flagged: Flag, links: Links) -> Response:
        try:
            kept = self._store.record_flag(flagged)
        except StoreError as error:
            log.error("a flag was not kept: %s", error)  # noqa: TRY400 - the sentence says it all
            return self._access.said(labels.FLAG_NOT_KEPT, links, UNAVAILABLE)
        return self._access.said(labels.FLAGGED if kept else labels.FLAGS_FULL, links)

    def _links(self, request: Request) -> Links:
        return self._access.links(request, article_scope(*_article(request)))

    def _held(self, request: Request) -> Reading | None:
        """Return the article, if it is still that version and has that sentence."""
        reading = self._access.held(*_article(request))
        return reading if reading and request.path_params["index"] < len(reading.passages) else None


def _article(request: Request) -> tuple[str, str]:
    return request.path_params["article"], request.path_params["version"]


def _scope(request: Request) -> str:
    return flag_scope(*_article(request), request.path_params["index"])
