"""A reader says what they think of an answer: the buttons below it, and what becomes of it when one is pressed.

Whoever may ask may judge. A form comes back with the token it was given out with, so that no other
site can send one from a reader's browser, whether or not the page takes passes.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from adapters.page import labels, rendering
from adapters.page.access import BAD, FORBIDDEN, TOO_LARGE, UNAVAILABLE, Access, fields
from adapters.page.addresses import Links, feedback_scope
from adapters.page.reply_view import FeedbackForm, View
from adapters.storage.records import Opinion
from adapters.storage.store import Store, StoreError
from bot import messages
from bot.verbatim import collapse

LARGEST = 16_384  # bytes of a form: every field at its longest, as browsers write it
READER = "page"  # nobody has a name on the page, and every answer a number of its own

log = logging.getLogger(__name__)


class Feedback:
    """Gives the buttons out, and stores what is pressed."""

    def __init__(self, access: Access, store: Store) -> None:
        self._access = access
        self._store = store

    def route(self) -> Route:
        """Return where answers are judged."""
        return Route("/feedback/{answer:int}", self.sent, methods=["POST"])

    def form(self, answer: int, *, why: bool = False) -> FeedbackForm:
        """Return the form that judges an answer; ``why`` for the one that asks what was not right."""
        return FeedbackForm(answer, self._access.tokens.issue(feedback_scope(answer)), why)

    async def sent(self, request: Request) -> Response:
        """Store what a reader thinks."""
        links, answer = self._access.links(request), request.path_params["answer"]
        if not links.everything:
            return self._access.closed()
        sent = await fields(request, LARGEST)
        if sent is None:
            return self._access.said(labels.FORM_REFUSED, links, TOO_LARGE)
        if not self._access.tokens.opens(sent.get("token", ""), feedback_scope(answer)):
            return self._access.said(labels.FORM_REFUSED, links, FORBIDDEN)
        if sent.get("verdict") not in labels.VERDICTS:
            return self._access.said(labels.FORM_REFUSED, links, BAD)
        return await run_in_threadpool(self._kept, answer, sent, links)

    def _kept(self, answer: int, sent: Mapping[str, str], links: Links) -> Response:
        right, note = sent["verdict"] == "right", collapse(sent.get("why", ""))[: labels.LONGEST_NOTE]
        why = " ".join(filter(None, (f"{labels.MISREAD}." if sent.get("misread") else "", note)))
        try:
            self._store.record_opinion(Opinion(answer, READER, right, why or None))
        except StoreError as error:
            log.error("an opinion was not kept: %s", error)  # noqa: TRY400 - the sentence says it all
            return self._access.said(labels.NOT_KEPT, links, UNAVAILABLE)
        asking = None if right or why else self.form(answer, why=True)
        return HTMLResponse(rendering.reply(View("Stet", messages.THANKS, judging=asking), links))
