"""Snapshots of the archive: copies as of one moment, each in a folder with its name, which is asked with ``--at NAME``.

A copy keeps everything that an answer depends on, so answers stay those of that day. What is removed from the archive
is removed from its snapshots too.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from retrieval import ALIASES_FILE, ArchiveError, PersistentArchive, Removed

ENDING = ".snapshots"
NAME = re.compile(r"\w[\w-]{0,60}")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of the archive at ``path``, taken at a ``moment`` in seconds since 1970."""

    name: str
    moment: int
    path: Path


def snapshots(archive: Path) -> tuple[Snapshot, ...]:
    """Return the snapshots of the archive at a path, by name."""
    folders = sorted(archive.with_name(archive.name + ENDING).glob("*.*"))
    taken = (each for each in folders if each.suffix[1:].isdigit())
    return tuple(Snapshot(each.stem, int(each.suffix[1:]), each / archive.name) for each in taken)


def find(archive: Path, name: str) -> Snapshot:
    """Return a snapshot; ``ArchiveError`` where there is none of that name."""
    for each in snapshots(archive):
        if each.name == name:
            return each
    raise ArchiveError(f"There is no snapshot {name!r} of {archive}. `stet snapshot` lists them.")


def moment_of(archive: Path) -> int | None:
    """Return when a snapshot at this path was taken; None for an archive that is no snapshot."""
    return int(archive.parent.suffix[1:]) if archive.parent.parent.name == archive.name + ENDING else None


def take(archive: PersistentArchive, name: str, now: Callable[[], float] = time.time) -> Snapshot:
    """Copy the archive; ``ArchiveError`` where the name is taken or is no name."""
    if not NAME.fullmatch(name):
        raise ArchiveError("Name a snapshot with letters, digits, - and _.")
    if any(each.name == name for each in snapshots(archive.path)):
        raise ArchiveError(f"There is a snapshot {name} already. Choose another name.")
    moment = int(now())
    folder = archive.path.with_name(archive.path.name + ENDING) / f"{name}.{moment}"
    unfinished = folder.with_name(f"{folder.name}.unfinished")  # no snapshot, should this process be killed
    shutil.rmtree(unfinished, ignore_errors=True)
    archive.copy_to(unfinished / archive.path.name)
    if (aliases := archive.path.with_name(ALIASES_FILE)).exists():
        shutil.copy(aliases, unfinished)
    unfinished.rename(folder)
    return Snapshot(name, moment, folder / archive.path.name)


def delete(snapshot: Snapshot) -> None:
    shutil.rmtree(snapshot.path.parent)


def clock(moment: int) -> Callable[[], float]:
    """Return a clock that does not advance: no embargo ends in a snapshot."""
    return partial(float, moment)


def forget(archive: Path, removed: Iterable[Removed]) -> None:
    """Remove from every snapshot the articles that have one of these versions."""
    digests = {each.digest for each in removed}
    for each in snapshots(archive):
        with closing(PersistentArchive(each.path, now=clock(each.moment))) as copy:
            copy.delete_texts(digests)
