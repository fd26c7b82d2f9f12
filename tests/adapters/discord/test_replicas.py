"""Processes: two with one token that share a PostgreSQL database. Discord sends everything to both, and one answers."""

from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.storage.store import Opinion, Store
from tests.adapters.discord.bench import ARTICLES, FERRY, UMBRELLAS
from tests.emulators import discord_rest
from tests.emulators.discord import DiscordEmulator
from tests.postgres import Cluster
from tests.support.program import Replicas, end, launch

pytestmark = pytest.mark.rest

LEFT_OVER = 120  # seconds in which what a killed process left is taken up, and answered, on a busy machine
# what becomes of a command where claiming it took longer than Discord waits: a busy machine may have one or two
TWICE = "an interaction was acknowledged twice"
# of what the other had done already, nothing is logged
UNTAKEN, REFUSED = "could not be taken away", "already been acknowledged"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Discord wait longer for the first response to a command: how quick a busy machine is, is not asked here."""
    monkeypatch.setattr(discord_rest, "FIRST_RESPONSE", LEFT_OVER)


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
        await discord.rest.until(lambda: bool(_deletions(discord)), LEFT_OVER)
        await replicas.kill()
        context = await discord.answered(await discord.click(asked[0].message, "Context"), LEFT_OVER)
        opened = await discord.answered(await discord.click(asked[0].message, "Not right"), LEFT_OVER)
        sent = await discord.submit(opened.modal, {"reason": "Too few."}, asked[0].message)
        await discord.answered(sent, LEFT_OVER)
        await replicas.end()
        assert typed.choices == [{"name": "Wilma Oake", "value": "Wilma Oake"}]
        assert [one.message is not None for one in (*asked, context, sent)] == [True] * 7
        assert [len(discord.answers_to(message)) for message in said] == [0, 1, 1, 1, 1]
        assert sorted(_deletions(discord)) in ([204], [204, 404])  # the second may find it gone from the store, too
        assert set(discord.rest.violations) <= {TWICE}
        assert discord.rest.repeated + discord.rest.violations.count(TWICE) < len(asked)
        assert [line for line in replicas.log() if UNTAKEN in line or REFUSED in line] == []
    with Store(state) as store:
        answers = store.last_answers(100)
        judged = [opinion for opinion, *_ in store.opinions()]
    assert 11 <= len(answers) < 2 * 11
    assert judged == [Opinion(judged[0].answer, "900000000000000005", right=False, why="Too few.")]


def _deletions(discord: DiscordEmulator) -> list[int]:
    return [call.status for call in discord.rest.calls if call.method == "DELETE" and call.status]


async def test_commands_are_registered_anew_when_told(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        for options in ((), ("--sync",)):
            assert await end(await launched(discord, tmp_path, *options)) == 0
        assert len([call for call in discord.rest.calls if call.method == "PUT"]) == 2
