"""Entities by their spellings, to find the names in a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from retrieval.model import Entity
from retrieval.text.terms import term, words

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
