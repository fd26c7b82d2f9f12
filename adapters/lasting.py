"""Where the lasting archive is, as the settings say, and how it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_data_path

from adapters.settings import Settings
from bot import messages
from retrieval import (
    ALIASES_FILE,
    Aliases,
    ArchiveError,
    PersistentArchive,
    is_opensearch,
    program_version,
    read_aliases,
    reread,
)

ARCHIVE_FILE = "archive.sqlite"


def archive_path(settings: Settings) -> Path:
    """Return where the lasting archive is, or will be."""
    return Path(settings.archive).expanduser() if settings.archive else user_data_path("stet") / ARCHIVE_FILE


def archive_aliases(settings: Settings) -> Aliases:
    """Return what ``names.toml`` beside the lasting archive says."""
    return read_aliases(archive_path(settings).parent / ALIASES_FILE)


def open_archive_of(settings: Settings) -> PersistentArchive:
    """Return the lasting archive, made where there is none; ``ArchiveError`` where it cannot be used."""
    if is_opensearch(settings.archive):
        raise ArchiveError("STET_ARCHIVE names a cluster: `stet fill` puts articles there, and indexes them anew.")
    return PersistentArchive(archive_path(settings), archive_aliases(settings), read=reread)


@contextmanager
def opened_archive(settings: Settings) -> Iterator[PersistentArchive]:
    """Open the lasting archive for as long as this lasts."""
    archive = open_archive_of(settings)
    try:
        yield archive
    finally:
        archive.close()


def outdated(archive: PersistentArchive) -> Iterator[str]:
    """Yield what in the lasting archive is of another version of the program, and what to do."""
    if stale := len(archive.rereading.stale(program_version())):
        told = messages.count(stale, "article")
        yield f"{told} read by another version of the program: `stet reindex` reads them anew."
    if not archive.fits():
        yield "It was indexed by another version of the program or of names.toml: `stet reindex` builds it anew."
