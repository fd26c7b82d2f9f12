"""Versions that became public, in the order in which that became so: who waits for news counts on from the last seen.

One that waited for its time arrives when that has come, and the same words with other particulars do not arrive again.
"""

from __future__ import annotations

from collections.abc import Callable

from retrieval.archive.lasting.database import ArchiveFile, Run
from retrieval.search import Arrived

MOST = 1_000  # that are told at a time


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
