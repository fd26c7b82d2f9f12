"""Readings -> the terms each sentence is searched by: its own, and the names around it.

A sentence often does not name whom it is about: the speaker stands in the one before, a pronoun takes the name's
place, or the name is spelt in another way than the asker spells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from retrieval.model import Entity, Kind, Passage, Reading, Searchable
from retrieval.terms import terms

# A sentence that begins so is about someone named before it.
_PRONOUN = re.compile(r"\W*(?:he|she|his|her|they|their)\b", re.IGNORECASE)

Spelt = dict[str, tuple[str, ...]]


def searchable(readings: Iterable[Reading], entities: Iterable[Entity]) -> dict[str, tuple[Searchable, ...]]:
    """Return the terms of every sentence, by article id."""
    spelt = {e.name: tuple(dict.fromkeys(t for v in (e.name, *e.variants) for t in terms(v))) for e in entities}
    return {reading.article.id: _of_article(reading, spelt) for reading in readings}


def _of_article(reading: Reading, spelt: Spelt) -> tuple[Searchable, ...]:
    found: list[Searchable] = []
    person: str | None = None
    for passage in reading.passages:
        text = passage.sentence.span.of(reading.article.text)
        names = [mention.name for mention in passage.mentions]
        named = next((m.name for m in passage.mentions if m.kind is Kind.PERSON), None)
        if named is None and person is not None and _PRONOUN.match(text):
            names.append(person)
        own = terms(text)
        found.append(Searchable(own, _around(own, names, passage, spelt)))
        person = named or passage.speaker or person
    return tuple(found)


def _around(own: tuple[str, ...], names: list[str], passage: Passage, spelt: Spelt) -> tuple[str, ...]:
    every = dict.fromkeys(term for name in names for term in spelt.get(name, ()))
    if passage.speaker:
        every |= dict.fromkeys(spelt.get(passage.speaker) or terms(passage.speaker))
    return tuple(term for term in every if term not in own)
