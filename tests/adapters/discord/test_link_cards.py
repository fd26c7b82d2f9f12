"""Links to articles, posted on Discord: a card where a setting asks for it, within the rights that questions have."""

from __future__ import annotations

import re
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from bot.channels import Allowed, Channel, Channels, Policy
from bot.service import QuestionService
from tests.adapters.discord.bench import PINGS, newsroom, service
from tests.emulators.discord import DiscordEmulator
from tests.emulators.discord_payloads import Payload, Person, World

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
    async with cards(tmp_path, QuestionService(service().holdings, channels=elsewhere)) as discord:
        assert await shown_at_last(discord, await discord.say(FERRY)) == []
    policy = Policy((("discord", Allowed(people=(World().reporter.id,))),))
    async with cards(tmp_path / "people", QuestionService(service().holdings, policy)) as discord:
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
