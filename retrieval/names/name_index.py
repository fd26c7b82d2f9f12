"""Tables of names -> a register in which one is found however it is typed: in lower case, misspelt, half, or begun.

And two ways of naming a person -> whether they may name one: fuller or shorter, by initials, by a nickname.
"""

from __future__ import annotations

from collections.abc import Iterator, Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from math import inf

from rapidfuzz import process

from retrieval.model import Entity, Kind
from retrieval.names.entity_resolution import SUFFIXES
from retrieval.names.gazetteer import same_first_name
from retrieval.names.name_parts import is_role
from retrieval.names.name_tables import NameTables, heard, plain
from retrieval.names.sounds import sound
from retrieval.names.titles import HONORIFICS
from retrieval.text.edit_distance import SHORTEST, near
from retrieval.text.terms import fold

# How certain it is that a name is meant, by how it was typed.
_WHOLE = 1.0
_ONE_WORD = 0.9
_FIRST_NAME = 0.85
_MOST_WORDS = 40  # of what may be a name: an entity is spelt in several ways, each of a dozen words at most
_SOUND = 0.95
_SLIP = 0.8
_TWO_SLIPS = 0.65
_PART = 0.7
_CLEAR = 0.1  # by how much the best must be more certain than the next not to be one of several
_LEAST = 0.6  # certainty below which one name is no answer
_ALIKE = (90, 75, 60)  # per cent of likeness; below the last a name is not worth naming

_HONORIFICS = frozenset(fold(word).rstrip(".") for word in HONORIFICS)


@dataclass(frozen=True, slots=True)
class Match:
    """An entity that may be meant; ``certainty`` from 0 to 1."""

    entity: Entity
    certainty: float


class NameIndex:
    """Everyone and everything named, to be looked up."""

    def __init__(self, tables: NameTables) -> None:
        self._tables = tables

    def find(self, text: str) -> tuple[Match, ...]:
        """Return the entities that ``text`` may be a name of, most certain first; every word of it must fit.

        Those that are in none of the articles that are asked are none of them.
        """
        asked = untitled(plain(text).split())
        whole = self._tables.whole(" ".join(asked))
        found = {number: self._certainty_of_whole(number, asked) for number in whole}
        for number, certainty in self._by_words(asked):
            found[number] = max(certainty, found.get(number, 0.0))
        entities = {number: entity for number in found if (entity := self._tables.entity(number)).articles}
        ordered = sorted(entities, key=lambda number: (-found[number], entities[number].name, entities[number].kind))
        return tuple(Match(entities[number], round(found[number], 3)) for number in ordered)

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
        found = (name for within in (False, True) for name in self._tables.beginning(begun, within=within))
        return tuple(islice(dict.fromkeys(islice(found, limit * 4)), limit))

    def nearest(self, text: str) -> Iterator[Entity]:
        """Yield the entities whose names are spelt most like ``text``, most alike first."""
        named = self._tables.names()
        # most that ask want few, and a high bar is soon looked through
        for bar, below in zip(_ALIKE, (inf, *_ALIKE), strict=False):
            for _, likeness, number in process.extract(fold(text), named, limit=None, score_cutoff=bar):
                if likeness < below and (entity := self._tables.entity(number)).articles:
                    yield entity

    def _certainty_of_whole(self, number: int, asked: list[str]) -> float:
        return _WHOLE if len(asked) > 1 or self._tables.entity(number).kind is not Kind.PERSON else _ONE_WORD

    def _by_words(self, asked: list[str]) -> Iterator[tuple[int, float]]:
        if not asked or len(asked) > _MOST_WORDS:
            return
        fit_of = {word: self._fits(word) for word in dict.fromkeys(asked)}
        fits = [fit_of[word] for word in asked]
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

    def _meant_words(self, word: str) -> Iterator[tuple[AbstractSet[int], float]]:
        tables = self._tables
        yield (known := tables.having(word)), 1.0
        if len(word) >= SHORTEST and word.endswith("s"):
            yield tables.having(word[:-1]), _SOUND
            yield tables.sounding(heard(word[:-1])), _SOUND * _SOUND
        yield tables.sounding(heard(word)), _SOUND
        if not known:
            for spelt, slips in near(word, tables.words):
                yield tables.having(spelt), _SLIP if slips == 1 else _TWO_SLIPS

    def _share(self, number: int, asked: list[str]) -> float:
        """Return how well some words of a name stand for it: a surname well, a first name less, a part of it least."""
        entity = self._tables.entity(number)
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


def titleless(text: str) -> tuple[str, ...]:
    """Return the words of a name in small letters, without titles before it."""
    return tuple(untitled(plain(text).split()))


def bare_name(text: str) -> tuple[str, ...]:
    """Return the same without "Jr." behind it."""
    return tuple(word for word in titleless(text) if word not in SUFFIXES)


def may_be_one(one: str, other: str) -> bool:
    """Return whether two names may be one person's; what only the one has parts nobody."""
    (*first, last), (*others_first, others_last) = bare_name(one) or ("",), bare_name(other) or ("",)
    if not first or not others_first:
        return sound(last) == sound(others_last) or last in others_first or others_last in first
    return sound(last) == sound(others_last) and any(_one(a, b) for a in first for b in others_first)


def _one(name: str, other: str) -> bool:
    initial = len(min(name, other, key=len)) == 1 and name[0] == other[0]
    return initial or sound(name) == sound(other) or same_first_name(name, other)
