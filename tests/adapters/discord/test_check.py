"""What ``stet check`` says of Discord."""

import asyncio
from pathlib import Path

import discord
import pytest

from adapters.discord import service as discord_service
from adapters.discord.events import SYNC_WANTED
from adapters.settings import Fault, OutOfReach, load
from adapters.storage.store import Store
from adapters.terminal.configuration_check import report
from tests.adapters.discord.bench import service, serving, settings_for
from tests.emulators.discord import DiscordEmulator
from tests.retrieval.site import Answer, served
from tests.support.program import Stet
from tests.support.tables import cases

pytestmark = [pytest.mark.rest, pytest.mark.usefixtures("samples")]


def test_the_invitation_asks_for_what_is_needed_and_no_more() -> None:
    address = discord_service.invite(42)
    assert address == (
        "https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=274877991936"
    )
    asked = {name for name, wanted in discord.Permissions(274877991936) if wanted}
    needed = {"read_messages", "send_messages", "send_messages_in_threads", "embed_links", "read_message_history"}
    assert asked == needed


async def checked(discord: DiscordEmulator, **more: str) -> list[str]:
    settings = settings_for(discord, **more)
    return await asyncio.to_thread(lambda: list(discord_service.check(settings)))


EVERYBODY = "Discord: everybody in every server that it is in may ask: STET_DISCORD_GUILDS and other lists are empty."


async def test_the_check_says_who_may_ask(emulator: DiscordEmulator) -> None:
    own = "\n".join(await checked(emulator))
    assert EVERYBODY in own
    assert "anybody may invite" not in own
    emulator.rest.public = True
    public = "\n".join(await checked(emulator, STET_ALLOW_OUTSIDERS="1"))
    assert "Discord: anybody may invite this bot and ask it: switch Public Bot off" in public
    assert "STET_ALLOW_OUTSIDERS is 1" in public
    closed = "\n".join(await checked(emulator, STET_DISCORD_GUILDS=emulator.world.guild))
    assert "anybody may invite" not in closed
    assert EVERYBODY not in closed


async def test_a_server_that_the_bot_is_not_in_is_named_at_the_start_too(
    emulator: DiscordEmulator, caplog: pytest.LogCaptureFixture
) -> None:
    fault = "It is not in the server 123, which STET_DISCORD_GUILDS names: invite it there, or copy the id again."
    given = {"STET_DISCORD_GUILDS": f"{emulator.world.guild}, 123"}
    assert [line for line in await checked(emulator, **given) if "not in the server" in line] == [f"Discord: {fault}"]
    async with serving(emulator, **given), asyncio.timeout(10):
        while "It is not in the server 123" not in caplog.text:  # noqa: ASYNC110  (a log has no event)
            await asyncio.sleep(0)


async def test_the_check_says_where_the_bot_cannot_write(emulator: DiscordEmulator) -> None:
    people, alarms = "900000000000000033", "900000000000000034"
    channels = {"STET_HANDOVER": people, "STET_ALARM_CHANNEL": alarms}
    assert [line for line in await checked(emulator, **channels) if "channel" in line] == []
    emulator.rest.closed.add(people)
    emulator.fail(f"GET /channels/{alarms}", 403)
    assert [line for line in await checked(emulator, **channels) if "channel" in line] == [
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


async def test_the_check_says_whether_the_token_is_good(emulator: DiscordEmulator) -> None:
    lines = await checked(emulator)
    assert lines[0] == "Discord: the token is good, the application is stet."
    assert discord_service.invite(int(emulator.world.application)) in lines[1]
    assert lines[1] in await asyncio.to_thread(lambda: list(report(settings_for(emulator))))
    assert "Copy it again" in " ".join(await checked(emulator, DISCORD_TOKEN="wrong"))


SHAPED = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789ab"


@cases("token, words")
async def test_what_is_no_token_is_not_shown_to_discord(emulator: DiscordEmulator, token: str, words: str) -> None:
    [fault] = await checked(emulator, DISCORD_TOKEN=token)
    assert (fault.startswith(words), isinstance(fault, Fault)) == (True, True)
    with pytest.raises(discord_service.DiscordError, match="DISCORD_TOKEN holds"):
        await discord_service.serve(service(), settings_for(emulator, DISCORD_TOKEN=token), asyncio.Event())
    assert not emulator.rest.calls


@pytest.mark.parametrize("token", ["0123456789abcdef" * 4, "one.two", f"Bot {SHAPED}", "a.b.c.d"])
async def test_what_looks_like_no_token_is_called_so_unless_it_is_taken(emulator: DiscordEmulator, token: str) -> None:
    for wrong in (token, SHAPED):
        [fault] = await checked(emulator, DISCORD_TOKEN=wrong)
        assert fault.startswith("Discord: Discord refuses the token.")
        assert ("doesn't look like a bot token" in fault) is (wrong != SHAPED)
    away = {"DISCORD_API_BASE": "http://127.0.0.1:9/api"}
    for wrong, kind in ((token, Fault), (SHAPED, OutOfReach)):
        [fault] = await checked(emulator, DISCORD_TOKEN=wrong, **away)
        assert fault.startswith("Discord: not reached at http://127.0.0.1:9/api: nobody answers there.")
        assert type(fault) is kind
    assert "." not in emulator.world.token
    assert (await checked(emulator))[0].startswith("Discord: the token is good")


def test_commands_to_be_registered_without_a_network_end_the_program(stet: Stet, tmp_path: Path) -> None:
    given = {"DISCORD_TOKEN": SHAPED, "DISCORD_API_BASE": "http://127.0.0.1:9/api"}
    state = tmp_path / "state.sqlite"
    status, out, err = stet("discord", "--sync", STET_STATE=state, **given)
    assert (status, out) == (1, "")
    assert err.startswith("stet: Discord was not reached at http://127.0.0.1:9/api: nobody answers there.\n")
    assert err.endswith("The commands are registered at the next start.\n")
    with Store(state) as store:
        assert store.fact(SYNC_WANTED) == "yes"
