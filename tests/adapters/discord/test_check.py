"""What ``stet check`` says of Discord."""

from __future__ import annotations

import asyncio
from pathlib import Path

import discord
import pytest
from aiohttp import web

from adapters.discord import service as discord_service
from adapters.settings import load
from adapters.terminal.configuration_check import report
from tests.adapters.discord.bench import newsroom, settings_for
from tests.emulators.discord import DiscordEmulator

RIGHT = "40 umbrellas"


def test_the_invitation_asks_for_what_is_needed_and_no_more() -> None:
    address = discord_service.invite(42)
    assert address == (
        "https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=274877991936"
    )
    asked = {name for name, wanted in discord.Permissions(274877991936) if wanted}
    needed = {"read_messages", "send_messages", "send_messages_in_threads", "embed_links", "read_message_history"}
    assert asked == needed


EVERYBODY = "Discord: everybody in every server that it is in may ask: STET_DISCORD_GUILDS and other lists are empty."


async def test_the_check_says_who_may_ask(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:

        async def told(**more: str) -> str:
            settings = settings_for(discord, tmp_path, **more)
            return "\n".join(await asyncio.to_thread(lambda: list(discord_service.check(settings))))

        assert EVERYBODY in await told()
        assert "anybody may invite" not in await told()
        discord.rest.public = True
        assert "Discord: anybody may invite this bot and ask it: switch Public Bot off" in await told()
        closed = await told(STET_DISCORD_GUILDS=discord.world.guild)
        assert "anybody may invite" not in closed
        assert EVERYBODY not in closed
        assert "STET_ALLOW_OUTSIDERS is 1" in await told(STET_ALLOW_OUTSIDERS="1")


async def test_a_server_that_the_bot_is_not_in_is_named(tmp_path: Path) -> None:
    fault = "It is not in the server 123, which STET_DISCORD_GUILDS names: invite it there, or copy the id again."
    async with DiscordEmulator() as discord:
        wrong = settings_for(discord, tmp_path, STET_DISCORD_GUILDS=f"{discord.world.guild}, 123")
        told = await asyncio.to_thread(lambda: list(discord_service.check(wrong)))
        assert [line for line in told if "not in the server" in line] == [f"Discord: {fault}"]


async def test_the_start_says_so_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with newsroom(tmp_path, STET_DISCORD_GUILDS="123"), asyncio.timeout(10):
        while "It is not in the server 123" not in caplog.text:  # noqa: ASYNC110  (a log has no event)
            await asyncio.sleep(0)


async def test_the_check_says_where_the_bot_cannot_write(tmp_path: Path) -> None:
    people, alarms = "900000000000000033", "900000000000000034"
    async with DiscordEmulator() as discord:
        settings = settings_for(discord, tmp_path, STET_DISCORD_HANDOVER=people, STET_ALARM_CHANNEL=alarms)

        async def told() -> list[str]:
            return [
                line
                for line in await asyncio.to_thread(lambda: list(discord_service.check(settings)))
                if "channel" in line
            ]

        assert await told() == []
        discord.rest.closed.add(people)
        discord.fail(f"GET /channels/{alarms}", 403)
        assert await told() == [
            (
                f"Discord: STET_DISCORD_HANDOVER: the channel {people} does not let the bot write:"
                " allow it Send Messages there."
            ),
            f"Discord: STET_ALARM_CHANNEL: the channel {alarms} is not shown to the bot (403 Forbidden): on demand.",
        ]


async def test_an_answer_that_is_none_of_discords_does_not_end_the_check(tmp_path: Path) -> None:
    async def greet(_: web.Request) -> web.Response:
        return web.Response(text="hello")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", greet)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/api/v10"
    settings = load({"DISCORD_TOKEN": "t", "DISCORD_API_BASE": address}, tmp_path / ".env")
    told = await asyncio.to_thread(lambda: list(report(settings)))
    await runner.cleanup()
    assert f"Discord: what answers at {address} is not understood." in told
    assert any(line.startswith("Settings: ") for line in told)


async def test_the_check_says_whether_the_token_is_good(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        good = settings_for(discord, tmp_path)
        lines = await asyncio.to_thread(lambda: list(discord_service.check(good)))
        assert lines[0] == "Discord: the token is good, the application is stet."
        assert discord_service.invite(int(discord.world.application)) in lines[1]
        assert lines[1] in await asyncio.to_thread(lambda: list(report(good)))
        bad = settings_for(discord, tmp_path, DISCORD_TOKEN="wrong")
        assert "Copy it again" in " ".join(await asyncio.to_thread(lambda: list(discord_service.check(bad))))
    gone = await asyncio.to_thread(lambda: list(discord_service.check(good)))
    assert "not reached" in gone[0]
    assert list(discord_service.check(load({}, tmp_path / ".env"))) == ["Discord: DISCORD_TOKEN is not set."]
