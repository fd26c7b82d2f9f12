"""Entities of a few articles, and tables to look them up, in memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet

from retrieval.model import Entity, Kind
from retrieval.names.entities import Mentions
from retrieval.names.name_index import LAST, lookup_keys
from retrieval.text.edit_distance import near
from retrieval.text.terms import fold


def entities(mentions: Mapping[str, Mentions], texts: Mapping[str, str]) -> tuple[Entity, ...]:
    """Return every entity of united mentions with its spellings in ``texts`` (by article id), by name."""
    variants: dict[tuple[str, Kind], set[str]] = {}
    articles: dict[tuple[str, Kind], set[str]] = {}
    for article_id, rows in mentions.items():
        for mention in (mention for row in rows for mention in row):
            name = (mention.name, mention.kind)
            variants.setdefault(name, set()).add(" ".join(mention.span.of(texts[article_id]).split()))
            articles.setdefault(name, set()).add(article_id)
    return tuple(
        Entity(*name, tuple(sorted(variants[name])), tuple(sorted(articles[name]))) for name in sorted(variants)
    )


class MemoryTables:
    """``NameTables`` of some entities."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._entities = tuple(entities)
        self._whole: dict[str, set[int]] = {}
        self._by_word: dict[str, set[int]] = {}
        self._by_sound: dict[str, set[int]] = {}
        begun: set[tuple[str, str]] = set()
        within: set[tuple[str, str]] = set()
        for number, entity in enumerate(self._entities):
            keys_of = lookup_keys(entity)
            tables = ((self._whole, keys_of.whole), (self._by_word, keys_of.words), (self._by_sound, keys_of.sounds))
            for table, keys in tables:
                for key in keys:
                    table.setdefault(key, set()).add(number)
            begun |= keys_of.begun
            within |= keys_of.within
        self._begun, self._within = sorted(begun), sorted(within)
        self._by_length: dict[int, list[str]] = {}
        for word in sorted(self._by_word):
            self._by_length.setdefault(len(word), []).append(word)

    def entity(self, number: int) -> Entity:
        return self._entities[number]

    def names(self) -> Mapping[int, str]:
        return {number: fold(entity.name) for number, entity in enumerate(self._entities)}

    def whole(self, spelling: str) -> AbstractSet[int]:
        return self._whole.get(spelling, frozenset())

    def having(self, word: str) -> AbstractSet[int]:
        return self._by_word.get(word, frozenset())

    def sounding(self, key: str) -> AbstractSet[int]:
        return self._by_sound.get(key, frozenset())

    def near(self, word: str) -> Iterable[tuple[str, int]]:
        return near(word, lambda length: self._by_length.get(length, ()))

    def prepare(self, typed: Sequence[str]) -> None:
        """Do nothing."""

    def load(self, numbers: AbstractSet[int]) -> None:
        """Do nothing."""

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        table = self._within if within else self._begun
        first, last = bisect_left(table, (begun,)), bisect_left(table, (begun + LAST,))
        return (table[i][1] for i in range(first, last))
