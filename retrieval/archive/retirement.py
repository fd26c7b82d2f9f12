"""Versions that became public, and those that are current no more, each in the order in which that became so.

A version is retired where it is superseded, or removed with its article.
One whose article came under an embargo again counts as removed until that ends. Kept of them is what stands for them,
and no word: who has shown a version to people learns here that it is outdated, be it this process or another that took
it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from retrieval.archive.database import ArchiveFile, Run
from retrieval.search import Arrived, Retired

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

    def clear(self) -> None:
        """Forget all that was retired, where nobody asks for it."""
        with self._file.writing() as run:
            run("DELETE FROM retired")
            run("DELETE FROM removals")

    def is_removed(self, key: str) -> bool:
        """Return whether the version that ``key`` stands for was removed at any time; its article may be back."""
        with self._file.reading() as run:
            return run("SELECT 1 FROM retired WHERE key = ? AND removed LIMIT 1", (key,)).fetchone() is not None


def arrive(run: Run, article_id: str) -> None:
    """Note that a version of an article is public from now on."""
    run("INSERT INTO arrived (id) VALUES (?)", (article_id,))


def forget(run: Run, article_id: str) -> None:
    """Note that there is no such article any more."""
    run("DELETE FROM arrived WHERE id = ?", (article_id,))


class Arrivals:
    """What arrived in the file of an archive; ``release`` takes in what was embargoed until now."""

    def __init__(self, file: ArchiveFile, release: Callable[[], None]) -> None:
        self._file, self._release = file, release

    def identity(self) -> str:
        """Return what tells this archive from every other, wherever its file is moved."""
        return self._file.identity()

    def last(self) -> int:
        """Return the number of the latest arrival; 0 before the first."""
        with self._file.reading() as run:
            row = run("SELECT seq FROM sqlite_sequence WHERE name = 'arrived'").fetchone()
            return int(row[0]) if row else 0

    def after(self, number: int) -> tuple[Arrived, ...]:
        """Return what arrived after the one with this number, the first first, ``MOST`` at the most."""
        self._release()  # what waited for its time, and nobody asked since
        statement = "SELECT number, id FROM arrived WHERE number > ? ORDER BY number LIMIT ?"
        with self._file.reading() as run:
            return tuple([Arrived(*row) for row in run(statement, (number, MOST))])
