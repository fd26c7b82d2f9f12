"""What a process that ended has left on Discord: the next one goes on with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from adapters.discord.requests import DiscordRequest
from adapters.storage.store import Store
from tests.adapters.discord.bench import UMBRELLAS, settings_for, start
from tests.emulators.discord import DiscordEmulator
from tests.emulators.discord_payloads import Payload, World


async def test_a_message_whose_receipt_was_lost_is_not_sent_twice(discord: DiscordEmulator, tmp_path: Path) -> None:
    said = await discord.mention(UMBRELLAS)
    [first] = await discord.answers(said)
    settings = settings_for(discord, tmp_path)
    assert first["nonce"] == said["id"]
    with Store(settings.state) as store:
        request = _request(discord.world, said["id"], origin=said["id"])
        claim = store.claim("discord", ["another-key"], request.to_json())
        assert claim
        store.release(claim)
    second = start(settings)
    await discord.rest.until(lambda: discord.rest.repeated == 1)
    await second.end()
    assert discord.answers_to(said) == [first]


async def test_an_interaction_left_thinking_is_answered_by_the_next_process(tmp_path: Path) -> None:
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


def _request(world: World, name: str, **more: Any) -> DiscordRequest:  # noqa: ANN401 - fields
    at = {"channel": world.channel, "rules_channel": world.channel, "workspace": world.guild}
    return DiscordRequest(UMBRELLAS, world.reporter.id, id=name, **at, **more)


def _leave(store: Store, world: World, payload: Payload, at: float, key: str) -> None:
    """Leave a request behind as a process does that dies."""
    own = f"interaction:{payload['id']}"
    request = _request(world, payload["id"], at=at, key=own, token=payload["token"], application=world.application)
    claim = store.claim("discord", [key or own], request.to_json())
    assert claim
    store.release(claim)


def test_a_kept_request_of_another_version_is_none() -> None:
    request = DiscordRequest("who?", "4", "3", "6", id="1", at=2.0, groups=("5",), rules_channel="7", token="t")
    read = DiscordRequest.from_json
    assert (read(request.to_json()), read("{}"), read("x")) == (request, None, None)
