"""Assistants, served on a free port, and the official client that asks them."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from adapters import json_contract
from adapters.mcp import service as mcp_service
from adapters.mcp.server import DATA, TOOLS, Assistants
from adapters.settings import Settings, load
from adapters.terminal.text import Drawing, plainly
from bot.model import Asker, Message, Place, Question, Reply
from bot.service import QuestionService
from tests.support.tables import rows

TOKEN = "a token of the tests; long enough"
STATE = "stet.sqlite"  # where a test runs
SETTINGS = replace(load({}, Path("no such file")), mcp_port=0, mcp_tokens=(f"research:{TOKEN}",))
ASKED = "how many people on board the ferry"
# every tool, with what it is given and what is typed for the same
CALLS = rows(__file__, "calls")


def request(number: int | str, method: str, params: dict[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}
HANDSHAKE = request(1, "initialize", CLIENT)


def typed(service: QuestionService, tool: str, given: dict[str, str], line: str, place: Place) -> Reply:
    question = Question("", asker=Asker(place.channel or place.platform), place=place)
    if tool == "ask":
        return service.answer(replace(question, text=line, previous=given.get("previous")))
    return service.command(tool, line, question)


@asynccontextmanager
async def served(service: QuestionService, settings: Settings = SETTINGS) -> AsyncIterator[str]:
    """Serve while the context lasts, and return the address; the state is in ``STATE``."""
    stop = asyncio.Event()
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    settings = replace(settings, state=STATE)
    serving = asyncio.ensure_future(mcp_service.serve(service, settings, stop, address.set_result))
    await asyncio.wait((serving, address), return_when=asyncio.FIRST_COMPLETED)
    try:
        yield address.result() if address.done() else await serving  # type: ignore[misc]  # it ended: let it say why
    finally:
        stop.set()
        await serving


@asynccontextmanager
async def assistant(address: str, token: str = TOKEN, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as client,
    ):
        yield client


def beside(service: QuestionService) -> Client:
    return Client(Assistants(service, None).server())


async def check_tools(client: Client, service: QuestionService, place: Place, hidden: str = "") -> None:
    """Check that each tool gives the service's reply, without the ``hidden`` folder of this machine."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {*TOOLS}
    for tool, given, line in CALLS:
        reply = typed(service, tool, given, line, place)
        result = await client.call_tool(tool, given)
        assert not result.is_error
        Draft202012Validator(tools[tool].input_schema).validate(given)
        Draft202012Validator(tools[tool].output_schema).validate(result.structured_content)
        drawn = plainly(Drawing(reply, ("⟦", "⟧"), "`{}`"))
        assert [part.text for part in result.content] == [drawn, *([] if isinstance(reply, Message) else [DATA])]
        expected = json_contract.line(json_contract.reply(reply)).replace(f'"{hidden}', '"')
        assert result.structured_content == json.loads(expected)
