"""Assistants over standard input and output: the command itself, asked by the official client."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from anyio import EndOfStream, create_memory_object_stream
from mcp import Client, StdioServerParameters
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from adapters.articles import open_service
from adapters.mcp.service import Incoming
from adapters.settings import load
from adapters.storage.store import Store
from bot.model import Place
from tests.adapters.mcp.serving import ASKED, HANDSHAKE, STATE, TOKEN, assistant, check_tools, request
from tests.support.program import Stet, refused

pytestmark = pytest.mark.rest

COMMAND = [sys.executable, "-m", "adapters", "mcp"]


def environment(folder: Path, **others: str) -> dict[str, str]:
    shown = {"STET_ARTICLES": str(folder), "STET_STATE": STATE, "STET_ENCODER": "none"}
    return {**os.environ, **shown, "COVERAGE_PROCESS_START": "", **others}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_every_tool_gives_what_the_terminal_gives(folder: Path, mode: str) -> None:
    answering = open_service(load({"STET_ARTICLES": str(folder), "STET_ENCODER": "none"}))
    command = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment(folder))
    async with Client(command, mode=mode) as client:
        await check_tools(client, answering, Place("stdio"))
        assert [resource.name for resource in (await client.list_resources()).resources] == ["bridge.txt", "ferry.txt"]
        assert (await client.call_tool("ask", {})).is_error
    with Store(STATE) as store:
        kept = [given for _, given in store.last_answers(99)]
    assert {(given.platform, given.asker, given.channel) for given in kept} == {("stdio", "stdio", None)}
    assert {given.question for given in kept} >= {ASKED, "/who Marta Lindqvist", "/unverified"}


CALL = {"name": "ask", "arguments": {"question": ASKED}}
CALLS: list[dict[str, object]] = [{"jsonrpc": "2.0", "method": "notifications/initialized"}]
CALLS += [request(number, "tools/call", CALL) for number in (2, "3", 4)]


def test_calls_under_way_when_the_input_ends_are_answered(folder: Path) -> None:
    sent = "".join(f"{json.dumps(each)}\n" for each in (HANDSHAKE, *CALLS))
    given = environment(folder)
    done = subprocess.run(COMMAND, input=sent, capture_output=True, text=True, env=given, check=False, timeout=120)
    answers = {each["id"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert answers.keys() == {1, 2, "3", 4}
    assert all("result" in each for each in answers.values())
    assert (done.returncode, done.stderr) == (0, "")
    with Store(STATE) as store:
        assert len(store.last_answers(99)) == 3


def test_an_output_that_is_closed_during_calls_ends_the_program_quietly(folder: Path) -> None:
    given = environment(folder)
    with subprocess.Popen(COMMAND, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, env=given) as process:
        print(json.dumps(HANDSHAKE), file=process.stdin, flush=True)
        assert '"serverInfo"' in process.stdout.readline()
        process.stdout.close()
        for each in CALLS:
            print(json.dumps(each), file=process.stdin, flush=True)
        process.stdin.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0
    with Store(STATE) as store:
        assert store.last_answers(99)


async def test_the_input_ends_when_the_last_request_is_answered_or_cancelled() -> None:
    send, receive = create_memory_object_stream[SessionMessage | Exception](9)
    incoming = Incoming(receive)
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}
    sent = [*(request(number, "tools/call", CALL) for number in (1, "2", 3)), cancelled]
    for each in sent:
        await send.send(SessionMessage(jsonrpc_message_adapter.validate_python(each)))
        await incoming.receive()
    send.close()
    end = asyncio.ensure_future(incoming.receive())
    for answered in (7, 2, 1):
        await asyncio.wait((end,), timeout=0.01)
        assert not end.done()
        incoming.finish(answered)
    with pytest.raises(EndOfStream):
        await end
    await incoming.aclose()


def test_a_missing_library_says_how_to_install_it(stet: Stet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.process.find_spec", lambda _: None)
    assert "pip install -c constraints.txt -e '.[mcp]'" in refused(stet, "mcp")


async def test_the_service_serves_assistants(folder: Path) -> None:
    given = environment(folder, STET_MCP_TOKENS=f"research:{TOKEN}", STET_MCP_PORT="0")
    process = await asyncio.create_subprocess_exec(*COMMAND[:-1], "run", env=given, stdout=PIPE, stderr=PIPE)
    ready = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    assert ready.startswith("stet: mcp ready (http://127.0.0.1:")
    async with assistant(ready.rpartition("(")[2].rstrip(")\n")) as client:
        assert not (await client.call_tool("ask", {"question": ASKED})).is_error
    process.send_signal(signal.SIGTERM)
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0
    assert TOKEN.encode() not in out + err
    assert ASKED.encode() not in out + err
