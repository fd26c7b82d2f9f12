"""The page's addresses -> what is shown there: articles as read, replies of the desk, copies.

Nothing is shown without a pass where passes are in use; where they are not, only to a browser that believes it talks
to this machine itself. The desk and the drawing work in threads; an article that was just drawn is at hand.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from adapters.operations.metrics import count, stage
from adapters.page import labels, rendering
from adapters.page.access import CLOSED, NOT_FOUND, TOO_LARGE, Access, Headers, LoopbackOnly, fields
from adapters.page.addresses import Links, Passes, article_path, article_scope
from adapters.page.feedback import Feedback
from adapters.page.home import Home, home
from adapters.page.quotation_check import CheckedText, proofread
from adapters.page.reply_view import FeedbackForm, Filter, Thread, View, near_names, view
from adapters.page.version_view import OpenedVersion, versions
from adapters.storage.answer_record import accepts_feedback, asked, is_confident, keep, record_all
from adapters.storage.store import AnswerRecord, Store
from bot import references, state
from bot.command import Holdings
from bot.commands.clip import FORMS
from bot.model import Asker, Clipping, Place, Question, Reply, Verdict
from bot.service import QuestionService
from retrieval import MESSAGE, ArchiveError, Scope

DRAWN = 32  # articles at hand
LARGEST = 10 * MESSAGE  # bytes of a form with a text: a character takes nine as browsers write it
KEPT = 1_000  # checks of quotations that are known to be kept
EARLIER = 8  # questions of a thread that are told
NEEDS_WORDS = {"who", "said", "disputed"}  # the views that show nothing without any


def application(
    service: QuestionService, passes: Passes | None = None, root: str = "", store: Store | None = None
) -> Starlette:
    """Return the page over what ``service`` holds; ``root`` is the path under which browsers find it.

    With a ``store``, answers are kept and readers can judge them.
    """
    access = Access(service, passes, root)
    feedback = Feedback(access, store) if store else None
    page = Page(access, store, feedback)
    routes = [
        Route("/", page.ask),
        Route("/a/{article:path}/{version}", page.article),
        Route("/copy/{form}/{article:path}/{version}/{index:int}", page.copy),
        Route("/who/{name:path}", page.who),
        *(Route(f"/{name}", page.listing) for name in labels.VIEWS),
        Route("/more/{state}", page.more),
        Route("/verify", page.quotations, methods=["GET"]),
        Route("/verify", page.proofread, methods=["POST"]),
        *([feedback.route()] if feedback else ()),
        Route("/style.css", _static("style.css", "text/css")),
        Route("/icon.svg", _static("icon.svg", "image/svg+xml")),
        Route("/page.js", _static("page.js", "text/javascript")),
    ]
    # a name of another's that leads to this machine must not make its browser read articles out
    hosts = [] if passes else [Middleware(LoopbackOnly)]
    return Starlette(
        routes=routes, middleware=[Middleware(Headers), *hosts], exception_handlers={NOT_FOUND: page.nowhere}
    )


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as it is sent, and the same packed by gzip."""

    plain: bytes
    packed: bytes


Key = tuple[OpenedVersion, Links]


class Page:
    """What stands at each address."""

    def __init__(self, access: Access, store: Store | None, feedback: Feedback | None) -> None:
        self._access = access
        self._store = store
        self._feedback = feedback
        self._service = access.service
        self._revision: object = None
        self._first: tuple[object, Home] = (None, Home())
        self._kept: dict[AnswerRecord, None] = {}
        self._drawn: dict[Key, asyncio.Future[RenderedPage | None]] = {}

    def ask(self, request: Request) -> Response:
        """Return the page with the reply, or the first page."""
        links = self._access.links(request)
        if not links.everything:
            return self._access.closed()
        words = request.query_params.get("q", "")
        if not words:
            return HTMLResponse(rendering.home(self._home(), links))
        question = _following(request, words)
        with stage("answer"):
            reply = self._service.answer(question)
        judging, thread = self._record(words, reply, question), _thread(request, question, reply)
        near = near_names(reply, self._service.holdings_for(_question("")).archive)
        return self._reply(replace(view(reply, words), judging=judging, thread=thread, near=near), links, words)

    def _home(self) -> Home:
        """Return what the first page shows; worked out once a day while no article comes or goes."""
        try:
            key = (self._service.holdings.archive.revision(), datetime.now(UTC).date())
        except ArchiveError:
            return Home()
        if key != self._first[0]:
            found = home(self._service, _question(""))
            if found == Home():  # the archive was out of reach
                return found
            self._first = key, found
        return self._first[1]

    def who(self, request: Request) -> Response:
        """Return the page on somebody."""
        return self._command(request, "who", request.path_params["name"])

    def listing(self, request: Request) -> Response:
        """Return a view with its field: of somebody, of what is said, unverified, disputed, or held."""
        name, words = request.url.path.rpartition("/")[2], request.query_params.get("q", "")
        links = self._access.links(request)
        if links.everything and not words and name in NEEDS_WORDS:
            found = _filter(request, self._service.holdings_for(_question("")))
            return HTMLResponse(rendering.reply(View(labels.VIEWS[name], field=name, filter=found), links))
        return self._command(request, name, words, field=name)

    def more(self, request: Request) -> Response:
        """Return the page with the next extracts of an answer."""
        return self._command(request, "more", request.path_params["state"])

    def quotations(self, request: Request) -> Response:
        """Return the form into which a text is pasted."""
        links = self._access.links(request)
        return HTMLResponse(rendering.quotations(links)) if links.everything else self._access.closed()

    async def proofread(self, request: Request) -> Response:
        """Return a text with every quotation in it checked."""
        links = self._access.links(request)
        if not links.everything:
            return self._access.closed()
        sent = await fields(request, LARGEST)
        text = sent.get("text", "").replace("\r\n", "\n") if sent else ""
        if sent is None or len(text) > MESSAGE:
            return self._access.said(labels.TEXT_TOO_LONG, links, TOO_LARGE)
        return await run_in_threadpool(self._proofread, text, links)

    def _proofread(self, text: str, links: Links) -> Response:
        with stage("answer"):
            found = proofread(self._service, text, _question(""))
        for each in found.checked:
            count("page", each.check)
        self._keep_checks(found)
        return HTMLResponse(rendering.quotations(links, found, text))

    async def article(self, request: Request) -> Response:
        """Return the page of an article as it was read."""
        article_id, wanted = request.path_params["article"], request.path_params["version"]
        links = self._access.links(request, article_scope(article_id, wanted))
        if links is CLOSED:
            return self._access.closed()
        opened, revision = await run_in_threadpool(self._opened, article_id, wanted, links)
        drawn = await self._at_hand(opened, links, revision) if opened else None
        if drawn is None:
            return self._access.gone(links)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return HTMLResponse(drawn.packed, headers={"content-encoding": "gzip", "vary": "accept-encoding"})
        return HTMLResponse(drawn.plain, headers={"vary": "accept-encoding"})

    def copy(self, request: Request) -> Response:
        """Return a sentence in plain text, as it is pasted elsewhere."""
        article_id, wanted = request.path_params["article"], request.path_params["version"]
        links = self._access.links(request, article_scope(article_id, wanted))
        if links is CLOSED:
            return self._access.closed()
        opened = self._access.opened(article_id, wanted, links)
        if opened is None or request.path_params["form"] not in FORMS:
            return self._access.gone(links)
        address = state.Address(state.key(article_id, opened.shown.digest), request.path_params["index"])
        argument = f"{state.encode([address])} {request.path_params['form']}"
        copied = self._service.command("copy", argument, _question(""))
        if not isinstance(copied, Clipping):
            return self._access.gone(links)
        return PlainTextResponse(copied.text.encode("utf-8", "backslashreplace"))

    async def nowhere(self, request: Request, _: Exception) -> Response:
        """Return the page for an unknown address."""
        return self._access.said(labels.NOWHERE, self._access.links(request), NOT_FOUND)

    def _opened(self, article_id: str, wanted: str, links: Links) -> tuple[OpenedVersion | None, object]:
        """Return the version that is asked for, and the archive's revision before it was looked up."""
        revision = self._service.holdings.archive.revision()
        return self._access.opened(article_id, wanted, links), revision

    async def _at_hand(self, opened: OpenedVersion, links: Links, revision: object) -> RenderedPage | None:
        """Return an article's page; many who ask for it at once wait for one drawing. None where it cannot be read."""
        if revision != self._revision:  # of what was removed nothing stays at hand
            self._drawn.clear()
            self._revision = revision
        key = (opened, links)
        if key not in self._drawn:
            while len(self._drawn) >= DRAWN:
                self._drawn.pop(next(iter(self._drawn)))
            self._drawn[key] = asyncio.ensure_future(run_in_threadpool(self._drawn_of_one_state, opened, links))
        try:
            # who goes away must not end it for the others
            drawn = await asyncio.shield(self._drawn[key])
        except Exception:
            self._drawn.pop(key, None)
            raise
        if drawn is None:
            self._drawn.pop(key, None)
        return drawn

    def _drawn_of_one_state(self, opened: OpenedVersion, links: Links) -> RenderedPage | None:
        with self._service.holdings.archive.snapshot():
            return self._draw(opened, links)

    def _draw(self, opened: OpenedVersion, links: Links) -> RenderedPage | None:
        read = partial(self._access.read, opened.article_id)
        reading = read(opened.shown)
        if reading is None:
            return None
        told = versions(opened, reading, lambda held: self._access.address(opened.article_id, held, links), read)
        plain = rendering.article(reading, links, told).encode()
        return RenderedPage(plain, gzip.compress(plain, mtime=0))

    def _command(self, request: Request, name: str, argument: str, field: str = "") -> Response:
        links = self._access.links(request)
        if not links.everything:
            return self._access.closed()
        found = _filter(request, self._service.holdings_for(_question(""))) if field else Filter()
        with stage("answer"):
            question = replace(_question(""), scope=_scope(found))
            reply = self._service.command(name, argument, question)
        judging = self._record(f"/{name} {argument}".strip(), reply, question)
        shown = view(reply, argument or labels.VIEWS.get(field, ""))
        return self._reply(replace(shown, field=field, filled=argument, filter=found, judging=judging), links)

    def _record(self, words: str, reply: Reply, question: Question) -> FeedbackForm | None:
        """Keep a reply; return the form that judges it, where people are asked what they think of such a one."""
        count("page", reply)
        kept = keep(self._store, self._service, question, words, reply) if self._store else None
        return self._feedback.form(kept) if self._feedback and kept and accepts_feedback(reply) else None

    def _keep_checks(self, found: CheckedText) -> None:
        """Keep what was found of a text's quotations, each once: a text that is being written is checked often.

        What no article has shows nothing of any, and is not kept.
        """
        if not (self._store and found.checked):
            return
        question = _question("")
        scope = self._service.holdings_for(question).scope
        answers = (
            asked(question, f"/verify {each.claim}", each.check, scope)
            for each in found.checked
            if each.check.verdict is not Verdict.ABSENT
        )
        fresh = dict.fromkeys(answer for answer in answers if answer not in self._kept)
        if fresh and record_all(self._store, tuple(fresh)):
            self._kept |= fresh
            for known in tuple(self._kept)[:-KEPT]:
                self._kept.pop(known, None)

    def _reply(self, shown: View, links: Links, words: str = "") -> Response:
        def held(line: str) -> str | None:
            return self._listed(line, links)

        return HTMLResponse(rendering.reply(shown, links, words, held))

    def _listed(self, line: str, links: Links) -> str | None:
        """Return where the article stands that a line of a listing names last."""
        try:
            article = self._service.holdings.archive.article(line.rpartition(" · ")[2])
        except KeyError:  # most lines name none
            return None
        return links.to(article_path(article.id, article.digest))


def _following(request: Request, words: str) -> Question:
    """Return a question with the one that it follows on, and what was shown last."""
    asked, last = request.query_params.getlist("after"), request.query_params.get("shown", "")
    previous = asked[-1] if asked else None
    return replace(_question(words), previous=previous, shown=last if state.is_state(last) else "")


def _thread(request: Request, question: Question, reply: Reply) -> Thread:
    """Return what the next question follows on: what was answered for certain, and what is shown."""
    before = tuple(request.query_params.getlist("after"))[-EARLIER:]
    leads = is_confident(reply) and not references.is_reference(question.text) and not question.text.startswith("/")
    return Thread(before, (*before, question.text) if leads else before, references.state_of(reply) or question.shown)


def _filter(request: Request, holdings: Holdings) -> Filter:
    """Return what a list is narrowed to; an outlet that is not held, and a day that is none, narrow nothing."""
    outlets: tuple[str, ...] = ()
    with suppress(ArchiveError):  # the reply says so
        outlets = tuple(outlet.source for outlet in holdings.archive.outlets() if outlet.source)
    outlet, since = request.query_params.get("outlet", ""), request.query_params.get("since", "").strip()
    day = _day(since)
    faults = (labels.NO_DAY if since and day is None else "", labels.NO_OUTLET if outlet not in ("", *outlets) else "")
    return Filter(outlets, outlet if outlet in outlets else "", since if day else "", " ".join(filter(None, faults)))


def _scope(found: Filter) -> Scope:
    return Scope(frozenset((found.outlet,)) if found.outlet else None, _day(found.since))


def _day(words: str) -> date | None:
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None


def _question(text: str) -> Question:
    return Question(text, asker=Asker("page"), place=Place("page"))


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = rendering.static(name)
    return lambda _: Response(content, media_type=kind)
