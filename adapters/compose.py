"""The composition root: settings in, a desk over the articles out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic

from bot.escape_controls import escape_line

from adapters.channel_rules import not_held, read_channels, unknown_sources
from adapters.cluster import open_cluster_of
from adapters.folders import Folders, open_folders
from adapters.lasting import archive_aliases, archive_path, open_archive_of
from adapters.page.addresses import pages
from adapters.settings import Settings
from bot import messages
from bot.ask.model import Thresholds
from bot.channels import Allowed, Policy
from bot.command import Holdings
from bot.service import QuestionService
from retrieval import (
    ALIASES_FILE,
    WORDS_ALONE,
    Aliases,
    Archive,
    ArticleError,
    DigestStore,
    MeaningOnDemand,
    NoArticlesError,
    Reading,
    Rejected,
    Scope,
    UnpublishedError,
    UnreadArticleError,
    UnsafeTableError,
    WritableArchive,
    is_opensearch,
    load_articles,
    read_aliases,
    vectors_path,
)

log = logging.getLogger(__name__)

LeftOut = tuple[tuple[str, str], ...]
SEEDS = Path(__file__).resolve().parent.parent / "seeds"
PATIENCE = 1.0  # seconds of reading after which a progress bar is shown


@dataclass(frozen=True, slots=True)
class Stock:
    """Articles as read, and what was left out: its place, and the reason in words."""

    archive: WritableArchive
    aliases: Aliases
    left_out: tuple[Rejected, ...] = ()


def read_articles(settings: Settings) -> Stock:
    """Read the articles that the settings name, naming in the log each one that is left out.

    Where nothing else is set up, the log is standard error.
    Raises ``RetrievalError`` where there is no article at all, or where a setting for reading is wrong.
    """
    folders, left_out = _load(settings)
    with progress(len(folders.loaded.articles)) as advance:
        archive = open_folders(settings, folders, advance, leaving_out(left_out))
    if not archive.outlets():
        raise _nothing(left_out)
    return Stock(archive, folders.aliases, tuple(left_out))


def read(settings: Settings) -> tuple[Reading, ...]:
    """Return what is read in the articles, in their order, and keep nothing of it; the rest is as above."""
    from retrieval import PIPELINE, read_all  # noqa: PLC0415 - loads every rule

    folders, left_out = _load(settings)
    articles = folders.loaded.articles
    with progress(len(articles)) as advance:
        readings = read_all(articles, folders.aliases, advance, leaving_out(left_out), PIPELINE)
    if not readings:
        raise _nothing(left_out)
    return readings


def _load(settings: Settings) -> tuple[Folders, list[Rejected]]:
    """Return the articles that are not, or no longer, under an embargo, and what was left out; the log names it."""
    paths = _paths(settings)
    there = load_articles(paths, settings.zone)
    for place, error in there.rejected:
        name(place, error)
    now = datetime.now(UTC)
    for article in there.articles:
        if article.embargo and article.embargo > now:
            log.warning(
                "%s is %s: start again after it", escape_line(article.path), messages.held_until(article.embargo)
            )
    released = tuple(article for article in there.articles if not article.embargo or article.embargo <= now)
    return Folders(paths, replace(there, articles=released), _aliases(paths)), list(there.rejected)


def _nothing(left_out: Sequence[Rejected]) -> NoArticlesError:
    where = ", ".join(f"{place}: {error}" for place, error in left_out)
    return NoArticlesError(f"No article can be read. {where}")


def _paths(settings: Settings) -> list[Path]:
    return [Path(path) for path in settings.articles] or [SEEDS]


def leaving_out(left_out: list[Rejected]) -> Callable[[UnreadArticleError], None]:
    """Return what names an article that cannot be read in the log, and adds it to those left out."""
    return partial(_leave_out, left_out)


def _leave_out(left_out: list[Rejected], error: UnreadArticleError) -> None:
    place = error.path if error.path.endswith(error.article) else f"{error.path}, article {error.article}"
    left_out.append((place, error))
    name(place, error)


def name(place: str, error: ArticleError) -> None:
    """Name in the log what is left out."""
    # of the first, what else is in it is taken; of the second, more is left out than the file
    told = "%s: %s" if isinstance(error, UnpublishedError | UnsafeTableError) else "%s is left out: %s"
    log.warning(told, escape_line(place), escape_line(str(error)))
    if isinstance(error, UnreadArticleError):
        log.debug("%s", error.trace)


def _aliases(paths: Sequence[Path]) -> Aliases:
    """Return the contents of every ``names.toml`` beside the articles."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    told = [read_aliases(folder / ALIASES_FILE) for folder in folders]
    return Aliases(
        same=tuple(group for aliases in told for group in aliases.same),
        different=tuple(group for aliases in told for group in aliases.different),
        shorthand=tuple(pair for aliases in told for pair in aliases.shorthand),
    )


def serves_seeds(settings: Settings) -> bool:
    """Return whether nothing is named and nothing was added, so that what comes with the program is asked."""
    kept = is_opensearch(settings.archive) or settings.feeds or archive_path(settings).exists()
    return not (settings.articles or kept)


def open_service(settings: Settings, sources: Collection[str] = ()) -> QuestionService:
    """Return a desk that answers from the articles that the settings name, else from the archive, else from the seeds.

    Where ``sources`` are given, only theirs are asked. Raises ``RetrievalError`` as ``read_articles`` does, and
    ``SettingsError`` where the file of channels is wrong.
    """
    channels = read_channels(settings)
    holdings = _read(settings) if settings.articles else _kept(settings) or _read(settings)
    if sources or settings.channels:
        there = frozenset(outlet.source for outlet in holdings.archive.outlets() if outlet.source)
        for fault in unknown_sources(channels, there):
            log.warning("%s", escape_line(fault))
        if faults := tuple(not_held(sources, there)):
            raise NoArticlesError(" ".join(faults))
    return QuestionService(
        holdings.within(Scope(frozenset(sources))) if sources else holdings, policy(settings), pages(settings), channels
    )


def _kept(settings: Settings) -> Holdings | None:
    """Return what the archive holds, be it in a cluster or in a file; None where there is no file."""
    if is_opensearch(settings.archive):
        held = open_cluster_of(settings)
        return _holdings(settings, held, held.aliases, ())
    if archive_path(settings).exists() or settings.feeds:
        return _holdings(settings, open_archive_of(settings), archive_aliases(settings), ())
    return None


def _read(settings: Settings) -> Holdings:
    """Return what is held where articles are asked as they lie in folders."""
    stock = read_articles(settings)
    return _holdings(settings, stock.archive, stock.aliases, _in_chat(stock.left_out, _paths(settings)))


def _holdings(
    settings: Settings, archive: Archive, aliases: Aliases, left_out: tuple[tuple[str, str], ...]
) -> Holdings:
    thresholds = Thresholds(sure=settings.sure, shown=settings.shown)
    return Holdings(archive, aliases, left_out, meaning(settings), thresholds)


def _in_chat(left_out: Sequence[Rejected], paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Return what was left out, as chats may show it: on one line each, without this machine's folders."""
    folders = sorted({f"{path if path.is_dir() else path.parent}/" for path in paths}, key=len, reverse=True)
    return tuple((_without(place, folders), _without(str(error), folders)) for place, error in left_out)


def _without(text: str, folders: Sequence[str]) -> str:
    for folder in folders:
        text = text.replace(folder, "")
    return escape_line(text)


def meaning(settings: Settings) -> MeaningOnDemand | None:
    """Return what compares meanings, with nothing loaded yet; None where none is wanted."""
    if settings.encoder in WORDS_ALONE:
        return None
    return MeaningOnDemand(settings.encoder, kept(settings))


def kept(settings: Settings) -> DigestStore:
    """Return where vectors are kept, opened when it is first used."""
    return DigestStore(Path(settings.vectors).expanduser() if settings.vectors else vectors_path())


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
def progress(total: int) -> Iterator[Callable[[], None]]:
    """Return a function to call after each article; a bar appears on a terminal's standard error after a while."""
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
