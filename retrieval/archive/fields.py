"""Readings -> the fields of the index: what each sentence, paragraph and article is searched by.

A sentence often does not name whom it is about: the speaker stands in the one before, a pronoun takes the name's
place, or the name is spelt in another way than the asker spells it. So the names around it are among its terms, and
its paragraph (under the title) and its article are fields of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from retrieval.model import Entity, Kind, Passage, Reading, Voice
from retrieval.search import Searchable
from retrieval.text.terms import term, terms, words

# A sentence that begins so is about someone named before it.
_PRONOUN = re.compile(r"\W*(?:he|she|his|her|they|their)\b", re.IGNORECASE)

# "the besieged port city", "the company": what was named last of its kind is meant.
_DEFINITE = (
    (
        Kind.PLACE,
        re.compile(r"\b[Tt]he (?:[a-z]+ ){0,4}(?:city|town|village|country|region|capital|island|state|area)\b"),
    ),
    (
        Kind.ORG,
        re.compile(
            r"\b[Tt]he (?:[a-z]+ ){0,3}(?:company|firm|agency|ministry|group|party|club|bank|university|museum)\b"
        ),
    ),
)

# Names -> the terms of everything they are called.
Called = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Fields:
    """The terms of every sentence, by article id, and how often each folded word occurs."""

    sentences: dict[str, tuple[Searchable, ...]]
    words: Counter[str]


@dataclass(frozen=True, slots=True)
class Own:
    """The terms that stand in each sentence of an article, and its folded words, each as often as it occurs."""

    sentences: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]


def fields(readings: Iterable[Reading], entities: Iterable[Entity]) -> Fields:
    """Return the terms of every sentence of ``readings``."""
    counts: Counter[str] = Counter()
    spelt = {entity.name: _spelt(entity) for entity in entities}
    return Fields({reading.article.id: _of_article(reading, spelt, counts) for reading in readings}, counts)


def own(reading: Reading) -> Own:
    """Return the terms of each sentence of ``reading`` that stand in it, and its folded words."""
    text = reading.article.text
    spoken = [words(passage.sentence.span.of(text)) for passage in reading.passages]
    return Own(tuple([tuple(filter(None, map(term, each))) for each in spoken]), tuple(chain.from_iterable(spoken)))


def searchable(reading: Reading, entities: Mapping[str, Entity]) -> tuple[Searchable, ...]:
    """Return the terms of every sentence of one article; ``entities`` are by name."""
    return fields_of(reading, entities).sentences[reading.article.id]


def fields_of(reading: Reading, entities: Mapping[str, Entity]) -> Fields:
    """Return the same, and how often each folded word occurs; only those entities count that it names."""
    named = {mention.name for passage in reading.passages for mention in passage.mentions}
    return fields([reading], [entities[name] for name in named if name in entities])


def _spelt(entity: Entity) -> tuple[str, ...]:
    return _distinct(t for spelling in (entity.name, *entity.variants) for t in _terms_of(spelling))


@lru_cache(maxsize=1 << 15)
def _terms_of(spelling: str) -> tuple[str, ...]:
    """Return the terms of a name's spelling, which stands in many articles."""
    return terms(spelling)


def paragraphs(reading: Reading, sentences: Sequence[Searchable]) -> dict[int, tuple[str, ...]]:
    """Return the terms of each paragraph of an article by its number, those of the title first."""
    title = terms(reading.article.title or "")
    found: dict[int, list[str]] = {}
    for passage, sentence in zip(reading.passages, sentences, strict=True):
        found.setdefault(passage.sentence.paragraph, [*title]).extend(sentence.own)
    return {number: tuple(held) for number, held in found.items()}


def whole(reading: Reading, sentences: Sequence[Searchable]) -> tuple[str, ...]:
    """Return the terms of an article: its title's, and those of its sentences."""
    return (*terms(reading.article.title or ""), *(name for sentence in sentences for name in sentence.own))


def _distinct(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


def _of_article(reading: Reading, spelt: Called, counts: Counter[str]) -> tuple[Searchable, ...]:
    called = _called(reading, spelt)
    canonical = _canonical(reading)
    found: list[Searchable] = []
    last: dict[Kind, str] = {}
    standing = own(reading)
    counts.update(standing.words)
    for passage, there in zip(reading.passages, standing.sentences, strict=True):
        text = passage.sentence.span.of(reading.article.text)
        names = [*(mention.name for mention in passage.mentions), *_meant(text, passage, last)]
        speaker = _speaker(passage, called, canonical)
        known = {*there, *speaker}
        around = _distinct(t for name in names for t in called.get(name, ()) if t not in known)
        found.append(Searchable(there, around, tuple(t for t in speaker if t not in there)))
        # of the people in a sentence the first goes on, as its subject; of places and bodies the last
        last |= {m.kind: m.name for m in passage.mentions}
        last |= {m.kind: m.name for m in reversed(passage.mentions) if m.kind is Kind.PERSON}
        if passage.speaker and passage.voice is Voice.NAMED:
            last.setdefault(Kind.PERSON, canonical.get(passage.speaker, passage.speaker))
    return tuple(found)


def _meant(text: str, passage: Passage, last: dict[Kind, str]) -> tuple[str, ...]:
    """Return whom and what a sentence means that it does not name, from what was named ``last`` before it."""
    kinds = {mention.kind for mention in passage.mentions}
    found = [last[kind] for kind, pattern in _DEFINITE if kind in last and kind not in kinds and pattern.search(text)]
    if Kind.PERSON in last and Kind.PERSON not in kinds and _PRONOUN.match(text):
        found.append(last[Kind.PERSON])
    return tuple(found)


def _canonical(reading: Reading) -> dict[str, str]:
    """Return the canonical name of each name as it is spelt in the article."""
    text = reading.article.text
    return {" ".join(m.span.of(text).split()): m.name for p in reading.passages for m in p.mentions}


def _called(reading: Reading, spelt: Called) -> Called:
    """Return what each name of the article is called: its spellings, and the roles it is given there."""
    found: dict[str, dict[str, None]] = {}
    for mention in (m for p in reading.passages for m in p.mentions):
        known = found.setdefault(mention.name, dict.fromkeys(spelt.get(mention.name, ())))
        if mention.role:
            known |= dict.fromkeys(terms(mention.role.of(reading.article.text)))
    return {name: tuple(known) for name, known in found.items()}


def _speaker(passage: Passage, called: Called, canonical: dict[str, str]) -> tuple[str, ...]:
    if not passage.speaker:
        return ()
    name = canonical.get(passage.speaker, passage.speaker)
    return _distinct((*called.get(name, ()), *terms(passage.speaker)))
