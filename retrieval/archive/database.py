"""The one SQLite database of an archive: opened, read and written in transactions.

One process writes a file at a time; another waits. Any number read meanwhile, each from the last state that was written
whole. What is deleted is overwritten in the file as well. A file that cannot be written is read all the same. In memory
it is the same, but that writing waits for those who read.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar
from uuid import uuid4

from retrieval.archive.schema import ARCHIVE_VERSION, SCHEMA
from retrieval.errors import ArchiveError, ArchiveSchemaError, BusyArchiveError
from retrieval.sqlite_file import make_private, make_tables, schema_version

READING = ("cache_size=-16000", "mmap_size=67108864")  # a larger map is no faster, and counts as the program's memory
PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON", "wal_autocheckpoint=8000", *READING)
ROOM = 1 << 16  # bytes with less of which a disk is full
MARK = 0x53744172  # SQLite's application_id of such a file
PATIENCE = 30.0  # seconds that another process's writing is waited for

MEMORY = ":memory:"
AMONG = "IN (SELECT value FROM json_each(?))"  # of any number of values, as a JSON list

Run = Callable[..., sqlite3.Cursor]
P = ParamSpec("P")
T = TypeVar("T")


def run_many(run: Run, statement: str, rows: Iterable[Sequence[object]]) -> None:
    """Run a statement with each row of values in turn, in the transaction of ``run``."""
    run("SELECT 1").connection.executemany(statement, rows)


def crc32(*values: object) -> int:
    """Return the checksum of a row's values; SQL gives texts as blobs, since a damaged one may be no text."""
    checksum = 0
    for value in values:
        code = value if isinstance(value, bytes) else repr(value).encode()
        checksum = zlib.crc32(code, zlib.crc32(b"%d:" % len(code), checksum))
    return checksum


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's code for an error; what Python itself finds wrong has none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def undo(connection: sqlite3.Connection) -> None:
    """End a transaction; where the disk is full, SQLite has undone it itself."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


class ArchiveFile:
    """The file at ``path``, made where there is none.

    Without a path it is in memory, and gone when it is closed. Safe for several threads at once. Raises
    ``ArchiveError`` where it cannot be used, ``ArchiveSchemaError`` where another version of the program made it.
    """

    def __init__(self, path: Path | None, patience: float = PATIENCE) -> None:
        self.in_memory = path is None
        self.path = path = path or Path(MEMORY)  # no file is called so
        self._patience = patience
        self._uri = f"file:/{uuid4()}?vfs=memdb" if self.in_memory else path.absolute().as_uri()
        self._writing = threading.RLock()
        self._readers: list[sqlite3.Connection] = []  # that nobody reads by now
        self._within = threading.local()
        self._closed = threading.Event()
        writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
        self.read_only = path.exists() and not writable
        if not (self.read_only or self.in_memory):
            self._make(path)
        with self._translated():
            self._writer = self._connected(patience)
            try:
                self._examine()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Let go of the file; may be called twice. Who is reading meanwhile reads to the end."""
        self._closed.set()
        with suppress(IndexError):  # until none is left
            while True:
                self._readers.pop().close()
        with self._writing:
            self._writer.close()

    def identity(self) -> str:
        """Return what tells this file from every other, wherever it is moved."""
        with self.reading() as run:
            return str(run("SELECT value FROM facts WHERE name = 'identity'").fetchone()[0])

    @contextmanager
    def reading(self) -> Iterator[Run]:
        """Run what is inside on one state of the file, whatever is written meanwhile, and whoever else reads."""
        if run := getattr(self._within, "run", None):
            with self._translated():
                yield run
            return
        with self._translated(), self._lent() as connection:
            connection.execute("BEGIN")
            self._within.run = connection.execute
            try:
                yield connection.execute
            finally:
                del self._within.run
                connection.execute("COMMIT")

    def read(self, look: Callable[Concatenate[Run, P], T], *values: P.args, **more: P.kwargs) -> T:
        """Return what ``look`` makes of one state of the file."""
        with self.reading() as run:
            return look(run, *values, **more)

    @contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to who reads alone: as many are open as were read by at once."""
        if self._closed.is_set():
            raise sqlite3.ProgrammingError("it is closed")
        try:
            connection = self._readers.pop()
        except IndexError:
            connection = self._connected(self._patience)
        try:
            yield connection
        finally:
            self._readers.append(connection)
            if self._closed.is_set():
                self.close()

    @contextmanager
    def writing(self, patience: float | None = None) -> Iterator[Run]:
        """Run what is inside as one transaction, alone among all threads and processes; undo it where it fails.

        Where another process writes for longer than ``patience`` seconds, that is a ``BusyArchiveError``.
        """
        if self.read_only:
            raise ArchiveError(
                f"The archive {self.path} cannot be written: its file system or its permissions forbid it."
            )
        with self._writing, self._translated():
            if self._writer.in_transaction:
                yield self._writer.execute
                return
            with self._waiting(patience):
                self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer.execute
                self._writer.execute("COMMIT")
            except BaseException:
                undo(self._writer)
                raise

    def copy_to(self, path: Path) -> None:
        """Write a copy of its state to ``path``, where no file is yet; nothing deleted is in it."""
        self._make(path)
        with self._writing, self._translated():
            self._writer.execute("VACUUM INTO ?", (str(path),))

    def fault(self) -> str:
        """Return what SQLite finds wrong with the file; empty where it is whole."""
        with self.reading() as run:
            verdict = str(run("PRAGMA integrity_check(1)").fetchone()[0])
        return "" if verdict == "ok" else verdict

    def checkpoint(self, patience: float | None = None) -> bool:
        """Move the journal into the file, so that what was deleted is gone from it too; return whether that was done.

        It is not where somebody reads the journal for longer than ``patience`` seconds.
        """
        with self._writing, self._translated(), self._waiting(patience):
            [busy, *_] = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    @contextmanager
    def _waiting(self, patience: float | None) -> Iterator[None]:
        if patience is None:
            yield
            return
        self._writer.execute(f"PRAGMA busy_timeout={round(1000 * patience)}")
        try:
            yield
        finally:
            self._writer.execute(f"PRAGMA busy_timeout={round(1000 * self._patience)}")

    def _connected(self, patience: float) -> sqlite3.Connection:
        place = self._uri
        if self.read_only:  # where there is no journal, nobody can be writing to it elsewhere
            journal = self.path.with_name(f"{self.path.name}-wal")
            place += "?mode=ro" if journal.exists() else "?immutable=1"
        connection = sqlite3.connect(place, timeout=patience, isolation_level=None, check_same_thread=False, uri=True)
        [mark] = connection.execute("PRAGMA application_id").fetchone()
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if mark != MARK and (mark or tables):
            connection.close()
            raise ArchiveError(f"{self.path} is no archive: name another file in STET_ARCHIVE.")
        connection.create_function("crc32", -1, crc32, deterministic=True)
        # of a text that a bad disk has changed, the digest tells that
        connection.text_factory = lambda stored: stored.decode("utf-8", "replace")
        for pragma in READING if self.read_only else PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _examine(self) -> None:
        if not schema_version(self._writer.execute):
            with self.writing() as run:
                run(f"PRAGMA application_id={MARK}")
                make_tables(run, SCHEMA, ARCHIVE_VERSION)
        if schema_version(self._writer.execute) != ARCHIVE_VERSION:
            raise ArchiveSchemaError(self.path)

    def _make(self, path: Path) -> None:
        try:
            make_private(path)
        except OSError as error:
            raise ArchiveError(f"The archive {path} cannot be used: {error}.") from error

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BusyArchiveError(f"Another process has been writing to {self.path}: try again later.") from error
            raise ArchiveError(f"The archive {self.path} cannot be used: {self._cause(error)}.") from error
        except UnicodeError as error:
            raise ArchiveError("Half a character is in it, which no file can hold.") from error
        except sqlite3.DatabaseError as error:
            raise ArchiveError(f"The archive {self.path} cannot be used: {error}.") from error

    def _cause(self, error: sqlite3.OperationalError) -> str:
        if _code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
            with suppress(OSError):
                if shutil.disk_usage(self.path.parent).free < ROOM:
                    return "the disk is full"
        return str(error)
