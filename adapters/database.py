"""One SQLite file that several threads and processes share: opened, brought up to date, used in transactions.

In come statements, out their rows; every failure is a ``StoreError`` that names the file.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

# Deleted words are to be gone from the file as well; a writer that is killed must not hurt the readers.
PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON")
PATIENCE = 10.0

Run = Callable[..., sqlite3.Cursor]


class StoreError(Exception):
    """The file cannot be used; the text says why."""


class Database:
    """The file at ``path``, made where there is none, with every step of ``migrations`` behind it.

    Raises ``StoreError`` where it cannot be opened, is no database, or has more steps behind it than are known.
    """

    def __init__(self, path: Path, migrations: Sequence[Sequence[str]]) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._connection = self._open()
        try:
            self._migrate(migrations)
        except StoreError:
            self._connection.close()
            raise

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[Run]:
        """Run what is inside as one transaction, alone among all threads and processes; undo it where it fails."""
        with self._lock, self._translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection.execute
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _open(self) -> sqlite3.Connection:
        with self._translated():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                for pragma in PRAGMAS:
                    connection.execute(f"PRAGMA {pragma}")
            except sqlite3.Error:
                connection.close()
                raise
            return connection

    def _migrate(self, migrations: Sequence[Sequence[str]]) -> None:
        with self.transaction() as run:
            version = int(run("PRAGMA user_version").fetchone()[0])
            if version > len(migrations):
                raise StoreError(f"{self._path} was written by a newer version of stet (its schema is {version})")
            for number, step in enumerate(migrations[version:], version + 1):
                for statement in step:
                    run(statement)
                run(f"PRAGMA user_version = {number}")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot use {self._path}: {error}") from error
