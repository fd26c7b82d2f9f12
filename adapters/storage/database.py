"""The store's database: one SQLite file that several threads and processes share, or PostgreSQL (``postgres.py``).

Statements are of the SQL that both share, with question marks where values go. Every failure is a ``StoreError`` that
names the database and says what to do. Only the bot's own user can read the file. A database of another schema is
refused, never converted: raise ``VERSION`` with any change.
"""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from retrieval import Run, SqliteFile, error_code, schema_version

TIMEOUT_SECONDS = 10.0
OTHER_USERS = stat.S_IRWXG | stat.S_IRWXO
NAME_ANOTHER = "Name another file with STET_STATE, or move this one away: a new one is made"
VERSION = 15

SCHEMA = (
    """CREATE TABLE claims (id INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL,
        payload TEXT NOT NULL, host TEXT NOT NULL, process INTEGER NOT NULL, instance TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 1, claimed REAL NOT NULL, finished REAL)""",
    "CREATE INDEX claims_unfinished ON claims (platform, id) WHERE finished IS NULL",
    """CREATE TABLE claim_keys (platform TEXT NOT NULL, key TEXT NOT NULL,
        claim INTEGER NOT NULL REFERENCES claims ON DELETE CASCADE, PRIMARY KEY (platform,
        key)) WITHOUT ROWID""",
    "CREATE INDEX claim_keys_of ON claim_keys (claim)",
    "CREATE TABLE workers (instance TEXT PRIMARY KEY, heartbeats INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID",
    """CREATE TABLE threads (platform TEXT NOT NULL, channel TEXT NOT NULL, thread TEXT NOT NULL,
        question TEXT NOT NULL, shown TEXT NOT NULL DEFAULT '', at REAL NOT NULL,
        PRIMARY KEY (platform, channel, thread)) WITHOUT ROWID""",
    """CREATE TABLE answers (id INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL, workspace TEXT,
        channel TEXT, thread TEXT, asker TEXT NOT NULL, question TEXT NOT NULL, previous TEXT, shown TEXT NOT NULL,
        sources TEXT, since TEXT, reply TEXT NOT NULL, digests TEXT NOT NULL,
        program TEXT NOT NULL, unasked INTEGER NOT NULL, at REAL NOT NULL)""",
    "CREATE INDEX answers_at ON answers (at)",
    "CREATE INDEX answers_asker ON answers (asker)",
    """CREATE TABLE citations (digest TEXT NOT NULL, answer INTEGER NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (digest, answer)) WITHOUT ROWID""",
    "CREATE INDEX citations_at ON citations (at)",
    """CREATE TABLE feedback (answer INTEGER NOT NULL, person TEXT NOT NULL, verdict INTEGER NOT NULL,
        why TEXT, at REAL NOT NULL, PRIMARY KEY (answer, person)) WITHOUT ROWID""",
    """CREATE TABLE shown (platform TEXT NOT NULL, channel TEXT NOT NULL, origin TEXT NOT NULL,
        message TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (platform, channel, origin)) WITHOUT ROWID""",
    """CREATE TABLE postings (platform TEXT NOT NULL, channel TEXT NOT NULL, message TEXT NOT NULL,
        origin TEXT NOT NULL, answer INTEGER NOT NULL, appearance TEXT NOT NULL, mark TEXT NOT NULL,
        fresh INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (platform, channel, message)) WITHOUT ROWID""",
    "CREATE INDEX postings_answer ON postings (answer)",
    "CREATE INDEX postings_fresh ON postings (platform) WHERE fresh = 1",
    """CREATE TABLE watches (id INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL, workspace TEXT,
        channel TEXT NOT NULL, thread TEXT NOT NULL, person TEXT NOT NULL, words TEXT NOT NULL,
        since INTEGER NOT NULL, at REAL NOT NULL)""",
    """CREATE TABLE news (watch INTEGER NOT NULL, mark TEXT NOT NULL, article TEXT NOT NULL,
        places TEXT NOT NULL, at REAL NOT NULL, delivered REAL, PRIMARY KEY (watch, mark)) WITHOUT ROWID""",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


class StoreError(Exception):
    """The database cannot be used; the text says why, and what to do."""


class StoreSchemaError(StoreError):
    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            f"{name} was made by another version of Stet, which this one cannot read. Name another {kind} with"
            " STET_STATE, or move this one away: a new one is made. Stored answers, feedback and standing questions do"
            " not come over."
        )


# runs a statement within a transaction, with values for its question marks, and returns a cursor of the library's
RunStatement = Callable[..., Any]


class Database(Protocol):
    """A database with the store's tables in it; safe for several threads and processes at once."""

    read_only: bool

    def writing(self) -> AbstractContextManager[RunStatement]:
        """Run one transaction that excludes every other writer, in any thread or process; undo it where it fails."""

    def reading(self) -> AbstractContextManager[RunStatement]:
        """Read one consistent state of the database. Waits for no writer, and no writer waits for it."""

    def checkpoint(self) -> object:
        """Take deleted and changed rows out of the journal too, as far as nobody is reading it."""

    def close(self) -> None:
        """Close it; may be called twice."""


class SqliteDatabase(SqliteFile):
    """The file at ``path``.

    Raises ``StoreError`` where it cannot be opened, is damaged, or another program's, ``StoreSchemaError`` where
    another version of this one made it. With ``read_only``, a file that can't be written is read as it is.
    """

    pragmas = ("foreign_keys=ON",)
    schema, version = SCHEMA, VERSION

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, TIMEOUT_SECONDS, may_be_read_only=read_only)
        if not self.read_only:
            with self.writing():  # fails now where it cannot be written
                pass

    def examine(self, run: Run) -> None:
        result = str(run("PRAGMA quick_check(1)").fetchone()[0])
        if result != "ok":
            raise StoreError(f"{self.path} is damaged ({result}). {NAME_ANOTHER}.")
        version = schema_version(run)
        tables = {str(name) for (name,) in run("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}
        if (version and "claims" not in tables) or (tables and not version):
            raise StoreError(f"{self.path} is another program's database. {NAME_ANOTHER}.")
        if version != VERSION and (version or self.read_only):
            raise StoreSchemaError(str(self.path), "file")

    def unwritable(self) -> StoreError:
        return StoreError(f"cannot use {self.path}: it or its folder is read-only")

    @contextmanager
    def translated(self) -> Iterator[None]:
        try:
            yield
        except (UnicodeError, OverflowError) as error:
            # a lone surrogate, a number of forty digits: the file is sound, but SQLite has no such values
            raise StoreError(f"{self.path} cannot store this value ({type(error).__name__})") from error
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot use {self.path}: {error}{_remedy(error)}") from error


def open_to_others(path: Path) -> bool:
    try:
        return os.name == "posix" and bool(path.stat().st_mode & OTHER_USERS)
    except OSError:
        return False


def _remedy(error: Exception) -> str:
    match error_code(error):
        case sqlite3.SQLITE_FULL:
            return ". Make room on its disk."
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY:
            return ". The file and its folder must be writable, or name another with STET_STATE."
    return f". {NAME_ANOTHER}." if type(error) is sqlite3.DatabaseError else ""


def insert(run: RunStatement, table: str, then: str = "", /, **values: object) -> Any:  # noqa: ANN401 - a cursor
    """Insert a row; ``then`` ends the statement."""
    marks = ", ".join("?" * len(values))
    return run(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks}) {then}", tuple(values.values()))  # noqa: S608


def upsert(run: RunStatement, table: str, key: Sequence[str], /, **values: object) -> None:
    """Insert a row in place of the one with the same values in the columns of ``key``."""
    changes = ", ".join(f"{column} = excluded.{column}" for column in values if column not in key)
    insert(run, table, f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}", **values)
