"""What several tests of Discord's wire use."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.discord.bench import newsroom
from tests.emulators.discord import DiscordEmulator


@pytest.fixture
async def emulator() -> AsyncIterator[DiscordEmulator]:
    """Give a server without a bot on it."""
    async with DiscordEmulator() as opened:
        yield opened


@pytest.fixture
async def discord() -> AsyncIterator[DiscordEmulator]:
    async with newsroom() as opened:
        yield opened
