"""A SQLite file of this program: opened, and read and written in transactions. Nobody else may read it.

One process writes at a time; another waits. Any number read meanwhile, each from the last state that was written whole.
What is deleted is overwritten in the file as well. A file that cannot be written can be read all the same.
"""

import os
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar
from uuid import uuid4

PRIVATE, PRIVATE_FOLDER = 0o600, 0o700
WRITING = ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON")
MEMORY = ":memory:"  # no file is called so
PATIENCE = 30.0  # seconds
AS_EFFECTIVE_USER = os.access in os.supports_effective_ids

Run = Callable[..., sqlite3.Cursor]
P = ParamSpec("P")
T = TypeVar("T")


def make_private(path: Path) -> None:
    """Make an empty file where there is none, and the folders on the way to it: for nobody else to read or enter.

    What is there is left as it is; what is wrong with it, SQLite says when it opens it. Raises ``OSError``.
    """
    for folder in reversed(path.parents):
        if not folder.exists():
            folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE))


def schema_version(run: Run) -> int:
    """Return the version of the file's schema; 0 for a new file."""
    return int(run("PRAGMA user_version").fetchone()[0])


def error_code(error: Exception) -> int:
    """Return SQLite's code for an error; what Python itself finds wrong has none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


class SqliteFile(ABC):
    """The file at ``path``, made where there is none; without a path it is in memory, and gone when it is closed.

    Safe for several threads at once. ``patience`` is how many seconds another process's writing is waited for.
    """

    pragmas: tuple[str, ...] = ()  # of every connection
    schema: tuple[str, ...]  # the statements that make its tables, where there are none
    version: int

    def __init__(self, path: Path | None, patience: float = PATIENCE, *, may_be_read_only: bool = True) -> None:
        self.in_memory = path is None
        self.path = path = path or Path(MEMORY)
        self._patience = patience
        self._uri = f"file:/{uuid4()}?vfs=memdb" if self.in_memory else path.absolute().as_uri()
        self._lock = threading.RLock()
        self._readers: list[sqlite3.Connection] = []  # that nobody reads by now
        self._within = threading.local()
        self._closed = threading.Event()
        # SQLite needs the folder too, for its journal
        writable = all(os.access(each, os.W_OK, effective_ids=AS_EFFECTIVE_USER) for each in (path, path.parent))
        self.read_only = may_be_read_only and path.is_file() and not writable
        with self.translated():
            if not (self.read_only or self.in_memory):
                self._make_private(path)
            self._writer = self._opened()
            try:
                self.examine(self._writer.execute)
                self._prepare(self._writer)
                if not schema_version(self._writer.execute):
                    with self.writing() as run:
                        if not schema_version(run):  # nobody else has made them meanwhile
                            for statement in (*self.schema, f"PRAGMA user_version = {self.version}"):
                                run(statement)
            except BaseException:
                self.close()
                raise

    @abstractmethod
    def translated(self) -> AbstractContextManager[None]:
        """Raise what SQLite raises as errors whose words say what to do."""

    @abstractmethod
    def examine(self, run: Run) -> None:
        """Raise an error where the file is another program's, another version's or damaged; nothing is written yet."""

    @abstractmethod
    def unwritable(self) -> Exception: ...

    def equip(self, connection: sqlite3.Connection) -> None:  # noqa: B027 - some need nothing
        """Give a connection what statements need."""

    def close(self) -> None:
        """Let go of the file; may be called twice. Who is reading meanwhile reads to the end."""
        self._closed.set()
        with suppress(IndexError):  # until none is left
            while True:
                self._readers.pop().close()
        with self._lock:
            self._writer.close()

    @contextmanager
    def reading(self) -> Iterator[Run]:
        """Run what is inside on one state of the file, whatever is written meanwhile, and whoever else reads.

        As many connections are open as were read by at once.
        """
        with self.translated():
            if run := getattr(self._within, "run", None):
                yield run
                return
            if self._closed.is_set():
                raise sqlite3.ProgrammingError("it is closed")
            try:
                connection = self._readers.pop()
            except IndexError:
                connection = self._prepare(self._opened())
            try:
                connection.execute("BEGIN")
                self._within.run = connection.execute
                try:
                    yield connection.execute
                finally:
                    del self._within.run
                    connection.execute("COMMIT")
            finally:
                self._readers.append(connection)
                if self._closed.is_set():
                    self.close()

    def read(self, look: Callable[Concatenate[Run, P], T], *values: P.args, **more: P.kwargs) -> T:
        """Return what ``look`` makes of one state of the file."""
        with self.reading() as run:
            return look(run, *values, **more)

    @contextmanager
    def writing(self, patience: float | None = None) -> Iterator[Run]:
        """Run what is inside as one transaction, alone among all threads and processes; undo it where it fails."""
        if self.read_only:
            raise self.unwritable()
        with self._lock, self.translated():
            if self._writer.in_transaction:
                yield self._writer.execute
                return
            with self._waiting(patience):
                self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer.execute
                self._writer.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # where the disk is full, SQLite has undone it itself
                    self._writer.execute("ROLLBACK")
                raise

    def copy_to(self, path: Path) -> None:
        """Write a copy of its state to ``path``, where no file is yet; nothing deleted is in it."""
        with self._lock, self.translated():
            self._make_private(path)
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
        with self._lock, self.translated(), self._waiting(patience):
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

    def _make_private(self, path: Path) -> None:
        try:
            make_private(path)
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from error

    def _opened(self) -> sqlite3.Connection:
        place = self._uri
        if self.read_only:  # where there is no journal, nobody can be writing to it elsewhere
            place += "?mode=ro" if self.path.with_name(f"{self.path.name}-wal").exists() else "?immutable=1"
        return sqlite3.connect(place, self._patience, isolation_level=None, check_same_thread=False, uri=True)

    def _prepare(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        self.equip(connection)
        for pragma in (*(() if self.read_only else WRITING), *self.pragmas):
            connection.execute(f"PRAGMA {pragma}")
        return connection
