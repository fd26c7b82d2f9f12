"""A newsroom's day in a few seconds: the bot a process of its own, cut off again and again, and killed."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
import sys
from asyncio.subprocess import Process
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.adapters.discord.bench import ARTICLES, FERRY, UMBRELLAS
from tests.adapters.processes import end, kill, launch
from tests.emulators.discord import DiscordEmulator, shown
from tests.emulators.discord_interactions import Interaction
from tests.emulators.discord_payloads import Payload

pytestmark = pytest.mark.rest

READY = "stet: discord ready\n"


async def start(
    discord: DiscordEmulator, folder: Path, *options: str, state: str = "", command: str = "discord"
) -> Process:
    """Start ``stet discord``, or another ``command``, over the usual articles; its state is in a file unless set."""
    articles = folder / "articles"
    articles.mkdir(parents=True, exist_ok=True)
    for article in ARTICLES:
        (articles / article.id).write_text(article.text, encoding="utf-8")
    environment = discord.environment | {"STET_STATE": state or str(folder / "state.sqlite3")}
    bot, line = await launch(folder, environment, command, "--articles", str(articles), *options)
    assert line == READY
    return bot


PACE = 0.03  # seconds between questions


@dataclass
class Day:
    """What was asked, and how to ask more."""

    discord: DiscordEmulator
    commands: list[Interaction] = field(default_factory=list)
    messages: list[Payload] = field(default_factory=list)
    turn: itertools.count[int] = field(default_factory=itertools.count)
    late: set[str] = field(default_factory=set)  # what a bot that was killed had not claimed

    async def ask(self) -> None:
        match next(self.turn) % 5:
            case 0 | 1:
                self.commands.append(await self.discord.command("ask", {"question": UMBRELLAS}))
            case 2:
                self.commands.append(await self.discord.command("verify", {"quote": "Nobody was at the wheel"}))
            case 3:
                self.messages.append(await self.discord.mention(FERRY))
            case 4:
                self.messages.append(await self.discord.say(UMBRELLAS, direct=True))

    async def settle(self) -> None:
        await self.discord.rest.until(lambda: not self.lost(), timeout=30)

    def lost(self) -> list[object]:
        unanswered = {one.id for one in self.discord.unanswered()}
        commands: list[object] = [one for one in self.commands if one.id in unanswered - self.late]
        return commands + [m for m in self.messages if m["id"] not in self.late and not self.discord.answers_to(m)]

    def repeated(self) -> list[object]:
        commands: list[object] = [one for one in self.commands if one.answers > 1]
        return commands + [m for m in self.messages if len(self.discord.answers_to(m)) > 1]


async def _asks(day: Day, number: int, pace: float) -> None:
    for _ in range(number):
        await day.ask()
        await asyncio.sleep(pace)


async def _soak(folder: Path, number: int, reconnects: int, identifies: int, deaths: int = 1) -> Day:
    async with DiscordEmulator(heartbeat=2) as discord:
        bot = await start(discord, folder)
        day, sessions = Day(discord), 1
        part = number // (reconnects + 1)
        deadly = {reconnects * death // (deaths + 1) for death in range(1, deaths + 1)}
        for turn in range(reconnects):
            await _asks(day, part, PACE)
            if turn in deadly:
                bot = await _killed(day, bot, folder)
                sessions += 1
            if turn < identifies:
                await day.settle()  # what a session that ends has not delivered, Discord itself loses
                await discord.gateway.invalidate()
            else:
                await (discord.gateway.drop() if turn % 2 else discord.gateway.ask_to_reconnect())
                await _asks(day, 2, 0)
            sessions += 1
            await discord.gateway.ready(sessions, timeout=30)
        await _asks(day, number - part * reconnects, PACE)
        await day.settle()
        assert await end(bot) == 0
        assert (discord.rest.violations, discord.rest.pinged) == ([], [])
        assert max(discord.gateway.gaps) < 2.5
    return day


async def _killed(day: Day, bot: Process, folder: Path) -> Process:
    """Kill the bot while ten questions are under way, and start it anew; nobody answers what it had not claimed."""
    await _asks(day, 10, 0)
    await day.discord.rest.until(lambda: any(one.acknowledged for one in day.commands[-4:]))
    await kill(bot)
    with closing(sqlite3.connect(folder / "state.sqlite3")) as state:
        claimed = "\n".join(key for (key,) in state.execute("SELECT key FROM claim_keys"))
    day.late |= {one.id for one in day.commands if one.acknowledged is None}
    day.late |= {message["id"] for message in day.messages if message["id"] not in claimed}
    return await start(day.discord, folder)


def _assert_nothing_lost(day: Day, number: int) -> None:
    assert len(day.commands) + len(day.messages) >= number
    assert day.lost() == []
    assert day.repeated() == []
    for one in day.commands:
        assert (
            one.id in day.late or "**40** umbrellas" in shown(one.message or {}) or "Exact" in shown(one.message or {})
        )


async def test_nothing_is_lost_or_repeated_through_lost_connections_and_a_kill(tmp_path: Path) -> None:
    day = await _soak(tmp_path, number=100, reconnects=5, identifies=1)
    _assert_nothing_lost(day, 100)


@pytest.mark.soak
async def test_nothing_is_lost_or_repeated_in_a_long_day(tmp_path: Path) -> None:
    day = await _soak(tmp_path, number=5_000, reconnects=40, identifies=10, deaths=3)
    _assert_nothing_lost(day, 5_000)


async def test_commands_are_registered_anew_when_told(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        for options in ((), ("--sync",)):
            assert await end(await start(discord, tmp_path, *options)) == 0
        assert len([call for call in discord.rest.calls if call.method == "PUT"]) == 2


async def test_without_a_token_it_says_what_is_missing(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "adapters", "discord", "--sync")
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    process = await asyncio.create_subprocess_exec(*command, cwd=tmp_path, **pipes)
    output, complained = await process.communicate()
    assert (process.returncode, output) == (2, b"")
    assert b"DISCORD_TOKEN" in complained
