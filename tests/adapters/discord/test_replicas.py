"""Processes: two with one token that share a PostgreSQL database. Discord sends everything to both, and one answers."""

from __future__ import annotations

import asyncio
import itertools
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.storage.store import Opinion, Store
from tests.adapters.discord.bench import ARTICLES, FERRY, UMBRELLAS
from tests.adapters.processes import Replicas, end, launch
from tests.emulators import discord_interactions
from tests.emulators.discord import DiscordEmulator
from tests.emulators.discord_interactions import Interaction
from tests.emulators.discord_payloads import Payload
from tests.postgres import Cluster, cluster

pytestmark = pytest.mark.rest

AT_ONCE = 20  # questions that wait for their answers
LEFT_OVER = 120  # seconds in which what a killed process left is taken up, and answered, on a busy machine
UNDER_WAY = 10  # questions when a process is killed
# what becomes of a command where claiming it took longer than Discord waits: a busy machine may have one or two
TWICE = "an interaction was acknowledged twice"
# of what the other had done already, nothing is logged
UNTAKEN, REFUSED = "could not be taken away", "already been acknowledged"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Discord wait longer for the first response to a command: how quick a busy machine is, is not asked here."""
    monkeypatch.setattr(discord_interactions, "FIRST_RESPONSE", LEFT_OVER)


@pytest.fixture
def server() -> Iterator[Cluster]:
    with cluster() as started:
        yield started


async def launched(
    discord: DiscordEmulator, folder: Path, *options: str, state: str = "", command: str = "discord"
) -> Process:
    """Start ``stet discord``, or another ``command``, over the usual articles; its state is in a file unless set."""
    articles = folder / "articles"
    articles.mkdir(parents=True, exist_ok=True)
    for article in ARTICLES:
        (articles / article.id).write_text(article.text, encoding="utf-8")
    environment = discord.environment | {"STET_STATE": state or str(folder / "state.sqlite3")}
    bot, line = await launch(folder, environment, command, "--articles", str(articles), *options)
    assert line == "stet: discord ready\n"
    return bot


@asynccontextmanager
async def two(folder: Path, state: str) -> AsyncIterator[tuple[DiscordEmulator, Replicas]]:
    """Give two bots, connected; afterwards nobody may have been pinged."""
    async with DiscordEmulator(heartbeat=10) as discord:
        replicas = Replicas(
            folder, lambda place: launched(discord, place, state=state, command="run"), discord.gateway.connected
        )
        try:
            await replicas.start()
            await replicas.start()
            yield discord, replicas
        finally:
            await replicas.clear()
        assert discord.rest.pinged == []


async def test_everything_that_comes_to_both_is_answered_by_one(tmp_path: Path, server: Cluster) -> None:
    state = server.database()
    async with two(tmp_path, state) as (discord, replicas):
        asked = [await discord.command("ask", {"question": UMBRELLAS}) for _ in range(5)]
        said = [await discord.mention(FERRY) for _ in range(5)]
        typed = await discord.answered(await discord.complete("who", "name", "Wil"), LEFT_OVER)
        for message in said:
            await discord.answers(message, LEFT_OVER)
        for one in asked:
            await discord.answered(one, LEFT_OVER)
        await discord.delete(said[0])
        await discord.rest.until(lambda: len(_deletions(discord)) == 2, LEFT_OVER)
        await replicas.kill()
        context = await discord.answered(await discord.click(asked[0].message or {}, "Context"), LEFT_OVER)
        opened = await discord.answered(await discord.click(asked[0].message or {}, "Not right"), LEFT_OVER)
        sent = await discord.submit(opened.modal or {}, {"reason": "Too few."}, asked[0].message or {})
        await discord.answered(sent, LEFT_OVER)
        await replicas.end()
        assert typed.choices == [{"name": "Wilma Oake", "value": "Wilma Oake"}]
        assert [one.message is not None for one in (*asked, context, sent)] == [True] * 7
        assert [len(discord.answers_to(message)) for message in said] == [0, 1, 1, 1, 1]
        assert sorted(_deletions(discord)) == [204, 404]
        assert set(discord.rest.violations) <= {TWICE}
        assert discord.rest.repeated + discord.rest.violations.count(TWICE) < len(asked)
        assert [line for line in replicas.log() if UNTAKEN in line or REFUSED in line] == []
    with Store(state) as store:
        answers = store.last_answers(100)
        judged = [opinion for answer, _ in answers for opinion in store.opinions(answer)]
    assert 11 <= len(answers) < 2 * 11
    assert judged == [Opinion(judged[0].answer, "900000000000000005", right=False, why="Too few.")]


def _deletions(discord: DiscordEmulator) -> list[int]:
    return [call.status for call in discord.rest.calls if call.method == "DELETE" and call.status]


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
        unanswered = {one.id for one in self.discord.unanswered()}
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
    """Kill one while questions are under way, ask on, and start another."""
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
    """Return what has two messages for an answer."""
    return [message for message in day.messages if len(day.discord.answers_to(message)) > 1]


async def test_one_that_is_killed_leaves_its_questions_to_the_other(tmp_path: Path, server: Cluster) -> None:
    day = await soak(Load(questions=40, kills=1, reconnections=5), tmp_path, server)
    assert day.lost() == []
    assert _shown_twice(day) == []
    assert 4 * (len(day.repeated()) + day.discord.rest.repeated) < len(day.commands) + len(day.messages)
    assert len(day.late) < UNDER_WAY


@pytest.mark.soak
async def test_five_hundred_questions_kills_and_restarts(tmp_path: Path, server: Cluster) -> None:
    began = time.monotonic()
    day = await soak(Load(questions=500, kills=3, reconnections=40, restarts=2), tmp_path, server)
    number = len(day.commands) + len(day.messages)
    print(  # noqa: T201 - what `make soak` is for
        f"\n{number} asked, {len(day.lost())} lost, {len(day.late)} commands that a dead process had taken unheard,"
        f" {len(_shown_twice(day))} shown twice, {len(day.repeated())} drawn twice in their place,"
        f" {day.discord.rest.repeated} sends that Discord turned into the message there was,"
        f" {time.monotonic() - began:.0f} s"
    )
    assert day.lost() == []
    assert _shown_twice(day) == []
    assert len(day.late) < 3 * UNDER_WAY


async def test_commands_are_registered_anew_when_told(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        for options in ((), ("--sync",)):
            assert await end(await launched(discord, tmp_path, *options)) == 0
        assert len([call for call in discord.rest.calls if call.method == "PUT"]) == 2
