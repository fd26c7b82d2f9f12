"""The platforms that have their tokens, in one process and one loop, until SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from pythonjsonlogger.json import JsonFormatter

from adapters.cluster import followed
from adapters.compose import serves_seeds
from adapters.keeping_up import kept_up
from adapters.operations.health import HealthError, told
from adapters.operations.metrics import ArchiveProbe, observed
from adapters.settings import TABLE, Settings, SettingsError
from adapters.silence import SilenceWatch
from adapters.storage.store import StoreError
from adapters.terminal.configuration_check import PLATFORMS, how_to_install, needed
from bot.service import QuestionService

PLAIN = "%(asctime)s %(levelname)s %(name)s: %(message)s"
FIELDS = {"asctime": "at", "levelname": "level", "name": "logger"}
QUESTION = "question"  # the attribute of a record that holds what was asked


class Discretion(logging.Filter):
    """Takes out of each record what was asked."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, without the question."""
        record.__dict__.pop(QUESTION, None)
        return True


class Lines(logging.Formatter):
    """One line a record, with the question in it where there is one."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line."""
        asked = record.__dict__.get(QUESTION)
        line = super().formatMessage(record)
        return f"{line} [{asked!r}]" if asked is not None else line


def configure(settings: Settings) -> logging.Handler:
    """Log to standard error as the settings say; return the handler, in place of any other that writes to a stream."""
    handler = logging.StreamHandler(sys.stderr)
    if settings.log_format == "json":
        handler.setFormatter(JsonFormatter(PLAIN, rename_fields=FIELDS, json_ensure_ascii=False))
    else:
        handler.setFormatter(Lines(PLAIN))
    if not settings.log_questions:
        handler.addFilter(Discretion())
    root = logging.getLogger()
    for other in root.handlers[:]:
        if type(other) is logging.StreamHandler:  # one of another kind, to a file or a collector, is somebody's wish
            root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if settings.debug else logging.INFO)
    return handler


log = logging.getLogger(__name__)


SEEDS_ALONE = (
    "No articles of yours are served, only the few that come with the program, to try it:"
    " put yours in with `stet add`, or name them in STET_ARTICLES."
)


class NotSetUpError(Exception):
    """A platform lacks a token or its library; the message says which, and where to get it."""


class Wire(Protocol):
    """A platform's module, as far as this one uses it."""

    async def serve(self, service: QuestionService, settings: Settings, stop: asyncio.Event) -> None:
        """Serve until ``stop`` is set."""


def wires(settings: Settings, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the modules of the platforms ``wanted``, or of all that have their tokens where none is.

    Raises ``NotSetUpError`` where one that is wanted cannot be served, or none can.
    """
    lacking = {
        platform.lower(): _lack(settings, module, extra, tokens) for platform, module, extra, tokens in PLATFORMS
    }
    for name in wanted:
        if lacking[name]:
            raise NotSetUpError(lacking[name])
    ready = tuple(wanted) or tuple(name for name, lack in lacking.items() if not lack)
    if not ready:
        raise NotSetUpError("No platform has its tokens. `stet check` says what is missing and where to get it.")
    return tuple(f"adapters.{name}.service" for name in ready)


def addressed(settings: Settings, wanted: Sequence[str]) -> Settings:
    """Return the settings with an address of the page, where the page is wanted by name: it can do without one."""
    return replace(settings, page_url=settings.page_url or "/") if "page" in wanted else settings


def _lack(settings: Settings, module: str, extra: str, tokens: tuple[str, ...]) -> str:
    rows = {row.name: row for row in TABLE}
    if not find_spec(module):
        return f"The library is not installed. {how_to_install(extra)}"
    missing = [rows[name] for name in needed(settings, tokens) if not getattr(settings, rows[name].attribute)]
    return " ".join(f"{row.name} is not set. {row.help}" for row in missing)


def serve(modules: Sequence[str], service: QuestionService, settings: Settings, *, feeds: bool = False) -> int:
    """Serve until a signal, with ``feeds`` keeping the archive up; return 1 where a wire broke, else 0.

    Raises ``SettingsError`` where the one wire that is served makes nothing of its settings.
    """
    configure(settings)
    if serves_seeds(settings):
        log.warning("%s", SEEDS_ALONE)
    loaded = {_platform(module): cast("Wire", import_module(module)) for module in modules}
    look = ArchiveProbe(service.holdings.archive)
    with observed(service, look), followed(settings), kept_up(service, settings) if feeds else nullcontext():
        return asyncio.run(_served_with_health(loaded, service, settings, look))


def _platform(module: str) -> str:
    """Return the platform's name, which is its package's."""
    return module.rpartition(".")[0].rpartition(".")[2] or module


async def _served_with_health(
    loaded: Mapping[str, Wire], service: QuestionService, settings: Settings, look: ArchiveProbe
) -> int:
    try:
        with told(tuple(loaded), settings, look, _say):
            return await _serve(tuple(loaded.values()), service, settings)
    except (HealthError, StoreError) as error:
        log.error("%s", error)  # noqa: TRY400 - the sentence says it all
        return 1


def _say(address: str) -> None:
    print(f"stet: health ready ({address})", flush=True)  # noqa: T201  (the line that others wait for)


async def _serve(loaded: Sequence[Wire], service: QuestionService, settings: Settings) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    watching = asyncio.ensure_future(SilenceWatch(service, settings).go_on())
    # one that breaks does not end the others: each ends by itself, or when told
    sound = await asyncio.gather(*(_served(wire, service, settings, stop, alone=len(loaded) == 1) for wire in loaded))
    watching.cancel()
    return int(not all(sound))


async def _served(
    wire: Wire, service: QuestionService, settings: Settings, stop: asyncio.Event, *, alone: bool
) -> bool:
    """Serve; where it breaks, report it at once, whatever the others do, and return that."""
    try:
        await wire.serve(service, settings, stop)
    except Exception as error:
        if alone and isinstance(error, SettingsError):  # who started it waits for the word
            raise
        log.error("%s", error or repr(error), exc_info=settings.debug)  # noqa: TRY400 - the sentence says it all
        return False
    return True
