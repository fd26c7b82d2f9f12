"""The settings -> the archive in a cluster: asked, filled and reported on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import retrieval
from adapters.archive_file import archive_aliases, open_archive_of, outdated
from adapters.background import in_background
from adapters.removal import listen, publish_removals
from adapters.settings import Fault, Settings
from bot import messages
from bot.escaping import escape_line
from retrieval import (
    Aliases,
    ArchiveError,
    Credentials,
    Layout,
    NoArticlesError,
    PersistentArchive,
    RetrievalError,
    WritableArchive,
    is_opensearch,
)

LIBRARY = "opensearchpy"
INSTALL = "In the checkout: pip install -e '.[opensearch]'."
LOOK_SECONDS = 5.0  # between two looks at what was removed
STOP_SECONDS = 5.0  # what is under way may take so long to end

log = logging.getLogger(__name__)


def open_cluster_of(settings: Settings) -> retrieval.ClusterArchive:
    """Return the archive that STET_ARCHIVE names; ``ArchiveError`` if it cannot be used."""
    index = open_index_of(settings)  # first: it says what to install
    archive = retrieval.ClusterArchive(index)
    listen(settings, archive)
    return archive


def open_index_of(settings: Settings) -> retrieval.Index:
    """Return the index; ``ArchiveError`` where the library is missing, which an archive in a file does not need."""
    if not find_spec(LIBRARY):
        raise ArchiveError(f"What asks OpenSearch is not installed. {INSTALL}")
    credentials = Credentials(
        settings.archive_user,
        settings.archive_password,
        settings.archive_ca,
        settings.archive_key,
        settings.archive_certificate,
    )
    layout = Layout(settings.archive_shards, settings.archive_replicas)
    return retrieval.open_index(settings.archive, credentials, layout)


@contextmanager
def followed(settings: Settings) -> Iterator[None]:
    """Delete the words of what is removed from this machine for as long as this lasts, if a cluster is asked."""
    if settings.articles or not is_opensearch(settings.archive):
        yield
        return
    with in_background("cluster", partial(_follow, settings), STOP_SECONDS):
        yield


def _follow(settings: Settings, stop: threading.Event) -> None:
    with closing(open_cluster_of(settings)) as archive:
        while not stop.wait(LOOK_SECONDS):
            try:
                publish_removals(archive)
            except RetrievalError:  # whoever asks is told
                log.debug("the cluster could not be followed", exc_info=True)


def fill(
    settings: Settings, archive: WritableArchive, aliases: Aliases, advance: Callable[[], None], *, keep: bool = True
) -> str:
    """Fill the cluster with the articles of ``archive`` and no others; return what it holds then, in words.

    ``keep`` has an article keep the versions of it that the cluster holds. ``advance`` is called after each article.
    """
    index = open_index_of(settings)
    if not archive.outlets():
        raise NoArticlesError(f"There is no article in {archive.place} that can be asked.")
    with archive.rows() as run:
        retrieval.fill(index, run, aliases, advance, keep=keep)
    return report(settings)


def expunge(settings: Settings) -> Iterator[str]:
    """Wait until no word of what was deleted is on the cluster's disks; say if there still is."""
    index = open_index_of(settings)
    if not retrieval.expunge(index):
        yield "Deleted words are still on the cluster's disks: see whether it is green, then run `stet fill` again."


def copied(settings: Settings, path: Path) -> tuple[PersistentArchive, Aliases]:
    """Return the archive in a file that the cluster is filled from, and what is said of its names."""
    if not path.is_file():
        raise ArchiveError(f"There is no archive {escape_line(str(path))}: `stet add` makes one.")
    source = replace(settings, archive=str(path.absolute()))
    return open_archive_of(source), archive_aliases(source)


def left_out(archive: PersistentArchive) -> Iterator[str]:
    """Say what of an archive is of another version of the program, and what a cluster gets none of."""
    yield from outdated(archive)
    for until, articles in groupby(archive.waiting(), attrgetter("embargo")):
        number = messages.count(len(tuple(articles)), "article")
        yield f"{number} {messages.embargo_notice(until)}, and left out: fill again after it."


def report(settings: Settings) -> str:
    """Say how much the cluster holds, or what is wrong with it."""
    try:
        with closing(open_cluster_of(settings)) as archive:
            articles = messages.count(sum(outlet.articles for outlet in archive.outlets()), "article")
            sentences = f"{archive.vocabulary().size():,} sentences"
            return f"Archive: {articles}, {sentences} in OpenSearch, {archive.place}."
    except RetrievalError as error:
        return Fault(f"Archive: {error}")
