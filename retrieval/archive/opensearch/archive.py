"""An archive in a cluster: a copy in a file of this machine's own, kept in step with the log, and asked in its place.

So replies are those of the archive that the cluster was filled from, to the byte, as quick as from any file, and given
while the cluster is away. What is removed goes from the log and from the copies that follow it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path

from retrieval.archive import indexing, versions
from retrieval.archive.archive import WritableArchive, unreadable
from retrieval.archive.database import Run
from retrieval.archive.opensearch.address import Credentials, parse
from retrieval.archive.opensearch.log import FILL, Entry, Head, Log
from retrieval.archive.retirement import Arrivals, Removed, Retirements, supersede
from retrieval.errors import BusyArchiveError, NoArticlesError, UnreachableArchiveError
from retrieval.model import Article, Reading, version_key
from retrieval.names.aliases import Aliases

FOLLOWED = "followed in the cluster"  # the number of the last entry that is in the copy
TOGETHER = 256  # entries that are taken in in one transaction

logger = logging.getLogger(__name__)


class ClusterArchive(WritableArchive):
    """The archive in a cluster, as far as its ``log`` was followed into the file at ``path``.

    What arrives and is retired has the same number in every copy. Raises ``ArchiveError`` as a file's own does.
    """

    retirements: Retirements
    arrivals: Arrivals

    def __init__(
        self,
        log: Log,
        path: Path,
        now: Callable[[], float] = time.time,
        read: Callable[[Article], Reading] = unreadable,
    ) -> None:
        super().__init__(path, now=now, read=read)
        self._log, self.place = log, log.place
        self.retirements = Retirements(self._file, self.publish_due, self._clear_journal)
        self.arrivals = Arrivals(self._file, self.publish_due)

    @property
    def aliases(self) -> Aliases:
        """What is said of names where the cluster was filled."""
        return self._aliases

    def follow(self) -> None:
        """Take in what was put into the cluster since the last time, and out what was removed."""
        head = self._log.head()
        if head is None or not head.whole:
            raise NoArticlesError(f"There is no article yet in {self.place}: `stet fill` puts some there.")
        if self._file.identity() != head.identity:
            self._begin_anew(head)
        renamed, self._aliases = head.aliases != self._aliases, head.aliases
        with self._file.reading() as run:
            followed = int(indexing.fact(run, FOLLOWED, "0"))
        for batch in _batches(self._log.entries(head, followed)):
            with self._file.writing() as run:
                if int(indexing.fact(run, FOLLOWED, "0")) < batch[0].number:  # else another process has it in
                    self._take_in(run, batch)
            indexing.compact(self._file)
        self._clear_journal()
        if renamed:
            self.fit()

    def fit(self) -> None:
        """Rebuild index and names where another version of the program has built them, or by other names."""
        if not self.fits():
            self.reindex()

    def remove(self, article_id: str, *more: str) -> None:
        """Delete articles with all their versions, here and in the cluster; ``KeyError`` where one is unknown."""
        for each in (article_id, *more):
            stored = self.versions(each)
            if not stored:
                raise KeyError(each)
            self._log.remove(each, (reading.article.digest for reading in stored))
        self.follow()

    def _begin_anew(self, head: Head) -> None:
        """Delete everything: it is of a cluster that was emptied since, if of any.

        Nothing counts as removed by that: it was lost there, and most of it will be back.
        """
        with self._file.writing() as run:
            for table in ("versions", "arrived", "retired", "removals"):
                run(f"DELETE FROM {table}")
            indexing.reindex(run, self._aliases)
            indexing.set_fact(run, "identity", head.identity)
            indexing.set_fact(run, FOLLOWED, "0")

    def _take_in(self, run: Run, batch: list[Entry]) -> None:
        """Have entries of one fill in the copy, of each article one."""
        fill = batch[0].number // FILL * FILL
        for table in ("arrived", "retired"):  # numbers go on from the fill's, however much of it is in this copy
            run("INSERT INTO sqlite_sequence SELECT ?1, 0 WHERE ?1 NOT IN (SELECT name FROM sqlite_sequence)", (table,))
            run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (fill, table))
        for reader, entries in groupby(batch, lambda entry: entry.version and entry.version.reader):
            if reader is None:
                for entry in entries:
                    self._take_out(run, entry)
                continue
            there = [entry.version for entry in entries if entry.version]
            since = {version.id: version.since for version in there}
            indexing.add(run, [self._read_of(each) for each in there], reader, self._aliases, since.__getitem__)
        indexing.set_fact(run, FOLLOWED, str(batch[-1].number))

    def _take_out(self, run: Run, entry: Entry) -> None:
        try:
            indexing.remove(run, entry.article_id, self._aliases, self._reread)
        except KeyError:  # added and removed since the last time; answers that cite it are withdrawn all the same
            gone = (
                Removed(version_key(entry.article_id, digest), digest, entry.article_id) for digest in entry.digests
            )
            supersede(run, gone, removed=True)

    def _read_of(self, version: versions.Record) -> Reading:
        try:
            return version.reading
        except ValueError:  # stored in another form by another version
            return self._reread(version.article)


def _batches(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    """Yield entries as they are taken in together: of one fill, and of no article two."""
    batch: dict[str, Entry] = {}
    for entry in entries:
        last = next(reversed(batch.values()), entry)
        if entry.article_id in batch or len(batch) == TOGETHER or last.number // FILL != entry.number // FILL:
            yield list(batch.values())
            batch = {}
        batch[entry.article_id] = entry
    if batch:
        yield list(batch.values())


def open_log(setting: str, credentials: Credentials) -> Log:
    """Return the log of the archive that STET_ARCHIVE names; ``ArchiveError`` where it names none."""
    return Log(parse(setting), credentials)


def open_cluster(log: Log, path: Path, read: Callable[[Article], Reading] = unreadable) -> ClusterArchive:
    """Return the archive that ``log`` tells, with its copy at ``path`` brought in step.

    Where the cluster is away, or has lost its articles, it is asked as it was. ``ArchiveError`` where nothing of it is
    stored, ``NoArticlesError`` where nothing was ever put in.
    """
    with ExitStack() as stack:
        archive = ClusterArchive(log, path, read=read)
        stack.callback(archive.close)
        try:
            archive.follow()
            archive.fit()
        except (UnreachableArchiveError, BusyArchiveError, NoArticlesError) as error:
            if not archive.vocabulary().size():
                raise
            logger.warning("the articles are asked as they were in the cluster: %s", error)
        stack.pop_all()
    return archive
