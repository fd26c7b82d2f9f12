"""The store's database as one SQLite file that several threads and processes share.

Every failure is a ``StoreError`` that names the file and says what to do. Only the bot's own user can read the file.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.storage.database import Connector, Database, RunStatement, StoreError, StoreSchemaError
from adapters.storage.schema import SCHEMA, VERSION
from retrieval import make_private, make_tables, schema_version

# secure_delete: withdrawn words are gone from the file too. WAL: a killed writer does not hurt readers.
PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON")
TIMEOUT_SECONDS = 10.0
AS_EFFECTIVE_USER = os.access in os.supports_effective_ids
OTHER_USERS = stat.S_IRWXG | stat.S_IRWXO
NAME_ANOTHER = "Name another file with STET_STATE, or move this one away: a new one is made"


class SqliteConnector(Connector):
    def __init__(self, connection: sqlite3.Connection, begin: str) -> None:
        super().__init__()
        self._connection, self._begin_statement = connection, begin

    def pragma(self, pragma: str) -> None:
        with self._lock:
            self._connection.execute(f"PRAGMA {pragma}")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _begin(self) -> RunStatement:
        self._connection.execute(self._begin_statement)
        return self._connection.execute

    def _roll_back(self) -> None:
        if self._connection.in_transaction:  # when the disk is full, SQLite has rolled back itself
            self._connection.execute("ROLLBACK")


class SqliteDatabase(Database):
    """The file at ``path``, made where there is none.

    Raises ``StoreError`` where it cannot be opened, is damaged, or another program's,
    ``StoreSchemaError`` where another version of this one made it.
    With ``read_only``, a file that can't be written is read as it is.
    """

    kind = "file"
    _writer: SqliteConnector

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(str(path))
        self._path = path
        self.is_read_only = read_only and (  # SQLite needs the folder too, for its journal
            path.is_file()
            and not all(os.access(place, os.W_OK, effective_ids=AS_EFFECTIVE_USER) for place in (path, path.parent))
        )
        with self._store_errors():
            if not self.is_read_only:
                make_private(path)
            self._reader = SqliteConnector(self._open(), "BEGIN")
            # on one connection, reads would wait for writes
            self._writer = SqliteConnector(self._open(), "BEGIN IMMEDIATE")
        try:
            self._examine()
            if not self.is_read_only:
                with self._store_errors():
                    for pragma in PRAGMAS:
                        self._writer.pragma(pragma)
                with self.transaction() as run:
                    make_tables(run, SCHEMA, VERSION)
        except StoreError:
            self.close()
            raise

    def clear_journal(self) -> None:
        with self._store_errors():
            self._writer.pragma("wal_checkpoint(TRUNCATE)")

    def _open(self) -> sqlite3.Connection:
        place, options = str(self._path), ""
        if self.is_read_only:  # without a journal, SQLite need not make one
            journal = self._path.with_name(f"{self._path.name}-wal")
            options = "?mode=ro" if journal.exists() else "?immutable=1"
            place = self._path.absolute().as_uri()
        return sqlite3.connect(
            place + options, TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False, uri=self.is_read_only
        )

    def _examine(self) -> None:
        """Raise ``StoreError`` for a file that is damaged, another program's, or another version's."""
        with self.reading() as run:
            result = str(run("PRAGMA quick_check(1)").fetchone()[0])
            if result != "ok":
                raise StoreError(f"{self._path} is damaged ({result}). {NAME_ANOTHER}.")
            version = schema_version(run)
            tables = {str(name) for (name,) in run("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}
        if (version and "claims" not in tables) or (tables and not version):
            raise StoreError(f"{self._path} is another program's database. {NAME_ANOTHER}.")
        if version != VERSION and (version or self.is_read_only):
            raise StoreSchemaError(self._name, self.kind)

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        try:
            yield
        except (UnicodeError, OverflowError) as error:
            # a lone surrogate, a number of forty digits: the file is sound, but SQLite has no such values
            raise StoreError(f"{self._path} cannot store this value ({type(error).__name__})") from error
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot use {self._path}: {error}{_remedy(error)}") from error


def open_to_others(path: Path) -> bool:
    try:
        return os.name == "posix" and bool(path.stat().st_mode & OTHER_USERS)
    except OSError:
        return False


def _remedy(error: Exception) -> str:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:  # Python's own errors have no code
        case sqlite3.SQLITE_FULL:
            return ". Make room on its disk."
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY:
            return ". The file and its folder must be writable, or name another with STET_STATE."
    return f". {NAME_ANOTHER}." if type(error) is sqlite3.DatabaseError else ""
