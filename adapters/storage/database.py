"""What the store needs of a database, and the base of the classes that hold its tables.

Statements are of the SQL that SQLite and PostgreSQL share, with question marks where values go.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, Self

DAY_SECONDS = 86_400.0
SWEEP_EVERY_SECONDS = 3_600.0
# Platforms repeat an event for minutes, not for days: a claim need not last as long as an answer, nor less than this.
SHORTEST_CLAIM_SECONDS = DAY_SECONDS
DATED_TABLES = ("threads", "answers", "feedback", "shown", "workers", "postings", "sightings", "news")


class StoreError(Exception):
    """The database cannot be used; the text says why, and what to do."""


class ResultRows(Protocol):
    """The rows that a statement selected."""

    def fetchone(self) -> Any: ...  # noqa: ANN401 - the columns are the statement's

    def fetchall(self) -> list[Any]: ...


class RunStatement(Protocol):
    """Runs a statement within a transaction, with ``values`` for its question marks."""

    def __call__(self, statement: str, values: Sequence[object] = (), /) -> ResultRows: ...


class Database(Protocol):
    """A database with the store's tables in it; safe for several threads and processes at once."""

    @property
    def is_read_only(self) -> bool:
        """Whether it can only be read here; ``transaction`` raises ``StoreError`` then."""

    def transaction(self) -> AbstractContextManager[RunStatement]:
        """Run one transaction that excludes every other writer, in any thread or process; undo it where it fails."""

    def reading(self) -> AbstractContextManager[RunStatement]:
        """Read one consistent state of the database. Waits for no writer, and no writer waits for it."""

    def clear_journal(self) -> None:
        """Take deleted and changed rows out of the journal too; a server sees to that itself."""

    def close(self) -> None:
        """Close it; may be called twice."""


class Table:
    """Tables in which nothing grows older than ``keep_days``; ``clock`` gives seconds since 1970."""

    def __init__(self, database: Database, keep_days: float = 90, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._keep_seconds = keep_days * DAY_SECONDS
        self._clock = clock
        self._swept_at = 0.0
        if not database.is_read_only:
            self.sweep()

    def close(self) -> None:
        """Close the database; may be called twice."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def sweep(self) -> None:
        """Delete what is too old; called on opening, and hourly before any write."""
        with self._database.transaction() as run:
            self._sweep(run)

    def clear_journal(self) -> None:
        self._database.clear_journal()

    def _row(self, statement: str, *values: object) -> Any:  # noqa: ANN401 - the columns are the statement's
        with self._database.reading() as run:
            return run(statement, values).fetchone()

    def _rows(self, statement: str, *values: object) -> list[Any]:
        with self._database.reading() as run:
            return run(statement, values).fetchall()

    def _write(self, statement: str, *values: object) -> None:
        with self._transaction() as run:
            run(statement, values)

    @contextmanager
    def _transaction(self) -> Iterator[RunStatement]:
        with self._database.transaction() as run:
            if self._clock() - self._swept_at >= SWEEP_EVERY_SECONDS:
                self._sweep(run)
            yield run

    def _sweep(self, run: RunStatement) -> None:
        now = self._swept_at = self._clock()
        for table in DATED_TABLES:
            run(f"DELETE FROM {table} WHERE at < ?", (now - self._keep_seconds,))  # noqa: S608  (our own names)
        oldest_claim = now - max(self._keep_seconds, SHORTEST_CLAIM_SECONDS)
        run("DELETE FROM claims WHERE coalesce(finished, claimed) < ?", (oldest_claim,))
