"""The settings -> the archive in a cluster, opened, filled and reported on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.faults import Fault
from adapters.lasting import opened_archive, outdated
from bot import messages
from bot.visible import visible_line
from retrieval import ArchiveError, Credentials

if TYPE_CHECKING:
    from adapters.settings import Settings
    from retrieval import LastingArchive, OpenSearchArchive, StoredArchive

LIBRARY = "opensearchpy"
INSTALL = "In the checkout: pip install -e '.[opensearch]'."


def open_cluster(settings: Settings) -> OpenSearchArchive:
    """Return the archive that STET_ARCHIVE names; ``ArchiveError`` where it cannot be used."""
    _need_library()
    from retrieval import open_opensearch  # noqa: PLC0415 - loads the library, which an archive of one's own needs not

    return open_opensearch(settings.archive, _credentials(settings))


def fill(settings: Settings, archive: StoredArchive) -> str:
    """Fill the cluster with the articles of ``archive`` and no others; return what it holds then, in words."""
    _need_library()
    from retrieval import Readings, fill_opensearch  # noqa: PLC0415 - as above

    return _holdings(fill_opensearch(settings.archive, _credentials(settings), Readings(archive)))


def copy(settings: Settings, path: Path) -> str:
    """Fill the cluster with all that the archive in a file holds; return what it holds then, in words.

    What of the file is of another version of the program is copied as it is, and said; so is what is held back.
    """
    _need_library()
    from retrieval import copy_to_opensearch  # noqa: PLC0415 - as above

    if not path.is_file():
        raise ArchiveError(f"There is no archive {visible_line(str(path))}: `stet add` makes one.")
    with opened_archive(replace(settings, archive=str(path.absolute()))) as archive:
        archive.release()
        told = _holdings(copy_to_opensearch(settings.archive, _credentials(settings), archive.contents))
        also = (*outdated(archive, settings), *left_out(archive))
        return "\n".join((told, *(f"  {path.name}: {each}" for each in also)))


def left_out(archive: LastingArchive) -> Iterator[str]:
    """Say what a cluster gets none of, and when it can."""
    for until, articles in groupby(archive.waiting(), attrgetter("embargo")):
        number = messages.count(len(tuple(articles)), "article")
        yield f"{number} {messages.held_until(until)}, and left out: fill again after it."


def _need_library() -> None:
    if not find_spec(LIBRARY):
        raise ArchiveError(f"What asks OpenSearch is not installed. {INSTALL}")


def _credentials(settings: Settings) -> Credentials:
    return Credentials(settings.archive_user, settings.archive_password, settings.archive_ca)


def report(settings: Settings) -> str:
    """Say how much the cluster holds, or what is wrong with it."""
    try:
        return _holdings(open_cluster(settings))
    except ArchiveError as error:
        return Fault(f"Archive: {error}")


def _holdings(archive: OpenSearchArchive) -> str:
    return f"Archive: {archive.size():,} sentences in OpenSearch, {archive.place}."
