"""Versions that are current no more, in the order in which that became so: superseded, or removed with their article.

One whose article came under an embargo again counts as removed until that ends. Kept of them is what stands for them,
and no word: who has shown a version to people learns here that it is outdated, be it this process or another that took
it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from retrieval.archive.lasting.database import ArchiveFile, Run
from retrieval.archive.near_duplicates import origins
from retrieval.errors import ArchiveError, StaleIndexError
from retrieval.model import Reading
from retrieval.search import Archive, Query, Retired

MOST = 1_000  # that are told at a time


@dataclass(frozen=True, slots=True)
class Removed:
    """What a version that is public no more is known by: its key, its text's digest, its article's id and address."""

    key: str
    digest: str
    article: str = ""
    url: str = ""


def retire(run: Run, versions: Iterable[Removed], *, removed: bool) -> None:
    """Note that versions are current no more; of what is ``removed``, its words outside the archive are left to do."""
    for each in versions:
        run("INSERT INTO retired (key, digest, removed) VALUES (?, ?, ?)", (each.key, each.digest, int(removed)))
        if removed:
            run("INSERT INTO removals VALUES (?, ?, ?, ?)", (each.key, each.digest, each.article, each.url))


class Retirements:
    """What was retired in the file of an archive; ``release`` takes in what was embargoed until now."""

    def __init__(self, file: ArchiveFile, release: Callable[[], None]) -> None:
        self._file, self._release = file, release

    def identity(self) -> str:
        """Return what tells this archive from every other, wherever its file is moved."""
        return self._file.identity()

    def after(self, number: int) -> tuple[Retired, ...]:
        """Return what was retired after the one with this number, the first first, ``MOST`` at the most.

        Where none has that number yet, the file is an earlier state of itself, and the first of all are told.
        """
        self._release()  # a correction may have waited for its time, and nobody asked since
        statement = "SELECT number, key, digest, removed FROM retired WHERE number > ? ORDER BY number LIMIT ?"
        with self._file.reading() as run:
            last = int(run("SELECT coalesce(max(number), 0) FROM retired").fetchone()[0])
            rows = run(statement, (number if number <= last else 0, MOST)).fetchall()
        return tuple([Retired(at, key, digest, bool(removed)) for at, key, digest, removed in rows])

    def lately(self, most: int) -> tuple[str, ...]:
        """Return the keys of the versions that were superseded last, the last first."""
        statement = "SELECT key FROM retired WHERE NOT removed ORDER BY number DESC LIMIT ?"
        with self._file.reading() as run:
            return tuple([key for (key,) in run(statement, (most,))])

    def unfinished(self) -> tuple[Removed, ...]:
        """Return the removed versions whose words may still stand outside the archive."""
        with self._file.reading() as run:
            return tuple([Removed(*row) for row in run("SELECT key, digest, article, url FROM removals")])

    def finish(self, versions: Iterable[Removed]) -> None:
        """Note that of these no word stands anywhere."""
        with self._file.writing() as run:
            for each in versions:
                run("DELETE FROM removals WHERE key = ?", (each.key,))

    def is_removed(self, key: str) -> bool:
        """Return whether the version that ``key`` stands for was removed at any time; its article may be back."""
        with self._file.reading() as run:
            return run("SELECT 1 FROM retired WHERE key = ? AND removed LIMIT 1", (key,)).fetchone() is not None


RARE = 64  # of an article's words, by which its copies are looked for
NEAR = 1_000  # sentences that are looked at for it


def copies(archive: Archive, article_id: str) -> tuple[str, ...]:
    """Return the ids of the articles that are copies of this one, as far as they share its rarer words."""
    try:
        held = archive.searchable(article_id)
    except (KeyError, ArchiveError, StaleIndexError):  # under an embargo, damaged, or of another program
        return ()
    counts = archive.frequencies({term for sentence in held for term in sentence.own})
    rare = sorted(counts, key=lambda term: (counts[term], term))[:RARE]
    hits = archive.search(Query(tuple((term, 1.0) for term in rare)), NEAR)
    stories = origins([archive.reading(other) for other in {article_id, *(hit.article_id for hit in hits)}])
    [story] = (story.articles for story in stories if article_id in story.articles)
    return tuple(other for other in story if other != article_id)


def sentences(versions: Iterable[Reading]) -> tuple[str, ...]:
    """Return the sentences of versions of an article, as they stand there."""
    return tuple(p.sentence.span.of(reading.article.text) for reading in versions for p in reading.passages)
