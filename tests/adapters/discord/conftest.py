"""What several tests of Discord's wire use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.discord.bench import newsroom
from tests.emulators.discord import DiscordEmulator


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[DiscordEmulator]:
    async with newsroom(tmp_path) as emulator:
        yield emulator
