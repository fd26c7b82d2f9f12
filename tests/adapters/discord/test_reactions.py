"""A reaction has the quotations of a message checked, for who reacts, in a message to them alone."""

from __future__ import annotations

from pathlib import Path

from bot import messages
from bot.channels import Allowed, Channel, Channels, Policy
from bot.service import QuestionService
from tests.adapters.discord.bench import newsroom, service
from tests.emulators.discord import DiscordEmulator, shown
from tests.emulators.discord_payloads import Person, World

QUOTED = "“Nobody was at the wheel” — Marta Lindqvist"
COLLEAGUE = Person("900000000000000088", "gil")
READING = {"STET_DISCORD_CONTENT": "1"}
OPEN = World(content=True)


async def output(discord: DiscordEmulator, count: int = 1) -> list[str]:
    """Wait for so many messages to the reporter alone, and return all."""
    await discord.rest.until(lambda: len(discord.asides()) >= count)
    return [shown(message) for message in discord.asides()]


async def test_other_reactions_are_nobodys_questions(tmp_path: Path) -> None:
    async with newsroom(tmp_path, None, 41.25, OPEN, STET_REACTION="stet", **READING) as discord:
        said = await discord.say(QUOTED, COLLEAGUE)
        await discord.react(said)
        await discord.react(said, "stet", discord.world.bot)
        await discord.react(said, "stet")
        assert len(await output(discord)) == 1


async def test_who_may_not_ask_is_told_so_and_a_channel_keeps_its_sources(tmp_path: Path) -> None:
    policy = Policy((("discord", Allowed(people=(COLLEAGUE.id,))),))
    async with newsroom(tmp_path, QuestionService(service().holdings, policy), 41.25, OPEN, **READING) as discord:
        await discord.react(await discord.say(QUOTED, COLLEAGUE))
        assert messages.REFUSED in (await output(discord))[0]
    rules = Channels(named={("discord", OPEN.channel): Channel(frozenset({"Daily Quill"}))})
    async with newsroom(
        tmp_path / "sources", QuestionService(service().holdings, channels=rules), 41.25, OPEN, **READING
    ) as discord:
        await discord.react(await discord.say(QUOTED, COLLEAGUE))
        assert "said Marta Lindqvist" not in (await output(discord))[0]


async def test_without_the_setting_no_reaction_is_asked_for(tmp_path: Path) -> None:
    async with newsroom(tmp_path, None, 41.25, OPEN) as discord:
        await discord.mention("how many umbrellas did the kiosk sell?")
        assert not discord.gateway.reactions
