"""The assistants' wire: over HTTP for those with a token, over standard input and output for who starts it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress

from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import Route

from adapters.channel_rules import read_channels
from adapters.http_server import listening, run_http_server
from adapters.mcp.server import HTTP, Assistants
from adapters.mcp.tokens import Verifier, clients, faults
from adapters.settings import Fault, Settings, SettingsError
from adapters.storage.store import Store, StoreError
from bot.channels import Channels
from bot.service import QuestionService

PATH = "/mcp"
LARGEST = 100_000  # bytes of a request

log = logging.getLogger(__name__)


class AssistantsError(SettingsError):
    """Assistants cannot be served; the text says why, and what to do."""


def check(settings: Settings) -> Iterator[str]:
    """Yield for whom it would be served, in words."""
    found = tuple(faults(settings.mcp_tokens))
    with suppress(SettingsError):  # what is wrong with the channels is told where they are
        found = found or tuple(_strangers(settings, read_channels(settings)))
    yield from (Fault(f"  {fault}") for fault in found)
    if not found:
        yield f"  For {', '.join(client.name for client in clients(settings.mcp_tokens))}, at {PATH}."


def _strangers(settings: Settings, channels: Channels) -> Iterator[str]:
    """Say of which assistants there are rules and no token: those of a misspelt one would bind nobody."""
    known = {client.name for client in clients(settings.mcp_tokens)}
    for platform, name in channels.named:
        if platform == HTTP and name not in known:
            yield f"STET_CHANNELS has a section [mcp.{name}], and STET_MCP_TOKENS no assistant of that name."


def _say(address: str) -> None:
    print(f"stet: mcp ready ({address})", flush=True)  # noqa: T201  (the line that others wait for)


async def serve(
    service: QuestionService, settings: Settings, stop: asyncio.Event, say: Callable[[str], None] = _say
) -> None:
    """Serve over HTTP until ``stop``; ``say`` is told the address.

    No session is kept, so that any of several processes can answer. Raises ``AssistantsError`` where the tokens are
    wrong, ``PortError`` where no port is to be had, ``StoreError`` where what is answered cannot be kept.
    """
    found = tuple(faults(settings.mcp_tokens)) or tuple(_strangers(settings, service.channels))
    if found:
        raise AssistantsError(" ".join(found))
    logging.getLogger("mcp").setLevel(logging.WARNING)  # a line for each request tells nothing
    with (
        listening(settings.mcp_host, settings.mcp_port) as place,
        Store.of(settings) as store,
    ):
        assistants = Assistants(service, store)
        sessions = StreamableHTTPSessionManager(assistants.server(), stateless=True, max_request_body_size=LARGEST)
        async with sessions.run():
            app = _application(sessions, Verifier(clients(settings.mcp_tokens)))
            await run_http_server(HTTP, app, place, stop, lambda address: say(address + PATH))
        assistants.close()


def _application(sessions: StreamableHTTPSessionManager, verifier: Verifier) -> Starlette:
    """Return the server behind its door: who has no token that holds gets 401.

    A browser that was led here under another name brings no token, so names are not looked at. There is no stream to
    listen on (GET): without sessions nothing would ever come by it, and each would be held for as long as its client
    wishes.
    """
    guarded = RequireAuthMiddleware(StreamableHTTPASGIApp(sessions), [])
    tokens = Middleware(AuthenticationMiddleware, backend=BearerAuthBackend(verifier))
    return Starlette(routes=[Route(PATH, endpoint=guarded, methods=["POST"])], middleware=[tokens])


async def serve_own(service: QuestionService, settings: Settings) -> None:
    """Serve who started this, over standard input and output, until the input ends."""
    try:
        store = Store.of(settings)
    except StoreError as error:
        log.warning("answers are not kept: %s", error)
        store = None
    assistants = Assistants(service, store)
    server = assistants.server()
    with store or nullcontext():
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
    assistants.close()
