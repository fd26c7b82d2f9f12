"""A bot on Discord, in a test: the emulator at one end, ``serve`` with a real desk at the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from adapters.discord import service as discord_service
from adapters.settings import Settings, load
from bot.service import QuestionService
from retrieval.model import Article
from tests import stock
from tests.emulators.discord import DiscordEmulator
from tests.emulators.discord_payloads import World

PINGS = "@everyone @here <@900000000000000005> <@&900000000000000006>"

# hostile on purpose: everything in it that a chat could obey has to be shown as it stands
KIOSK = Article(
    id="kiosk.txt",
    path="stock/kiosk.txt",
    title=f"Kiosk *opens* again {PINGS}",
    source="Daily Quill",
    url="https://quill.example/kiosk_(1)",
    text=(
        f"The kiosk at Grebe Lane sold 40 umbrellas with the label **dry** and the note {PINGS} on Monday.\n\n"
        "“Every `umbrella` is [tested](https://quill.example/a_b) ||twice||,” said Wilma Oake, its owner.\n"
    ),
)
ARTICLES = (stock.FERRY, stock.BRIDGE, KIOSK)
UMBRELLAS = "how many umbrellas did the kiosk sell?"
FERRY = "was nobody at the wheel of the ferry?"


@cache
def service() -> QuestionService:
    """Return a desk over a few made-up articles; read once for all tests."""
    return stock.service(ARTICLES)


def settings_for(discord: DiscordEmulator, folder: Path = Path(), **more: str) -> Settings:
    """Return the settings of a bot that finds the emulator and keeps its state in ``folder``, else where it runs."""
    return load({**discord.environment, "STET_STATE": str(folder / "state.sqlite3"), **more}, folder / ".env")


@asynccontextmanager
async def serving(
    discord: DiscordEmulator, folder: Path = Path(), over: QuestionService | None = None, sessions: int = 1, **more: str
) -> AsyncIterator[None]:
    """Run a bot until the block ends; it is there from the beginning, with the ``sessions``-th session."""
    stop, settings = asyncio.Event(), settings_for(discord, folder, **more)
    bot = asyncio.create_task(discord_service.serve(over or service(), settings, stop))
    try:
        await discord.gateway.ready(sessions)
        yield
    finally:
        stop.set()
        await bot


@asynccontextmanager
async def newsroom(
    folder: Path = Path(), over: QuestionService | None = None, world: World | None = None, **more: str
) -> AsyncIterator[DiscordEmulator]:
    """Give an emulator with a bot on it; afterwards nothing may be left that Discord does not allow."""
    async with DiscordEmulator(world) as discord:
        async with serving(discord, folder, over, **more):
            yield discord
        assert discord.rest.violations == []
        assert discord.rest.pinged == []
