"""Entities -> the tables in which a name is looked up: by all of it, by its words, by their sounds, by its beginning.

What leads to an entity depends on its spellings alone, so that tables in a file are updated one entity at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from retrieval.model import Entity, Kind
from retrieval.names.sounds import loose, sound
from retrieval.text.terms import fold

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
    words = frozenset(word for each in typed.values() for word in each)
    return LookupKeys(
        whole=frozenset({" ".join(each) for each in typed.values()} | _initials(entity)),
        words=words,
        sounds=frozenset(map(sound_key, words)),
        begun=frozenset((" ".join(each), spelling) for spelling, each in typed.items()),
        within=frozenset(
            (" ".join(each[i:]), spelling) for spelling, each in typed.items() for i in range(1, len(each))
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


def _initials(entity: Entity) -> set[str]:
    """Return the short form of a body of three words or more."""
    capital = [word[0] for word in re.split(r"[ -]", entity.name) if word[:1].isupper()]
    return {fold("".join(capital))} if entity.kind is Kind.ORG and len(capital) >= _FEWEST_INITIALS else set()
