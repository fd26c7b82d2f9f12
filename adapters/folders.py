"""Folders and files of articles -> a cached archive of just these, so that the next start reads only what is new."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from json import dumps
from pathlib import Path

from platformdirs import user_cache_path

from adapters.settings import Fault, Settings
from bot.escaping import escape_line
from retrieval import (
    Aliases,
    ArchiveError,
    ArchiveSchemaError,
    Loaded,
    UnreadArticleError,
    WritableArchive,
    program_version,
    reparse,
    sync_folder,
)

ARCHIVES_LIMIT = 16  # archives, those that were used last
DIGEST_BYTES = 8
FILE_ENDINGS = ("", "-wal", "-shm", "-writer")  # of an archive's file and those beside it

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Folders:
    """Files and folders, what was loaded from them, and the contents of ``names.toml`` beside them."""

    paths: Sequence[Path]
    loaded: Loaded
    aliases: Aliases


def open_folders(
    settings: Settings,
    folders: Folders,
    advance: Callable[[], None],
    on_error: Callable[[UnreadArticleError], None],
) -> WritableArchive:
    """Return an archive of just what was loaded, in memory if the cache cannot be used.

    ``advance`` is called after each article, ``on_error`` with each that cannot be read.
    """
    aliases = folders.aliases
    in_step = partial(sync_folder, loaded=folders.loaded, advance=advance, on_error=on_error)
    place = _place(settings, folders)
    try:
        archive = WritableArchive(place, aliases, read=reparse)
        in_step(archive)
    except (ArchiveError, OSError) as error:
        log.warning("what is read is not cached: %s", error)
    else:
        _delete_oldest(settings, place)
        return archive
    archive = WritableArchive(aliases=aliases)
    in_step(archive)
    return archive


def forget(settings: Settings, digests: Collection[str]) -> None:
    """Delete articles with these texts from the cached archives; the next start adds them if their files exist."""
    for file in _files(settings):
        try:
            with closing(WritableArchive(file)) as archive:
                archive.delete_texts(digests)
        except ArchiveSchemaError:  # no program that is started now opens it
            _delete(file)
        except ArchiveError as error:
            log.warning("Cached folders may still hold words of removed articles. %s", error)


def report(settings: Settings) -> Iterator[str]:
    """Say how many folders are cached, and what is wrong with their files."""
    files = _files(settings)
    number = "1 that was asked is" if len(files) == 1 else f"{len(files)} that were asked are"
    yield f"Folders: {number} kept in {escape_line(str(_base(settings).parent))}."
    for file in files:
        try:
            with closing(WritableArchive(file)) as archive:
                fault = archive.fault()
        except ArchiveSchemaError:
            continue
        except ArchiveError as error:
            fault = str(error)
        if fault:
            yield Fault(f"Folders: {escape_line(str(file))}: {fault}; delete it, and it is made again.")


def _base(settings: Settings) -> Path:
    named = settings.readings
    return Path(named).expanduser() if named else user_cache_path("stet") / "readings" / "readings.sqlite"


def _place(settings: Settings, folders: Folders) -> Path:
    """Return the file of the cached archive: another one for other folders, another program and other aliases."""
    places = [(str(path), str(path.resolve())) for path in folders.paths]
    aliases = folders.aliases
    identity = dumps((places, program_version(), aliases.same, aliases.different))
    base = _base(settings)
    return base.with_name(
        f"{base.stem}-{blake2b(identity.encode(), digest_size=DIGEST_BYTES).hexdigest()}{base.suffix}"
    )


def _files(settings: Settings) -> list[Path]:
    """Return the files of the cached archives, the one that was used last in front."""
    base = _base(settings)
    found = base.parent.glob(f"{base.stem}-{'[0-9a-f]' * DIGEST_BYTES * 2}{base.suffix}")
    return sorted(found, key=lambda file: (-file.stat().st_mtime, file))


def _delete_oldest(settings: Settings, place: Path) -> None:
    """Note that this one was used now, and delete the oldest; a process that still reads one of them can go on."""
    with suppress(OSError):
        os.utime(place)
        for file in _files(settings)[ARCHIVES_LIMIT:]:
            _delete(file)


def _delete(file: Path) -> None:
    for ending in FILE_ENDINGS:
        file.with_name(file.name + ending).unlink(missing_ok=True)
