"""Two processes that share a PostgreSQL database, for long: kills, lost connections, restarts of the server."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.adapters.discord.bench import FERRY, UMBRELLAS
from tests.adapters.discord.test_replicas import LEFT_OVER, TWICE, two
from tests.adapters.slack.test_replicas import Load as SlackLoad, soak as slack_soak
from tests.emulators import discord_rest
from tests.emulators.discord import DiscordEmulator
from tests.emulators.discord_payloads import Payload
from tests.emulators.discord_rest import Interaction
from tests.postgres import Cluster
from tests.support.program import Replicas

pytestmark = pytest.mark.soak

AT_ONCE = 20  # questions that wait for their answers
UNDER_WAY = 10  # questions when a process is killed


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord_rest, "FIRST_RESPONSE", LEFT_OVER)


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

    def lost(self) -> list[object]:
        unanswered = {one.id for one in self.discord.rest.unanswered()}
        commands: list[object] = [one for one in self.commands if one.id in unanswered - self.late]
        return commands + [m for m in self.messages if m["id"] not in self.late and not self.discord.answers_to(m)]

    def repeated(self) -> list[object]:
        commands: list[object] = [one for one in self.commands if one.answers > 1]
        return commands + [m for m in self.messages if len(self.discord.answers_to(m)) > 1]


@dataclass(frozen=True, slots=True)
class Load:
    """How much happens: ``kills`` of processes, lost connections, ``restarts`` of the server."""

    questions: int
    kills: int
    reconnections: int
    restarts: int = 0


async def _ask(day: Day, number: int) -> None:
    for _ in range(number):
        await day.ask()
    await day.discord.rest.until(lambda: len(day.lost()) < AT_ONCE, LEFT_OVER)


async def _killed(day: Day, replicas: Replicas) -> None:
    for _ in range(UNDER_WAY):
        await day.ask()
    await day.discord.rest.until(lambda: any(one.acknowledged for one in day.commands[-4:]), LEFT_OVER)
    await replicas.kill()
    unheard = [one for one in day.commands if one.acknowledged is None]
    for _ in range(UNDER_WAY):
        await day.ask()
    await day.discord.rest.until(lambda: all(one.acknowledged for one in day.commands if one not in unheard), LEFT_OVER)
    # what the dead one had taken and not yet said so to Discord, which waits three seconds, is answered by nobody
    day.late |= {one.id for one in unheard if one.acknowledged is None}
    await replicas.start()


async def soak(load: Load, folder: Path, server: Cluster) -> Day:
    async with two(folder, server.database()) as (discord, replicas):
        day = Day(discord)
        for number in range(1, load.questions + 1):
            await _ask(day, 1)
            turn, rest = divmod(number, load.questions // load.reconnections)
            if not rest:
                await (discord.gateway.drop() if turn % 2 else discord.gateway.ask_to_reconnect())
                await _ask(day, 2)
                await discord.gateway.connected(2)
            if number % (load.questions // (load.kills + 1)) == 0 and number < load.questions:
                await _killed(day, replicas)
            if load.restarts and number % (load.questions // load.restarts) == load.questions // 10:
                await asyncio.to_thread(server.stop)
                await _ask(day, UNDER_WAY)
                await asyncio.to_thread(server.start)
        await discord.rest.until(lambda: not day.lost(), LEFT_OVER)
        await replicas.end()
        # where both answer, Discord shows one answer, and says so to the other
        assert set(discord.rest.violations) <= {TWICE}
    return day


def _shown_twice(day: Day) -> list[object]:
    return [message for message in day.messages if len(day.discord.answers_to(message)) > 1]


async def test_one_that_is_killed_leaves_its_questions_to_the_other(tmp_path: Path, server: Cluster) -> None:
    day = await soak(Load(questions=40, kills=1, reconnections=5), tmp_path, server)
    assert day.lost() == []
    assert _shown_twice(day) == []
    assert 4 * (len(day.repeated()) + day.discord.rest.repeated) < len(day.commands) + len(day.messages)
    assert len(day.late) < UNDER_WAY


async def test_five_hundred_questions_kills_and_restarts(tmp_path: Path, server: Cluster) -> None:
    began = time.monotonic()
    day = await soak(Load(questions=500, kills=3, reconnections=40, restarts=2), tmp_path, server)
    number = len(day.commands) + len(day.messages)
    print(
        f"\n{number} asked, {len(day.lost())} lost, {len(day.late)} commands that a dead process had taken unheard,"
        f" {len(_shown_twice(day))} shown twice, {len(day.repeated())} drawn twice in their place,"
        f" {day.discord.rest.repeated} sends that Discord turned into the message there was,"
        f" {time.monotonic() - began:.0f} s"
    )
    assert day.lost() == []
    assert _shown_twice(day) == []
    assert len(day.late) < 3 * UNDER_WAY


async def test_five_thousand_questions_kills_and_restarts(tmp_path: Path, server: Cluster) -> None:
    began = time.monotonic()
    answers, questions = await slack_soak(
        SlackLoad(mentions=5_000, kills=3, reconnections=100, restarts=2), tmp_path, server
    )
    print(f"\n{len(questions)} asked, {sum(answers.values())} answers, {time.monotonic() - began:.0f} s")
    assert set(answers) == questions
    assert set(answers.values()) == {1}
