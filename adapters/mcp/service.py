"""Serves MCP clients: over HTTP with a token each, over standard input and output for the user who starts the program.

``STET_MCP_TOKENS`` names the clients: ``NAME:TOKEN``, or ``NAME:sha256-DIGEST`` with 64 hexadecimal digits; behind
either may be ``:2031-12-31``, the last day in UTC on which the token is valid. No message repeats a token.
"""

import asyncio
import hmac
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from hashlib import sha256
from time import time as now

from anyio import EndOfStream
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.shared.dispatcher import coerce_request_id
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse, RequestId
from starlette.applications import Starlette
from starlette.routing import Route

from adapters.channel_rules import CLIENT, read_channels
from adapters.mcp.server import HTTP, Assistants
from adapters.settings import Fault, Settings, SettingsError
from adapters.storage.store import Store, StoreError
from adapters.web import Guarded, Say, announce, serve_http
from bot.channels import Channels
from bot.service import QuestionService

PATH = "/mcp"
SAY = partial(announce, HTTP)
MAX_REQUEST_BYTES = 500_000  # a draft of 20,000 words in it
SHORTEST_TOKEN = 16  # characters
DIGEST = re.compile(r"sha256-(?P<digest>[0-9a-f]{64})")

log = logging.getLogger(__name__)


def check(settings: Settings) -> Iterator[str]:
    wrong = tuple(faults(settings.mcp_tokens))
    with suppress(SettingsError):  # the faults of the channels are reported elsewhere
        wrong = wrong or tuple(_channels_without_client(settings, read_channels(settings)))
    yield from (Fault(f"  {fault}") for fault in wrong)
    if not wrong:
        yield f"  For {', '.join(name for name, _ in clients(settings.mcp_tokens).values())}, at {PATH}."


def _channels_without_client(settings: Settings, channels: Channels) -> Iterator[str]:
    """Yield the rules for clients without a token: rules for a misspelt name would limit nobody."""
    known = {name for name, _ in clients(settings.mcp_tokens).values()}
    for platform, name in channels.named:
        if platform == HTTP and name not in known:
            yield f"STET_CHANNELS has a section [mcp.{name}], and STET_MCP_TOKENS no assistant of that name."


async def serve(service: QuestionService, settings: Settings, stop: asyncio.Event, say: Say = SAY) -> None:
    """Serve over HTTP until ``stop``; ``say`` is called with the URL.

    There are no sessions, so any of several processes can answer, and GET is not served: no stream would ever bring
    anything. Without a valid token a client gets 401. The Host header is not checked: a browser that was led here under
    another name has no token. Raises ``SettingsError`` where the tokens are wrong, ``PortError`` where the port cannot
    be opened, ``StoreError`` where the store cannot.
    """
    wrong = tuple(faults(settings.mcp_tokens)) or tuple(_channels_without_client(settings, service.channels))
    if wrong:
        raise SettingsError(" ".join(wrong))
    logging.getLogger("mcp").setLevel(logging.WARNING)  # below, it logs each request
    with Store.of(settings) as store:
        assistants = Assistants(service, store)
        server = assistants.server()
        sessions = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=MAX_REQUEST_BYTES)
        async with sessions.run():
            client = partial(client_with, clients(settings.mcp_tokens))
            guarded = Guarded(StreamableHTTPASGIApp(sessions), client=client)
            app = Starlette(routes=[Route(PATH, endpoint=guarded, methods=["POST"])])
            address = settings.host, settings.mcp_port
            await serve_http(HTTP, app, address, stop, lambda url: say(url + PATH))
        assistants.close()


async def serve_own(service: QuestionService, settings: Settings) -> None:
    """Serve over standard input and output until the input ends, or the output is closed."""
    try:
        store = Store.of(settings)
    except StoreError as error:
        log.warning("answers are not recorded: %s", error)
        store = None
    assistants = Assistants(service, store)
    server = assistants.server()
    with store or nullcontext():
        try:
            async with stdio_server() as (read, write):
                incoming = Incoming(read)
                outgoing = Outgoing(write, incoming.finish)
                await server.run(incoming, outgoing, server.create_initialization_options())
        except* BrokenPipeError:
            log.debug("the client closed standard output")
        finally:
            assistants.close(wait=True)  # a call that was cancelled is still recorded


class Incoming(ObjectReceiveStream[SessionMessage | Exception]):
    """What a client sends. Its end comes once every request is answered: at the end, the server drops the others."""

    def __init__(self, stream: ObjectReceiveStream[SessionMessage | Exception]) -> None:
        self._stream = stream
        self._waiting = set[RequestId]()
        self._finished = asyncio.Event()

    async def receive(self) -> SessionMessage | Exception:
        try:
            item = await self._stream.receive()
        except EndOfStream:
            while self._waiting:
                self._finished.clear()
                await self._finished.wait()
            raise
        match item.message if isinstance(item, SessionMessage) else None:
            case JSONRPCRequest(id=number):
                self._waiting.add(coerce_request_id(number))
            case JSONRPCNotification(method="notifications/cancelled", params={"requestId": str() | int() as number}):
                self.finish(number)  # it gets no answer
        return item

    def finish(self, request: RequestId) -> None:
        self._waiting.discard(coerce_request_id(request))
        self._finished.set()

    async def aclose(self) -> None:
        await self._stream.aclose()


class Outgoing(ObjectSendStream[SessionMessage]):
    """What a client gets; ``finish`` is called with the request that was answered."""

    def __init__(self, stream: ObjectSendStream[SessionMessage], finish: Callable[[RequestId], None]) -> None:
        self._stream, self._finish = stream, finish

    async def send(self, item: SessionMessage) -> None:
        await self._stream.send(item)
        match item.message:
            case JSONRPCResponse(id=number) | JSONRPCError(id=number) if number is not None:
                self._finish(number)

    async def aclose(self) -> None:
        await self._stream.aclose()


def client_with(known: Mapping[str, tuple[str, int]], token: str) -> str:
    """Return the name of the client that has a token, found in constant time; "" where it is nobody's or has ended."""
    sent = digest(token)
    names = [name for valid, (name, end) in known.items() if hmac.compare_digest(valid, sent) and now() <= end]
    return names[0] if names else ""


def clients(tokens: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return each client's name and its last second, by the SHA-256 digest of its token; only without ``faults``."""
    named: dict[str, tuple[str, int]] = {}
    for name, token, *last_day in (token.split(":") for token in tokens):
        written, end = DIGEST.fullmatch(token), _end_of(*last_day) if last_day else sys.maxsize
        named[written["digest"] if written else digest(token)] = name, end
    return named


def _end_of(day: str) -> int:
    return int(datetime.combine(date.fromisoformat(day) + timedelta(1), time(), UTC).timestamp())


def digest(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def faults(tokens: Sequence[str]) -> Iterator[str]:
    for place, token in enumerate(tokens, 1):
        yield from (f"STET_MCP_TOKENS, number {place}: {fault}" for fault in _faults(*token.split(":")))
    for what, part in (("name", 0), ("token", 1)):
        parts = [token.split(":")[part] for token in tokens if token.count(":") >= part]
        if len(set(parts)) < len(parts):
            yield f"STET_MCP_TOKENS has two assistants of one {what}."


def _faults(name: str, token: str | None = None, last_day: str | None = None, *more: str) -> Iterator[str]:
    if token is None or more:
        yield "write NAME:TOKEN, or NAME:TOKEN:2031-12-31 for the last day on which it holds."
        return
    if not CLIENT.fullmatch(name):
        yield "a name is small letters, digits, - and _."
    if len(token) < SHORTEST_TOKEN:
        yield f"the token is shorter than {SHORTEST_TOKEN} characters; it could be guessed."
    if token.startswith("sha256-") and not DIGEST.fullmatch(token):
        yield "sha256- and 64 hexadecimal digits is a digest."
    try:
        _end_of(last_day) if last_day is not None else None
    except (ValueError, OverflowError):
        yield "a last day is written 2031-12-31."
