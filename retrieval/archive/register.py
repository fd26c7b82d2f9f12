"""Entities as rows: the keys by which each is looked up, and the register over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from itertools import chain

from retrieval.archive import versions
from retrieval.archive.database import IN_LIST, Run, run_many
from retrieval.model import Entity, Kind
from retrieval.names.entities import CanonicalNames, Name
from retrieval.names.name_index import LAST, NameIndex, lookup_keys
from retrieval.search import Scope
from retrieval.text.edit_distance import near
from retrieval.text.terms import fold, term, terms, words

# what a key of an entity is: a name, a word of one (after its length), the sound of a word, what a name or its later
# words begin with, all words of a spelling as terms, and one term
WHOLE, WORD, SOUND, BEGUN, WITHIN, SPELLING, TERM = range(7)
_MOST_WORDS = 16  # of a spelling that is found among others
BETWEEN = "\0"  # what is typed, and the spelling that it begins
KINDS = {kind.value: kind for kind in Kind}  # an enumeration's own call takes several times as long

Key = tuple[str, ...]

ENTITIES = "SELECT e.number, e.name, e.kind, n.spellings FROM entities AS e JOIN names AS n ON n.entity = e.number"
USES = "FROM names AS n CROSS JOIN uses AS u ON u.name = n.number CROSS JOIN versions ON versions.number = u.version"
CALLED = (
    "SELECT n.name, n.kind, e.name, e.kind FROM names AS n CROSS JOIN entities AS e ON e.number = n.entity"
    f" WHERE n.name {IN_LIST}"
)
# of two entities with one name, the terms of the last count, as everywhere
BEARERS = (
    "SELECT e.name FROM lookups AS l JOIN entities AS e ON e.number = l.entity WHERE l.way = ? AND l.key = ?"
    " AND NOT EXISTS (SELECT 1 FROM entities AS o WHERE o.name = e.name AND o.kind > e.kind)"
)


def refresh(run: Run, numbers: set[int]) -> None:
    """Rewrite the keys of these entities, and delete those that have no name left."""
    listed = (json.dumps(sorted(numbers)),)
    spellings = _spellings_by_entity(run(f"{ENTITIES} WHERE e.number {IN_LIST}", listed))
    wanted = {
        (*key, number)
        for (number, name, kind), spelt in spellings.items()
        for key in keys_of(Entity(name, Kind(kind), tuple(sorted(spelt)), ()))
    }
    before = set(run(f"SELECT way, key, entity FROM lookups WHERE entity {IN_LIST}", listed))
    run_many(run, "DELETE FROM lookups WHERE way = ? AND key = ? AND entity = ?", sorted(before - wanted))
    run_many(run, "INSERT INTO lookups VALUES (?, ?, ?)", sorted(wanted - before))
    nameless = numbers - {number for number, _, _ in spellings}
    run_many(run, "DELETE FROM entities WHERE number = ?", [(number,) for number in sorted(nameless)])


def _spellings_by_entity(rows: Iterable[tuple[int, str, str, str]]) -> dict[tuple[int, str, str], set[str]]:
    found: dict[tuple[int, str, str], set[str]] = {}
    for number, name, kind, spellings in rows:
        found.setdefault((number, name, kind), set()).update(json.loads(spellings))
    return found


def keys_of(entity: Entity) -> Iterator[tuple[int, str]]:
    leading = lookup_keys(entity)
    for way, keys in ((WHOLE, leading.whole), (SOUND, leading.sounds)):
        yield from ((way, key) for key in keys)
    yield from ((WORD, word_key(word)) for word in leading.words)
    for way, pairs in ((BEGUN, leading.begun), (WITHIN, leading.within)):
        yield from ((way, BETWEEN.join(pair)) for pair in pairs)
    spellings = (entity.name, *entity.variants)
    yield from {(SPELLING, " ".join(key)) for spelling in spellings if (key := _as_terms(words(spelling)))}
    yield from ((TERM, each) for spelling in spellings for each in terms(spelling))


def word_key(word: str, length: int | None = None) -> str:
    """Return the key of a word, or what those of its ``length`` that begin with it begin with."""
    return f"{len(word) if length is None else length:06} {word}"


def _as_terms(folded: Sequence[str]) -> Key:
    return tuple(term(word) or word for word in folded)


def runs(key: Key) -> set[str]:
    """Return all that may be a spelling among some words."""
    ends = [range(at + 1, min(len(key), at + _MOST_WORDS) + 1) for at in range(len(key))]
    return {" ".join(key[at:end]) for at, each in enumerate(ends) for end in each}


def entities(run: Run, scope: Scope, ids: Mapping[int, str], one: int | None = None) -> dict[int, Entity]:
    """Return every entity that the sources of ``scope`` name, by its number, in the order of their names; or ``one``.

    Each is as these sources spell it, with its articles within the scope.
    """
    by_source, values = versions.within_scope(Scope(scope.sources))
    by_day, more = versions.within_scope(scope)
    only = "IS NOT NULL" if one is None else f"= {one:d}"
    uses = f"SELECT n.entity, u.version, u.spellings, {by_day} {USES} WHERE {by_source} AND n.entity {only}"
    spellings_by_source: dict[int, set[str]] = {}
    articles: dict[int, set[str]] = {}
    for entity, version, spellings, is_within in run(uses, (*more, *values)):
        spellings_by_source.setdefault(entity, set()).add(spellings)
        if is_within:
            articles.setdefault(entity, set()).add(ids[version])
    found: dict[int, Entity] = {}
    for (number, name, kind), anywhere in _spellings_by_entity(run(f"{ENTITIES} WHERE e.number {only}")).items():
        if codes := spellings_by_source.get(number):
            own = anywhere if scope.sources is None else {each for code in codes for each in json.loads(code)}
            found[number] = spelt_by(name, kind, anywhere, own, articles.get(number, ()))
    return dict(sorted(found.items(), key=lambda each: (each[1].name, each[1].kind)))


def spelt_by(name: str, kind: str, anywhere: set[str], own: set[str], ids: Iterable[str]) -> Entity:
    """Return an entity with its ``own`` spellings of some sources.

    It has the name of the whole archive, unless only other sources spell it so: then the longest of its own.
    """
    if name in anywhere and name not in own:
        name = min(own, key=lambda spelling: (-len(spelling), spelling))
    return Entity(name, Kind(kind), tuple(sorted(own)), tuple(sorted(ids)))


def entities_named(run: Run, names: Iterable[str]) -> Mapping[str, Entity]:
    """Return the entities with these names, by name, without their articles."""
    rows = run(f"{ENTITIES} WHERE e.name {IN_LIST}", (json.dumps(sorted(names)),))
    return {
        name: Entity(name, Kind(kind), tuple(sorted(spellings)), ())
        for (_, name, kind), spellings in _spellings_by_entity(rows).items()
    }


def numbers_of(run: Run, named: Collection[Name]) -> dict[Name, int]:
    names = json.dumps(sorted({name for name, _ in named}))
    rows = run(f"SELECT name, kind, number FROM entities WHERE name {IN_LIST}", (names,))
    found = {(name, KINDS[kind]): number for name, kind, number in rows}
    return {name: found[name] for name in named if name in found}


def called(run: Run, named: Collection[Name]) -> CanonicalNames:
    rows = run(CALLED, (json.dumps(sorted({name for name, _ in named})),))
    return {(name, KINDS[kind]): (best, KINDS[its_kind]) for name, kind, best, its_kind in rows}


def bearers(run: Run, term: str) -> frozenset[str]:
    return frozenset(name for (name,) in run(BEARERS, (TERM, term)))


def naming(run: Run, names: Iterable[str]) -> set[int]:
    rows = run(
        "SELECT DISTINCT u.version FROM entities AS e CROSS JOIN names AS n ON n.entity = e.number"
        f" CROSS JOIN uses AS u ON u.name = n.number WHERE e.name {IN_LIST}",
        (json.dumps(sorted(names)),),
    )
    return {number for (number,) in rows}


def renamed(run: Run, revision: int) -> set[int]:
    """Return the versions with a name that belongs to another entity since ``revision``."""
    rows = run(
        "SELECT DISTINCT u.version FROM names AS n CROSS JOIN uses AS u ON u.name = n.number WHERE n.since > ?",
        (revision,),
    )
    return {number for (number,) in rows}


class StoredNames:
    """The tables of a register over the rows of one state of the archive.

    A ``bounded`` one shows what ``find`` and ``every`` return only: the entities of some sources, as they spell them.
    """

    def __init__(
        self,
        run: Callable[[str, Sequence[object]], list[tuple[object, ...]]],
        find: Callable[[int], Entity],
        every: Callable[[], Mapping[int, Entity]],
        *,
        bounded: bool,
    ) -> None:
        self._run, self._find, self.every, self._bounded = run, find, every, bounded
        self._names: dict[int, str] | None = None
        self._people: tuple[str, ...] | None = None
        self._own_keys: dict[int, frozenset[tuple[int, str]]] = {}

    def entity(self, number: int) -> Entity:
        return self._find(number)

    def names(self) -> Mapping[int, str]:
        """Return the folded name of each entity, in alphabetical order."""
        if self._names is None:
            named = {number: each.name for number, each in self.every().items()} if self._bounded else self._named()
            self._names = {number: fold(name) for number, name in named.items()}
        return self._names

    def _named(self) -> Mapping[int, str]:
        rows = self._run("SELECT number, name FROM entities ORDER BY name, kind", ())
        return {int(str(number)): str(name) for number, name in rows}

    def whole(self, spelling: str) -> AbstractSet[int]:
        return self.having_key(WHOLE, spelling)

    def having(self, word: str) -> AbstractSet[int]:
        return self.having_key(WORD, word_key(word))

    def sounding(self, heard: str) -> AbstractSet[int]:
        return self.having_key(SOUND, heard)

    def prepare(self, typed: Sequence[str]) -> None:
        """Do nothing: a file is looked into as often as one likes."""

    def load(self, numbers: AbstractSet[int]) -> None:
        """Do nothing."""

    def near(self, word: str) -> Iterable[tuple[str, int]]:
        return near(word, self._words)

    def _words(self, length: int) -> Iterable[str]:
        start = word_key("", length)
        return [key.removeprefix(start) for key in self.keys(WORD, start)]

    def people(self, most: int) -> tuple[str, ...]:
        if self._people is None:
            people = [each for each in self.every().values() if each.kind is Kind.PERSON and each.articles]
            people.sort(key=lambda each: (-len(each.articles), each.name))
            self._people = tuple(each.name for each in people)
        return self._people[:most]

    def spelt(self, key: Key) -> dict[str, AbstractSet[int]]:
        """Return the entities by those of their spellings, as terms, that are among some words."""
        found = self._having_keys(SPELLING, runs(key))
        return {each: self._shown(SPELLING, each, numbers) for each, numbers in found.items()}

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        way = WITHIN if within else BEGUN
        keys = self.keys(way, begun)
        return (key.partition(BETWEEN)[2] for key in keys if not self._bounded or self.having_key(way, key))

    def having_key(self, way: int, key: str) -> AbstractSet[int]:
        return self._shown(way, key, self._having_key(way, key))

    def _shown(self, way: int, key: str, numbers: AbstractSet[int]) -> AbstractSet[int]:
        return {number for number in numbers if (way, key) in self._keys_of(number)} if self._bounded else numbers

    def _having_key(self, way: int, key: str) -> set[int]:
        rows = self._run("SELECT entity FROM lookups WHERE way = ? AND key = ?", (way, key))
        return {int(str(number)) for (number,) in rows}

    def _having_keys(self, way: int, keys: Collection[str]) -> dict[str, set[int]]:
        """Return the entities with each of these keys, as ``_having_key``; none of the keys has a ``BETWEEN``."""
        found: dict[str, set[int]] = {}
        statement = f"SELECT key, entity FROM lookups WHERE way = ? AND key {IN_LIST}"
        for key, number in self._run(statement, (way, json.dumps(sorted(keys)))):
            found.setdefault(str(key), set()).add(int(str(number)))
        return found

    def _keys_of(self, number: int) -> frozenset[tuple[int, str]]:
        if number not in self._own_keys:
            try:
                self._own_keys[number] = frozenset(keys_of(self._find(number)))
            except KeyError:
                self._own_keys[number] = frozenset()
        return self._own_keys[number]

    def keys(self, way: int, start: str) -> Iterable[str]:
        """Return the keys of a way that begin with ``start``, in order; those of other sources too."""
        statement = "SELECT DISTINCT key FROM lookups WHERE way = ? AND key >= ? AND key < ? ORDER BY key"
        return [str(key) for (key,) in self._run(statement, (way, start, start + LAST))]


class Register(NameIndex):
    """Everyone and everything named in an archive."""

    def __init__(self, tables: StoredNames) -> None:
        super().__init__(tables)
        self._stored = tables

    def entities(self) -> tuple[Entity, ...]:
        """Return all of them that have an article, by name."""
        return tuple(entity for entity in self._stored.every().values() if entity.articles)

    def people(self, most: int) -> tuple[str, ...]:
        """Return the names of the people in most articles."""
        return self._stored.people(most)

    def named(self, asked: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities named among folded words, in order; the longest name where several begin."""
        key = _as_terms(asked)
        numbers = self._stored.spelt(key)
        self._stored.load(frozenset(chain.from_iterable(numbers.values())))
        found: dict[Entity, None] = {}
        at = 0
        while at < len(key):
            ends = range(min(len(key), at + _MOST_WORDS), at, -1)
            end = next((end for end in ends if numbers.get(" ".join(key[at:end]))), 0)
            if end:
                # of two with one spelling, the one in more articles
                entities = map(self._stored.entity, numbers[" ".join(key[at:end])])
                found[min(entities, key=lambda each: (-len(each.articles), each.name, each.kind))] = None
            at = end or at + 1
        return tuple(found)
