"""The tables of an archive.

A version of an article is a row of ``versions``; its number is what the index and the names know it by. The index is
made of segments, each built once of a few versions and never changed but to take one of them out; several small ones
are put together to a larger. The names of all articles are beside them, and are updated version by version.

A file of another schema is refused, never converted: change the tables, and raise ``ARCHIVE_VERSION``.
"""

from __future__ import annotations

ARCHIVE_VERSION = 16

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
    # ``spellings`` are how it is spelt, each with in how many versions; it belongs to ``entity`` ``since`` a revision
    """CREATE TABLE names (number INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, spellings TEXT NOT NULL,
        entity INTEGER, since INTEGER NOT NULL DEFAULT 0, UNIQUE (name, kind))""",
    "CREATE INDEX names_since ON names (since)",
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


def is_whole(table: str, name: str = "") -> str:
    """Return the condition under which a row of ``table`` is as it was written; ``name`` is what a query calls it."""
    return f"{name}checksum IS crc32({CHECKED[table].format(name)})"
