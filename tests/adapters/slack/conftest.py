"""What several tests of Slack's wire stand on."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.slack.office import serving, settings_for
from tests.emulators.slack import Slack


@pytest.fixture
async def workspace() -> AsyncIterator[Slack]:
    """Give a workspace without a bot in it."""
    async with Slack() as opened:
        yield opened


@pytest.fixture
def given() -> dict[str, str]:
    """Return what is set for the bot beside its tokens; a test's parameter of this name sets something else."""
    return {}


@pytest.fixture
async def slack(workspace: Slack, given: dict[str, str]) -> AsyncIterator[Slack]:
    """Give it with the bot in it, by websocket; at the end nothing was refused, and nobody pinged."""
    async with serving(workspace, settings_for(workspace, **given)):
        yield workspace
        assert workspace.refused() == []
        assert [message["pinged"] for message in workspace.web.messages if message["pinged"]] == []
