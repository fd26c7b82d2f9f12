"""What an assistant asks for -> replies of the desk: tools, articles as resources, and a prompt.

A reply goes out twice: drawn in plain text, as a terminal shows it, so that whatever is printed of it has its caveats;
and as the JSON of the published contract. The desk works in threads, each assistant in its turn.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from mcp.server import Server, ServerRequestContext
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from adapters import __version__, json_contract
from adapters.fair_queue import FairQueue
from adapters.mcp.tools import ASK, CARE, DATA, OFFERS, ArgumentsError, Offer
from adapters.operations.metrics import count, stage
from adapters.storage.answer_record import keep
from adapters.storage.store import Store
from adapters.terminal.text import draw, plainly
from bot import citing, verbatim
from bot.model import Asker, Message, Place, Question, Reply
from bot.service import QuestionService

TOOLS = [offer.tool for offer in OFFERS.values()]  # the server asks for them at every call
OWN = "stdio"  # an assistant on this machine, which is its person's own: it sees what the terminal does
HTTP = "mcp"
ARTICLES = 100  # on a page of the list of resources
MOST = 200  # requests of one assistant that may wait or be worked on
ADDRESS = "stet://article/"
PROMPT = "quote-with-care"
NO_SUCH_ARTICLE = "There is no such article. The tool sources names those that are held."
TOO_MANY = f"More than {MOST} requests at once; ask again when some of them are answered."

# A drawing shows control characters of articles and does not have them, so these two are marks of no article's.
MARKS = ("\x02", "\x03")
DELIMITERS = {0x02: "⟦", 0x03: "⟧", ord("⟦"): "[", ord("⟧"): "]"}

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]


class Assistants:
    """Answers assistants; for one event loop, with ``service`` used in threads. What is answered is kept in ``store``."""

    def __init__(self, service: QuestionService, store: Store | None) -> None:
        self._service = service
        self._store = store
        self._turns = FairQueue()
        self._waiting: Counter[str] = Counter()

    def server(self) -> Server[Any]:
        """Return the protocol's server."""
        return Server(
            "stet",
            version=__version__,
            title="Stet",
            instructions=f"{CARE} {DATA}",
            on_list_tools=self.tools,
            on_call_tool=self.call,
            on_list_resources=self.articles,
            on_list_resource_templates=self.templates,
            on_read_resource=self.article,
            on_list_prompts=self.prompts,
            on_get_prompt=self.prompt,
        )

    def close(self) -> None:
        """Begin nothing more."""
        self._turns.close()

    async def tools(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        """Return the tools."""
        return ListToolsResult(tools=TOOLS)

    async def call(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """Return a tool's reply; what is wrong with the call is said in words, for the assistant to mend."""
        offer = OFFERS.get(params.name)
        if offer is None:
            return _refused(f"There is no such tool. There are {', '.join(OFFERS)}.")
        try:
            texts = offer.texts(params.arguments or {})
        except ArgumentsError as error:
            return _refused(str(error))
        who = _question(context)
        return await self._in_turn(who, lambda: _result(self._answered(offer, texts, who), who))

    def _answered(self, offer: Offer, texts: dict[str, str], who: Question) -> Reply:
        with stage("answer"):
            if offer.name == ASK:
                question = replace(who, text=texts["question"], previous=texts["previous"] or None)
                words, reply = question.text, self._service.answer(question)
            else:
                line = offer.line(texts)
                question, words = who, f"/{offer.name} {line}".strip()
                reply = self._service.command(offer.name, line, who)
        count(question.place.platform if question.place else HTTP, reply)
        if self._store:
            keep(self._store, self._service, question, words, reply)
        return reply

    async def articles(self, context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """Return a page of the articles that are seen, by id."""
        cursor = params.cursor if params and params.cursor else "0"
        if not (cursor.isascii() and cursor.isdigit()):
            raise MCPError(INVALID_PARAMS, "There is no such page of the list; begin without a cursor.")
        who, first = _question(context), int(cursor)
        listed, following = await self._in_turn(who, lambda: self._page(who, first))
        return ListResourcesResult(resources=listed, next_cursor=following)

    def _page(self, who: Question, first: int) -> tuple[list[Resource], str | None]:
        last = first + ARTICLES
        with self._service.holdings_for(who).archive.snapshot() as archive:
            held = archive.listed()
            cited = [verbatim.article(archive, each.id, each.digest) for each in held[first:last]]
        resources = [
            Resource(
                name=citation.article_id,
                title=_plain(citing.title(citation)),
                uri=_address(citation.article_id),
                description=_plain(citing.source(citation)),
                mime_type="application/json",
            )
            for citation in cited
            if citation
        ]
        return resources, str(last) if last < len(held) else None

    async def templates(self, _: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """Return what the address of an article is like."""
        description = f"An article as it is read: its sentences, who says each, and the caveats that cover it. {DATA}"
        template = ResourceTemplate(
            name="article", uri_template=f"{ADDRESS}{{id}}", description=description, mime_type="application/json"
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def article(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Return an article as it was read; who may not see it is told that there is none."""
        who = _question(context)
        if not params.uri.startswith(ADDRESS):
            raise MCPError(INVALID_PARAMS, NO_SUCH_ARTICLE)
        wanted = unquote(params.uri.removeprefix(ADDRESS))
        text = await self._in_turn(who, lambda: self._read(who, wanted))
        if text is None:
            raise MCPError(INVALID_PARAMS, NO_SUCH_ARTICLE)
        contents = TextResourceContents(uri=_address(wanted), mime_type="application/json", text=text)
        return ReadResourceResult(contents=[contents])

    def _read(self, who: Question, article_id: str) -> str | None:
        reading = verbatim.reading(self._service.holdings_for(who).archive, article_id)
        return json_contract.line(_sendable(json_contract.reading(reading), who)) if reading else None

    async def prompts(self, _: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        """Return the prompt."""
        asked_for = PromptArgument(name="question", description="What is to be answered.", required=True)
        description = "Answer by quotations alone, each with its speaker, its source and its caveat."
        prompt = Prompt(name=PROMPT, title="Quote with care", description=description, arguments=[asked_for])
        return ListPromptsResult(prompts=[prompt])

    async def prompt(self, _: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """Return the prompt with a question in it."""
        question = (params.arguments or {}).get("question", "").strip()
        if params.name != PROMPT or not question:
            raise MCPError(INVALID_PARAMS, f"There is the prompt {PROMPT}, which takes a question.")
        text = f"Use the tools of Stet, ask first. {CARE} {DATA}\n\nThe question: {question}"
        return GetPromptResult(messages=[PromptMessage(role="user", content=_text(text))])

    async def _in_turn(self, who: Question, act: Callable[[], T]) -> T:
        """Call ``act`` in a thread when it is this assistant's turn."""
        name = who.asker.id if who.asker else ""
        if self._waiting[name] >= MOST:
            raise MCPError(INVALID_PARAMS, TOO_MANY)
        self._waiting[name] += 1
        try:
            return await self._turns.run(name, act)
        finally:
            self._waiting -= Counter((name,))


def _question(context: Context) -> Question:
    """Return an empty question that says who asks, and where."""
    user = context.request.scope["user"] if context.request else None
    if isinstance(user, AuthenticatedUser):
        name = user.access_token.client_id
        return Question("", asker=Asker(name), place=Place(HTTP, channel=name))
    return Question("", asker=Asker(OWN), place=Place(OWN))


def _result(reply: Reply, who: Question) -> CallToolResult:
    """Return a reply twice, in text and as JSON, and behind it whose words it has."""
    text = plainly(draw(reply, MARKS)).translate(DELIMITERS)
    told = (text,) if isinstance(reply, Message) else (text, DATA)
    return CallToolResult(
        content=[_text(each) for each in told], structured_content=_sendable(json_contract.reply(reply), who)
    )


def _address(article_id: str) -> str:
    return ADDRESS + quote(article_id, safe="", errors="replace")


def _text(text: str) -> TextContent:
    return TextContent(text=_plain(text))


def _refused(why: str) -> CallToolResult:
    return CallToolResult(content=[_text(why)], is_error=True)


def _plain(text: str) -> str:
    """Return ``text`` without what no encoding can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _sendable(told: json_contract.Object, who: Question) -> json_contract.Object:
    """Return ``told`` as it can be encoded; where a file lies on this machine is for who sits at it alone."""
    at_it = who.place is not None and who.place.platform == OWN
    line = _plain(json.dumps(told, ensure_ascii=False))
    sent: json_contract.Object = json.loads(line) if at_it else json.loads(line, object_hook=_without_folder)
    return sent


def _without_folder(told: json_contract.Object) -> json_contract.Object:
    return told | {"path": PurePath(told["path"]).name} if "path" in told else told
