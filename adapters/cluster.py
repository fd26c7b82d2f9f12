"""The settings -> the archive in a cluster: filled, reported on, and followed into this machine's copy of it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from importlib.util import find_spec
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from bot.escape_controls import escape_line

from adapters.background import in_background
from adapters.folders import cache_folder
from adapters.lasting import archive_aliases, open_archive_of, outdated
from adapters.settings import Fault
from adapters.stored_reply import try_to_finish
from bot import messages
from retrieval import Aliases, ArchiveError, Credentials, RetrievalError, is_opensearch, reread

if TYPE_CHECKING:
    from adapters.settings import Settings
    from retrieval import Archive, ClusterArchive, Log, PersistentArchive

LIBRARY = "opensearchpy"
INSTALL = "In the checkout: pip install -e '.[opensearch]'."
DIGEST = 8  # bytes
LOOK = 1.0  # seconds from one look at what was put in to the next
LAST_WORDS = 5.0  # seconds in which what is under way may end

log = logging.getLogger(__name__)


def open_cluster_of(settings: Settings) -> ClusterArchive:
    """Return the archive that STET_ARCHIVE names; ``ArchiveError`` where it cannot be used."""
    told = _log(settings)
    from retrieval import open_cluster  # noqa: PLC0415 - loads the library, which an archive of one's own needs not

    return open_cluster(told, _copy(settings, told), reread)


def _copy(settings: Settings, told: Log) -> Path:
    """Return where this machine's copy of a cluster's archive is."""
    place = blake2b(told.place.encode(), digest_size=DIGEST).hexdigest()
    return cache_folder(settings) / f"cluster-{place}.sqlite"


def _log(settings: Settings) -> Log:
    if not find_spec(LIBRARY):
        raise ArchiveError(f"What asks OpenSearch is not installed. {INSTALL}")
    from retrieval import open_log  # noqa: PLC0415 - as above

    return open_log(
        settings.archive, Credentials(settings.archive_user, settings.archive_password, settings.archive_ca)
    )


@contextmanager
def followed(settings: Settings) -> Iterator[None]:
    """Keep this machine's copy in step for as long as this lasts, where an archive in a cluster is asked."""
    if settings.articles or not is_opensearch(settings.archive):
        yield
        return
    with in_background("cluster", partial(_follow, settings), LAST_WORDS):
        yield


def _follow(settings: Settings, stop: threading.Event) -> None:
    from retrieval import ClusterArchive  # noqa: PLC0415 - as above

    away, told = "", _log(settings)
    with closing(ClusterArchive(told, _copy(settings, told), read=reread)) as archive:
        while not stop.wait(LOOK):
            before = away
            try:
                archive.follow()
                try_to_finish(settings, archive)
                away = ""
            except RetrievalError as error:
                away = f"the articles are asked as they were in the cluster: {error}"
            except Exception as error:
                away = repr(error)
                log.debug("the cluster could not be followed", exc_info=True)
            if away != before:
                log.warning("%s", away or "the cluster is followed again")


def fill(settings: Settings, archive: Archive, aliases: Aliases, *, keep: bool = True) -> str:
    """Fill the cluster with the articles of ``archive`` and no others; return what it holds then, in words.

    ``keep`` has an article keep the versions of it that the cluster holds.
    """
    told = _log(settings)
    with closing(archive.contents()) as contents:
        told.fill(contents, aliases, keep=keep)
    return _holdings(told)


def copy(settings: Settings, path: Path) -> str:
    """Fill the cluster with all that the archive in a file holds; return what it holds then, in words.

    What of the file is of another version of the program is copied as it is, and said; so is what is held back.
    """
    if not path.is_file():
        raise ArchiveError(f"There is no archive {escape_line(str(path))}: `stet add` makes one.")
    source = replace(settings, archive=str(path.absolute()))
    with closing(open_archive_of(source)) as archive:
        told = fill(settings, archive, archive_aliases(source), keep=False)
        also = (*outdated(archive), *left_out(archive))
        return "\n".join((told, *(f"  {path.name}: {each}" for each in also)))


def left_out(archive: PersistentArchive) -> Iterator[str]:
    """Say what a cluster gets none of, and when it can."""
    for until, articles in groupby(archive.waiting(), attrgetter("embargo")):
        number = messages.count(len(tuple(articles)), "article")
        yield f"{number} {messages.held_until(until)}, and left out: fill again after it."


def report(settings: Settings) -> str:
    """Say how much the cluster holds, or what is wrong with it."""
    try:
        return _holdings(_log(settings))
    except ArchiveError as error:
        return Fault(f"Archive: {error}")


def _holdings(told: Log) -> str:
    return f"Archive: {messages.count(told.articles(), 'article')} in OpenSearch, {told.place}."
