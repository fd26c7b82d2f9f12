"""Feedback on an answer: the form below it, and what happens when it is sent.

Each form has a signed token, so that no other site can send one from a reader's browser.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.formparsers import FormParser
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from adapters.page import labels, rendering
from adapters.page.access import BAD, FORBIDDEN, UNAVAILABLE, Access, Refusal, read_form
from adapters.page.addresses import Links, feedback_scope
from adapters.page.reply_view import FeedbackForm, View
from adapters.storage.records import Opinion
from adapters.storage.store import Store, StoreError
from bot import messages
from bot.verbatim import collapse

MAX_FORM_BYTES = 16_384  # every field at its longest, as browsers write it
READER = "page"  # readers have no names; every answer has its own number

log = logging.getLogger(__name__)


class FeedbackRoutes:
    def __init__(self, access: Access, store: Store) -> None:
        self._access = access
        self._store = store

    def route(self) -> Route:
        return Route("/feedback/{answer:int}", self.receive, methods=["POST"])

    def form(self, answer: int, *, why: bool = False) -> FeedbackForm:
        """Return the form for an answer; with ``why``, the one that asks what was not right."""
        return FeedbackForm(answer, self._access.tokens.issue(feedback_scope(answer)), why)

    async def receive(self, request: Request) -> Response:
        links, answer = self._access.links(request), request.path_params["answer"]
        form = await read_form(request, FormParser, MAX_FORM_BYTES, labels.FORM_REFUSED)
        sent = {name: str(value) for name, value in form.items()}
        if not self._access.tokens.opens(sent.get("token", ""), feedback_scope(answer)):
            raise Refusal(FORBIDDEN, labels.FORM_REFUSED)
        if sent.get("verdict") not in labels.VERDICTS:
            raise Refusal(BAD, labels.FORM_REFUSED)
        return await run_in_threadpool(self._record, answer, sent, links)

    def _record(self, answer: int, form: Mapping[str, str], links: Links) -> Response:
        right, note = form["verdict"] == "right", collapse(form.get("why", ""))[: labels.LONGEST_NOTE]
        why = " ".join(filter(None, (f"{labels.MISREAD}." if form.get("misread") else "", note)))
        try:
            self._store.record_opinion(Opinion(answer, READER, right, why or None))
        except StoreError as error:
            log.error("feedback was not recorded: %s", error)  # noqa: TRY400 - the sentence says it all
            raise Refusal(UNAVAILABLE, labels.NOT_SAVED) from error
        next_form = None if right or why else self.form(answer, why=True)
        return HTMLResponse(rendering.reply(View("Stet", messages.THANKS, feedback=next_form), links))
