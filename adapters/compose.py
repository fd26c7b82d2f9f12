"""The composition root: settings in, a desk over the articles out."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from adapters.settings import Settings
from bot.desk import Desk
from bot.holdings import Holdings
from bot.policy import Allowed, Policy
from retrieval.annotate import read_all
from retrieval.archive.archive import open_archive
from retrieval.intake.articles import Loaded, load
from retrieval.meaning.kept import Kept, default_path
from retrieval.meaning.opening import WORDS_ALONE, MeaningOnDemand
from retrieval.model import Reading
from retrieval.names.aliases import FILE, Aliases, read_aliases
from retrieval.search import Meaning

log = logging.getLogger(__name__)

SEEDS = Path(__file__).resolve().parent.parent / "seeds"
PATIENCE = 1.0  # seconds of reading after which a progress bar is shown


@dataclass(frozen=True, slots=True)
class Library:
    """Articles as loaded, and as read."""

    loaded: Loaded
    readings: tuple[Reading, ...]
    aliases: Aliases


def read_articles(settings: Settings) -> Library:
    """Read the articles that the settings name, naming on standard error each one that is left out.

    Raises ``RetrievalError`` where there is no article at all, or where a setting for reading is wrong.
    """
    paths = [Path(path) for path in settings.articles] or [SEEDS]
    loaded = load(paths)
    for path, error in loaded.rejected:
        print(f"stet: {path} is left out: {error}", file=sys.stderr)  # noqa: T201 - a warning to the person
    aliases = _aliases(paths)
    with _progress(len(loaded.articles)) as advance:
        readings = read_all(loaded.articles, aliases, settings.spacy_model, advance)
    return Library(loaded, readings, aliases)


def _aliases(paths: Sequence[Path]) -> Aliases:
    """Return what every ``names.toml`` beside the articles says, together."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    told = [read_aliases(folder / FILE) for folder in folders]
    return Aliases(
        same=tuple(group for aliases in told for group in aliases.same),
        different=tuple(group for aliases in told for group in aliases.different),
        shorthand=tuple(pair for aliases in told for pair in aliases.shorthand),
    )


def open_desk(settings: Settings) -> Desk:
    """Return a desk that answers from the articles that the settings name."""
    library = read_articles(settings)
    left_out = tuple((path, str(error)) for path, error in library.loaded.rejected)
    gc.freeze()  # articles stay as long as the program does: no pass of the collector need look at them again
    holdings = Holdings(open_archive(library.readings), library.aliases, left_out, meaning(settings))
    return Desk(holdings, policy(settings))


def meaning(settings: Settings) -> Meaning | None:
    """Return what compares meanings, which loads nothing until it is asked to; nothing where none is wanted."""
    if settings.encoder in WORDS_ALONE:
        return None
    return MeaningOnDemand(settings.encoder, kept(settings))


def kept(settings: Settings) -> Kept:
    """Return where vectors are kept, opened when it is first used."""
    return Kept(Path(settings.vectors).expanduser() if settings.vectors else default_path())


def policy(settings: Settings) -> Policy:
    """Return who may ask, as the settings say."""
    outsiders = settings.allow_outsiders
    slack = Allowed(
        workspaces=settings.slack_workspaces,
        channels=settings.slack_channels,
        people=settings.slack_people,
        outsiders=outsiders,
    )
    discord = Allowed(
        workspaces=settings.discord_guilds,
        channels=settings.discord_channels,
        people=settings.discord_people,
        groups=settings.discord_roles,
        outsiders=outsiders,
    )
    return Policy((("slack", slack), ("discord", discord)))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """Give a function to call after each article; a bar appears on a terminal's standard error after a while."""
    from rich.console import Console  # noqa: PLC0415 - drawn only where reading is long
    from rich.progress import Progress  # noqa: PLC0415

    began = monotonic()
    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("reading", total=total)

    def advance() -> None:
        bar.advance(task)
        if not bar.live.is_started and monotonic() - began > PATIENCE and bar.console.is_terminal:
            bar.start()

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()
