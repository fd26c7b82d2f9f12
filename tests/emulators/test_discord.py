"""The emulator of Discord as a process of its own: for trying a bot by hand, and for tests in other languages."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from adapters.discord import service as discord_service
from adapters.settings import load
from tests.adapters.discord.bench import UMBRELLAS, service
from tests.emulators.discord_payloads import Payload

ROOT = Path(__file__).parents[2]


async def _told(process: asyncio.subprocess.Process, order: str) -> Payload:
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{order}\n".encode())
    output: Payload = json.loads(await asyncio.wait_for(process.stdout.readline(), 20))
    return output


async def test_it_says_where_it_is_takes_orders_and_ends_with_its_input(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "tests.emulators.discord")
    pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, limit=1 << 20, **pipes)
    assert process.stdin
    assert process.stdout
    environment: dict[str, str] = json.loads(await asyncio.wait_for(process.stdout.readline(), 20))
    stop = asyncio.Event()
    settings = load({**environment, "STET_STATE": str(tmp_path / "state.sqlite3")}, tmp_path / ".env")
    bot = asyncio.create_task(discord_service.serve(service(), settings, stop))
    asked = {"do": "command", "name": "ask", "options": {"question": UMBRELLAS}}
    assert "**40** umbrellas" in json.dumps(await _told(process, json.dumps(asked)))
    assert "**40** umbrellas" in json.dumps(await _told(process, json.dumps({"do": "mention", "text": UMBRELLAS})))
    said = {"do": "say", "text": UMBRELLAS, "direct": True}
    assert "**40** umbrellas" in json.dumps(await _told(process, json.dumps(said)))
    typed = await _told(process, '{"do": "complete", "name": "who", "option": "name", "typed": "Wil"}')
    assert typed == {"choices": [{"name": "Wilma Oake", "value": "Wilma Oake"}]}
    assert await _told(process, '{"do": "record"}') == {"violations": [], "pinged": []}
    assert "record" in (await _told(process, '{"do": "dance"}'))["error"]
    assert "JSONDecodeError" in (await _told(process, "nonsense"))["error"]
    stop.set()
    await bot
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 10) == 0
