"""The steps that make the store's tables.

Each step is run once, in order; ``user_version`` counts the steps that a file has behind it.
A released step is never changed: add a new one. Names of tables and columns are older than those in the code:
``keepsake`` is the rendered copy, ``dress`` the appearance, ``sightings`` the versions that answers cite,
``beats`` the heartbeats, ``told`` the time of delivery.
"""

from __future__ import annotations

MIGRATIONS = (
    (  # 1
        """CREATE TABLE claims (id INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL,
            payload TEXT NOT NULL, host TEXT NOT NULL, process INTEGER NOT NULL, instance TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 1, claimed REAL NOT NULL, finished REAL)""",
        "CREATE INDEX claims_unfinished ON claims (platform, id) WHERE finished IS NULL",
        """CREATE TABLE claim_keys (platform TEXT NOT NULL, key TEXT NOT NULL,
            claim INTEGER NOT NULL REFERENCES claims ON DELETE CASCADE, PRIMARY KEY (platform,
            key)) WITHOUT ROWID""",
        "CREATE INDEX claim_keys_of ON claim_keys (claim)",
        """CREATE TABLE threads (platform TEXT NOT NULL, channel TEXT NOT NULL, thread TEXT NOT NULL,
            question TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (platform, channel, thread)) WITHOUT ROWID""",
        """CREATE TABLE answers (id INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL, workspace TEXT,
            channel TEXT, thread TEXT, asker TEXT NOT NULL, question TEXT NOT NULL, reply TEXT NOT NULL,
            digests TEXT NOT NULL, at REAL NOT NULL)""",
        "CREATE INDEX answers_at ON answers (at)",
        """CREATE TABLE feedback (answer INTEGER NOT NULL, person TEXT NOT NULL, verdict INTEGER NOT NULL,
            why TEXT, at REAL NOT NULL, PRIMARY KEY (answer, person)) WITHOUT ROWID""",
        "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    ),
    (  # 2
        """CREATE TABLE shown (platform TEXT NOT NULL, channel TEXT NOT NULL, origin TEXT NOT NULL,
            message TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (platform, channel, origin)) WITHOUT ROWID""",
        "ALTER TABLE answers ADD COLUMN keepsake TEXT NOT NULL DEFAULT ''",
    ),
    (  # 3
        """CREATE TABLE flags (article TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL,
            sentence INTEGER NOT NULL, words TEXT NOT NULL, wrong TEXT NOT NULL, correct TEXT NOT NULL,
            was TEXT NOT NULL, note TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (article, digest, sentence,
            wrong, correct, note)) WITHOUT ROWID""",
    ),
    (  # 4
        "ALTER TABLE answers ADD COLUMN previous TEXT",
        "ALTER TABLE answers ADD COLUMN program TEXT NOT NULL DEFAULT ''",
    ),
    (  # 5
        """CREATE TABLE workers (instance TEXT NOT NULL, beats INTEGER NOT NULL, at REAL NOT NULL,
            PRIMARY KEY (instance)) WITHOUT ROWID""",
    ),
    (  # 6
        """CREATE TABLE postings (platform TEXT NOT NULL, channel TEXT NOT NULL, message TEXT NOT NULL,
            origin TEXT NOT NULL, answer INTEGER NOT NULL, dress TEXT NOT NULL, mark TEXT NOT NULL,
            fresh INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (platform, channel, message)) WITHOUT ROWID""",
        "CREATE INDEX postings_answer ON postings (answer)",
        "CREATE INDEX postings_fresh ON postings (platform) WHERE fresh = 1",
        """CREATE TABLE sightings (digest TEXT NOT NULL, answer INTEGER NOT NULL, at REAL NOT NULL,
            PRIMARY KEY (digest, answer)) WITHOUT ROWID""",
        "CREATE INDEX sightings_at ON sightings (at)",
    ),
    (  # 7
        "ALTER TABLE threads ADD COLUMN shown TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE answers ADD COLUMN shown TEXT NOT NULL DEFAULT ''",
    ),
    (  # 8
        "CREATE INDEX answers_asker ON answers (asker)",
    ),
    (  # 9
        """CREATE TABLE watches (id INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL, workspace TEXT,
            channel TEXT NOT NULL, person TEXT NOT NULL, words TEXT NOT NULL, since INTEGER NOT NULL,
            at REAL NOT NULL)""",
        """CREATE TABLE news (watch INTEGER NOT NULL, mark TEXT NOT NULL, article TEXT NOT NULL,
            places TEXT NOT NULL, at REAL NOT NULL, told REAL, PRIMARY KEY (watch, mark)) WITHOUT ROWID""",
    ),
    (  # 10
        "DROP TABLE flags",
        "DELETE FROM facts WHERE substr(name, 1, 15) = 'discord session'",
    ),
    (  # 11
        "ALTER TABLE answers ADD COLUMN sources TEXT",
        "ALTER TABLE answers ADD COLUMN since TEXT",
    ),
    (  # 12
        "ALTER TABLE watches ADD COLUMN thread TEXT NOT NULL DEFAULT ''",
    ),
    (  # 13
        "ALTER TABLE answers ADD COLUMN unasked INTEGER NOT NULL DEFAULT 0",
    ),
)
