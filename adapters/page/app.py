"""The page's routes: articles as they were read, replies, checks of quotations, copies.

Without passes, the page is only for a browser that believes it talks to this machine itself; with passes, nothing is
shown without one. Replies are worked out and pages rendered in threads; the last pages of articles are cached.
"""

import asyncio
import gzip
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import lru_cache, partial
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.formparsers import FormParser
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from adapters.answer_record import accepts_feedback, is_confident, new_record, record_all, record_reply
from adapters.metrics import count, stage
from adapters.page import access, labels, rendering, reply_view
from adapters.page.access import MemoryParser, Refusal, read_form, with_headers
from adapters.page.addresses import EVERYTHING, FEEDBACK, Links, Passes, article_path, article_scope, version
from adapters.page.article_view import OpenedVersion, article_view, comparison
from adapters.page.checks import CheckedText, check_text, drafted, proof_view
from adapters.page.reply_view import FeedbackForm, Filter, Home, Thread, View, view, with_further
from adapters.storage.store import AnswerRecord, Opinion, Store, StoreError
from adapters.web import Guarded
from bot import messages, references, sentence_links, verbatim
from bot.command import Library
from bot.commands.clip import FORMS
from bot.commands.command_table import find
from bot.escaping import as_csv
from bot.model import Answer, Asker, Clipping, Listing, Message, NoAnswer, Place, Question, Reply, Section
from bot.outline import outline
from bot.service import QuestionService
from retrieval import DRAFT, MESSAGE, ArchiveError, Reading, Scope, VersionSummary, version_key

CACHED_PAGES = 32  # of articles
READER = Question("", asker=Asker("page"), place=Place("page"), brief=True)
RATER = "page"  # of an answer: readers have no names, and every answer has its own number
MAX_FEEDBACK_BYTES = 16_384  # of a form with every field at its longest, as browsers write it
MAX_TEXT_BYTES = 10 * MESSAGE  # of a form with a text: a character takes nine as browsers write it
MAX_DRAFT_BYTES = DRAFT.most + 1_000_000  # of a form with a draft and its headers
REMEMBERED_CHECKS = 1_000  # of quotations, that are not recorded again
SHOWN_QUESTIONS = 8  # of a thread
MOST_PRESSED = 8  # times of "More"
STATEMENTS = 24  # of a list, on a page
KEPT = ("q", "after", "shown", "outlet", "since")  # of an address, when "More" is pressed
SUGGESTIONS, SUGGESTED_WORDS = 6, 3  # a name of so many words is completed
SHORTEST_SUGGESTED = 2  # characters

log = logging.getLogger(__name__)


class _Number(IntegerConvertor):
    regex = "[0-9]{1,18}"  # that a database can hold; Python reads no more than 4,300 digits


register_url_convertor("number", _Number())


def application(
    service: QuestionService, passes: Passes | None = None, url: str = "", store: Store | None = None
) -> Starlette:
    """Return the page over the articles of ``service``; ``url`` is where browsers find it, if not where it listens.

    With a ``store``, answers are recorded and readers can give feedback.
    """
    page = Page(service, passes, urlsplit(url).path.rstrip("/"), store)
    routes = [
        Route("/", page.ask),
        Route("/a/{article:path}/{version}", page.article),
        Route("/copy/{form}/{article:path}/{version}/{places}", page.copy),
        Route("/who/{name:path}", lambda request: page.command(request, "who", request.path_params["name"])),
        *(Route(f"/{name}", page.listing) for name in labels.LISTS),
        *(Route(f"/{name}.csv", page.table) for name in labels.TABLES),
        Route("/suggest", page.suggest),
        Route("/verify", partial(page.form, "quotations")),
        Route("/verify", page.check_quotations, methods=["POST"]),
        Route("/proof", partial(page.form, "proof")),
        Route("/proof", page.proof_draft, methods=["POST"]),
        *([Route("/feedback/{answer:number}", page.receive_feedback, methods=["POST"])] if store else ()),
        *(Route(f"/{name}", _static(name, media_type)) for name, media_type in rendering.STATIC.items()),
    ]
    return Starlette(
        routes=routes,
        # another site's name may lead to this machine: its scripts must not read articles
        middleware=[Middleware(with_headers), Middleware(Guarded, url, is_local=not passes)],
        exception_handlers={access.NOT_FOUND: page.refuse, Refusal: page.refuse},
    )


class Page:
    """The endpoints; the plain functions among them run in threads. ``root`` is where browsers find the page."""

    def __init__(self, service: QuestionService, passes: Passes | None, root: str, store: Store | None) -> None:
        self._service, self._passes, self._root, self._store = service, passes, root, store
        self._form_passes = passes or Passes(secrets.token_urlsafe(), days=1)
        self._home = lru_cache(1)(lambda _revision, _day: reply_view.home(self._service, READER))
        self._recorded_checks: dict[AnswerRecord, None] = {}
        self._revision: object = None
        self._rendering = lru_cache(CACHED_PAGES)(
            lambda opened, links: asyncio.ensure_future(run_in_threadpool(self._render, opened, links))
        )

    @property
    def _holdings(self) -> Library:
        """What readers of the page may see at this moment."""
        return self._service.library_for(READER)

    def _links(self, request: Request, scope: str = EVERYTHING) -> Links:
        """Return the links for a request. Raises ``Refusal`` where its pass opens neither ``scope`` nor everything."""
        if self._passes is None:
            return Links(self._root)
        token = request.query_params.get("pass", "")
        for opened in (EVERYTHING, scope):
            if self._passes.opens(token, opened):
                return Links(self._root, token, everything=opened == EVERYTHING)
        raise Refusal(access.FORBIDDEN, labels.ONLY_BY_LINK)

    def ask(self, request: Request) -> Response:
        links = self._links(request)
        words = request.query_params.get("q", "")
        if not words:
            return HTMLResponse(rendering.render("home", home=self._first_page(), links=links))
        earlier, shown = request.query_params.getlist("after"), request.query_params.get("shown", "")
        shown = shown if sentence_links.is_state(shown) else ""
        question = replace(READER, text=words, previous=earlier[-1] if earlier else None, shown=shown)
        with stage("answer"):
            reply = self._service.answer(question)
            further = self._further(request, question)
            around = self._around(reply, question)
        before = tuple(earlier[-SHOWN_QUESTIONS:])
        leads = is_confident(reply) and not references.is_reference(words) and not words.startswith("/")
        places = "-".join(filter(None, map(references.state_of, (reply, *further))))
        drawn = replace(
            with_further(view(reply, words), further),
            feedback=self._record(request, words, reply, further, question),
            thread=Thread(before, (*before, words) if leads else before, places or shown),
            near=reply_view.near_names(reply, self._holdings.archive),
            examples=self._first_page().examples if isinstance(reply, NoAnswer) else (),
            around=around,
        )
        return self._reply(request, links, drawn, words)

    def _around(self, reply: Reply, question: Question) -> Section | None:
        state = sentence_links.encode(map(sentence_links.address, outline(reply).extracts[:1]))
        shown = self._service.command("context", state, question) if state and isinstance(reply, Answer) else None
        return shown.sections[0] if isinstance(shown, Listing) else None

    def _further(self, request: Request, question: Question) -> tuple[Reply, ...]:
        return tuple(self._service.command("more", pressed, question) for pressed in _pressed(request))

    def _first_page(self) -> Home:
        """Return the first page's contents, worked out once a day while no article changes; empty without them."""
        try:
            return self._home(self._service.library.archive.revision(), datetime.now(UTC).date())
        except ArchiveError:
            return Home()

    def listing(self, request: Request) -> Response:
        """Return one of the lists of ``labels.LISTS``, with its field."""
        name, words = request.url.path.rpartition("/")[2], request.query_params.get("q", "")
        links = self._links(request)
        if not words and labels.LISTS[name].needs_words:
            filters = _filter(request, self._holdings)
            filled = {view for view, page in labels.LISTS.items() if page.needs_words}
            examples = tuple(example for example in self._first_page().examples if example.view in filled)
            empty = View(labels.LISTS[name].title, field=name, filter=filters, examples=examples)
            return HTMLResponse(rendering.reply(empty, links))
        return self.command(request, name, words, field=name)

    def suggest(self, request: Request) -> Response:
        """Return what may follow in a field: questions about names that begin so, or the names alone."""
        self._links(request)
        typed, is_question = request.query_params.get("q", "")[-MESSAGE:], "asking" in request.query_params
        words = typed.split(" ")
        for number in range(min(SUGGESTED_WORDS, len(words)), 0, -1):
            begun = " ".join(words[-number:])
            names = self._service.complete_names(begun, SUGGESTIONS, READER) if begun.strip() else ()
            if names and len(begun) >= SHORTEST_SUGGESTED:
                front = typed[: len(typed) - len(begun)]
                if is_question and not front:
                    names = tuple(ask for name in names[:3] for ask in (f"Who is {name}?", f"What did {name} say?"))
                return JSONResponse([front + name for name in names])
        return JSONResponse([])

    def form(self, template: str, request: Request) -> Response:
        """Return a form that nothing was sent with yet; an address may put a text into it."""
        links, text = self._links(request), request.query_params.get("text", "")[:MESSAGE]
        text = self._first_page().sample if "sample" in request.query_params else text
        return HTMLResponse(rendering.render(template, links=links, text=text, checked=None, proof=None))

    def table(self, request: Request) -> Response:
        """Return a list with all its figures as CSV."""
        self._links(request)
        name, words = request.url.path.rpartition("/")[2].removesuffix(".csv"), request.query_params.get("q", "")
        library = self._service.library_for(self._within(request)[1])
        rows = find(name).rows
        try:
            text = as_csv(rows(library, words)) if rows else ""
        except ValueError as error:
            raise Refusal(access.BAD, messages.NO_PERIOD) from error
        sent = {"content-disposition": f'attachment; filename="{name}.csv"'}
        return Response(text.encode("utf-8", "replace"), media_type="text/csv; charset=utf-8", headers=sent)

    async def check_quotations(self, request: Request) -> Response:
        links = self._links(request)
        form = await read_form(request, FormParser, MAX_TEXT_BYTES, labels.TEXT_TOO_LONG)
        text = str(form.get("text", "")).replace("\r\n", "\n")
        if len(text) > MESSAGE:
            raise Refusal(access.TOO_LARGE, labels.TEXT_TOO_LONG)

        def respond() -> Response:
            with stage("answer"):
                checked = check_text(self._service, text, READER)
            for quotation in checked.quotations:
                count("page", quotation.check)
            self._record_checks(checked)
            return HTMLResponse(rendering.render("quotations", links=links, checked=checked, text=text))

        return await run_in_threadpool(respond)

    async def proof_draft(self, request: Request) -> Response:
        """Return a draft with what is to be corrected or checked in it; it is neither recorded nor stored."""
        links = self._links(request)
        draft, filename = await drafted(await read_form(request, MemoryParser, MAX_DRAFT_BYTES, DRAFT.refusal))

        def respond() -> Response:
            with stage("answer"):
                proof = proof_view(self._service, draft, filename, READER)
            return HTMLResponse(rendering.render("proof", links=links, proof=proof, text=""))

        return await run_in_threadpool(respond)

    async def article(self, request: Request) -> Response:
        article_id, digits = request.path_params["article"], request.path_params["version"]
        links = self._links(request, article_scope(article_id, digits))
        revision = await run_in_threadpool(self._service.library.archive.revision)  # before it is looked up
        opened = await run_in_threadpool(self._open_version, article_id, digits, links)
        plain, gzipped = await self._cached_page(opened, links, revision)
        headers = {"vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            return HTMLResponse(gzipped, headers={**headers, "content-encoding": "gzip"})
        return HTMLResponse(plain, headers=headers)

    def copy(self, request: Request) -> Response:
        article_id, digits, form = (request.path_params[name] for name in ("article", "version", "form"))
        links = self._links(request, article_scope(article_id, digits))
        opened = self._open_version(article_id, digits, links)
        state = f"{version_key(article_id, opened.summary.digest)}.{request.path_params['places']}"
        reply = self._service.command("copy", f"{state} {form}", READER)
        if form not in FORMS or not isinstance(reply, Clipping):
            raise Refusal(access.GONE, labels.ARTICLE_CHANGED)
        return PlainTextResponse(reply.text.encode("utf-8", "backslashreplace"))

    async def refuse(self, request: Request, error: Exception) -> Response:
        refusal = error if isinstance(error, Refusal) else Refusal(access.NOT_FOUND, labels.UNKNOWN_ADDRESS)
        try:
            links = self._links(request)
        except Refusal:
            links = Links(self._root, everything=False)
        return HTMLResponse(rendering.reply(view(Message(refusal.detail), "Stet"), links), refusal.status_code)

    def _open_version(self, article_id: str, digits: str, links: Links) -> OpenedVersion:
        """Return the version of an article whose digest begins so. Raises ``Refusal`` where there is none.

        Whoever may see only one version may see the others of the same source.
        """
        history: tuple[VersionSummary, ...] = ()
        with suppress(KeyError):
            history = self._service.library.archive.history(article_id)
        places = [place for place, summary in enumerate(history) if version(summary.digest) == digits]
        if not places:
            raise Refusal(access.GONE, labels.ARTICLE_CHANGED)
        source = history[places[-1]].source
        visible = tuple(summary for summary in history if links.everything or summary.source == source)
        return OpenedVersion(article_id, places[-1], history, visible)

    async def _cached_page(self, opened: OpenedVersion, links: Links, revision: object) -> tuple[bytes, bytes]:
        """Return an article's page; requests at the same time wait for one rendering."""
        if revision != self._revision:  # no page of a removed article stays in the cache
            self._rendering.cache_clear()
            self._revision = revision
        try:
            # a client that goes away must not end it for the others
            return await asyncio.shield(self._rendering(opened, links))
        except Exception:
            self._rendering.cache_clear()
            raise

    def _render(self, opened: OpenedVersion, links: Links) -> tuple[bytes, bytes]:
        """Return an article's page, plain and gzipped."""
        archive, article_id = self._service.library.archive, opened.article_id

        def read(summary: VersionSummary) -> Reading | None:
            newest = verbatim.reading(archive, article_id)
            if newest and version(newest.article.digest) == version(summary.digest):
                return newest
            return verbatim.version(archive, article_id, summary.digest)

        def address(summary: VersionSummary) -> str:
            """Return the URL of a version for somebody who came to another; both expire together."""
            token = links.token
            if self._passes and not links.everything:
                token = self._passes.issue(article_scope(article_id, version(summary.digest)), token)
            return replace(links, token=token).to(article_path(article_id, summary.digest))

        with archive.snapshot():
            reading = read(opened.summary)
            if reading is None:
                raise Refusal(access.GONE, labels.ARTICLE_CHANGED)
            compared = comparison(opened, reading, read)
            drawn = {"article": article_view(reading), "url": reading.article.url, "opened": opened}
            plain = rendering.render("article", **drawn, links=links, compared=compared, address=address).encode()
        return plain, gzip.compress(plain, mtime=0)

    def command(self, request: Request, name: str, argument: str, field: str = "") -> Response:
        """Return the reply of a command; ``field`` names the list whose field and filters it has."""
        links = self._links(request)
        filters, question = self._within(request) if field else (Filter(), READER)
        begin = sentence_links.read_number(request.query_params.get("from", "")) or 0
        with stage("answer"):
            reply = self._service.command_in_full(name, argument, question, begin, STATEMENTS + 1)
            further = self._further(request, question)
        next_page = ""
        if isinstance(reply, Answer) and len(reply.extracts) > STATEMENTS:
            reply = replace(reply, extracts=reply.extracts[:STATEMENTS])
            asked = {"q": argument, "outlet": filters.outlet, "since": filters.since, "from": str(begin + STATEMENTS)}
            next_page = links.to(f"/{name}", **asked)
        feedback = self._record(request, f"/{name} {argument}".strip(), reply, further, question)
        drawn = with_further(view(reply, argument or (labels.LISTS[field].title if field else "")), further)
        if field == "sources" and not argument:
            with suppress(ArchiveError):  # the reply says so
                drawn = replace(drawn, overview=reply_view.overview(self._service.library_for(question).archive))
        label = messages.MORE if next_page else drawn.more_label
        drawn = replace(drawn, field=field, value=argument, filter=filters, feedback=feedback, more_label=label)
        return self._reply(request, links, drawn, more_url=next_page)

    def _within(self, request: Request) -> tuple[Filter, Question]:
        """Return what a list is narrowed to, and a question without words that is narrowed so."""
        filters = _filter(request, self._holdings)
        scope = Scope(frozenset((filters.outlet,)) if filters.outlet else None, _day(filters.since))
        return filters, replace(READER, scope=scope)

    def _record(
        self, request: Request, words: str, reply: Reply, further: Sequence[Reply], question: Question
    ) -> FeedbackForm | None:
        """Count and record what is shown last, which may be ``further``; return its feedback form, if it gets one."""
        if further:
            words, reply = f"/more {_pressed(request)[-1]}", further[-1]
        count("page", reply)
        number = record_reply(self._store, self._service, question, words, reply) if self._store else None
        return self._feedback_form(number) if number and accepts_feedback(reply) else None

    def _feedback_form(self, answer: int, *, why: bool = False) -> FeedbackForm:
        """Return the form for an answer, signed, so that no other site can send one from a reader's browser."""
        return FeedbackForm(answer, self._form_passes.issue(FEEDBACK.format(answer)), why)

    async def receive_feedback(self, request: Request) -> Response:
        links, answer = self._links(request), request.path_params["answer"]
        form = await read_form(request, FormParser, MAX_FEEDBACK_BYTES, labels.FORM_REFUSED)
        sent = {name: str(value) for name, value in form.items()}
        if not self._form_passes.opens(sent.get("token", ""), FEEDBACK.format(answer)):
            raise Refusal(access.FORBIDDEN, labels.FORM_REFUSED)
        if sent.get("verdict") not in labels.VERDICTS:
            raise Refusal(access.BAD, labels.FORM_REFUSED)
        right, note = sent["verdict"] == "right", verbatim.collapse(sent.get("why", ""))[: labels.LONGEST_NOTE]
        why = " ".join(filter(None, (f"{labels.MISREAD}." if sent.get("misread") else "", note)))
        try:
            if self._store:
                await run_in_threadpool(self._store.record_opinion, Opinion(answer, RATER, right, why or None))
        except StoreError as error:
            log.error("feedback was not recorded: %s", error)  # noqa: TRY400 - the sentence says it all
            raise Refusal(access.UNAVAILABLE, labels.NOT_SAVED) from error
        next_form = None if right or why else self._feedback_form(answer, why=True)
        return HTMLResponse(rendering.reply(View("Stet", messages.THANKS, feedback=next_form), links))

    def _record_checks(self, checked: CheckedText) -> None:
        """Record the checks of a text's quotations, each once: a text that is being written is checked often.

        Absent quotations quote nothing of any article and are not recorded.
        """
        if not (self._store and checked.quotations):
            return
        scope = self._holdings.scope
        present = (quotation for quotation in checked.quotations if quotation.check.matches)
        records = (new_record(READER, f"/verify {each.claim}", each.check, scope) for each in present)
        fresh = dict.fromkeys(record for record in records if record not in self._recorded_checks)
        if fresh and record_all(self._store, tuple(fresh)):
            self._recorded_checks |= fresh
            for record in tuple(self._recorded_checks)[:-REMEMBERED_CHECKS]:
                self._recorded_checks.pop(record, None)

    def _reply(self, request: Request, links: Links, drawn: View, words: str = "", more_url: str = "") -> Response:
        """Return a reply's page; without ``more_url``, "More" leads to the same page with more below it."""
        if drawn.more and not more_url and len(_pressed(request)) < MOST_PRESSED:
            kept = {name: request.query_params.getlist(name) for name in KEPT}
            path = request.url.path.removeprefix(links.root)
            more_url = f"{links.to(path, **kept, more=[*_pressed(request), drawn.more])}#{labels.FURTHER}"
        return HTMLResponse(rendering.reply(drawn, links, words, lambda line: self._article_url(line, links), more_url))

    def _article_url(self, line: str, links: Links) -> tuple[str, str] | None:
        """Return the URL of the article whose id ends a line of a listing, and the line without the id."""
        words, _, article_id = line.rpartition(" · ")
        try:
            article = self._service.library.archive.article(article_id)
        except KeyError:
            return None
        return links.to(article_path(article.id, article.digest)), words or line


def _pressed(request: Request) -> list[str]:
    return request.query_params.getlist("more")[:MOST_PRESSED]


def _filter(request: Request, library: Library) -> Filter:
    """Return what a list is narrowed to; an unknown outlet and an invalid day narrow nothing."""
    outlets: tuple[str, ...] = ()
    with suppress(ArchiveError):  # the reply says so
        outlets = tuple(outlet.source for outlet in library.archive.outlets() if outlet.source)
    outlet, since = request.query_params.get("outlet", ""), request.query_params.get("since", "").strip()
    day = _day(since)
    faults = (labels.NO_DAY if since and day is None else "", labels.NO_OUTLET if outlet not in ("", *outlets) else "")
    return Filter(outlets, outlet if outlet in outlets else "", since if day else "", " ".join(filter(None, faults)))


def _day(words: str) -> date | None:
    try:
        return date.fromisoformat(words)
    except ValueError:
        return None


def _static(name: str, media_type: str) -> Callable[[Request], Response]:
    content = rendering.static(name)
    return lambda _: Response(content, media_type=media_type)
