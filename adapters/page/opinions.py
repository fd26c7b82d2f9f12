"""What a reader thinks of an answer: the form beside it, and what becomes of it when it is sent."""

from __future__ import annotations

import logging

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.page import labels
from adapters.page.access import CHANGED, FORBIDDEN, Access
from adapters.page.forms import fields
from adapters.page.reply_view import Judging
from adapters.storage.records import Opinion
from adapters.storage.store import Store, StoreError
from bot import messages

PERSON = "page"  # nobody is known by name there
LARGEST = 1_024  # bytes of the form
UNAVAILABLE = 503

log = logging.getLogger(__name__)


class Opinions:
    """Gives out the forms, and stores what readers send."""

    def __init__(self, access: Access, store: Store) -> None:
        self._access, self._store = access, store
        self.route = Route("/opinion/{answer:int}", self.sent, methods=["POST"])

    def judging(self, answer: int) -> Judging:
        """Return the form beside the answer of that number."""
        return Judging(f"/opinion/{answer}", self._access.signing.issue(_scope(answer)))

    async def sent(self, request: Request) -> Response:
        """Store what a reader sent."""
        links = self._access.links(request)
        if not links.everything:
            return self._access.closed()
        answer, sent = request.path_params["answer"], await fields(request, LARGEST) or {}
        verdict = sent.get("verdict")
        if verdict not in ("right", "wrong") or not self._access.signing.opens(sent.get("token", ""), _scope(answer)):
            return self._access.said(labels.UNHEARD, links, FORBIDDEN)
        try:
            opinion = Opinion(answer, PERSON, right=verdict == "right")
            if not await run_in_threadpool(self._store.record_opinion, opinion):
                return self._access.said(labels.UNHEARD, links, CHANGED)
        except StoreError as error:
            log.error("an opinion was not kept: %s", error)  # noqa: TRY400 - the sentence says it all
            return self._access.said(labels.FLAG_NOT_KEPT, links, UNAVAILABLE)
        return self._access.said(messages.THANKS, links)


def _scope(answer: int) -> str:
    return f"opinion {answer}"
