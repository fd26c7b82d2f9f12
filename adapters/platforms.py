"""The platforms that Stet serves: their packages, libraries and settings. ``process`` runs them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from adapters.settings import TABLE, Setting, Settings

if TYPE_CHECKING:
    from bot.service import QuestionService  # loads the reading


class PlatformModule(Protocol):
    """The module ``service`` of a platform's package."""

    async def serve(self, service: QuestionService, settings: Settings, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set."""

    def check(self, settings: Settings) -> Iterable[str]:
        """Return, for ``stet check``, what the platform says to the tokens."""


class Platform(NamedTuple):
    """A platform: its package under ``adapters`` (also its extra), the libraries and the settings that it needs."""

    name: str
    package: str
    libraries: tuple[str, ...]
    needs: tuple[str, ...]

    def library_fault(self) -> str:
        """Say how to install its libraries; "" where they are installed."""
        if all(map(find_spec, self.libraries)):
            return ""
        # it is on no index
        return f"The library is not installed. In the checkout: pip install -c constraints.txt -e '.[{self.package}]'."

    def missing_settings(self, settings: Settings) -> list[Setting]:
        needs = self.needs
        if self.package == "slack" and settings.slack_mode == "http":
            needs = ("SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET")
        return [row for row in TABLE if row.name in needs and not getattr(settings, row.attribute)]


PLATFORMS = (
    Platform("Slack", "slack", ("slack_bolt",), ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN")),
    Platform("Discord", "discord", ("discord",), ("DISCORD_TOKEN",)),
    Platform("Page", "page", ("python_multipart",), ("STET_PAGE_URL",)),
    Platform("MCP", "mcp", ("mcp",), ("STET_MCP_TOKENS",)),
)


def load_platform(package: str) -> PlatformModule:
    """Return a platform's module; this loads its libraries."""
    return cast("PlatformModule", import_module(f"adapters.{package}.service"))
