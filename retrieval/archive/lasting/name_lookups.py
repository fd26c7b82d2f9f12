"""Entities as rows: what leads to each, and the tables of a register and of a question's names over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet

from retrieval.archive.lasting.database import AMONG, Run, run_many
from retrieval.archive.question_names import Key, keys_of, precedence
from retrieval.model import Entity, Kind
from retrieval.names.name_tables import LAST, ways
from retrieval.text.terms import fold, terms

# in which way a key leads to an entity: it is a whole name, a word of one (by its length), how one sounds, what a name
# or its later words begin with, all words of a spelling as terms, and one term
WHOLE, WORD, SOUND, BEGUN, WITHIN, SPELT, TERM = range(7)
BETWEEN = "\0"  # what is typed, and the spelling that it begins

Ids = Callable[[Iterable[int]], Iterator[str]]


def refresh(run: Run, numbers: set[int]) -> None:
    """Write what leads to these entities anew; those that have no name left are gone."""
    listed = (json.dumps(sorted(numbers)),)
    spelt: dict[tuple[int, str, str], set[str]] = {}
    told = "SELECT e.number, e.name, e.kind, n.spellings FROM entities AS e JOIN names AS n ON n.entity = e.number"
    for number, name, kind, spellings in run(f"{told} WHERE e.number {AMONG}", listed):
        spelt.setdefault((number, name, kind), set()).update(json.loads(spellings))
    wanted = {
        (*row, number)
        for (number, name, kind), variants in spelt.items()
        for row in _rows(Entity(name, Kind(kind), tuple(sorted(variants)), ()))
    }
    held = set(run(f"SELECT way, key, entity FROM lookups WHERE entity {AMONG}", listed))
    run_many(run, "DELETE FROM lookups WHERE way = ? AND key = ? AND entity = ?", sorted(held - wanted))
    run_many(run, "INSERT INTO lookups VALUES (?, ?, ?)", sorted(wanted - held))
    gone = numbers - {number for number, _, _ in spelt}
    run_many(run, "DELETE FROM entities WHERE number = ?", [(number,) for number in sorted(gone)])


def _rows(entity: Entity) -> Iterator[tuple[int, str]]:
    found = ways(entity)
    for way, keys in ((WHOLE, found.whole), (SOUND, found.sounds)):
        yield from ((way, key) for key in keys)
    yield from ((WORD, _long(word)) for word in found.words)
    for way, pairs in ((BEGUN, found.begun), (WITHIN, found.within)):
        yield from ((way, BETWEEN.join(pair)) for pair in pairs)
    yield from ((SPELT, " ".join(key)) for key in keys_of(entity))
    yield from ((TERM, term) for spelt in (entity.name, *entity.variants) for term in terms(spelt))


def _long(word: str) -> str:
    return f"{_length(len(word))}{word}"


def _length(length: int) -> str:
    return f"{length:06} "


def entity_of(run: Run, number: int, ids: Ids) -> Entity:
    """Return an entity by its number; ``KeyError`` where no name is left to it."""
    row = run("SELECT name, kind FROM entities WHERE number = ?", (number,)).fetchone()
    names = run("SELECT spellings FROM names WHERE entity = ?", (number,)).fetchall()
    if not row or not names:
        raise KeyError(number)
    there = run(
        "SELECT DISTINCT u.version FROM names AS n JOIN uses AS u ON u.name = n.number WHERE n.entity = ?", (number,)
    )
    return _entity(row[0], row[1], (told for (told,) in names), ids(version for (version,) in there))


def _entity(name: str, kind: str, spellings: Iterable[str], ids: Iterable[str]) -> Entity:
    spelt = {spelt for told in spellings for spelt in json.loads(told)}
    return Entity(name, Kind(kind), tuple(sorted(spelt)), tuple(sorted(ids)))


def every(run: Run, ids: Ids) -> tuple[Entity, ...]:
    """Return every entity, by name."""
    there: dict[int, set[int]] = {}
    for entity, version in run("SELECT n.entity, u.version FROM names AS n JOIN uses AS u ON u.name = n.number"):
        there.setdefault(entity, set()).add(version)
    told = "SELECT e.name, e.kind, e.number, n.spellings FROM entities AS e JOIN names AS n ON n.entity = e.number"
    found: dict[tuple[str, str, int], list[str]] = {}
    for *entity, spellings in run(told):
        found.setdefault((entity[0], entity[1], entity[2]), []).append(spellings)
    return tuple(_entity(name, kind, names, ids(there[n])) for (name, kind, n), names in sorted(found.items()))


def called(run: Run, names: Iterable[str]) -> Mapping[str, Entity]:
    """Return the entities of these names, by name; the articles they are in are not told."""
    told = "SELECT e.name, e.kind, n.spellings FROM entities AS e JOIN names AS n ON n.entity = e.number"
    found: dict[tuple[str, str], list[str]] = {}
    for name, kind, spellings in run(f"{told} WHERE e.name {AMONG}", (json.dumps(sorted(names)),)):
        found.setdefault((name, kind), []).append(spellings)
    return {name: _entity(name, kind, spellings, ()) for (name, kind), spellings in found.items()}


def naming(run: Run, called: Iterable[str]) -> set[int]:
    """Return the versions that name somebody who is called one of these names."""
    found = run(
        "SELECT DISTINCT u.version FROM entities AS e CROSS JOIN names AS n ON n.entity = e.number"
        f" CROSS JOIN uses AS u ON u.name = n.number WHERE e.name {AMONG}",
        (json.dumps(sorted(called)),),
    )
    return {number for (number,) in found}


def renamed(run: Run, revision: int) -> set[int]:
    """Return the versions with a name that stands for somebody else since ``revision``."""
    found = run(
        "SELECT DISTINCT u.version FROM names AS n CROSS JOIN uses AS u ON u.name = n.number WHERE n.since > ?",
        (revision,),
    )
    return {number for (number,) in found}


class StoredNames:
    """The tables of a register, and of the names in a question, over the rows of one state of the archive."""

    def __init__(
        self, run: Callable[[str, Sequence[object]], list[tuple[object, ...]]], find: Callable[[int], Entity]
    ) -> None:
        self._run = run
        self._find = find
        self._names: dict[int, str] | None = None

    def entity(self, number: int) -> Entity:
        """Return an entity."""
        return self._find(number)

    def names(self) -> Mapping[int, str]:
        """Return what each entity is called, folded, in alphabetical order."""
        if self._names is None:
            rows = self._run("SELECT number, name FROM entities ORDER BY name, kind", ())
            self._names = {int(str(number)): fold(str(name)) for number, name in rows}
        return self._names

    def whole(self, spelling: str) -> AbstractSet[int]:
        """Return the entities of which ``spelling`` is the whole name, or its initials."""
        return self.leading(WHOLE, spelling)

    def having(self, word: str) -> AbstractSet[int]:
        """Return the entities with ``word`` in a spelling."""
        return self.leading(WORD, _long(word))

    def sounding(self, heard: str) -> AbstractSet[int]:
        """Return the entities with a word that sounds so."""
        return self.leading(SOUND, heard)

    def words(self, length: int) -> Iterable[str]:
        """Return all words of this length, in alphabetical order."""
        begun = _length(length)
        return [key.removeprefix(begun) for key in self.keys(WORD, begun, begun + LAST)]

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        """Yield the spellings that begin so in the order of the alphabet; ``within``, those with a later word so."""
        keys = self.keys(WITHIN if within else BEGUN, begun, begun + LAST)
        return (key.partition(BETWEEN)[2] for key in keys)

    def leading(self, way: int, key: str) -> AbstractSet[int]:
        """Return the entities to which ``key`` leads in this way."""
        rows = self._run("SELECT entity FROM lookups WHERE way = ? AND key = ?", (way, key))
        return {int(str(number)) for (number,) in rows}

    def keys(self, way: int, first: str, last: str) -> list[str]:
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
