"""Entities as rows: the keys by which each is looked up, and the register over them."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from math import inf
from typing import Any

from rapidfuzz import process

from retrieval.archive import versions
from retrieval.archive.database import IN_LIST, Run, run_many
from retrieval.archive.fields import described_by
from retrieval.model import Entity, Kind
from retrieval.names import name_keys
from retrieval.names.entities import CanonicalNames, Name
from retrieval.names.name_keys import BETWEEN, LAST, Key, as_terms, keys_of, plain, sound_key, untitled, word_key
from retrieval.search import Scope
from retrieval.text.edit_distance import SHORTEST, near
from retrieval.text.terms import fold

_MOST_WORDS = 16  # of a spelling that is found among others

# How certain it is that a name is meant, by how it was typed.
_FULL_NAME = 1.0
_ONE_WORD = 0.9
_FIRST_NAME = 0.85
_HEARD = 0.95
_SLIP = 0.8
_TWO_SLIPS = 0.65
_PART = 0.7
_CLEAR = 0.1  # by how much the best must be more certain than the next not to be one of several
_LEAST = 0.6  # certainty below which one name is no answer
_MOST_TYPED = 40  # words of what may be a name: an entity is spelt in several ways, each of a dozen words at most
_ALIKE = (90, 75, 60.5)  # per cent of likeness; below the last, as 60 for a few letters, a name is not worth naming

KINDS = {kind.value: kind for kind in Kind}  # an enumeration's own call takes several times as long

ENTITIES = "SELECT e.number, e.name, e.kind, n.spellings FROM entities AS e JOIN names AS n ON n.entity = e.number"
USES = "FROM names AS n CROSS JOIN uses AS u ON u.name = n.number CROSS JOIN versions ON versions.number = u.version"
CALLED = (
    "SELECT n.name, n.kind, e.name, e.kind FROM names AS n CROSS JOIN entities AS e ON e.number = n.entity"
    f" WHERE n.name {IN_LIST}"
)
# of two entities with one name, the terms of the last count, as everywhere
NAMING = (
    "SELECT u.version FROM entities AS n CROSS JOIN names AS m ON m.entity = n.number"
    " CROSS JOIN uses AS u ON u.name = m.number WHERE n.name IN (SELECT e.name FROM lookups AS l"
    " JOIN entities AS e ON e.number = l.entity WHERE l.way = ? AND l.key = ?"
    " AND NOT EXISTS (SELECT 1 FROM entities AS o WHERE o.name = e.name AND o.kind > e.kind))"
    " UNION SELECT version FROM facets WHERE facet = ?"
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


def naming(run: Run, term: str) -> set[int]:
    """Return the versions that have ``term`` in a name, or in what describes a speaker or the bearer of a name."""
    return {number for (number,) in run(NAMING, (name_keys.TERM, term, described_by(term)))}


class StoredNames:
    """The tables of a register over the rows of one state of the archive.

    A ``bounded`` one shows what ``find`` and ``every`` return only: the entities of some sources, as they spell them.
    """

    def __init__(
        self,
        run: Callable[[str, Sequence[object]], list[tuple[Any, ...]]],
        find: Callable[[int], Entity],
        every: Callable[[], Mapping[int, Entity]],
        *,
        bounded: bool,
    ) -> None:
        self._run, self.entity, self.every, self._bounded = run, find, every, bounded
        self._own_keys: dict[int, set[tuple[int, str]]] = {}

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The folded name of each entity, in alphabetical order."""
        named = {number: each.name for number, each in self.every().items()} if self._bounded else self._named()
        return {number: fold(name) for number, name in named.items()}

    def _named(self) -> Mapping[int, str]:
        return dict(self._run("SELECT number, name FROM entities ORDER BY name, kind", ()))

    def having(self, word: str) -> AbstractSet[int]:
        """Return the entities with ``word`` in a spelling."""
        return self.having_key(name_keys.WORD, word_key(word))

    def prepare(self, typed: Sequence[str]) -> None:
        """Get what will be looked up of these words, where many look-ups cost more than one."""

    def load(self, numbers: AbstractSet[int]) -> None:
        """Get these entities, likewise."""

    def near(self, word: str) -> Iterable[tuple[str, int]]:
        """Return the words of names that ``word`` may be meant for, with the number of slips."""
        return near(word, self._words)

    def _words(self, length: int) -> Iterable[str]:
        start = word_key("", length)
        return [key.removeprefix(start) for key in self.keys(name_keys.WORD, start)]

    def people(self, most: int) -> tuple[str, ...]:
        return self._people[:most]

    @cached_property
    def _people(self) -> tuple[str, ...]:
        people = [each for each in self.every().values() if each.kind is Kind.PERSON and each.articles]
        return tuple(each.name for each in sorted(people, key=lambda each: (-len(each.articles), each.name)))

    def spelt(self, key: Key) -> dict[str, AbstractSet[int]]:
        """Return the entities by those of their spellings, as terms, that are among some words."""
        found = self._having_keys(name_keys.SPELLING, runs(key))
        return {each: self._shown(name_keys.SPELLING, each, numbers) for each, numbers in found.items()}

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        """Yield the spellings that begin so in alphabetical order; ``within``, those with a later word that does."""
        way = name_keys.WITHIN if within else name_keys.BEGUN
        keys = self.keys(way, begun)
        return (key.partition(BETWEEN)[2] for key in keys if not self._bounded or self.having_key(way, key))

    def having_key(self, way: int, key: str) -> AbstractSet[int]:
        return self._shown(way, key, self._having_key(way, key))

    def _shown(self, way: int, key: str, numbers: AbstractSet[int]) -> AbstractSet[int]:
        return {number for number in numbers if (way, key) in self._keys_of(number)} if self._bounded else numbers

    def _having_key(self, way: int, key: str) -> set[int]:
        return {number for (number,) in self._run("SELECT entity FROM lookups WHERE way = ? AND key = ?", (way, key))}

    def _having_keys(self, way: int, keys: Collection[str]) -> dict[str, set[int]]:
        """Return the entities with each of these keys, as ``_having_key``; none of the keys has a ``BETWEEN``."""
        found: dict[str, set[int]] = {}
        statement = f"SELECT key, entity FROM lookups WHERE way = ? AND key {IN_LIST}"
        for key, number in self._run(statement, (way, json.dumps(sorted(keys)))):
            found.setdefault(key, set()).add(number)
        return found

    def _keys_of(self, number: int) -> set[tuple[int, str]]:
        if number not in self._own_keys:
            try:
                self._own_keys[number] = keys_of(self.entity(number))
            except KeyError:
                self._own_keys[number] = set()
        return self._own_keys[number]

    def keys(self, way: int, start: str) -> Iterable[str]:
        """Return the keys of a way that begin with ``start``, in order; those of other sources too."""
        statement = "SELECT DISTINCT key FROM lookups WHERE way = ? AND key >= ? AND key < ? ORDER BY key"
        return [key for (key,) in self._run(statement, (way, start, start + LAST))]


@dataclass(frozen=True, slots=True)
class NameMatch:
    """An entity that may be meant; ``certainty`` from 0 to 1."""

    entity: Entity
    certainty: float


class Register:
    """Everyone and everything named in an archive, to be looked up."""

    def __init__(self, tables: StoredNames) -> None:
        self._tables = tables

    def find(self, text: str) -> tuple[NameMatch, ...]:
        """Find the entities that ``text`` may be a name of, most certain first; every word of it must fit.

        Entities without articles are left out.
        """
        typed = untitled(plain(text).split())
        self._tables.prepare(typed)
        whole = self._tables.having_key(name_keys.WHOLE, " ".join(typed))
        self._tables.load(whole)
        certainties = {number: self._certainty_of_full_name(self._tables.entity(number), typed) for number in whole}
        for number, certainty in self._by_words(typed):
            certainties[number] = max(certainty, certainties.get(number, 0.0))
        entities = {number: entity for number in certainties if (entity := self._tables.entity(number)).articles}
        ranked = sorted(
            entities, key=lambda number: (-certainties[number], entities[number].name, entities[number].kind)
        )
        return tuple(NameMatch(entities[number], round(certainties[number], 3)) for number in ranked)

    def meant(self, text: str) -> Entity | None:
        """Return the one entity that ``text`` is a name of; None where there is none or several may be meant."""
        best = self.find(text)[:2]
        if not best or best[0].certainty < _LEAST:
            return None
        clear = len(best) == 1 or best[0].certainty - best[1].certainty >= _CLEAR
        return best[0].entity if clear else None

    def beginning(self, prefix: str, limit: int = 25) -> tuple[str, ...]:
        """Return spellings one of whose words begins with ``prefix``: first those that begin with it themselves."""
        begun = plain(prefix)
        if not begun:
            return ()
        names = (name for within in (False, True) for name in self._tables.beginning(begun, within=within))
        return tuple(islice(dict.fromkeys(islice(names, limit * 4)), limit))

    def nearest(self, text: str) -> Iterator[Entity]:
        """Yield the entities whose names are spelt most like ``text``, most alike first."""
        names = self._tables.names
        # most callers want few, and a high bar is soon searched
        for bar, below in zip(_ALIKE, (inf, *_ALIKE), strict=False):
            for _, likeness, number in process.extract(fold(text), names, limit=None, score_cutoff=bar):
                if likeness < below and (entity := self._tables.entity(number)).articles:
                    yield entity

    def entities(self) -> tuple[Entity, ...]:
        """Return all of them that have an article, by name."""
        return tuple(entity for entity in self._tables.every().values() if entity.articles)

    def people(self, most: int) -> tuple[str, ...]:
        """Return the names of the people in most articles."""
        return self._tables.people(most)

    def named(self, asked: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities named among folded words, in order; the longest name where several begin."""
        key = as_terms(asked)
        numbers = self._tables.spelt(key)
        self._tables.load(frozenset(chain.from_iterable(numbers.values())))
        found: dict[Entity, None] = {}
        at = 0
        while at < len(key):
            ends = range(min(len(key), at + _MOST_WORDS), at, -1)
            end = next((end for end in ends if numbers.get(" ".join(key[at:end]))), 0)
            if end:
                # of two with one spelling, the one in more articles
                entities = map(self._tables.entity, numbers[" ".join(key[at:end])])
                found[min(entities, key=lambda each: (-len(each.articles), each.name, each.kind))] = None
            at = end or at + 1
        return tuple(found)

    @staticmethod
    def _certainty_of_full_name(entity: Entity, typed: list[str]) -> float:
        return _FULL_NAME if len(typed) > 1 or entity.kind is not Kind.PERSON else _ONE_WORD

    def _by_words(self, typed: list[str]) -> Iterator[tuple[int, float]]:
        if not typed or len(typed) > _MOST_TYPED:
            return
        by_word = {word: self._entities_with(word) for word in dict.fromkeys(typed)}
        fits = [by_word[word] for word in typed]
        fitting = {number for number in min(fits, key=len) if all(number in fit for fit in fits)}
        self._tables.load(fitting)
        for number in fitting:
            certainty = sum(fit[number] for fit in fits) / len(fits)
            yield number, certainty * self._share(self._tables.entity(number), typed)

    def _entities_with(self, word: str) -> dict[int, float]:
        """Return the entities with a word that ``word`` may be, with how certain that is."""
        certainties: dict[int, float] = {}
        for numbers, certainty in self._readings_of(word):
            for number in numbers:
                certainties[number] = max(certainty, certainties.get(number, 0.0))
        return certainties

    def _readings_of(self, word: str) -> Iterator[tuple[AbstractSet[int], float]]:
        tables = self._tables
        yield (exact := tables.having(word)), 1.0
        if len(word) >= SHORTEST and word.endswith("s"):
            yield tables.having(word[:-1]), _HEARD
            yield tables.having_key(name_keys.SOUND, sound_key(word[:-1])), _HEARD * _HEARD
        yield tables.having_key(name_keys.SOUND, sound_key(word)), _HEARD
        if not exact:
            for spelt, slips in tables.near(word):
                yield tables.having(spelt), _SLIP if slips == 1 else _TWO_SLIPS

    def _share(self, entity: Entity, typed: list[str]) -> float:
        """Rate how well some words of a name identify it: a surname well, a first name less, a part of it least."""
        name = plain(entity.name).split()
        if len(typed) >= len(name):
            return self._certainty_of_full_name(entity, typed)
        if entity.kind is not Kind.PERSON:
            return _PART + (_ONE_WORD - _PART) * len(typed) / len(name)
        if len(typed) > 1:
            return _HEARD
        surname = sound_key(typed[0]) in (sound_key(name[-1]), sound_key(name[-1] + "s"))
        return _ONE_WORD if surname else _FIRST_NAME
