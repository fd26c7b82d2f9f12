"""Entities as rows: what leads to each, and the tables of a register and of a question's names over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet

import numpy as np

from retrieval.archive.lasting.database import Run
from retrieval.archive.lasting.segments import NUMBERS
from retrieval.archive.question_names import Key, keys_of, precedence
from retrieval.model import Entity, Kind
from retrieval.names.name_tables import LAST, ways
from retrieval.text.terms import terms

WHOLE, WORD, SOUND, LENGTH, BEGUN, WITHIN = "whole", "word", "sound", "length", "begun", "within"
SPELT, TERM = "spelt", "term"
BETWEEN = "\0"  # what is typed, and the spelling that it begins
NOBODY = ()  # of no article

Ids = Callable[[Iterable[int]], Iterator[str]]


def refresh(run: Run, numbers: Iterable[int]) -> None:
    """Write what leads to these entities anew; those that have no name left are gone."""
    for number in sorted(numbers):
        entity = entity_of(run, number, lambda _: iter(NOBODY))
        wanted = set(_rows(entity)) if entity else set()
        held = set(run("SELECT way, key FROM lookups WHERE entity = ?", (number,)))
        many = run("SELECT 1").connection.executemany
        gone = "DELETE FROM lookups WHERE way = ? AND key = ? AND entity = ?"
        many(gone, [(*row, number) for row in sorted(held - wanted)])
        many("INSERT INTO lookups VALUES (?, ?, ?)", [(*row, number) for row in sorted(wanted - held)])
        if entity is None:
            run("DELETE FROM entities WHERE number = ?", (number,))


def _rows(entity: Entity) -> Iterator[tuple[str, str]]:
    found = ways(entity)
    for way, keys in ((WHOLE, found.whole), (WORD, found.words), (SOUND, found.sounds)):
        yield from ((way, key) for key in keys)
    yield from ((LENGTH, f"{_length(len(word))}{word}") for word in found.words)
    for way, pairs in ((BEGUN, found.begun), (WITHIN, found.within)):
        yield from ((way, BETWEEN.join(pair)) for pair in pairs)
    yield from ((SPELT, " ".join(key)) for key in keys_of(entity))
    yield from ((TERM, term) for spelt in (entity.name, *entity.variants) for term in terms(spelt))


def _length(length: int) -> str:
    return f"{length:06} "


def entity_of(run: Run, number: int, ids: Ids) -> Entity | None:
    """Return an entity by its number; None where no name is left to it."""
    row = run("SELECT name, kind FROM entities WHERE number = ?", (number,)).fetchone()
    names = run("SELECT spellings, articles FROM names WHERE entity = ?", (number,)).fetchall()
    return _entity(row[0], row[1], names, ids) if row and names else None


def _entity(name: str, kind: str, names: Sequence[tuple[str, bytes]], ids: Ids) -> Entity:
    spellings = {spelt for told, _ in names for spelt in json.loads(told)}
    there = np.unique(np.frombuffer(b"".join(code for _, code in names), NUMBERS)).tolist()
    return Entity(name, Kind(kind), tuple(sorted(spellings)), tuple(sorted(ids(there))))


def every(run: Run, ids: Ids) -> tuple[Entity, ...]:
    """Return every entity, by name."""
    rows = run(
        "SELECT e.number, e.name, e.kind, n.spellings, n.articles FROM entities AS e"
        " JOIN names AS n ON n.entity = e.number"
    )
    found: dict[tuple[str, str], list[tuple[str, bytes]]] = {}
    for _, name, kind, spellings, articles in rows:
        found.setdefault((name, kind), []).append((spellings, articles))
    return tuple(_entity(name, kind, names, ids) for (name, kind), names in sorted(found.items()))


def called(run: Run, names: Iterable[str], ids: Ids) -> Mapping[str, Entity]:
    """Return the entities of these names, by name."""
    rows = run("SELECT number FROM entities WHERE name IN (SELECT value FROM json_each(?))", (json.dumps([*names]),))
    found = (entity_of(run, number, ids) for (number,) in rows.fetchall())
    return {entity.name: entity for entity in found if entity}


def naming(run: Run, term: str) -> set[int]:
    """Return the versions that name somebody in one of whose spellings ``term`` is."""
    codes = run(
        "SELECT n.articles FROM lookups AS l JOIN names AS n ON n.entity = l.entity WHERE l.way = ? AND l.key = ?",
        (TERM, term),
    )
    return {int(number) for (code,) in codes for number in np.frombuffer(code, NUMBERS)}


class StoredNames:
    """The tables of a register, and of the names in a question, over the rows of one state of the archive."""

    def __init__(
        self, run: Callable[[str, Sequence[object]], list[tuple[object, ...]]], find: Callable[[int], Entity]
    ) -> None:
        self._run = run
        self._find = find

    def entity(self, number: int) -> Entity:
        """Return an entity."""
        return self._find(number)

    def whole(self, spelling: str) -> AbstractSet[int]:
        """Return the entities of which ``spelling`` is the whole name, or its initials."""
        return self.leading(WHOLE, spelling)

    def having(self, word: str) -> AbstractSet[int]:
        """Return the entities with ``word`` in a spelling."""
        return self.leading(WORD, word)

    def sounding(self, heard: str) -> AbstractSet[int]:
        """Return the entities with a word that sounds so."""
        return self.leading(SOUND, heard)

    def words(self, length: int) -> Iterable[str]:
        """Return all words of this length, in alphabetical order."""
        begun = _length(length)
        return [key.removeprefix(begun) for key in self.keys(LENGTH, begun, begun + LAST)]

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        """Yield the spellings that begin so in the order of the alphabet; ``within``, those with a later word so."""
        keys = self.keys(WITHIN if within else BEGUN, begun, begun + LAST)
        return (key.partition(BETWEEN)[2] for key in keys)

    def leading(self, way: str, key: str) -> AbstractSet[int]:
        """Return the entities to which ``key`` leads in this way."""
        rows = self._run("SELECT entity FROM lookups WHERE way = ? AND key = ?", (way, key))
        return {int(str(number)) for (number,) in rows}

    def keys(self, way: str, first: str, last: str) -> list[str]:
        """Return the keys of a way from ``first`` to before ``last``, in order."""
        statement = "SELECT DISTINCT key FROM lookups WHERE way = ? AND key >= ? AND key < ? ORDER BY key"
        return [str(key) for (key,) in self._run(statement, (way, first, last))]


class StoredSpellings:
    """The names in a question, over the same rows."""

    def __init__(self, names: StoredNames) -> None:
        self._names = names

    def lengths(self, first: str) -> Sequence[int]:
        """Return how many words a name may have that begins with ``first``, most first."""
        keys = self._names.keys(SPELT, first, first + " " + LAST)
        words = (key.split(" ") for key in keys)
        return sorted({len(each) for each in words if each[0] == first}, reverse=True)

    def entity(self, key: Key) -> Entity | None:
        """Return the entity that is spelt so; of two that are, the one in more articles."""
        numbers = self._names.leading(SPELT, " ".join(key))
        return min(map(self._names.entity, numbers), key=precedence, default=None)
