"""Entities -> a register in which a name is found however it is typed: in lower case, misspelt, half, or its beginning.

The register never changes; a new one takes its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from retrieval.model import Entity, Kind
from retrieval.names.name_parts import is_role
from retrieval.names.sounds import loose, sound
from retrieval.names.titles import HONORIFICS
from retrieval.text.neighbours import SHORTEST, Neighbours
from retrieval.text.terms import fold

# How certain it is that a name is meant, by how it was typed.
_WHOLE = 1.0
_ONE_WORD = 0.9
_FIRST_NAME = 0.85
_SOUND = 0.95
_SLIP = 0.8
_TWO_SLIPS = 0.65
_PART = 0.7
_CLEAR = 0.1  # by how much the best must be more certain than the next not to be one of several
_LEAST = 0.6  # certainty below which one name is no answer

_FEWEST_INITIALS = 3
_HONORIFICS = frozenset(fold(word).rstrip(".") for word in HONORIFICS)
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Match:
    """An entity that may be meant; ``certainty`` from 0 to 1."""

    entity: Entity
    certainty: float


def plain(text: str) -> str:
    """Return ``text`` as names are compared: small letters, no diacritics, marks or possessives."""
    for mark in ("’s ", "'s "):
        text = (text + " ").replace(mark, " ")
    return " ".join("".join(ch if ch.isalnum() else " " if ch not in "'’." else "" for ch in fold(text)).split())


class NameIndex:
    """Everyone and everything named, to be looked up."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._entities = tuple(entities)
        self._whole: dict[str, set[int]] = {}
        self._by_word: dict[str, set[int]] = {}
        self._by_sound: dict[str, set[int]] = {}
        self._words_of: list[frozenset[str]] = []
        for number, entity in enumerate(self._entities):
            spellings = {plain(name) for name in (entity.name, *entity.variants)}
            for spelling in spellings | initials(entity):
                self._whole.setdefault(spelling, set()).add(number)
            words = frozenset(word for spelling in spellings for word in spelling.split())
            self._words_of.append(words)
            for word in words:
                self._by_word.setdefault(word, set()).add(number)
                self._by_sound.setdefault(heard(word), set()).add(number)
        self._neighbours = Neighbours(self._by_word)
        self._begun, self._within = _beginnings(self._entities)

    def find(self, text: str) -> tuple[Match, ...]:
        """Return the entities that ``text`` may be a name of, most certain first; every word of it must fit."""
        asked = untitled(plain(text).split())
        found = {number: self._certainty_of_whole(number, asked) for number in self._whole.get(" ".join(asked), ())}
        for number, certainty in self._by_words(asked):
            found[number] = max(certainty, found.get(number, 0.0))
        ordered = sorted(found, key=lambda number: (-found[number], self._entities[number].name))
        return tuple(Match(self._entities[number], round(found[number], 3)) for number in ordered)

    def meant(self, text: str) -> Entity | None:
        """Return the one entity that ``text`` is a name of; none where there is none or several may be meant."""
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
        found = (name for table in (self._begun, self._within) for name in _from(table, begun))
        return tuple(islice(dict.fromkeys(islice(found, limit * 4)), limit))

    def _certainty_of_whole(self, number: int, asked: list[str]) -> float:
        return _WHOLE if len(asked) > 1 or self._entities[number].kind is not Kind.PERSON else _ONE_WORD

    def _by_words(self, asked: list[str]) -> Iterator[tuple[int, float]]:
        fits = [self._fits(word) for word in asked]
        if not fits:
            return
        rarest = min(fits, key=len)
        for number in rarest:
            if all(number in fit for fit in fits):
                certain = sum(fit[number] for fit in fits) / len(fits)
                yield number, certain * self._share(number, asked)

    def _fits(self, word: str) -> dict[int, float]:
        """Return the entities with a word that ``word`` may be, with how certain that is."""
        found: dict[int, float] = {}
        for spelt, certainty in self._meant_words(word):
            for number in spelt:
                found[number] = max(certainty, found.get(number, 0.0))
        return found

    def _meant_words(self, word: str) -> Iterator[tuple[set[int], float]]:
        yield self._by_word.get(word, set()), 1.0
        if len(word) >= SHORTEST and word.endswith("s"):
            yield self._by_word.get(word[:-1], set()), _SOUND
            yield self._by_sound.get(heard(word[:-1]), set()), _SOUND * _SOUND
        yield self._by_sound.get(heard(word), set()), _SOUND
        if word not in self._by_word:
            for near, slips in self._neighbours.of(word):
                yield self._by_word[near], _SLIP if slips == 1 else _TWO_SLIPS

    def _share(self, number: int, asked: list[str]) -> float:
        """Return how well some words of a name stand for it: a surname well, a first name less, a part of it least."""
        entity = self._entities[number]
        name = plain(entity.name).split()
        if len(asked) >= len(name):
            return _WHOLE if len(asked) > 1 or entity.kind is not Kind.PERSON else _ONE_WORD
        if entity.kind is not Kind.PERSON:
            return _PART + (_ONE_WORD - _PART) * len(asked) / len(name)
        if len(asked) > 1:
            return _SOUND
        return _ONE_WORD if heard(asked[0]) in (heard(name[-1]), heard(name[-1] + "s")) else _FIRST_NAME


def untitled(words: list[str]) -> list[str]:
    """Return the words without an article or titles before them: "the kremlin", "president tamm", "mr tamm"."""
    ahead = _HONORIFICS | {"the"}
    first = next((i for i, word in enumerate(words) if not (is_role(word) or word in ahead)), 0)
    return words[first:]


def initials(entity: Entity) -> set[str]:
    """Return what a body of three words or more is called for short."""
    capital = [word[0] for word in re.split(r"[ -]", entity.name) if word[:1].isupper()]
    return {fold("".join(capital))} if entity.kind is Kind.ORG and len(capital) >= _FEWEST_INITIALS else set()


def heard(word: str) -> str:
    """Return the key of a name's word by its sound."""
    return loose(word) if word.isalpha() else sound(word)


def _beginnings(entities: tuple[Entity, ...]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return sorted pairs of what is typed and the spelling it begins, from its first word and from a later one."""
    begun: set[tuple[str, str]] = set()
    within: set[tuple[str, str]] = set()
    for entity in entities:
        for spelling in (entity.name, *entity.variants):
            for typed, spelt, first in begun_by(spelling):
                (begun if first else within).add((typed, spelt))
    return sorted(begun), sorted(within)


def begun_by(spelling: str) -> Iterator[tuple[str, str, bool]]:
    """Yield what may be typed for a spelling, from each of its words on, with the spelling and whether it is all."""
    words = plain(spelling).split()
    yield from ((" ".join(words[i:]), spelling, i == 0) for i in range(len(words) or 1))


def _from(table: list[tuple[str, str]], begun: str) -> Iterator[str]:
    first, last = bisect_left(table, (begun,)), bisect_left(table, (begun + _LAST,))
    return (table[i][1] for i in range(first, last))
