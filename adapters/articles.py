"""The articles that are searched: settings in, a question service out; how an archive is opened, and erased from.

They are those that the settings name, else the archive's, in a file or a cluster, else the samples. Named folders are
read into a cached archive of just these, so that the next start reads only what is new.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, time
from typing import TypeVar

from platformdirs import user_cache_path, user_data_path

import retrieval
from adapters.answer_record import erase_words
from adapters.channel_rules import missing_sources, read_channels, unknown_sources
from adapters.page.addresses import pages
from adapters.settings import Fault, Settings, own_ids
from adapters.storage.store import Store, StoreError, default_path, is_server_address
from bot import messages
from bot.ask.model import Thresholds
from bot.channels import Allowed, Policy
from bot.command import Library
from bot.escaping import escape_line
from bot.revision import is_taken_down
from bot.service import QuestionService

ARCHIVE_FILE = "archive.sqlite"
SEEDS = Path(__file__).resolve().parent.parent / "seeds"
PROGRESS_AFTER_SECONDS = 1.0  # of reading
ARCHIVES_LIMIT = 16  # cached archives, those that were used last
DIGEST_BYTES = 8
FILE_ENDINGS = ("", "-wal", "-shm")  # of an archive's file and those beside it
# An unpublished article leaves the rest of its file in; an unsafe table leaves out more than itself.
PARTIAL_ERRORS = (retrieval.UnpublishedError, retrieval.UnsafeTableError, retrieval.ArticleWarning)
NO_FILE = "STET_ARCHIVE names a cluster: `stet fill` puts articles there, and indexes them again."
NO_CLIENT = "What asks OpenSearch is not installed. In the checkout: pip install -c constraints.txt -e '.[opensearch]'."

Advance = Callable[[], None]  # is called after each article
BesideArticles = Mapping[str, tuple[retrieval.LeftOut, ...]]  # by the article's id

A = TypeVar("A", bound="retrieval.PersistentArchive | retrieval.ClusterArchive")

log = logging.getLogger(__name__)


def archive_path(settings: Settings) -> Path:
    return Path(settings.archive) if settings.archive else user_data_path("stet") / ARCHIVE_FILE


def open_archive_of(settings: Settings, *, existing: bool = False) -> retrieval.PersistentArchive:
    """Return the archive in a file, made if there is none; ``ArchiveError`` if it cannot be used.

    With ``existing`` none is made: it raises as ``require_archive`` does.
    """
    if existing:
        require_archive(settings)
    if retrieval.is_opensearch(settings.archive):
        raise retrieval.ArchiveError(NO_FILE)
    path = archive_path(settings)
    aliases = retrieval.read_aliases(path.parent / retrieval.ALIASES_FILE)
    return erase_what_is_removed(settings, retrieval.PersistentArchive(path, aliases, read=retrieval.reparse))


def require_archive(settings: Settings) -> None:
    """Raise ``NoArticlesError`` if there is no archive yet: opening makes an empty one, which hides the samples."""
    path = archive_path(settings)
    if not (retrieval.is_opensearch(settings.archive) or path.exists()):
        raise retrieval.NoArticlesError(f"There is no archive at {path} yet. `stet add` creates one.")


@contextmanager
def changing(archive: A) -> Iterator[A]:
    """Close the archive at the end, once what was removed is erased; ``StoreError`` where answers can't be reached."""
    with closing(archive):
        yield archive
        archive.retirements.publish_removals()


@contextmanager
def opened_to_add(settings: Settings) -> Iterator[retrieval.PersistentArchive]:
    """Open the archive to change it; if that made it and nothing was added, delete it at the end."""
    path = archive_path(settings)
    is_new = is_unused = not path.exists()
    try:
        with changing(open_archive_of(settings)) as archive:
            try:
                yield archive
            finally:
                is_unused = is_new and archive.is_untouched()
    finally:
        # a journal that stays says that another process has the file open
        if is_unused and not path.with_name(f"{path.name}-wal").exists():
            _delete(path)


def outdated(archive: retrieval.PersistentArchive) -> Iterator[str]:
    """Say what in the archive is of another version of the program, and what to do."""
    if stale := len(archive.stale()):
        count = messages.count(stale, "article")
        yield f"{count} read by another version of the program: `stet reindex` reads them again."
    if not archive.fits():
        yield "It was indexed by another version of the program or of names.toml: `stet reindex` rebuilds it."


def open_cluster_of(settings: Settings) -> retrieval.ClusterArchive:
    """Return the archive in a cluster; ``ArchiveError`` if it cannot be used."""
    index = open_index_of(settings)  # first: it says what to install
    return erase_what_is_removed(settings, retrieval.ClusterArchive(index))


def open_index_of(settings: Settings) -> retrieval.Index:
    """Return the index; ``ArchiveError`` where the library is missing, which an archive in a file does not need."""
    if not find_spec("opensearchpy"):
        raise retrieval.ArchiveError(NO_CLIENT)
    login = settings.archive_login
    user, is_pair, password = login.partition(":")
    if Path(login).is_file():
        credentials = retrieval.Credentials(certificate=login)
    else:
        credentials = retrieval.Credentials(user, password) if is_pair else retrieval.Credentials(key=login)
    credentials = replace(credentials, authority=settings.archive_ca)
    return retrieval.Index(settings.archive, credentials, retrieval.Sharding(*map(int, settings.archive_shards)))


def cluster_report(settings: Settings) -> str:
    """Say how much the cluster holds; ``RetrievalError`` where it cannot be asked."""
    with closing(open_cluster_of(settings)) as archive:
        articles = messages.count(sum(outlet.articles for outlet in archive.outlets()), "article")
        return f"Archive: {articles}, {archive.vocabulary().size():,} sentences in OpenSearch, {archive.place}."


def read_articles(settings: Settings) -> tuple[retrieval.WritableArchive, tuple[retrieval.Rejected, ...]]:
    """Read the articles that the settings name; return them, and what was left out, which is logged.

    The archive is in memory if the cache cannot be used. Raises ``RetrievalError`` where there is no article at all,
    or where a setting for reading is wrong.
    """
    paths, loaded = _paths(settings), _load(settings)
    aliases = _aliases(paths)
    left_out = [(place, error) for place, error in loaded.rejected if not isinstance(error, retrieval.ArticleWarning)]
    places = [(str(path), str(path.resolve())) for path in paths]
    identity = json.dumps((places, retrieval.program_version(), aliases.same, aliases.different)).encode()
    base = _cache()
    cached = base.with_name(f"{base.stem}-{blake2b(identity, digest_size=DIGEST_BYTES).hexdigest()}{base.suffix}")
    with progress(len(loaded.articles)) as advance:
        sync = partial(retrieval.sync_folder, loaded=loaded, advance=advance, on_error=reject_into(left_out))
        try:
            archive = retrieval.WritableArchive(cached, aliases, read=retrieval.reparse)
            sync(archive)
        except (retrieval.ArchiveError, OSError) as error:
            log.warning("what is read is not cached: %s", error)
            archive = retrieval.WritableArchive(aliases=aliases)
            sync(archive)
        else:
            with suppress(OSError):
                os.utime(cached)
                for file in _cached_archives()[ARCHIVES_LIMIT:]:  # a process that still reads one can go on
                    _delete(file)
    if not archive.outlets():
        raise _no_articles(left_out)
    return archive, tuple(left_out)


def read(settings: Settings) -> tuple[tuple[retrieval.Reading, ...], BesideArticles]:
    """Return the readings of the articles, in their order, and what their files have beside them.

    Nothing is stored; the rest is as in ``read_articles``.
    """
    loaded = _load(settings)
    left_out = list(loaded.rejected)
    with progress(len(loaded.articles)) as advance:
        aliases = _aliases(_paths(settings))
        readings = retrieval.read_all(loaded.articles, aliases, advance, reject_into(left_out))
    if not readings:
        raise _no_articles(left_out)
    return readings, loaded.left_out


def beside_articles(settings: Settings, archive: retrieval.WritableArchive) -> BesideArticles:
    """Read the files of an archive's articles again, and return what these have beside the words of each."""
    articles = archive.articles()
    paths = [path for path in map(Path, dict.fromkeys(article.path for article in articles)) if path.is_file()]
    with suppress(retrieval.NoArticlesError):
        left_out = retrieval.load_articles(paths, settings.zone).left_out
        return {article.id: left_out[article.id] for article in articles if article.id in left_out}
    return {}


def _paths(settings: Settings) -> list[Path]:
    return [Path(path) for path in settings.articles] or [SEEDS]


def _load(settings: Settings) -> retrieval.Loaded:
    """Load the articles that are not under embargo; log what is left out."""
    loaded = retrieval.load_articles(_paths(settings), settings.zone)
    log_rejected(*loaded.rejected)
    now = time()
    released = []
    for article in loaded.articles:
        if article.embargo and retrieval.is_early(article, now):
            until = messages.embargo_notice(article.embargo)
            log.warning("%s is %s: start again after it", escape_line(article.path), until)
        else:
            released.append(article)
    return replace(loaded, articles=tuple(released))


def _no_articles(left_out: Sequence[retrieval.Rejected]) -> retrieval.NoArticlesError:
    reasons = ", ".join(f"{place}: {error}" for place, error in left_out)
    return retrieval.NoArticlesError(f"No article can be read. {reasons}")


def _aliases(paths: Sequence[Path]) -> retrieval.Aliases:
    """Return the contents of every ``names.toml`` beside the articles."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    tables = [retrieval.read_aliases(folder / retrieval.ALIASES_FILE) for folder in folders]
    return retrieval.Aliases(
        same=tuple(group for aliases in tables for group in aliases.same),
        different=tuple(group for aliases in tables for group in aliases.different),
        shorthand=tuple(pair for aliases in tables for pair in aliases.shorthand),
    )


def reject_into(left_out: list[retrieval.Rejected]) -> Callable[[retrieval.UnreadArticleError], None]:
    """Return a function that logs an article that cannot be read and adds it to ``left_out``."""

    def reject(error: retrieval.UnreadArticleError) -> None:
        place = error.path if error.path.endswith(error.article) else f"{error.path}, article {error.article}"
        left_out.append((place, error))
        log_rejected((place, error))

    return reject


def log_rejected(*rejected: retrieval.Rejected) -> None:
    for place, error in rejected:
        is_partial = isinstance(error, PARTIAL_ERRORS)
        log.warning("%s: %s" if is_partial else "%s is left out: %s", escape_line(place), escape_line(str(error)))
        if isinstance(error, retrieval.UnreadArticleError):
            log.debug("%s", error.trace)


def _cache() -> Path:
    return user_cache_path("stet") / "readings" / "readings.sqlite"


def _cached_archives() -> list[Path]:
    """Return the files of the cached archives, the one that was used last in front."""
    base = _cache()
    files = base.parent.glob(f"{base.stem}-{'[0-9a-f]' * DIGEST_BYTES * 2}{base.suffix}")
    return sorted(files, key=lambda file: (-file.stat().st_mtime, file))


def _delete(file: Path) -> None:
    for ending in FILE_ENDINGS:
        file.with_name(file.name + ending).unlink(missing_ok=True)


def cache_report() -> Iterator[str]:
    """Say how many folders are cached, and what is wrong with their files."""
    files = _cached_archives()
    number = "1 that was asked is" if len(files) == 1 else f"{len(files)} that were asked are"
    yield f"Folders: {number} kept in {escape_line(str(_cache().parent))}."
    for file in files:
        try:
            with closing(retrieval.WritableArchive(file)) as archive:
                fault = archive.fault()
        except retrieval.ArchiveSchemaError:
            continue
        except retrieval.ArchiveError as error:
            fault = str(error)
        if fault:
            yield Fault(f"Folders: {escape_line(str(file))}: {fault}; delete it, and it is made again.")


def erase_from_cache(digests: Collection[str]) -> None:
    """Delete articles with these texts from the cached archives; the next start adds them if their files exist."""
    for file in _cached_archives():
        try:
            with closing(retrieval.WritableArchive(file)) as archive:
                archive.delete_texts(digests)
        except retrieval.ArchiveSchemaError:  # no program that is started now opens it
            _delete(file)
        except retrieval.ArchiveError as error:
            log.warning("Cached folders may still hold words of removed articles. %s", error)


def erase_what_is_removed(settings: Settings, archive: A) -> A:
    """Have the words of what is removed erased from stored answers and cached folders too; return the archive.

    The archive remembers what is left to do, so another process finishes it if this one is killed. Posted answers are
    edited by ``adapters/updates/revising.py``.
    """

    def erase(removed: Collection[retrieval.Retired]) -> None:
        digests, place = {version.digest for version in removed}, settings.state or default_path()
        if is_server_address(place) or Path(place).exists():
            with Store.of(settings) as store:
                erase_words(store, archive, digests)
                store.delete_news({version.article for version in removed if is_taken_down(archive, version.key)})
        erase_from_cache(digests)

    archive.retirements.listener = erase
    return archive


def publish_removals(archive: retrieval.PersistentArchive | retrieval.ClusterArchive) -> None:
    """Have the archive publish what was removed; if the store cannot be reached, warn: it is published again later."""
    try:
        archive.retirements.publish_removals()
    except StoreError as error:
        log.warning("words of removed articles may still be stored: %s", error)


def uses_seeds(settings: Settings) -> bool:
    """Whether questions search the sample articles, because none are named and none were added."""
    return not (settings.articles or _has_archive(settings))


def _has_archive(settings: Settings) -> bool:
    """Whether there is a cluster, or feeds fill the archive in a file, or it was ever added to."""
    path, is_filled = archive_path(settings), retrieval.is_opensearch(settings.archive) or bool(settings.feeds)
    if is_filled or not path.exists():
        return is_filled
    try:
        with closing(retrieval.PersistentArchive(path)) as archive:
            return not archive.is_untouched()
    except retrieval.ArchiveError:  # opening it says why
        return True


def open_service(settings: Settings, sources: Collection[str] = ()) -> QuestionService:
    """Answer from the articles that the settings name, else from the archive, else from the sample articles.

    ``sources`` limits the outlets. Raises ``RetrievalError`` as ``read_articles`` does, and ``SettingsError`` where
    the file of channel rules is wrong.
    """
    channels = read_channels(settings)
    library = _open_library(settings)
    if sources or settings.channels:
        available = frozenset(outlet.source for outlet in library.archive.outlets() if outlet.source)
        for fault in unknown_sources(channels, available):
            log.warning("%s", escape_line(fault))
        if faults := tuple(missing_sources(sources, available)):
            raise retrieval.NoArticlesError(" ".join((*faults, "`stet sources` lists the outlets.")))
    if sources:
        library = library.within(retrieval.Scope(frozenset(sources)))
    return QuestionService(library, policy(settings), pages(settings), channels)


def _open_library(settings: Settings) -> Library:
    left_out: tuple[tuple[str, str], ...] = ()
    archive: retrieval.ClusterArchive | retrieval.WritableArchive
    models = meaning(settings)
    if not settings.articles and retrieval.is_opensearch(settings.archive):
        archive = open_cluster_of(settings)
    elif not settings.articles and _has_archive(settings):
        archive = open_archive_of(settings)
    else:
        if settings.archive and not settings.articles:  # a mistyped name is not answered from the samples
            require_archive(settings)
        archive, rejected = read_articles(settings)
        left_out = _without_folders(rejected, _paths(settings))
        fill_vectors(archive, models)
    return Library(archive, models, archive.aliases, left_out, Thresholds(settings.sure))


def _without_folders(left_out: Sequence[retrieval.Rejected], paths: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Return what was left out as chats may show it: each on one line, without this machine's folders."""
    folders = sorted({f"{path if path.is_dir() else path.parent}/" for path in paths}, key=len, reverse=True)
    shorten = partial(re.compile("|".join(map(re.escape, folders))).sub, "")
    return tuple((escape_line(shorten(place)), escape_line(shorten(str(error)))) for place, error in left_out)


def meaning(settings: Settings) -> retrieval.MeaningOnDemand | None:
    """Return encoder and reader, loaded when they are first used; None where the settings turn them off."""
    return None if settings.encoder == retrieval.WORDS_ALONE else retrieval.MeaningOnDemand()


def fill_vectors(archive: retrieval.WritableArchive, models: retrieval.MeaningOnDemand | None) -> None:
    """Make the vectors that articles lack, with a progress bar; stopping loses a few seconds of work."""
    missing = len(archive.unencoded())
    if models and missing and not models.fault():
        with progress(missing, "encoding") as advance:
            retrieval.encode(archive, models, advance)


def policy(settings: Settings) -> Policy:
    allowed, people = partial(Allowed, outsiders=settings.allow_outsiders), own_ids("discord", settings.people)
    slack = allowed((), settings.slack_channels, own_ids("slack", settings.people))
    discord = allowed(settings.discord_guilds, settings.discord_channels, people, groups=people)
    return Policy((("slack", slack), ("discord", discord)))


@contextmanager
def progress(total: int, doing: str = "reading") -> Iterator[Advance]:
    """Count articles; after a while a bar appears on a terminal's standard error."""
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
