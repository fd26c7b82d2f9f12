"""What several tests of Slack's wire stand on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.slack.office import at_work
from tests.emulators.slack import Slack


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("articles")


@pytest.fixture
async def slack(tmp_path: Path, shared: Path) -> AsyncIterator[Slack]:
    """Give a workspace with the bot in it, by websocket; at the end nothing was refused, and nobody pinged."""
    async with at_work("socket", tmp_path, shared) as workspace:
        yield workspace
        assert workspace.refused() == []
        assert [message["pinged"] for message in workspace.web.messages if message["pinged"]] == []
