"""What a process that ended has left on Discord: the next one goes on with it."""

from __future__ import annotations

from pathlib import Path

from adapters.discord.requests import Request, read, write
from adapters.storage.store import Store
from bot.model import Asker, Place
from tests.adapters.discord.bench import UMBRELLAS, newsroom, settings_for, start
from tests.emulators.discord import DiscordEmulator
from tests.emulators.discord_payloads import Payload, World


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


def test_a_kept_request_of_another_version_is_none() -> None:
    """What cannot be read is passed over; what can comes back as it was."""
    request = Request("1", 2.0, "3", Asker("4", ("5",)), Place("discord", "6", "7"), "who?", token="t")
    assert (read(write(request)), read("{}"), read("x")) == (request, None, None)
