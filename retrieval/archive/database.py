"""The one SQLite database of an archive: its tables, and its file.

A version of an article is a row of ``versions``; its number is what the index and the names know it by. The index is
made of segments, each built once of a few versions and never changed but to take one of them out; several small ones
are put together to a larger. The names of all articles are beside them, and are updated version by version.

A file of another schema is refused, never converted: change the tables, and raise ``ARCHIVE_VERSION``. In memory, the
database is the same as in a file, but that writing waits for those who read.
"""

import shutil
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from retrieval.errors import ArchiveError, ArchiveSchemaError, BusyArchiveError
from retrieval.sqlite_file import Run, SqliteFile, error_code, schema_version

__all__ = ["ARCHIVE_VERSION", "CHECKED", "IN_LIST", "ArchiveFile", "Run", "is_whole", "run_many"]

ROOM = 1 << 16  # bytes with less of which a disk is full
MARK = 0x53744172  # SQLite's application_id of such a file
IN_LIST = "IN (SELECT value FROM json_each(?))"  # of any number of values, as a JSON list

ARCHIVE_VERSION = 17

SCHEMA = (
    """CREATE TABLE versions (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, state TEXT NOT NULL,
        digest TEXT NOT NULL, key TEXT NOT NULL, path TEXT NOT NULL, source TEXT, published TEXT, url TEXT,
        taken REAL NOT NULL, embargo REAL, reader TEXT NOT NULL, corrections TEXT NOT NULL, metadata TEXT NOT NULL,
        text TEXT NOT NULL, reading BLOB NOT NULL)""",
    "CREATE UNIQUE INDEX versions_current ON versions (id) WHERE state = 'current'",
    "CREATE INDEX versions_id ON versions (id, number)",
    "CREATE INDEX versions_key ON versions (key)",
    "CREATE INDEX versions_url ON versions (url) WHERE url IS NOT NULL",
    "CREATE INDEX versions_path ON versions (path)",
    "CREATE INDEX versions_source ON versions (state, source, published)",
    "CREATE INDEX versions_reader ON versions (reader, state)",
    "CREATE INDEX versions_embargo ON versions (embargo) WHERE state = 'embargoed'",
    "CREATE UNIQUE INDEX versions_waiting ON versions (id) WHERE state = 'embargoed'",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE segments (number INTEGER PRIMARY KEY AUTOINCREMENT, articles BLOB NOT NULL,
        sentences BLOB NOT NULL, paragraphs BLOB NOT NULL, checksum INTEGER)""",
    "CREATE TABLE members (version INTEGER PRIMARY KEY, segment INTEGER NOT NULL)",
    "CREATE INDEX members_segment ON members (segment)",
    """CREATE TABLE postings (segment INTEGER NOT NULL, term TEXT NOT NULL, sentences BLOB NOT NULL,
        titles BLOB NOT NULL, checksum INTEGER, PRIMARY KEY (segment, term)) WITHOUT ROWID""",
    """CREATE TABLE words (segment INTEGER NOT NULL, length INTEGER NOT NULL, words TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (segment, length)) WITHOUT ROWID""",
    # ``spellings`` are how it is spelt, each with in how many versions
    """CREATE TABLE names (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, spellings TEXT NOT NULL,
        entity INTEGER, UNIQUE (name, kind))""",
    # ``spellings`` are those of the name in this version
    """CREATE TABLE uses (name INTEGER NOT NULL, version INTEGER NOT NULL, sure INTEGER NOT NULL,
        doubtful INTEGER NOT NULL, introduced INTEGER NOT NULL, spellings TEXT NOT NULL,
        PRIMARY KEY (name, version)) WITHOUT ROWID""",
    "CREATE INDEX uses_version ON uses (version)",
    "CREATE INDEX names_entity ON names (entity)",
    """CREATE TABLE entities (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, kind TEXT NOT NULL,
        UNIQUE (name, kind))""",
    """CREATE TABLE lookups (way INTEGER NOT NULL, key TEXT NOT NULL, entity INTEGER NOT NULL,
        PRIMARY KEY (way, key, entity)) WITHOUT ROWID""",
    "CREATE INDEX lookups_entity ON lookups (entity)",
    """CREATE TABLE feeds (url TEXT PRIMARY KEY, due REAL NOT NULL, etag TEXT NOT NULL, modified TEXT NOT NULL,
        failures INTEGER NOT NULL, trouble TEXT NOT NULL, news REAL) WITHOUT ROWID""",
    "CREATE TABLE pages (url TEXT PRIMARY KEY, mark TEXT NOT NULL) WITHOUT ROWID",
    # ``removed`` is 1, or 2 for a draft that was replaced under its embargo
    """CREATE TABLE retired (number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, digest TEXT NOT NULL,
        removed INTEGER NOT NULL)""",
    "CREATE INDEX retired_key ON retired (key) WHERE removed",
    # removed versions whose words may still be elsewhere: in stored answers and cached folders
    "CREATE TABLE removals (key TEXT NOT NULL, digest TEXT NOT NULL, article TEXT NOT NULL, url TEXT NOT NULL)",
    # of which article a version became public
    "CREATE TABLE arrived (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL)",
    "CREATE INDEX arrived_id ON arrived (id)",
    # tells this file from every other, so that nobody counts on in another one
    "INSERT INTO facts VALUES ('identity', lower(hex(randomblob(8))))",
    "CREATE TABLE facets (facet TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (facet, version)) WITHOUT ROWID",
    "CREATE INDEX facets_version ON facets (version)",
    # of which versions that are searched one has most of the other; ``bands`` are what two such versions share
    "CREATE TABLE bands (band INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (band, version)) WITHOUT ROWID",
    "CREATE INDEX bands_version ON bands (version)",
    "CREATE TABLE copies (one INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (one, other)) WITHOUT ROWID",
    # the codes of a version's title and sentences (``vectors``); they go with it
    """CREATE TABLE vectors (number INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL UNIQUE,
        model TEXT NOT NULL, indexes BLOB NOT NULL, codes BLOB NOT NULL, checksum INTEGER)""",
    """CREATE TRIGGER vectors_deleted AFTER DELETE ON versions BEGIN
        DELETE FROM vectors WHERE version = old.number;
    END""",
    """CREATE TRIGGER vectors_superseded AFTER UPDATE OF state ON versions WHEN new.state = 'superseded' BEGIN
        DELETE FROM vectors WHERE version = old.number;
    END""",
)

# what a row's checksum is made of, where damage could change an answer or stop it; {0} is the table's name and a dot
CHECKED = {
    "segments": "{0}number, {0}articles, {0}sentences, {0}paragraphs",
    "postings": "{0}segment, CAST({0}term AS BLOB), {0}sentences, {0}titles",
    "words": "{0}segment, {0}length, CAST({0}words AS BLOB)",
    "vectors": "{0}version, CAST({0}model AS BLOB), {0}indexes, {0}codes",
}


def run_many(run: Run, statement: str, rows: Iterable[Sequence[object]]) -> None:
    """Run a statement with each row of values in turn, in the transaction of ``run``."""
    run("SELECT 1").connection.executemany(statement, rows)


def fact(run: Run, name: str, default: str = "") -> str:
    """Return what is noted of the archive as a whole under a name."""
    row = run("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else default


def set_fact(run: Run, name: str, value: str) -> None:
    run("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


def crc32(*values: object) -> int:
    """Return the checksum of a row's values; SQL gives texts as blobs, since a damaged one may be no text."""
    checksum = 0
    for value in values:
        code = value if isinstance(value, bytes) else repr(value).encode()
        checksum = zlib.crc32(code, zlib.crc32(b"%d:" % len(code), checksum))
    return checksum


def is_whole(table: str, name: str = "") -> str:
    """Return the condition under which a row of ``table`` is as it was written; ``name`` is what a query calls it."""
    return f"{name}checksum IS crc32({CHECKED[table].format(name)})"


class ArchiveFile(SqliteFile):
    """The file of an archive.

    Raises ``ArchiveError`` where it cannot be used, ``ArchiveSchemaError`` where another version of the program made
    it, ``BusyArchiveError`` where another process writes for longer than it is waited for.
    """

    # a larger map is no faster, and counts as the program's memory
    pragmas = ("wal_autocheckpoint=8000", "cache_size=-16000", "mmap_size=67108864")
    schema, version = (f"PRAGMA application_id={MARK}", *SCHEMA), ARCHIVE_VERSION

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

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self.reading() as run:
            return run(statement, values).fetchall()

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run one statement by itself; return how many rows it changed."""
        with self.writing() as run:
            return run(statement, values).rowcount

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
