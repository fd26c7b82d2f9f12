"""Folders and files of articles -> an archive of just these, in the cache, so that the next start reads what is new."""

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

from bot.escape_controls import escape_line
from platformdirs import user_cache_path

from adapters.settings import Fault, Settings
from retrieval import (
    Aliases,
    Archive,
    ArchiveError,
    Loaded,
    UnreadArticleError,
    keep_in_step,
    program_version,
    reread,
)

KEPT = 16  # archives, those that were asked last
DIGEST = 8  # bytes
BESIDE = ("", "-wal", "-shm", "-writer")  # what an archive's file has beside it

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Folders:
    """The files and folders that are asked, what was loaded from them, and what ``names.toml`` beside them says."""

    paths: Sequence[Path]
    loaded: Loaded
    aliases: Aliases


def open_folders(
    settings: Settings,
    folders: Folders,
    advance: Callable[[], None],
    on_error: Callable[[UnreadArticleError], None],
) -> Archive:
    """Return an archive of just what was loaded.

    Where the cache cannot be used, it is in memory. ``advance`` is called after each article, ``on_error`` with each
    that cannot be read.
    """
    aliases = folders.aliases
    in_step = partial(keep_in_step, loaded=folders.loaded, advance=advance, on_error=on_error)
    place = _place(settings, folders)
    try:
        archive = Archive(place, aliases, read=reread)
        in_step(archive)
    except (ArchiveError, OSError) as error:
        log.warning("what is read is not kept: %s", error)
    else:
        _keep_last(settings, place)
        return archive
    archive = Archive(aliases=aliases)
    in_step(archive)
    return archive


def forget(settings: Settings, digests: Collection[str]) -> None:
    """Take articles with these texts out of what is kept; their folders bring them back when they are asked again."""
    for file in _files(settings):
        try:
            with closing(Archive(file)) as archive:
                archive.delete(digests)
                archive.clear_change_log()  # an earlier program left addresses there
        except ArchiveError as error:
            log.warning("What is kept of folders that were asked may still hold it. %s", error)


def report(settings: Settings) -> Iterator[str]:
    """Say how many folders are kept, and what is wrong with a file of one."""
    files = _files(settings)
    number = "1 that was asked is" if len(files) == 1 else f"{len(files)} that were asked are"
    yield f"Folders: {number} kept in {escape_line(str(cache_folder(settings)))}."
    for file in files:
        try:
            with closing(Archive(file)) as archive:
                fault = archive.fault()
        except ArchiveError as error:
            fault = str(error)
        if fault:
            yield Fault(f"Folders: {escape_line(str(file))}: {fault}; delete it, and it is made anew.")


def cache_folder(settings: Settings) -> Path:
    """Return where archives lie that can be made anew."""
    return _base(settings).parent


def _base(settings: Settings) -> Path:
    named = settings.readings
    return Path(named).expanduser() if named else user_cache_path("stet") / "readings" / "readings.sqlite"


def _place(settings: Settings, folders: Folders) -> Path:
    """Return where what is read is kept: elsewhere for other folders, another program and other names."""
    places = [(str(path), str(path.resolve())) for path in folders.paths]
    aliases = folders.aliases
    told = dumps((places, program_version(), aliases.same, aliases.different))
    base = _base(settings)
    return base.with_name(f"{base.stem}-{blake2b(told.encode(), digest_size=DIGEST).hexdigest()}{base.suffix}")


def _files(settings: Settings) -> list[Path]:
    """Return the files of the archives that are kept, the one that was asked last in front."""
    base = _base(settings)
    found = base.parent.glob(f"{base.stem}-{'[0-9a-f]' * DIGEST * 2}{base.suffix}")
    return sorted(found, key=lambda file: (-file.stat().st_mtime, file))


def _keep_last(settings: Settings, place: Path) -> None:
    """Note that this one was asked now, and let the oldest ones go; who is asked from one of them has it to the end."""
    with suppress(OSError):
        os.utime(place)
        for file in _files(settings)[KEPT:]:
            for beside in BESIDE:
                file.with_name(file.name + beside).unlink(missing_ok=True)
