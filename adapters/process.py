"""The platforms: what each needs, and those that have their tokens in one process and loop, until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, Protocol, cast

from pythonjsonlogger.json import JsonFormatter

from adapters.articles import uses_seeds
from adapters.background import erasing_removals, following_feeds
from adapters.metrics import ArchiveProbe
from adapters.settings import ENV_FILE, TABLE, Setting, Settings, SettingsError
from adapters.storage.database import StoreError, StoreSchemaError
from adapters.updates.posting import SilenceWatch
from adapters.web import HealthError, announce, serve_health
from bot.service import QuestionService

LOG_LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
JSON_NAMES = {"asctime": "at", "levelname": "level", "name": "logger"}
ONLY_SEEDS = "Only the sample articles are served. Add your own with `stet add`, or name their folder in STET_ARTICLES."

log = logging.getLogger(__name__)


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


def configure(settings: Settings) -> logging.Handler:
    """Log to standard error as the settings say; the handler replaces all others that write to a stream."""
    handler = logging.StreamHandler(sys.stderr)
    if settings.log_format == "json":
        handler.setFormatter(JsonFormatter(LOG_LINE, rename_fields=JSON_NAMES, json_ensure_ascii=False))
    else:
        handler.setFormatter(logging.Formatter(LOG_LINE))
    root = logging.getLogger()
    for other in root.handlers[:]:
        if type(other) is logging.StreamHandler:  # others, to a file or a collector, were set up on purpose
            root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if settings.debug else logging.INFO)
    return handler


def ready_platforms(settings: Settings, names: Sequence[str]) -> tuple[str, ...]:
    """Return the named platforms, or all that have their tokens where none is named.

    Raises ``SettingsError`` where a named one cannot be served, or none can: it lacks a token or its library.
    """
    faults = {platform.package: _fault(platform, settings, names) for platform in PLATFORMS}
    for name in names:
        if faults[name]:
            raise SettingsError(faults[name])
    ready = tuple(names) or tuple(name for name, fault in faults.items() if not fault)
    if not ready:
        raise SettingsError("No platform has its tokens. `stet check` says what is missing and where to get it.")
    return ready


def _fault(platform: Platform, settings: Settings, names: Sequence[str]) -> str:
    # named by itself, the page can be served on this machine without an address
    missing = [] if platform.package == "page" in names else platform.missing_settings(settings)
    head = f"{platform.name} is not set up. Missing in {ENV_FILE.absolute()}:"
    lines = (head, *(f"  {row.name}: {row.help}" for row in missing))
    return platform.library_fault() or ("\n".join(lines) if missing else "")


def serve(names: Sequence[str], service: QuestionService, settings: Settings, *, feeds: bool = False) -> int:
    """Serve until a signal, and follow the feeds meanwhile if ``feeds``; return 1 where a platform failed, else 0.

    Raises ``SettingsError`` where the only platform that is served cannot use its settings, ``StoreSchemaError`` where
    another version of the program made the store.
    """
    configure(settings)
    if uses_seeds(settings):
        log.warning("%s", ONLY_SEEDS)
    platforms = {name: load_platform(name) for name in names}
    probe = ArchiveProbe(service.library.archive)
    probe.export()
    following = following_feeds(service, settings) if feeds else nullcontext()
    with erasing_removals(settings), following:
        return asyncio.run(_serve_all(platforms, service, settings, probe))


async def _serve_all(
    platforms: Mapping[str, PlatformModule], service: QuestionService, settings: Settings, probe: ArchiveProbe
) -> int:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    is_only = len(platforms) == 1

    def end() -> None:
        stop.set()
        service.close()

    try:
        with serve_health(tuple(platforms), settings, probe, partial(announce, "health")):
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, end)
            alarms = asyncio.ensure_future(SilenceWatch(service, settings).run())
            # a platform that fails does not end the others
            serving = (_serve(each, service, settings, stop, is_only=is_only) for each in platforms.values())
            results = await asyncio.gather(*serving)
            alarms.cancel()
    except StoreSchemaError:  # reported by the command
        raise
    except (HealthError, StoreError) as error:
        log.error("%s", error)  # noqa: TRY400 - the sentence is enough
        return 1
    return int(not all(results))


async def _serve(
    platform: PlatformModule, service: QuestionService, settings: Settings, stop: asyncio.Event, *, is_only: bool
) -> bool:
    """Serve one platform; if it fails, log that at once and return False."""
    try:
        await platform.serve(service, settings, stop)
    except Exception as error:
        if isinstance(error, StoreSchemaError) or (is_only and isinstance(error, SettingsError)):
            raise  # reported by the command
        log.error("%s", error or repr(error), exc_info=settings.debug)  # noqa: TRY400 - the sentence is enough
        return False
    return True
