"""What ``stet check`` says of Discord."""

from __future__ import annotations

import asyncio
from pathlib import Path

import discord

from adapters.check import report
from adapters.discord import service
from adapters.settings import load
from tests.adapters.discord.bench import settings_for
from tests.emulators.discord import DiscordEmulator

RIGHT = "40 umbrellas"


def test_the_invitation_asks_for_what_is_needed_and_no_more() -> None:
    """See channels, write in them and in threads, show links, and read what is answered to."""
    address = service.invite(42)
    assert address == (
        "https://discord.com/oauth2/authorize?client_id=42&scope=bot+applications.commands&permissions=274877991936"
    )
    asked = {name for name, wanted in discord.Permissions(274877991936) if wanted}
    needed = {"read_messages", "send_messages", "send_messages_in_threads", "embed_links", "read_message_history"}
    assert asked == needed


async def test_the_check_says_whether_the_token_is_good(tmp_path: Path) -> None:
    """A good one brings the invitation, a bad one says where to get another."""
    async with DiscordEmulator() as discord:
        good = settings_for(discord, tmp_path)
        lines = await asyncio.to_thread(lambda: list(service.check(good)))
        assert lines[0] == "Discord: the token is good, the application is stet."
        assert service.invite(int(discord.world.application)) in lines[1]
        assert lines[1] in await asyncio.to_thread(lambda: list(report(good)))
        bad = settings_for(discord, tmp_path, DISCORD_TOKEN="wrong")
        assert "Copy it again" in " ".join(await asyncio.to_thread(lambda: list(service.check(bad))))
    gone = await asyncio.to_thread(lambda: list(service.check(good)))
    assert "not reached" in gone[0]
    assert list(service.check(load({}, tmp_path / ".env"))) == ["Discord: DISCORD_TOKEN is not set."]
