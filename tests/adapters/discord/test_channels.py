"""What is set for channels, and what comes without a question: cards under links, checks by reaction."""

from __future__ import annotations

import re
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from bot import messages
from bot.channels import Allowed, Channel, Channels, Policy
from bot.service import QuestionService
from tests.adapters.discord.bench import PINGS, UMBRELLAS, newsroom, service
from tests.emulators.discord import DiscordEmulator, shown
from tests.emulators.discord_payloads import EPHEMERAL, Payload, Person, World


def over(channel: Channel) -> QuestionService:
    """Return the desk with rules for the emulator's channel; its direct conversation has none."""
    return QuestionService(service().library, channels=Channels(named={("discord", World().channel): channel}))


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


FERRY, KIOSK = "https://echo.example/ferry", "https://quill.example/kiosk_(1)"
UNFURL = "echo.example,quill.example"


def cards(
    folder: Path, over: QuestionService | None = None, **more: str
) -> AbstractAsyncContextManager[DiscordEmulator]:
    """Give an emulator with a bot that may read what is written in channels, and puts cards under links."""
    given = {"STET_UNFURL": UNFURL, "STET_DISCORD_CONTENT": "1", **more}
    return newsroom(folder, over, 41.25, World(content=True), **given)


async def shown_at_last(discord: DiscordEmulator, *posted: Payload) -> list[str]:
    """Return what stands under these messages, once what was posted after them is dealt with."""
    await discord.answers(await discord.mention("how many umbrellas did the kiosk sell?"))
    return [shown_card(card) for each in posted for card in discord.answers_to(each)]


def shown_card(written: Payload) -> str:
    [card] = written["embeds"]
    return f"{card['title']}\n{card['description']}"


async def test_a_title_is_shown_as_it_stands(tmp_path: Path) -> None:
    async with cards(tmp_path) as discord:
        [card] = await discord.answers(await discord.say(f"([here]({KIOSK}), **{KIOSK}**.)"))
        bare = re.sub(r"\\(?=[\\*_~`|<])", "", shown_card(card))
        assert bare == f"Kiosk *opens* again {PINGS}\nDaily Quill"
        assert shown_card(card) != bare


async def test_who_may_not_ask_gets_no_card(tmp_path: Path) -> None:
    elsewhere = Channels(named={("discord", World().channel): Channel(frozenset({"Daily Quill"}))})
    async with cards(tmp_path, QuestionService(service().library, channels=elsewhere)) as discord:
        assert await shown_at_last(discord, await discord.say(FERRY)) == []
    policy = Policy((("discord", Allowed(people=(World().reporter.id,))),))
    async with cards(tmp_path / "people", QuestionService(service().library, policy)) as discord:
        stranger = await discord.say(FERRY, Person("900000000000000077", "sam"))
        assert await shown_at_last(discord, stranger) == []


async def test_without_the_settings_nothing_is_shown_and_nothing_asked_for(tmp_path: Path) -> None:
    async with newsroom(tmp_path, world=World(content=True)) as discord:
        assert not discord.gateway.content
        assert await shown_at_last(discord, await discord.say(FERRY), await discord.mention(FERRY)) == []
    async with newsroom(tmp_path / "named", STET_UNFURL=UNFURL) as discord:
        assert await shown_at_last(discord, await discord.say(FERRY)) == []
        direct = await discord.say(FERRY, direct=True)
        await discord.rest.until(lambda: any(m["embeds"] for m in discord.answers_to(direct)))


QUOTED = "“Nobody was at the wheel” — Marta Lindqvist"
COLLEAGUE = Person("900000000000000088", "gil")
READING = {"STET_DISCORD_CONTENT": "1"}
OPEN = World(content=True)


async def output(discord: DiscordEmulator, count: int = 1) -> list[str]:
    await discord.rest.until(lambda: len(discord.asides()) >= count)
    return [shown(message) for message in discord.asides()]


async def test_other_reactions_are_nobodys_questions(tmp_path: Path) -> None:
    async with newsroom(tmp_path, None, 41.25, OPEN, **READING) as discord:
        said = await discord.say(QUOTED, COLLEAGUE)
        await discord.react(said, "stet")
        await discord.react(said, "🔍", discord.world.bot)
        await discord.react(said)
        assert len(await output(discord)) == 1


async def test_who_may_not_ask_is_told_so_and_a_channel_keeps_its_sources(tmp_path: Path) -> None:
    policy = Policy((("discord", Allowed(people=(COLLEAGUE.id,))),))
    async with newsroom(tmp_path, QuestionService(service().library, policy), 41.25, OPEN, **READING) as discord:
        await discord.react(await discord.say(QUOTED, COLLEAGUE))
        assert messages.REFUSED in (await output(discord))[0]
    rules = Channels(named={("discord", OPEN.channel): Channel(frozenset({"Daily Quill"}))})
    async with newsroom(
        tmp_path / "sources", QuestionService(service().library, channels=rules), 41.25, OPEN, **READING
    ) as discord:
        await discord.react(await discord.say(QUOTED, COLLEAGUE))
        assert "said Marta Lindqvist" not in (await output(discord))[0]


async def test_without_the_setting_no_reaction_is_asked_for(tmp_path: Path) -> None:
    async with newsroom(tmp_path, None, 41.25, OPEN) as discord:
        await discord.mention("how many umbrellas did the kiosk sell?")
        assert not discord.gateway.reactions
