"""What ``stet check`` says of Discord."""

from __future__ import annotations

import asyncio
from pathlib import Path

import discord
import pytest

from adapters.discord import service as discord_service
from adapters.discord.events import SYNC_WANTED
from adapters.settings import Fault, OutOfReach, load
from adapters.storage.store import Store
from adapters.terminal.configuration_check import report
from tests.adapters.discord.bench import newsroom, serve, settings_for
from tests.emulators.discord import DiscordEmulator
from tests.retrieval.site import Answer, served
from tests.support.program import Stet
from tests.support.tables import cases


def test_the_invitation_asks_for_what_is_needed_and_no_more() -> None:
    address = discord_service.invite(42)
    assert address == (
        "https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=274877991936"
    )
    asked = {name for name, wanted in discord.Permissions(274877991936) if wanted}
    needed = {"read_messages", "send_messages", "send_messages_in_threads", "embed_links", "read_message_history"}
    assert asked == needed


async def checked(discord: DiscordEmulator, folder: Path, **more: str) -> list[str]:
    settings = settings_for(discord, folder, **more)
    return await asyncio.to_thread(lambda: list(discord_service.check(settings)))


EVERYBODY = "Discord: everybody in every server that it is in may ask: STET_DISCORD_GUILDS and other lists are empty."


async def test_the_check_says_who_may_ask(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        own = "\n".join(await checked(discord, tmp_path))
        assert EVERYBODY in own
        assert "anybody may invite" not in own
        discord.rest.public = True
        public = "\n".join(await checked(discord, tmp_path, STET_ALLOW_OUTSIDERS="1"))
        assert "Discord: anybody may invite this bot and ask it: switch Public Bot off" in public
        assert "STET_ALLOW_OUTSIDERS is 1" in public
        closed = "\n".join(await checked(discord, tmp_path, STET_DISCORD_GUILDS=discord.world.guild))
        assert "anybody may invite" not in closed
        assert EVERYBODY not in closed


async def test_a_server_that_the_bot_is_not_in_is_named(tmp_path: Path) -> None:
    fault = "It is not in the server 123, which STET_DISCORD_GUILDS names: invite it there, or copy the id again."
    async with DiscordEmulator() as discord:
        lines = await checked(discord, tmp_path, STET_DISCORD_GUILDS=f"{discord.world.guild}, 123")
        assert [line for line in lines if "not in the server" in line] == [f"Discord: {fault}"]


async def test_the_start_says_so_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with newsroom(tmp_path, STET_DISCORD_GUILDS="123"), asyncio.timeout(10):
        while "It is not in the server 123" not in caplog.text:  # noqa: ASYNC110  (a log has no event)
            await asyncio.sleep(0)


async def test_the_check_says_where_the_bot_cannot_write(tmp_path: Path) -> None:
    people, alarms = "900000000000000033", "900000000000000034"
    channels = {"STET_HANDOVER": people, "STET_ALARM_CHANNEL": alarms}
    async with DiscordEmulator() as discord:
        assert [line for line in await checked(discord, tmp_path, **channels) if "channel" in line] == []
        discord.rest.closed.add(people)
        discord.fail(f"GET /channels/{alarms}", 403)
        assert [line for line in await checked(discord, tmp_path, **channels) if "channel" in line] == [
            (f"Discord: STET_HANDOVER: the channel {people} does not let the bot write: allow it Send Messages there."),
            f"Discord: STET_ALARM_CHANNEL: the channel {alarms} is not shown to the bot (403 Forbidden): on demand.",
        ]


def test_an_answer_that_is_none_of_discords_does_not_end_the_check(tmp_path: Path) -> None:
    with served() as site:
        site.answers["/api/v10/users/@me"] = Answer("hello", headers={"Content-Type": "text/plain"})
        address = f"{site.address}/api/v10"
        output = list(report(load({"DISCORD_TOKEN": "t", "DISCORD_API_BASE": address}, tmp_path / ".env")))
    assert f"Discord: what answers at {address} is not understood." in output
    assert any(line.startswith("Settings: ") for line in output)


async def test_the_check_says_whether_the_token_is_good(tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        good = settings_for(discord, tmp_path)
        lines = await checked(discord, tmp_path)
        assert lines[0] == "Discord: the token is good, the application is stet."
        assert discord_service.invite(int(discord.world.application)) in lines[1]
        assert lines[1] in await asyncio.to_thread(lambda: list(report(good)))
        assert "Copy it again" in " ".join(await checked(discord, tmp_path, DISCORD_TOKEN="wrong"))
    assert "not reached" in (await checked(discord, tmp_path))[0]


SHAPED = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789ab"


@cases("token, words")
async def test_what_is_surely_no_token_is_not_shown_to_discord(token: str, words: str, tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        [fault] = await checked(discord, tmp_path, DISCORD_TOKEN=token)
        assert (fault.startswith(words), isinstance(fault, Fault)) == (True, True)
        with pytest.raises(discord_service.DiscordError, match="DISCORD_TOKEN holds"):
            await serve(settings_for(discord, tmp_path, DISCORD_TOKEN=token))
        assert not discord.rest.calls


@pytest.mark.parametrize("token", ["0123456789abcdef" * 4, "one.two", f"Bot {SHAPED}", "a.b.c.d"])
async def test_what_looks_like_no_token_is_called_so_unless_discord_takes_it(token: str, tmp_path: Path) -> None:
    async with DiscordEmulator() as discord:
        for wrong in (token, SHAPED):
            [fault] = await checked(discord, tmp_path, DISCORD_TOKEN=wrong)
            assert fault.startswith("Discord: Discord refuses the token.")
            assert ("doesn't look like a bot token" in fault) is (wrong != SHAPED)
        away = {"DISCORD_API_BASE": "http://127.0.0.1:9/api"}
        for wrong, kind in ((token, Fault), (SHAPED, OutOfReach)):
            [fault] = await checked(discord, tmp_path, DISCORD_TOKEN=wrong, **away)
            assert fault.startswith("Discord: not reached at http://127.0.0.1:9/api: nobody answers there.")
            assert type(fault) is kind
        assert "." not in discord.world.token
        assert (await checked(discord, tmp_path))[0].startswith("Discord: the token is good")


def test_commands_to_be_registered_without_a_network_end_the_program(stet: Stet, tmp_path: Path) -> None:
    given = {"DISCORD_TOKEN": SHAPED, "DISCORD_API_BASE": "http://127.0.0.1:9/api"}
    state = tmp_path / "state.sqlite"
    status, out, err = stet("discord", "--sync", STET_STATE=state, **given)
    assert (status, out) == (1, "")
    assert err.startswith("stet: Discord was not reached at http://127.0.0.1:9/api: nobody answers there.\n")
    assert err.endswith("The commands are registered at the next start.\n")
    with Store(state) as store:
        assert store.fact(SYNC_WANTED) == "yes"
