"""What the SQLite and the PostgreSQL database share.

Statements are of the SQL that SQLite and PostgreSQL share, with question marks where values go.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any


class StoreError(Exception):
    """The database cannot be used; the text says why, and what to do."""


class StoreSchemaError(StoreError):
    """Another version of the program made the database."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            f"{name} was made by another version of Stet, which this one cannot read. Name another {kind} with"
            " STET_STATE, or move this one away: a new one is made. Stored answers, feedback and standing questions do"
            " not come over."
        )


# runs a statement within a transaction, with values for its question marks, and returns a cursor of the library's
RunStatement = Callable[..., Any]


class Connector(ABC):
    """One connection, which one thread uses at a time."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    @contextmanager
    def transaction(self) -> Iterator[RunStatement]:
        with self._lock:
            run = self._begin()
            try:
                yield run
            except BaseException:
                self._roll_back()
                raise
            run("COMMIT")

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _begin(self) -> RunStatement: ...

    @abstractmethod
    def _roll_back(self) -> None: ...


class Database(ABC):
    """A database with the store's tables in it; safe for several threads and processes at once."""

    is_read_only = False
    kind = "database"
    _reader: Connector
    _writer: Connector

    def __init__(self, name: str) -> None:
        self._name = name

    @contextmanager
    def transaction(self) -> Iterator[RunStatement]:
        """Run one transaction that excludes every other writer, in any thread or process; undo it where it fails."""
        if self.is_read_only:
            raise StoreError(f"cannot use {self._name}: it or its folder is read-only")
        with self._store_errors(), self._writer.transaction() as run:
            yield run

    @contextmanager
    def reading(self) -> Iterator[RunStatement]:
        """Read one consistent state of the database. Waits for no writer, and no writer waits for it."""
        with self._store_errors(), self._reader.transaction() as run:
            yield run

    @abstractmethod
    def clear_journal(self) -> None:
        """Take deleted and changed rows out of the journal too, as far as nobody is reading it."""

    def close(self) -> None:
        """Close it; may be called twice."""
        self._reader.close()
        self._writer.close()

    @abstractmethod
    def _store_errors(self) -> AbstractContextManager[None]:
        """Raise what the library raises as ``StoreError``."""


def insert(run: RunStatement, table: str, then: str = "", /, **values: object) -> Any:  # noqa: ANN401 - a cursor
    """Insert a row; ``then`` ends the statement."""
    marks = ", ".join("?" * len(values))
    return run(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks}) {then}", tuple(values.values()))  # noqa: S608


def upsert(run: RunStatement, table: str, key: Sequence[str], /, **values: object) -> None:
    """Insert a row in place of the one with the same values in the columns of ``key``."""
    changes = ", ".join(f"{column} = excluded.{column}" for column in values if column not in key)
    insert(run, table, f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}", **values)
