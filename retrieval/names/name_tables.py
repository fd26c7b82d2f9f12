"""Entities -> the tables in which a name is looked up: by all of it, by its words, by their sounds, by its beginning.

What leads to an entity depends on its spellings alone, so that tables kept in a file take in one entity at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from retrieval.model import Entity, Kind
from retrieval.names.sounds import loose, sound
from retrieval.text.terms import fold

_FEWEST_INITIALS = 3
LAST = "\U0010ffff"


class NameTables(Protocol):
    """Where a register looks names up; entities have numbers."""

    def entity(self, number: int) -> Entity:
        """Return an entity."""

    def names(self) -> Mapping[int, str]:
        """Return what each entity is called, folded, in alphabetical order."""

    def whole(self, spelling: str) -> AbstractSet[int]:
        """Return the entities of which ``spelling`` is the whole name, or its initials."""

    def having(self, word: str) -> AbstractSet[int]:
        """Return the entities with ``word`` in a spelling."""

    def sounding(self, heard: str) -> AbstractSet[int]:
        """Return the entities with a word that sounds so."""

    def words(self, length: int) -> Iterable[str]:
        """Return all words of this length, in alphabetical order."""

    def beginning(self, begun: str, *, within: bool) -> Iterator[str]:
        """Yield the spellings that begin so in the order of the alphabet; ``within``, those with a later word so."""


@dataclass(frozen=True, slots=True)
class LookupKeys:
    """What leads to one entity; ``begun`` and ``within`` are what is typed with the spelling that it begins."""

    whole: frozenset[str]
    words: frozenset[str]
    sounds: frozenset[str]
    begun: frozenset[tuple[str, str]]
    within: frozenset[tuple[str, str]]


def lookup_keys(entity: Entity) -> LookupKeys:
    """Return what leads to an entity by its spellings."""
    spelt = (entity.name, *entity.variants)
    spellings = {plain(name) for name in spelt}
    words = frozenset(word for spelling in spellings for word in spelling.split())
    each = [(spelling, plain(spelling).split()) for spelling in spelt]
    return LookupKeys(
        whole=frozenset(spellings | _initials(entity)),
        words=words,
        sounds=frozenset(heard(word) for word in words),
        begun=frozenset((" ".join(typed), spelling) for spelling, typed in each),
        within=frozenset((" ".join(typed[i:]), spelling) for spelling, typed in each for i in range(1, len(typed))),
    )


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """Return ``text`` as names are compared: small letters, no diacritics, marks or possessives."""
    for mark in ("’s ", "'s "):
        text = (text + " ").replace(mark, " ")
    return " ".join("".join(ch if ch.isalnum() else " " if ch not in "'’." else "" for ch in fold(text)).split())


def heard(word: str) -> str:
    """Return the key of a word as it is heard."""
    return loose(word) if word.isalpha() else sound(word)


def _initials(entity: Entity) -> set[str]:
    """Return what a body of three words or more is called for short."""
    capital = [word[0] for word in re.split(r"[ -]", entity.name) if word[:1].isupper()]
    return {fold("".join(capital))} if entity.kind is Kind.ORG and len(capital) >= _FEWEST_INITIALS else set()
