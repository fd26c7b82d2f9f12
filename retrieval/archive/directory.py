"""Entities by their spellings, to find the names in a question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from retrieval.archive.terms import term, words
from retrieval.model import Entity


class Directory:
    """Every spelling of every entity, by its words as terms; of two entities spelt alike, the one in more articles."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        ranked = sorted(entities, key=lambda e: (-len(e.articles), e.name, e.kind))
        self._entities: dict[tuple[str, ...], Entity] = {}
        for entity in ranked:
            for spelt in (entity.name, *entity.variants):
                self._entities.setdefault(_key(words(spelt)), entity)
        self._entities.pop((), None)
        self._longest = max(map(len, self._entities), default=0)

    def named(self, asked: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities named among the folded words ``asked``, in order, longer names first."""
        found: list[Entity] = []
        at = 0
        while at < len(asked):
            length = self._length(asked, at)
            if length:
                found.append(self._entities[_key(asked[at : at + length])])
            at += max(length, 1)
        return tuple(dict.fromkeys(found))

    def _length(self, asked: Sequence[str], at: int) -> int:
        longest = min(self._longest, len(asked) - at)
        return next((n for n in range(longest, 0, -1) if _key(asked[at : at + n]) in self._entities), 0)


def _key(found: Sequence[str]) -> tuple[str, ...]:
    return tuple(term(word) or word for word in found)
