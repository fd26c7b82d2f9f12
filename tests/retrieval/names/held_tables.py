"""The tables of a few entities, in memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Set as AbstractSet

from retrieval.model import Entity
from retrieval.names.name_tables import LAST, lookup_keys
from retrieval.text.terms import fold


class HeldTables:
    """The tables of some entities, in memory."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._entities = tuple(entities)
        self._whole: dict[str, set[int]] = {}
        self._by_word: dict[str, set[int]] = {}
        self._by_sound: dict[str, set[int]] = {}
        begun: set[tuple[str, str]] = set()
        within: set[tuple[str, str]] = set()
        for number, entity in enumerate(self._entities):
            found = lookup_keys(entity)
            tables = ((self._whole, found.whole), (self._by_word, found.words), (self._by_sound, found.sounds))
            for table, keys in tables:
                for key in keys:
                    table.setdefault(key, set()).add(number)
            begun |= found.begun
            within |= found.within
        self._begun, self._within = sorted(begun), sorted(within)
        self._by_length: dict[int, list[str]] = {}
        for word in sorted(self._by_word):
            self._by_length.setdefault(len(word), []).append(word)

    def entity(self, number: int) -> Entity:
        """Return an entity."""
        return self._entities[number]

    def names(self) -> Mapping[int, str]:
        """Return what each entity is called, folded, in alphabetical order."""
        return {number: fold(entity.name) for number, entity in enumerate(self._entities)}

    def whole(self, spelling: str) -> AbstractSet[int]:
        """Return the entities of which ``spelling`` is the whole name, or its initials."""
        return self._whole.get(spelling, frozenset())

    def having(self, word: str) -> AbstractSet[int]:
        """Return the entities with ``word`` in a spelling."""
        return self._by_word.get(word, frozenset())

    def sounding(self, heard: str) -> AbstractSet[int]:
        """Return the entities with a word that sounds so."""
        return self._by_sound.get(heard, frozenset())

    def words(self, length: int) -> Iterable[str]:
        """Return all words of this length, in alphabetical order."""
        return self._by_length.get(length, ())

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        """Yield the spellings that begin so in the order of the alphabet; ``within``, those with a later word so."""
        table = self._within if within else self._begun
        first, last = bisect_left(table, (begun,)), bisect_left(table, (begun + LAST,))
        return (table[i][1] for i in range(first, last))
