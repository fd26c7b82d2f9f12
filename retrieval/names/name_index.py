"""Tables of names -> an index in which one is found however it is typed: in lower case, misspelt, half, or begun.

What leads to an entity depends on its spellings alone, so that tables in a file are updated one entity at a time.
And two names of a person -> whether they may be one: fuller or shorter, by initials, by a nickname.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import inf
from typing import Protocol

from rapidfuzz import process

from retrieval.model import Entity, Kind
from retrieval.names.entity_resolution import SUFFIXES
from retrieval.names.gazetteer import same_first_name
from retrieval.names.name_parts import is_role
from retrieval.names.sounds import loose, sound
from retrieval.names.titles import HONORIFICS
from retrieval.text.edit_distance import SHORTEST
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
_MOST_WORDS = 40  # of what may be a name: an entity is spelt in several ways, each of a dozen words at most
_ALIKE = (90, 75, 60.5)  # per cent of likeness; below the last, as 60 for a few letters, a name is not worth naming

_BEFORE_NAMES = frozenset(fold(word).rstrip(".") for word in HONORIFICS) | frozenset(("the",))
_FEWEST_INITIALS = 3
LAST = "\U0010ffff"


class NameTables(Protocol):
    """Where a ``NameIndex`` looks names up; entities have numbers."""

    def entity(self, number: int) -> Entity: ...

    def prepare(self, typed: Sequence[str]) -> None:
        """Get what will be looked up of these words, where many look-ups cost more than one."""

    def load(self, numbers: AbstractSet[int]) -> None:
        """Get these entities, likewise."""

    def names(self) -> Mapping[int, str]:
        """Return the folded name of each entity, in alphabetical order."""

    def whole(self, spelling: str) -> AbstractSet[int]:
        """Return the entities of which ``spelling`` is the full name, or its initials."""

    def having(self, word: str) -> AbstractSet[int]:
        """Return the entities with ``word`` in a spelling."""

    def sounding(self, key: str) -> AbstractSet[int]:
        """Return the entities with a word of which ``key`` is the sound."""

    def near(self, word: str) -> Iterable[tuple[str, int]]:
        """Return the words of names that ``word`` may be meant for, with the number of slips."""

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        """Yield the spellings that begin so in alphabetical order; ``within``, those with a later word that does."""


@dataclass(frozen=True, slots=True)
class LookupKeys:
    """What leads to one entity; ``begun`` and ``within`` are what is typed, with the spelling that it begins."""

    whole: frozenset[str]
    words: frozenset[str]
    sounds: frozenset[str]
    begun: frozenset[tuple[str, str]]
    within: frozenset[tuple[str, str]]


def lookup_keys(entity: Entity) -> LookupKeys:
    typed = {spelling: plain(spelling).split() for spelling in (entity.name, *entity.variants)}
    every = frozenset(word for words in typed.values() for word in words)
    whole = {" ".join(words) for words in typed.values()}
    capital = [word[0] for word in re.split(r"[ -]", entity.name) if word[:1].isupper()]
    if entity.kind is Kind.ORG and len(capital) >= _FEWEST_INITIALS:
        whole.add(fold("".join(capital)))
    return LookupKeys(
        whole=frozenset(whole),
        words=every,
        sounds=frozenset(map(sound_key, every)),
        begun=frozenset((" ".join(words), spelling) for spelling, words in typed.items()),
        within=frozenset(
            (" ".join(words[i:]), spelling) for spelling, words in typed.items() for i in range(1, len(words))
        ),
    )


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """Write ``text`` as names are compared: small letters, no diacritics, marks or possessives."""
    for mark in ("’s ", "'s "):
        text = (text + " ").replace(mark, " ")
    return " ".join("".join(ch if ch.isalnum() else " " if ch not in "'’." else "" for ch in fold(text)).split())


def sound_key(word: str) -> str:
    return loose(word) if word.isalpha() else sound(word)


@dataclass(frozen=True, slots=True)
class NameMatch:
    """An entity that may be meant; ``certainty`` from 0 to 1."""

    entity: Entity
    certainty: float


class NameIndex:
    """Everyone and everything with a name, to be looked up."""

    def __init__(self, tables: NameTables) -> None:
        self._tables = tables

    def find(self, text: str) -> tuple[NameMatch, ...]:
        """Find the entities that ``text`` may be a name of, most certain first; every word of it must fit.

        Entities without articles are left out.
        """
        typed = untitled(plain(text).split())
        self._tables.prepare(typed)
        whole = self._tables.whole(" ".join(typed))
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
        names = self._tables.names()
        # most callers want few, and a high bar is soon searched
        for bar, below in zip(_ALIKE, (inf, *_ALIKE), strict=False):
            for _, likeness, number in process.extract(fold(text), names, limit=None, score_cutoff=bar):
                if likeness < below and (entity := self._tables.entity(number)).articles:
                    yield entity

    @staticmethod
    def _certainty_of_full_name(entity: Entity, typed: list[str]) -> float:
        return _WHOLE if len(typed) > 1 or entity.kind is not Kind.PERSON else _ONE_WORD

    def _by_words(self, typed: list[str]) -> Iterator[tuple[int, float]]:
        if not typed or len(typed) > _MOST_WORDS:
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
            yield tables.having(word[:-1]), _SOUND
            yield tables.sounding(sound_key(word[:-1])), _SOUND * _SOUND
        yield tables.sounding(sound_key(word)), _SOUND
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
            return _SOUND
        surname = sound_key(typed[0]) in (sound_key(name[-1]), sound_key(name[-1] + "s"))
        return _ONE_WORD if surname else _FIRST_NAME


def untitled(words: list[str]) -> list[str]:
    """Drop an article or titles at the front: "the kremlin", "president tamm", "mr tamm"."""
    first = next((i for i, word in enumerate(words) if not (is_role(word) or word in _BEFORE_NAMES)), 0)
    return words[first:]


def titleless(text: str) -> tuple[str, ...]:
    """Split a name into words in small letters, without titles before it."""
    return tuple(untitled(plain(text).split()))


def bare_name(text: str) -> tuple[str, ...]:
    """Split a name likewise, also without "Jr." behind it."""
    return tuple(word for word in titleless(text) if word not in SUFFIXES)


def may_be_one(one: str, other: str) -> bool:
    """Whether two names may be one person's; what only one of them has separates nobody."""
    (*first, last), (*others_first, others_last) = bare_name(one) or ("",), bare_name(other) or ("",)
    if not first or not others_first:
        return sound(last) == sound(others_last) or last in others_first or others_last in first
    return sound(last) == sound(others_last) and any(_alike(a, b) for a in first for b in others_first)


def _alike(name: str, other: str) -> bool:
    initial = len(min(name, other, key=len)) == 1 and name[0] == other[0]
    return initial or sound(name) == sound(other) or same_first_name(name, other)
