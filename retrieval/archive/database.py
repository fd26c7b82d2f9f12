"""The one SQLite database of an archive.

In memory it is the same as in a file, but that writing waits for those who read.
"""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from retrieval.archive.schema import ARCHIVE_VERSION, SCHEMA
from retrieval.errors import ArchiveError, ArchiveSchemaError, BusyArchiveError
from retrieval.sqlite_file import Run, SqliteFile, error_code, schema_version

__all__ = ["IN_LIST", "ArchiveFile", "Run", "run_many"]

ROOM = 1 << 16  # bytes with less of which a disk is full
MARK = 0x53744172  # SQLite's application_id of such a file
PATIENCE = 30.0  # seconds that another process's writing is waited for
IN_LIST = "IN (SELECT value FROM json_each(?))"  # of any number of values, as a JSON list


def run_many(run: Run, statement: str, rows: Iterable[Sequence[object]]) -> None:
    """Run a statement with each row of values in turn, in the transaction of ``run``."""
    run("SELECT 1").connection.executemany(statement, rows)


def fact(run: Run, name: str, default: str = "") -> str:
    """Return what is noted of the archive as a whole under a name."""
    row = run("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else default


def set_fact(run: Run, name: str, value: str) -> None:
    run("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


def forget_fact(run: Run, name: str) -> None:
    run("DELETE FROM facts WHERE name = ?", (name,))


def crc32(*values: object) -> int:
    """Return the checksum of a row's values; SQL gives texts as blobs, since a damaged one may be no text."""
    checksum = 0
    for value in values:
        code = value if isinstance(value, bytes) else repr(value).encode()
        checksum = zlib.crc32(code, zlib.crc32(b"%d:" % len(code), checksum))
    return checksum


class ArchiveFile(SqliteFile):
    """The file of an archive.

    Raises ``ArchiveError`` where it cannot be used, ``ArchiveSchemaError`` where another version of the program made
    it, ``BusyArchiveError`` where another process writes for longer than it is waited for.
    """

    # a larger map is no faster, and counts as the program's memory
    pragmas = ("wal_autocheckpoint=8000", "cache_size=-16000", "mmap_size=67108864")
    schema, version = (f"PRAGMA application_id={MARK}", *SCHEMA), ARCHIVE_VERSION

    def __init__(self, path: Path | None, patience: float = PATIENCE) -> None:
        super().__init__(path, patience)

    def equip(self, connection: sqlite3.Connection) -> None:
        connection.create_function("crc32", -1, crc32, deterministic=True)
        # of a text that a bad disk has changed, the digest tells that
        connection.text_factory = lambda stored: stored.decode("utf-8", "replace")

    def examine(self, run: Run) -> None:
        [mark] = run("PRAGMA application_id").fetchone()
        [tables] = run("SELECT count(*) FROM sqlite_master").fetchone()
        if mark != MARK and (mark or tables):
            raise ArchiveError(f"{self.path} is no archive: name another file in STET_ARCHIVE.")
        if schema_version(run) not in (0, ARCHIVE_VERSION):
            raise ArchiveSchemaError(self.path)

    def unwritable(self) -> ArchiveError:
        return ArchiveError(f"The archive {self.path} cannot be written: its file system or its permissions forbid it.")

    @contextmanager
    def translated(self) -> Iterator[None]:
        try:
            yield
        except UnicodeError as error:
            raise ArchiveError("Half a character is in it, which no file can hold.") from error
        except sqlite3.DatabaseError as error:
            if error_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BusyArchiveError(f"Another process has been writing to {self.path}: try again later.") from error
            raise ArchiveError(f"The archive {self.path} cannot be used: {self._cause(error)}.") from error

    def _cause(self, error: Exception) -> str:
        if error_code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            with suppress(OSError):
                if shutil.disk_usage(self.path.parent).free < ROOM:
                    return "the disk is full"
        return str(error)
