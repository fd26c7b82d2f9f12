"""Entities by their spellings, to find the names in a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from retrieval.model import Entity
from retrieval.text.terms import term, words


class QuestionNames:
    """Every spelling of every entity, by its words as terms; of two entities spelt alike, the one in more articles.

    ``count`` says in how many one is, where the entity itself does not.
    """

    def __init__(self, entities: Iterable[Entity], count: Callable[[Entity], int] = lambda e: len(e.articles)) -> None:
        ranked = sorted(entities, key=lambda e: (-count(e), e.name, e.kind))
        self._entities: dict[tuple[str, ...], Entity] = {}
        for entity in ranked:
            for spelt in (entity.name, *entity.variants):
                self._entities.setdefault(spelling_key(words(spelt)), entity)
        self._entities.pop((), None)
        lengths: dict[str, set[int]] = {}
        for key in self._entities:
            lengths.setdefault(key[0], set()).add(len(key))
        # by its first word, how many words a name may have, most first: few lengths are tried for any word asked
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def named(self, asked: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities named among the folded words ``asked``, in order, longer names first."""
        key = spelling_key(asked)
        found: list[Entity] = []
        at = 0
        while at < len(key):
            length = self._length(key, at)
            if length:
                found.append(self._entities[key[at : at + length]])
            at += max(length, 1)
        return tuple(dict.fromkeys(found))

    def _length(self, key: tuple[str, ...], at: int) -> int:
        return next((n for n in self._lengths.get(key[at], ()) if key[at : at + n] in self._entities), 0)


def spelling_key(found: Sequence[str]) -> tuple[str, ...]:
    """Return folded words as they are compared: terms, and stopwords as they are."""
    return tuple(term(word) or word for word in found)
