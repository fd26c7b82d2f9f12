"""Codes by the digest of what they encode, in one SQLite file that several processes share.

It is a cache: whatever is wrong with the file, nothing is raised, one line is logged, and codes are made again.
A file that is damaged is replaced; one that is not a cache of ours is left alone and not used.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TypeVar
from zlib import crc32

from platformdirs import user_cache_path

from retrieval.sqlite_file import make_private, schema_version

T = TypeVar("T")

log = logging.getLogger(__name__)

ID_AT, ID_BYTES = 68, 4  # where SQLite has it in a file
SQLITE = b"SQLite format 3\0"
MARK = 0x53746574  # application_id of the file
FORMAT = 1  # user_version of the file
VECTORS_BOUND = 1_000_000  # codes stored, the newest: with 384 dimensions 450 MB, what 40,000 articles have
PATIENCE = 0.25  # seconds that another process's writing is waited for: nobody is to wait for a cache
PAUSE = 60.0  # seconds for which a file that is locked, full or out of reach is not tried again
CHECK = 4  # bytes after a code, by which a bad disk's work is seen

TABLE = "CREATE TABLE IF NOT EXISTS codes (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, code BLOB NOT NULL)"
GET = "SELECT code FROM codes WHERE digest = ?"
PUT = "INSERT OR REPLACE INTO codes (digest, code) VALUES (?, ?)"
DISCARD = "DELETE FROM codes WHERE digest = ?"
COUNT = "SELECT count(*) FROM codes"
PRUNE = "DELETE FROM codes WHERE id <= (SELECT max(id) FROM codes) - ?"


def vectors_path() -> Path:
    """Return where it is unless the setting says otherwise: it can be made again, so it is in the cache."""
    return user_cache_path("stet") / "vectors" / "vectors.sqlite"


class ForeignFileError(Exception):
    """The file is not a cache of ours, or a newer program's."""


class DigestStore:
    """The file at ``path``, made where there is none, opened when first used. Safe for several threads at once."""

    def __init__(self, path: Path, bound: int = VECTORS_BOUND) -> None:
        self._path = path
        self.bound = bound
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._replaced = False
        self._trouble = ""  # why it is not used
        self._again = 0.0  # when it may be tried again

    def usable(self) -> bool:
        """Return whether the file can be used now."""
        return monotonic() >= self._again

    def get(self, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the stored codes by digest."""

        def read(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            rows = ((digest, connection.execute(GET, (digest,)).fetchone()) for digest in digests)
            return {digest: row[0][:-CHECK] for digest, row in rows if row and _sound(digest, row[0])}

        return self._run(read) or {}

    def put(self, codes: Mapping[bytes, bytes]) -> None:
        """Store ``codes`` by digest, all or none; the oldest are deleted for them."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(PUT, [(digest, code + _check(digest, code)) for digest, code in codes.items()])
            connection.execute(PRUNE, (self.bound,))
            connection.execute("COMMIT")

        if codes:
            self._run(write)

    def discard(self, digests: Iterable[bytes]) -> None:
        """Forget the codes of these digests, in the file's bytes too."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("PRAGMA secure_delete=ON")
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(DISCARD, [(digest,) for digest in digests])
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        if self._path.exists():
            self._run(write)

    def report(self) -> str:
        """Return how much is stored, where, and whether SQLite finds the file whole."""
        if not self._path.exists():
            return f"Vectors: none stored yet in {self._path}."

        def examine(connection: sqlite3.Connection) -> tuple[int, str]:
            [found] = connection.execute("PRAGMA integrity_check(1)").fetchone()
            return connection.execute(COUNT).fetchone()[0], found

        examined = self._run(examine)
        if not examined:
            return f"Vectors: not stored in {self._path}: {self._trouble or 'it was damaged, and is made again'}."
        count, found = examined
        state = "the file is whole" if found == "ok" else f"the file is damaged ({found}): delete it"
        return f"Vectors: {count:,} stored in {self._path}; {state}."

    def close(self) -> None:
        """Close the file; it is opened again when it is next used."""
        with self._lock:
            self._disconnect()

    def _run(self, act: Callable[[sqlite3.Connection], T]) -> T | None:
        with self._lock:
            if not self.usable():
                return None
            try:
                return act(self._opened())
            except sqlite3.OperationalError as error:  # locked, full, not to be written: perhaps better next time
                self._suspend(error, PAUSE)
            except sqlite3.DatabaseError as error:
                self._replace(error)
            except (OSError, ForeignFileError) as error:
                self._suspend(error, float("inf"))
            return None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            _refuse_foreign(self._path)
            make_private(self._path)
            self._connection = sqlite3.connect(
                self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            _prepare(self._connection)
        return self._connection

    def _replace(self, error: Exception) -> None:
        """Delete a damaged file, once; the next use makes it again."""
        if self._replaced:
            self._suspend(error, float("inf"))
            return
        self._disconnect()
        self._replaced = True
        log.warning("the vectors stored in %s are damaged and made again: %s", self._path, error)
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{self._path}{ending}").unlink()

    def _suspend(self, error: Exception, seconds: float) -> None:
        self._disconnect()  # what was begun is undone with it
        self._again = monotonic() + seconds
        if not self._trouble:
            log.warning("vectors are not stored in %s: %s", self._path, error)
        self._trouble = str(error)

    def _disconnect(self) -> None:
        if self._connection:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None


def _check(digest: bytes, code: bytes) -> bytes:
    return crc32(code, crc32(digest)).to_bytes(CHECK, "big")


def _sound(digest: bytes, stored: object) -> bool:
    return isinstance(stored, bytes) and len(stored) > CHECK and stored[-CHECK:] == _check(digest, stored[:-CHECK])


def _refuse_foreign(path: Path) -> None:
    """Raise ``ForeignFileError`` where there is a file that this program did not make."""
    try:
        with path.open("rb") as file:
            head = file.read(ID_AT + ID_BYTES)
    except FileNotFoundError:
        return
    if head and not (head.startswith(SQLITE) and head[ID_AT:] == MARK.to_bytes(ID_BYTES, "big")):
        raise ForeignFileError("it is no file of vectors; move it away, or name another in STET_VECTORS")


def _prepare(connection: sqlite3.Connection) -> None:
    version = schema_version(connection.execute)
    if version > FORMAT:
        raise ForeignFileError("a newer version of stet made it")
    if version < FORMAT:
        connection.execute(f"PRAGMA application_id={MARK}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(TABLE)
        connection.execute(f"PRAGMA user_version={FORMAT}")
    connection.execute("PRAGMA synchronous=NORMAL")
