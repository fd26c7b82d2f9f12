"""Channels of Discord that differ: in what they search, in who sees answers, in whether replies go on unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.channels import Channel, Channels
from bot.service import QuestionService
from tests.adapters.discord.bench import UMBRELLAS, newsroom, service
from tests.emulators.discord import World, shown
from tests.emulators.discord_payloads import EPHEMERAL


def over(channel: Channel) -> QuestionService:
    """Return the desk with rules for the emulator's channel; its direct conversation has none."""
    return QuestionService(service().holdings, channels=Channels(named={("discord", World().channel): channel}))


@pytest.mark.parametrize("private", [True, False])
async def test_who_sees_answers_to_commands_is_the_channels_to_say(private: bool, tmp_path: Path) -> None:  # noqa: FBT001
    async with newsroom(tmp_path, over(Channel(private=private))) as discord:
        one = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}))
        checked = await discord.answered(
            await discord.apply("Check this quote", await discord.say("“Nobody was at the wheel”"))
        )
        assert [bool((m.message or {})["flags"] & EPHEMERAL) for m in (one, checked)] == [private] * 2
        context = await discord.answered(await discord.click(one.message or {}, "Context"))
        direct = await discord.answered(await discord.command("ask", {"question": UMBRELLAS}, direct=True))
        assert [bool((m.message or {})["flags"] & EPHEMERAL) for m in (context, direct)] == [True] * 2


async def test_names_of_other_sources_are_not_suggested_in_a_channel(tmp_path: Path) -> None:
    async with newsroom(tmp_path, over(Channel(frozenset({"Daily Quill"})))) as discord:
        offered = [
            await discord.answered(await discord.complete("who", "name", typed)) for typed in ("Mart", "Wil", "")
        ]
        assert [[choice["name"] for choice in one.choices or ()] for one in offered] == [
            [],
            ["Wilma Oake"],
            ["Tomas Brandt", "Wilma Oake"],
        ]
        named = await discord.answered(await discord.command("who", {"name": "Marta Lindqvist"}, direct=True))
        assert "We shouted" in shown(named.message or {})
