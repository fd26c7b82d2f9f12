"""Entities as rows: what leads to each, and the tables of a register and of a question's names over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from typing import Protocol

from retrieval.archive import versions
from retrieval.archive.database import AMONG, Run, run_many
from retrieval.model import Entity, Kind
from retrieval.names.entities import Name
from retrieval.names.name_tables import LAST, lookup_keys
from retrieval.search import Scope
from retrieval.text.terms import fold, term, terms, words

# in which way a key leads to an entity: it is a whole name, a word of one (by its length), how one sounds, what a name
# or its later words begin with, all words of a spelling as terms, and one term
WHOLE, WORD, SOUND, BEGUN, WITHIN, SPELT, TERM = range(7)
BETWEEN = "\0"  # what is typed, and the spelling that it begins

Ids = Callable[[Iterable[int]], Iterator[str]]

USED = "FROM names AS n CROSS JOIN uses AS u ON u.name = n.number CROSS JOIN versions ON versions.number = u.version"


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
    found = lookup_keys(entity)
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


def entity_of(run: Run, number: int, scope: Scope, ids: Ids) -> Entity:
    """Return an entity by its number, as it is spelt by the sources of ``scope``, with the articles within that.

    ``KeyError`` where nothing names it.
    """
    row = run("SELECT name, kind FROM entities WHERE number = ?", (number,)).fetchone()
    names = run("SELECT spellings FROM names WHERE entity = ?", (number,)).fetchall()
    if not row or not names:
        raise KeyError(number)
    whole = _spellings(told for (told,) in names)
    condition, values = versions.within_scope(scope)
    there = run(f"SELECT DISTINCT u.version {USED} WHERE n.entity = ? AND {condition}", (number, *values))
    numbers = [version for (version,) in there]
    own = whole
    if scope.sources is not None:
        condition, values = versions.within_scope(Scope(scope.sources))
        told = run(f"SELECT DISTINCT u.spellings {USED} WHERE n.entity = ? AND {condition}", (number, *values))
        own = _spellings(spellings for (spellings,) in told)
        if not own:
            raise KeyError(number)
    return _entity(row, whole, own, ids(numbers))


def every(run: Run, scope: Scope, ids: Ids) -> dict[int, Entity]:
    """Return every entity that the sources of ``scope`` name, by its number, in the order of the names; as above."""
    told = "SELECT e.name, e.kind, e.number, n.spellings FROM entities AS e JOIN names AS n ON n.entity = e.number"
    whole: dict[tuple[str, str, int], list[str]] = {}
    for name, kind, number, spellings in run(told):
        whole.setdefault((name, kind, number), []).append(spellings)
    condition, values = versions.within_scope(Scope(scope.sources))
    spelt: dict[int, set[str]] = {}
    there: dict[int, set[int]] = {}
    for entity, version, spellings in run(f"SELECT n.entity, u.version, u.spellings {USED} WHERE {condition}", values):
        there.setdefault(entity, set()).add(version)
        spelt.setdefault(entity, set()).add(spellings)
    days = frozenset(versions.numbers(run, scope)) if scope.since else None
    found: dict[int, Entity] = {}
    for (name, kind, number), names in whole.items():
        if number in there:
            anywhere = _spellings(names)
            own = anywhere if scope.sources is None else _spellings(spelt[number])
            found[number] = _entity(
                (name, kind), anywhere, own, ids(there[number] if days is None else there[number] & days)
            )
    return dict(sorted(found.items(), key=lambda each: (each[1].name, each[1].kind)))


def _spellings(told: Iterable[str]) -> set[str]:
    return {spelt for spellings in told for spelt in json.loads(spellings)}


def _entity(row: Sequence[str], whole: set[str], own: set[str], ids: Iterable[str]) -> Entity:
    """Return an entity that is spelt so in the ``whole`` archive, and by some sources as their ``own``.

    It is called as in the whole, but by no spelling that others alone have: then by the longest of its own.
    """
    name, kind = row
    if name in whole and name not in own:
        name = min(own, key=lambda spelt: (-len(spelt), spelt))
    return Entity(name, Kind(kind), tuple(sorted(own)), tuple(sorted(ids)))


def called(run: Run, names: Iterable[str]) -> Mapping[str, Entity]:
    """Return the entities of these names, by name; the articles they are in are not told."""
    told = "SELECT e.name, e.kind, n.spellings FROM entities AS e JOIN names AS n ON n.entity = e.number"
    found: dict[tuple[str, str], list[str]] = {}
    for name, kind, spellings in run(f"{told} WHERE e.name {AMONG}", (json.dumps(sorted(names)),)):
        found.setdefault((name, kind), []).append(spellings)
    spelt = {row: _spellings(told) for row, told in found.items()}
    return {row[0]: _entity(row, whole, whole, ()) for row, whole in spelt.items()}


def numbers_of(run: Run, named: Collection[Name]) -> dict[Name, int]:
    """Return the numbers of the entities that are called so, each by its name and kind."""
    names = json.dumps(sorted({name for name, _ in named}))
    rows = run(f"SELECT name, kind, number FROM entities WHERE name {AMONG}", (names,))
    found = {(name, Kind(kind)): number for name, kind, number in rows}
    return {name: found[name] for name in named if name in found}


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
    """The tables of a register, and of the names in a question, over the rows of one state of the archive.

    Where it is ``bounded``, what leads to an entity is held against what ``find`` and ``every`` give: those of some
    sources alone.
    """

    def __init__(
        self,
        run: Callable[[str, Sequence[object]], list[tuple[object, ...]]],
        find: Callable[[int], Entity],
        every: Callable[[], Mapping[int, Entity]],
        *,
        bounded: bool,
    ) -> None:
        self._run, self._find, self._every, self._bounded = run, find, every, bounded
        self._names: dict[int, str] | None = None
        self._keys: dict[int, frozenset[tuple[int, str]]] = {}

    def entity(self, number: int) -> Entity:
        """Return an entity."""
        return self._find(number)

    def names(self) -> Mapping[int, str]:
        """Return what each entity is called, folded, in alphabetical order."""
        if self._names is None and self._bounded:
            self._names = {number: fold(entity.name) for number, entity in self._every().items()}
        elif self._names is None:
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
        way = WITHIN if within else BEGUN
        keys = self.keys(way, begun, begun + LAST)
        return (key.partition(BETWEEN)[2] for key in keys if not self._bounded or self.leading(way, key))

    def leading(self, way: int, key: str) -> AbstractSet[int]:
        """Return the entities to which ``key`` leads in this way."""
        rows = self._run("SELECT entity FROM lookups WHERE way = ? AND key = ?", (way, key))
        numbers = {int(str(number)) for (number,) in rows}
        return {number for number in numbers if (way, key) in self._ways(number)} if self._bounded else numbers

    def _ways(self, number: int) -> frozenset[tuple[int, str]]:
        """Return what leads to an entity by the spellings of the sources."""
        if number not in self._keys:
            try:
                self._keys[number] = frozenset(_rows(self._find(number)))
            except KeyError:
                self._keys[number] = frozenset()
        return self._keys[number]

    def keys(self, way: int, first: str, last: str) -> list[str]:
        """Return the keys of a way from ``first`` to before ``last``, in order; those of other sources too."""
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


Key = tuple[str, ...]
Order = tuple[int, str, str]


class Spelt(Protocol):
    """Where every spelling of every entity stands by its words as terms."""

    def lengths(self, first: str) -> Sequence[int]:
        """Return how many words a name may have that begins with ``first``, most first."""

    def entity(self, key: Key) -> Entity | None:
        """Return the entity that is spelt so; of two that are, the one in more articles."""


class QuestionNames:
    """The names in a question, by every spelling of every entity."""

    def __init__(self, spelt: Spelt) -> None:
        self._spelt = spelt

    def named(self, asked: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities named among the folded words ``asked``, in order, longer names first."""
        key = key_of(asked)
        found: list[Entity] = []
        at = 0
        while at < len(key):
            entity, length = self._begun(key, at)
            if entity:
                found.append(entity)
            at += length
        return tuple(dict.fromkeys(found))

    def _begun(self, key: Key, at: int) -> tuple[Entity | None, int]:
        for length in self._spelt.lengths(key[at]):
            entity = self._spelt.entity(key[at : at + length]) if at + length <= len(key) else None
            if entity:
                return entity, length
        return None, 1


def precedence(entity: Entity) -> Order:
    """Order entities that are spelt alike."""
    return -len(entity.articles), entity.name, entity.kind


def keys_of(entity: Entity) -> frozenset[Key]:
    """Return every spelling of an entity as it is looked up."""
    return frozenset(key for spelt in (entity.name, *entity.variants) if (key := key_of(words(spelt))))


def key_of(found: Sequence[str]) -> Key:
    """Return folded words as they are looked up."""
    return tuple(term(word) or word for word in found)
