"""The composition root: settings in, a question service out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, time

from adapters.archive_file import archive_aliases, archive_path, open_archive_of
from adapters.channel_rules import missing_sources, read_channels, unknown_sources
from adapters.cluster import open_cluster_of
from adapters.folders import Folders, open_folders
from adapters.page.addresses import pages
from adapters.settings import Settings
from bot import messages
from bot.ask.model import Thresholds
from bot.channels import Allowed, Policy
from bot.command import Library
from bot.escaping import escape_line
from bot.service import QuestionService
from retrieval import (
    ALIASES_FILE,
    WORDS_ALONE,
    Aliases,
    Archive,
    ArticleError,
    MeaningOnDemand,
    NoArticlesError,
    Reading,
    Rejected,
    Scope,
    UnpublishedError,
    UnreadArticleError,
    UnsafeTableError,
    WritableArchive,
    encode,
    is_early,
    is_opensearch,
    load_articles,
    read_aliases,
)

log = logging.getLogger(__name__)

SEEDS = Path(__file__).resolve().parent.parent / "seeds"
PROGRESS_AFTER_SECONDS = 1.0  # of reading


@dataclass(frozen=True, slots=True)
class LoadedArticles:
    """Articles as read, and what was left out: its place, and the reason."""

    archive: WritableArchive
    aliases: Aliases
    left_out: tuple[Rejected, ...] = ()


def read_articles(settings: Settings) -> LoadedArticles:
    """Read the articles that the settings name, and log each one that is left out.

    Raises ``RetrievalError`` where there is no article at all, or where a setting for reading is wrong.
    """
    folders, left_out = _load(settings)
    with progress(len(folders.loaded.articles)) as advance:
        archive = open_folders(settings, folders, advance, reject_into(left_out))
    if not archive.outlets():
        raise _no_articles(left_out)
    return LoadedArticles(archive, folders.aliases, tuple(left_out))


def read(settings: Settings) -> tuple[Reading, ...]:
    """Return the readings of the articles, in their order, without storing anything; else like ``read_articles``."""
    from retrieval import read_all  # noqa: PLC0415 - loads every rule

    folders, left_out = _load(settings)
    articles = folders.loaded.articles
    with progress(len(articles)) as advance:
        readings = read_all(articles, folders.aliases, advance, reject_into(left_out))
    if not readings:
        raise _no_articles(left_out)
    return readings


def _load(settings: Settings) -> tuple[Folders, list[Rejected]]:
    """Return the articles that are not under embargo, and what was left out."""
    paths = _paths(settings)
    loaded = load_articles(paths, settings.zone)
    for place, error in loaded.rejected:
        log_rejected(place, error)
    now = time()
    released = []
    for article in loaded.articles:
        if article.embargo and is_early(article, now):
            until = messages.embargo_notice(article.embargo)
            log.warning("%s is %s: start again after it", escape_line(article.path), until)
        else:
            released.append(article)
    return Folders(paths, replace(loaded, articles=tuple(released)), _aliases(paths)), list(loaded.rejected)


def _no_articles(left_out: Sequence[Rejected]) -> NoArticlesError:
    reasons = ", ".join(f"{place}: {error}" for place, error in left_out)
    return NoArticlesError(f"No article can be read. {reasons}")


def _paths(settings: Settings) -> list[Path]:
    return [Path(path) for path in settings.articles] or [SEEDS]


def reject_into(left_out: list[Rejected]) -> Callable[[UnreadArticleError], None]:
    """Return a function that logs an article that cannot be read and adds it to ``left_out``."""

    def reject(error: UnreadArticleError) -> None:
        place = error.path if error.path.endswith(error.article) else f"{error.path}, article {error.article}"
        left_out.append((place, error))
        log_rejected(place, error)

    return reject


def log_rejected(place: str, error: ArticleError) -> None:
    # an unpublished article leaves the rest of its file in; an unsafe table leaves out more than itself
    is_partial = isinstance(error, UnpublishedError | UnsafeTableError)
    log.warning("%s: %s" if is_partial else "%s is left out: %s", escape_line(place), escape_line(str(error)))
    if isinstance(error, UnreadArticleError):
        log.debug("%s", error.trace)


def _aliases(paths: Sequence[Path]) -> Aliases:
    """Return the contents of every ``names.toml`` beside the articles."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    every = [read_aliases(folder / ALIASES_FILE) for folder in folders]
    return Aliases(
        same=tuple(group for aliases in every for group in aliases.same),
        different=tuple(group for aliases in every for group in aliases.different),
        shorthand=tuple(pair for aliases in every for pair in aliases.shorthand),
    )


def uses_seeds(settings: Settings) -> bool:
    """Whether questions search the sample articles, because none are named and none were added."""
    return not (settings.articles or _has_archive(settings))


def _has_archive(settings: Settings) -> bool:
    return bool(is_opensearch(settings.archive) or settings.feeds or archive_path(settings).exists())


def open_service(settings: Settings, sources: Collection[str] = ()) -> QuestionService:
    """Answer from the articles that the settings name, else from the archive, else from the sample articles.

    ``sources`` limits the outlets. Raises ``RetrievalError`` as ``read_articles`` does, and ``SettingsError`` where
    the file of channel rules is wrong.
    """
    channels = read_channels(settings)
    library = _open_holdings(settings)
    if sources or settings.channels:
        available = frozenset(outlet.source for outlet in library.archive.outlets() if outlet.source)
        for fault in unknown_sources(channels, available):
            log.warning("%s", escape_line(fault))
        if faults := tuple(missing_sources(sources, available)):
            raise NoArticlesError(" ".join(faults))
    if sources:
        library = library.within(Scope(frozenset(sources)))
    return QuestionService(library, policy(settings), pages(settings), channels)


def _open_holdings(settings: Settings) -> Library:
    left_out: tuple[tuple[str, str], ...] = ()
    archive: Archive
    models = meaning(settings)
    if not settings.articles and is_opensearch(settings.archive):
        archive = cluster = open_cluster_of(settings)
        aliases = cluster.aliases
    elif not settings.articles and _has_archive(settings):
        archive, aliases = open_archive_of(settings), archive_aliases(settings)
    else:
        loaded = read_articles(settings)
        archive, aliases = loaded.archive, loaded.aliases
        left_out = _without_folders(loaded.left_out, _paths(settings))
        fill_vectors(loaded.archive, models)
    thresholds = Thresholds(sure=settings.sure, shown=settings.shown)
    return Library(archive, models, aliases, left_out, thresholds)


def _without_folders(left_out: Sequence[Rejected], paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Return what was left out as chats may show it: each on one line, without this machine's folders."""
    folders = sorted({f"{path if path.is_dir() else path.parent}/" for path in paths}, key=len, reverse=True)

    def shorten(text: str) -> str:
        for folder in folders:
            text = text.replace(folder, "")
        return escape_line(text)

    return tuple((shorten(place), shorten(str(error))) for place, error in left_out)


def meaning(settings: Settings) -> MeaningOnDemand | None:
    """Return encoder and reader, loaded when they are first used; None where the settings turn them off."""
    return None if settings.encoder == WORDS_ALONE else MeaningOnDemand()


def fill_vectors(archive: WritableArchive, models: MeaningOnDemand | None) -> None:
    """Make the vectors that articles lack, with a progress bar; stopping loses a few seconds of work."""
    missing = len(archive.unencoded())
    if models and missing and not models.fault():
        with progress(missing, "encoding") as advance:
            encode(archive, models, advance)


def policy(settings: Settings) -> Policy:
    slack = Allowed(
        workspaces=settings.slack_workspaces,
        channels=settings.slack_channels,
        people=settings.slack_people,
        outsiders=settings.allow_outsiders,
    )
    discord = Allowed(
        workspaces=settings.discord_guilds,
        channels=settings.discord_channels,
        people=settings.discord_people,
        groups=settings.discord_roles,
        outsiders=settings.allow_outsiders,
    )
    return Policy((("slack", slack), ("discord", discord)))


@contextmanager
def progress(total: int, doing: str = "reading") -> Iterator[Callable[[], None]]:
    """Give a function to call after each article; after a while a bar appears on a terminal's standard error."""
    from rich.console import Console  # noqa: PLC0415 - servers do without
    from rich.progress import Progress  # noqa: PLC0415

    start = monotonic()
    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(doing, total=total)

    def advance() -> None:
        bar.advance(task)
        if not bar.live.is_started and monotonic() - start > PROGRESS_AFTER_SECONDS and bar.console.is_terminal:
            bar.start()

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()
