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

from adapters.archive_file import archive_aliases, open_archive_of, outdated
from adapters.background import in_background
from adapters.folders import cache_folder
from adapters.settings import Fault
from adapters.stored_reply import listen, publish_removals
from bot import messages
from bot.escaping import escape_line
from retrieval import Aliases, ArchiveError, Credentials, RetrievalError, is_opensearch, reread

if TYPE_CHECKING:
    from adapters.settings import Settings
    from retrieval import ClusterArchive, Log, PersistentArchive, WritableArchive

LIBRARY = "opensearchpy"
INSTALL = "In the checkout: pip install -e '.[opensearch]'."
DIGEST_BYTES = 8
LOOK_SECONDS = 1.0  # between two looks at the log
STOP_SECONDS = 5.0  # what is under way may take so long to end

log = logging.getLogger(__name__)


def open_cluster_of(settings: Settings) -> ClusterArchive:
    """Return the archive that STET_ARCHIVE names; ``ArchiveError`` where it cannot be used."""
    cluster_log = _log(settings)
    from retrieval import open_cluster  # noqa: PLC0415 - loads the library, which an archive of one's own needs not

    archive = open_cluster(cluster_log, _copy(settings, cluster_log), reread)
    listen(settings, archive)
    return archive


def _copy(settings: Settings, cluster_log: Log) -> Path:
    """Return where this machine's copy of a cluster's archive is."""
    place = blake2b(cluster_log.place.encode(), digest_size=DIGEST_BYTES).hexdigest()
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
    with in_background("cluster", partial(_follow, settings), STOP_SECONDS):
        yield


def _follow(settings: Settings, stop: threading.Event) -> None:
    from retrieval import ClusterArchive  # noqa: PLC0415 - as above

    away, cluster_log = "", _log(settings)
    with closing(ClusterArchive(cluster_log, _copy(settings, cluster_log), read=reread)) as archive:
        listen(settings, archive)
        while not stop.wait(LOOK_SECONDS):
            before = away
            try:
                archive.follow()
                publish_removals(archive)
                away = ""
            except RetrievalError as error:
                away = f"the articles are asked as they were in the cluster: {error}"
            except Exception as error:
                away = repr(error)
                log.debug("the cluster could not be followed", exc_info=True)
            if away != before:
                log.warning("%s", away or "the cluster is followed again")


def fill(settings: Settings, archive: WritableArchive, aliases: Aliases, *, keep: bool = True) -> str:
    """Fill the cluster with the articles of ``archive`` and no others; return what it holds then, in words.

    ``keep`` has an article keep the versions of it that the cluster holds.
    """
    cluster_log = _log(settings)
    with closing(archive.contents()) as contents:
        cluster_log.fill(contents, aliases, keep=keep)
    return _holdings(cluster_log)


def copy(settings: Settings, path: Path) -> str:
    """Fill the cluster with all that the archive in a file holds; return what it holds then, in words.

    Articles read by another version of the program are copied unchanged, and reported; so are those under embargo.
    """
    if not path.is_file():
        raise ArchiveError(f"There is no archive {escape_line(str(path))}: `stet add` makes one.")
    source = replace(settings, archive=str(path.absolute()))
    with closing(open_archive_of(source)) as archive:
        holdings = fill(settings, archive, archive_aliases(source), keep=False)
        also = (*outdated(archive), *left_out(archive))
        return "\n".join((holdings, *(f"  {path.name}: {each}" for each in also)))


def left_out(archive: PersistentArchive) -> Iterator[str]:
    """Say what a cluster gets none of, and when it can."""
    for until, articles in groupby(archive.waiting(), attrgetter("embargo")):
        number = messages.count(len(tuple(articles)), "article")
        yield f"{number} {messages.embargo_notice(until)}, and left out: fill again after it."


def report(settings: Settings) -> str:
    """Say how much the cluster holds, or what is wrong with it."""
    try:
        return _holdings(_log(settings))
    except ArchiveError as error:
        return Fault(f"Archive: {error}")


def _holdings(cluster_log: Log) -> str:
    return f"Archive: {messages.count(cluster_log.articles(), 'article')} in OpenSearch, {cluster_log.place}."
