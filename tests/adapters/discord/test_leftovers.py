"""What a process that ended has left on Discord: the next one goes on with it."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from socket import gethostname

import pytest

from adapters.discord.requests import Request, read, write
from adapters.discord.session import (
    IDENTIFIED,
    IDENTIFY_EVERY,
    Session,
    fact,
    inherited,
    read as read_session,
    reserve,
    write as write_session,
)
from adapters.storage.store import Store
from bot.model import Asker, Place
from tests.adapters.discord.bench import UMBRELLAS, newsroom, settings_for, start
from tests.emulators.discord import DiscordEmulator, shown
from tests.emulators.discord_payloads import Payload, World

RIGHT = "**40** umbrellas"


async def test_a_message_whose_receipt_was_lost_is_not_sent_twice(tmp_path: Path) -> None:
    """Discord knows the nonce of what it has, and gives the same message back."""
    async with newsroom(tmp_path) as discord:
        said = await discord.mention(UMBRELLAS)
        [first] = await discord.answers(said)
        settings = settings_for(discord, tmp_path)
        assert first["nonce"] == said["id"]
        with Store(settings.state) as store:
            asker, place = (
                Asker(discord.world.reporter.id),
                Place("discord", discord.world.guild, discord.world.channel),
            )
            request = Request(said["id"], 0.0, discord.world.channel, asker, place, UMBRELLAS)
            claim = store.claim("discord", ["another-key"], write(request))
            assert claim
            store.release(claim)
        second = start(settings)
        await discord.rest.until(lambda: discord.rest.repeated == 1)
        await second.end()
        assert discord.answers_to(said) == [first]
        discord.rest.violations.clear()  # two bots on one token identify as they please


async def test_an_interaction_left_thinking_is_answered_by_the_next_process(tmp_path: Path) -> None:
    """What was claimed and deferred by a process that died; what was answered, or is too old, is let go."""
    async with DiscordEmulator() as discord:
        settings = settings_for(discord, tmp_path)
        bot = start(settings)
        await discord.gateway.ready()
        done = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}))
        await bot.end()
        left = await discord.command("ask", {"question": UMBRELLAS})
        left.acknowledged = left.sent
        left.message = {**(done.message or {}), "id": "7", "flags": 1 << 7}
        untouched = await discord.command("ask", {"question": UMBRELLAS})
        with Store(settings.state) as store:
            for one, at, key in ((done, 9e9, "again"), (left, 9e9, ""), (untouched, 9e9, ""), (done, 0.0, "old")):
                _leave(store, discord.world, one.payload, at, key)
            odd = store.claim("discord", ["odd"], "{}")
            assert odd
            store.release(odd)
        bot = start(settings)
        await discord.answered(left)
        await discord.answered(untouched)
        await bot.end()
        assert [one.answers for one in (done, left, untouched)] == [1, 1, 1]
        with Store(settings.state) as store:
            assert store.take_up("discord") == ()


def _leave(store: Store, world: World, payload: Payload, at: float, key: str) -> None:
    """Leave an request behind as a process does that dies."""
    asker, place = Asker(world.reporter.id), Place("discord", world.guild, world.channel)
    token, application = payload["token"], world.application
    request = Request(payload["id"], at, world.channel, asker, place, UMBRELLAS, token=token, application=application)
    claim = store.claim("discord", [key or request.key], write(request))
    assert claim
    store.release(claim)


def test_a_kept_errand_or_session_of_another_version_is_none() -> None:
    """What cannot be read is passed over; what can comes back as it was."""
    request = Request("1", 2.0, "3", Asker("4", ("5",)), Place("discord", "6", "7"), "who?", token="t")
    session = Session("a", 5, "ws://127.0.0.1:1/", (1, 2), 1000.0)
    assert (read(write(request)), read("{}"), read("x")) == (request, None, None)
    assert (read_session(write_session(session), 1001.0), read_session(write_session(session), 9999.0)) == (
        session,
        None,
    )
    assert (read_session(None, 0.0), read_session("[]", 0.0)) == (None, None)


@pytest.mark.parametrize("refusals", [0, 1, 2])
async def test_a_session_that_is_gone_is_given_up(refusals: int, tmp_path: Path) -> None:
    """Whether the gateway knows it no more or is out of reach at first: the bot begins a new one."""
    async with DiscordEmulator() as discord:
        discord.gateway.refusals = refusals
        settings = settings_for(discord, tmp_path)
        with Store(settings.state) as store:
            store.keep_fact(fact(), write_session(Session("a", 5, "ws://127.0.0.1:1/", (1,), 9e9)))
        bot = start(settings)
        await discord.gateway.ready()
        [answer] = await discord.answers(await discord.mention(UMBRELLAS))
        await bot.end()
        assert RIGHT in shown(answer)


def test_the_newest_session_that_nobody_holds_is_gone_on_with() -> None:
    """Not one of a process that is at work, nor one that is too old; of several, each starting process gets one."""
    now = 1_000_000.0

    def kept(name: str, ago: float, process: int) -> str:
        return write_session(Session(name, 5, "ws://127.0.0.1:1/", (1,), now - ago, process))

    family = fact().rpartition(" ")[0]
    facts = {
        family: kept("of a version before", 9, 0),
        f"{family} 1": kept("held", 1, os.getppid()),
        f"{family} 2": kept("left, and its number given to another", 60, os.getppid()),
        f"{family} 3": kept("too old", 601, 0),
        f"{family} 4": "no session",
        fact(): kept("of a process of the same number", 30, os.getpid()),
    }
    found = inherited(facts, now)
    sessions = {name: session.id for name, text in found.items() if (session := read_session(text, now))}
    assert sessions == {
        fact(): "of a version before",
        f"{family} 1": "held",
        f"{family} 2": "left, and its number given to another",
        family: "of a process of the same number",
    }
    mine = read_session(found[fact()], now)
    assert mine
    assert (mine.process, mine.at) == (os.getpid(), now)
    assert inherited({f"{family} 1": facts[f"{family} 1"]}, now) == {f"{family} 1": facts[f"{family} 1"]}


def test_sessions_are_begun_one_after_the_other(tmp_path: Path) -> None:
    """However many processes want to at once; a clock that is far ahead holds nobody up."""
    with Store(tmp_path / "state.sqlite") as store:
        waits = [reserve(store) for _ in range(3)]
        assert waits[0] == 0
        assert all(IDENTIFY_EVERY - 5 < later - earlier <= IDENTIFY_EVERY for earlier, later in pairwise(waits))
        store.keep_fact(IDENTIFIED, str(9e9))
        assert reserve(store) == 0


async def test_each_machine_keeps_a_session_of_its_own(tmp_path: Path) -> None:
    """A replica that ends goes on with its own, whatever the others have begun since."""
    elsewhere = fact().replace(gethostname(), "another")
    assert elsewhere != fact()
    async with DiscordEmulator() as discord:
        settings = settings_for(discord, tmp_path)
        with Store(settings.state) as store:
            store.keep_fact(elsewhere, "theirs")
        bot = start(settings)
        await discord.gateway.ready()
        await bot.end()
        with Store(settings.state) as store:
            own = read_session(store.fact(fact()), 0.0)
            assert own
            assert own.guilds
            assert store.fact(elsewhere) == "theirs"
