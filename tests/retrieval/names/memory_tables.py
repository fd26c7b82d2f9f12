"""An archive's own tables of names, over some entities that are in no archive."""

import sqlite3
from collections.abc import Iterable, Set as AbstractSet

from retrieval.archive.register import StoredNames
from retrieval.model import Entity
from retrieval.names.name_keys import keys_of


class MemoryTables(StoredNames):
    """They count how often a word is looked up."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        held, rows = dict(enumerate(entities)), sqlite3.connect(":memory:", check_same_thread=False)
        rows.execute("CREATE TABLE lookups (way, key, entity, PRIMARY KEY (way, key, entity)) WITHOUT ROWID")
        keys = ((*key, number) for number, entity in held.items() for key in keys_of(entity))
        rows.executemany("INSERT OR IGNORE INTO lookups VALUES (?, ?, ?)", keys)
        super().__init__(
            lambda statement, values: rows.execute(statement, values).fetchall(),
            held.__getitem__,
            lambda: held,
            bounded=True,
        )
        self.looked_up = 0

    def having(self, word: str) -> AbstractSet[int]:
        self.looked_up += 1
        return super().having(word)
