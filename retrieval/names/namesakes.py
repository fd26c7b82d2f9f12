"""Two ways of naming a person -> whether they may name one: fuller or shorter, by initials, by a nickname."""

from __future__ import annotations

from retrieval.names.entity_resolution import SUFFIXES
from retrieval.names.gazetteer import same_first_name
from retrieval.names.name_index import untitled
from retrieval.names.name_tables import plain
from retrieval.names.sounds import sound


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
