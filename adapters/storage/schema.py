"""The store's tables. A database of another schema is refused, never converted: raise ``VERSION`` with any change."""

from __future__ import annotations

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
