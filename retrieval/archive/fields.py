"""Readings -> the fields of the index: what each sentence, paragraph and article is searched by.

A sentence often does not name whom it is about: the speaker is in the one before, a pronoun takes the name's
place, or the name is spelt in another way than the asker spells it. So the names around it are among its terms, and
its paragraph (under the title) and its article are fields of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from retrieval.model import Attribution, Entity, Kind, Reading, Voice
from retrieval.search import Naming, Noted, Scoped, Searchable, Synopsis
from retrieval.text.terms import term, terms, words

# "the besieged port city", "the company": what was named last of its kind is meant; last, of a person, the pronoun.
REFERRING = (
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
    # a sentence that begins so is about someone named before it
    (Kind.PERSON, re.compile(r"\A\W*(?:he|she|his|her|they|their)\b", re.IGNORECASE)),
)

# Names -> the terms of everything they are called.
CanonicalNames = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Own:
    """The terms of an article's title and of each sentence, and its folded words, each as often as it occurs.

    ``places`` are the numbers of the sentences' paragraphs, from 0 on.
    """

    title: Sequence[str]
    sentences: Sequence[Sequence[str]]
    places: Sequence[int]
    words: Sequence[str] = ()

    def paragraphs(self) -> list[list[str]]:
        """Return the terms of each paragraph, those of the title first."""
        found = [[*self.title] for _ in range(max(self.places, default=-1) + 1)]
        for place, sentence in zip(self.places, self.sentences, strict=True):
            found[place].extend(sentence)
        return found

    def whole(self) -> list[str]:
        return [*self.title, *chain.from_iterable(self.sentences)]


def own(reading: Reading) -> Own:
    """Return what ``reading`` is searched by, but for the names around its sentences."""
    text, places = reading.article.text, dict[int, int]()
    spoken = [words(passage.sentence.span.of(text)) for passage in reading.passages]
    return Own(
        terms(reading.article.title or ""),
        [tuple(filter(None, map(term, each))) for each in spoken],
        [places.setdefault(passage.sentence.paragraph, len(places)) for passage in reading.passages],
        tuple(chain.from_iterable(spoken)),
    )


def searchable(reading: Reading, entities: Mapping[str, Entity]) -> tuple[Searchable, ...]:
    """Return what its sentences are searched by; ``entities`` are by name, and only those count that it names."""
    noted = synopsis(reading).sentences
    named = {name.name for each in noted for name in each.names}
    called = _called(noted, {name: _spelt(entities[name]) for name in named if name in entities})
    return tuple(
        _searchable(tuple(there), _speaker(each, called), [t for name in names for t in called.get(name, ())])
        for each, names, there in zip(noted, names_around(noted), own(reading).sentences, strict=True)
    )


def _spelt(entity: Entity) -> tuple[str, ...]:
    return _distinct(t for spelling in (entity.name, *entity.variants) for t in _terms_of(spelling))


@lru_cache(maxsize=1 << 15)
def _terms_of(spelling: str) -> tuple[str, ...]:
    """Return the terms of a name's spelling, which is in many articles."""
    return terms(spelling)


def _distinct(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


def _searchable(there: tuple[str, ...], speaker: tuple[str, ...], around: Iterable[str]) -> Searchable:
    known = {*there, *speaker}
    return Searchable(
        there, _distinct(t for t in around if t not in known), tuple(t for t in speaker if t not in there)
    )


def synopsis(reading: Reading) -> Synopsis:
    """Return what was read in an article, without its words."""
    text = reading.article.text
    named = {" ".join(m.span.of(text).split()): Naming(m.name, m.kind) for p in reading.passages for m in p.mentions}
    return Synopsis(
        reading.article.id,
        reading.article.digest,
        tuple(
            Noted(
                index,
                passage.sentence.span.start,
                passage.sentence.span.end,
                passage.sentence.boilerplate is not None,
                passage.speaker,
                named.get(passage.speaker) if passage.speaker else None,
                passage.voice is Voice.NAMED,
                _refers(passage.sentence.span.of(text)),
                tuple(Naming(m.name, m.kind, m.role.of(text) if m.role else "") for m in passage.mentions),
                *_manner(passage.attribution),
            )
            for index, passage in enumerate(reading.passages)
        ),
        tuple(Scoped(each.sentence, each.covers, each.possible) for each in reading.caveats if each.by_outlet),
        tuple(index for index, p in enumerate(reading.passages) if p.denial),
    )


def _manner(said: Attribution | None) -> tuple[str, str, bool]:
    return (said.voice, said.manner, getattr(said, "anonymity", None) is not None) if said else ("", "", False)


def _refers(text: str) -> tuple[int, ...]:
    return tuple(number for number, (_, pattern) in enumerate(REFERRING) if pattern.search(text))


def names_around(noted: Iterable[Noted]) -> Iterator[list[str]]:
    """Yield for each sentence whom and what it names, and whom and what it means that was named before it."""
    last: dict[Kind, str] = {}
    for each in noted:
        kinds = {name.kind for name in each.names}
        meant = (REFERRING[number][0] for number in each.refers)
        yield [*(name.name for name in each.names), *(last[kind] for kind in meant if kind in last.keys() - kinds)]
        # of the people in a sentence the first goes on, as its subject; of places and bodies the last
        last |= {name.kind: name.name for name in each.names}
        last |= {name.kind: name.name for name in reversed(each.names) if name.kind is Kind.PERSON}
        if each.speaker and each.aloud:
            last.setdefault(Kind.PERSON, _says(each))


def _called(noted: Iterable[Noted], spelt: CanonicalNames) -> CanonicalNames:
    """Return what each name of the article is called: its spellings, and its roles there."""
    found: dict[str, dict[str, None]] = {}
    for name in (name for each in noted for name in each.names):
        known = found.setdefault(name.name, dict.fromkeys(spelt.get(name.name, ())))
        if name.role:
            known |= dict.fromkeys(terms(name.role))
    return {name: tuple(known) for name, known in found.items()}


def _says(noted: Noted) -> str:
    return noted.named.name if noted.named else noted.speaker or ""


def _speaker(noted: Noted, called: CanonicalNames) -> tuple[str, ...]:
    return _distinct((*called.get(_says(noted), ()), *_terms_of(noted.speaker))) if noted.speaker else ()


def holding(noted: Sequence[Noted], term: str, bearers: Collection[str]) -> set[int]:
    """Return the sentences that have ``term`` for the names around it or its speaker's.

    ``bearers`` are the names of those who are called so over all articles.
    """
    named = {name.name for each in noted for name in each.names if name.name in bearers or term in _terms_of(name.role)}
    return {
        each.at
        for each, names in zip(noted, names_around(noted), strict=True)
        if not named.isdisjoint(names) or (each.speaker and (_says(each) in named or term in _terms_of(each.speaker)))
    }
