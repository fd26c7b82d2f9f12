"""What every part of the store rests on: a database's transactions, a clock, and the deletion of what is too old."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Self

from adapters.storage.database import Database, Run

DAY = 86_400.0
SWEEP_EVERY = 3_600.0
# Platforms repeat an event for minutes, not for days; a claim need not be kept as long as an answer, nor shorter.
CLAIMS_AT_LEAST = DAY
AGEING = ("threads", "answers", "feedback", "shown", "workers", "postings", "sightings", "news")


class Keeper:
    """A database in which nothing grows older than ``keep_days``; ``clock`` gives seconds since 1970."""

    def __init__(self, database: Database, keep_days: float = 90, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._keep = keep_days * DAY
        self._clock = clock
        self._swept = 0.0
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
        """Delete all that is older than may be kept; called on opening, and hourly with any other call."""
        with self._database.transaction() as run:
            self._sweep(run)

    def clear_journal(self) -> None:
        """Take what was deleted or changed out of the database's journal too, as far as that is ours to do."""
        self._database.clear_journal()

    def _reading(self) -> AbstractContextManager[Run]:
        return self._database.reading()

    @contextmanager
    def _transaction(self) -> Iterator[Run]:
        with self._database.transaction() as run:
            if self._clock() - self._swept >= SWEEP_EVERY:
                self._sweep(run)
            yield run

    def _sweep(self, run: Run) -> None:
        now = self._clock()
        self._swept = now
        for table in AGEING:
            run(f"DELETE FROM {table} WHERE at < ?", (now - self._keep,))  # noqa: S608  (our own names)
        run("DELETE FROM claims WHERE coalesce(finished, claimed) < ?", (now - max(self._keep, CLAIMS_AT_LEAST),))
