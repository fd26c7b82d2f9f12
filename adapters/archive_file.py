"""The archive in a file, which ``stet add`` fills: where it is, and how it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from platformdirs import user_data_path

from adapters.removal import listen
from adapters.settings import Settings
from bot import messages
from retrieval import (
    ALIASES_FILE,
    Aliases,
    ArchiveError,
    NoArticlesError,
    PersistentArchive,
    is_opensearch,
    read_aliases,
    reparse,
)

if TYPE_CHECKING:
    from retrieval import ClusterArchive

ARCHIVE_FILE = "archive.sqlite"

A = TypeVar("A", bound="PersistentArchive | ClusterArchive")


def archive_path(settings: Settings) -> Path:
    return Path(settings.archive).expanduser() if settings.archive else user_data_path("stet") / ARCHIVE_FILE


def archive_aliases(settings: Settings) -> Aliases:
    return read_aliases(archive_path(settings).parent / ALIASES_FILE)


def open_archive_of(settings: Settings) -> PersistentArchive:
    """Return the archive, made if there is none; ``ArchiveError`` if it cannot be used."""
    if is_opensearch(settings.archive):
        raise ArchiveError("STET_ARCHIVE names a cluster: `stet fill` puts articles there, and indexes them again.")
    archive = PersistentArchive(archive_path(settings), archive_aliases(settings), read=reparse)
    listen(settings, archive)
    return archive


def require_archive(settings: Settings) -> None:
    """Raise ``NoArticlesError`` if there is no archive yet: opening makes an empty one, which hides the samples."""
    path = archive_path(settings)
    if not (is_opensearch(settings.archive) or path.exists()):
        raise NoArticlesError(f"There is no archive at {path} yet. `stet add` creates one.")


def open_existing_archive(settings: Settings) -> PersistentArchive:
    """Return the archive as ``open_archive_of`` does; raises as ``require_archive``."""
    require_archive(settings)
    return open_archive_of(settings)


@contextmanager
def changing(archive: A) -> Iterator[A]:
    """Close the archive at the end, once it has published what was removed; ``StoreError`` as ``withdraw``."""
    with closing(archive):
        yield archive
        archive.retirements.publish_removals()


def opened_archive(settings: Settings) -> AbstractContextManager[PersistentArchive]:
    return changing(open_archive_of(settings))


def outdated(archive: PersistentArchive) -> Iterator[str]:
    """Say what in the archive is of another version of the program, and what to do."""
    if stale := len(archive.stale()):
        count = messages.count(stale, "article")
        yield f"{count} read by another version of the program: `stet reindex` reads them again."
    if not archive.fits():
        yield "It was indexed by another version of the program or of names.toml: `stet reindex` rebuilds it."
