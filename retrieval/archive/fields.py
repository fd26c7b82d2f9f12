"""Readings -> the fields of the index: what each sentence, paragraph and article is searched by.

A sentence often does not name whom it is about: the speaker is in the one before, a pronoun takes the name's
place, or the name is spelt in another way than the asker spells it. So the names around it are among its terms, and
its paragraph (under the title) and its article are fields of their own.

Articles are also found by facets: who speaks in them, what describes people, caveats and denials.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from retrieval.model import Entity, Kind, Mention, Reading, Voice
from retrieval.names.entities import Name
from retrieval.search import Searchable
from retrieval.text.terms import fold, term, terms, words

CAVEAT, DENIAL = "caveat", "denial"  # facets

terms_of_name = lru_cache(maxsize=1 << 15)(terms)  # a spelling is in many articles

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
    called, named = _called(reading, entities), speaking(reading)
    found = []
    for passage, names, there in zip(reading.passages, _names_around(reading), own(reading).sentences, strict=True):
        says = passage.speaker
        speaker = (*called.get(_says(says, named), ()), *terms_of_name(says)) if says else ()
        known = {*there, *speaker}
        around = dict.fromkeys(t for name in names for t in called.get(name, ()) if t not in known)
        beside = dict.fromkeys(t for t in speaker if t not in there)
        found.append(Searchable(tuple(there), tuple(around), tuple(beside)))
    return tuple(found)


def names_of(*readings: Reading) -> set[Name]:
    """Return what is named in some articles, each with its kind."""
    return {(m.name, m.kind) for reading in readings for passage in reading.passages for m in passage.mentions}


def speaking(reading: Reading) -> Mapping[str, Mention]:
    """Return the mentions of an article by the words of each: a speaker whom the article names is among them."""
    text = reading.article.text
    return {" ".join(m.span.of(text).split()): m for passage in reading.passages for m in passage.mentions}


def _names_around(reading: Reading) -> Iterator[list[str]]:
    """Yield for each sentence whom and what it names, and whom and what it means that was named before it."""
    text, named = reading.article.text, speaking(reading)
    last: dict[Kind, str] = {}
    for passage in reading.passages:
        sentence, mentions = passage.sentence.span.of(text), passage.mentions
        before = last.keys() - {mention.kind for mention in mentions}
        refers = [last[kind] for kind, pattern in REFERRING if kind in before and pattern.search(sentence)]
        yield [*(mention.name for mention in mentions), *refers]
        # of the people in a sentence the first goes on, as its subject; of places and bodies the last
        last |= {mention.kind: mention.name for mention in mentions}
        last |= {mention.kind: mention.name for mention in reversed(mentions) if mention.kind is Kind.PERSON}
        if passage.speaker and passage.voice is Voice.NAMED:
            last.setdefault(Kind.PERSON, _says(passage.speaker, named))


def _called(reading: Reading, entities: Mapping[str, Entity]) -> Mapping[str, tuple[str, ...]]:
    """Return what each name of the article is called: its spellings, and its roles there."""
    text, found = reading.article.text, dict[str, dict[str, None]]()
    for mention in (mention for passage in reading.passages for mention in passage.mentions):
        if mention.name not in found:
            entity = entities.get(mention.name)
            spellings = (entity.name, *entity.variants) if entity else ()
            found[mention.name] = dict.fromkeys(chain.from_iterable(map(terms_of_name, spellings)))
        if mention.role:
            found[mention.name] |= dict.fromkeys(terms(mention.role.of(text)))
    return {name: tuple(known) for name, known in found.items()}


def _says(speaker: str, named: Mapping[str, Mention]) -> str:
    return named[speaker].name if speaker in named else speaker


def said_by(speaker: str) -> str:
    """Return the facet of the articles in which ``speaker`` says something, however that is spelt in capitals."""
    return f"said by {fold(speaker)}"


def described_by(term: str) -> str:
    """Return the facet of the articles in which ``term`` describes a speaker, or the bearer of a name."""
    return f"told by {term}"


def facets(reading: Reading) -> frozenset[str]:
    text, passages = reading.article.text, reading.passages
    speakers = {passage.speaker for passage in passages if passage.speaker}
    roles = {mention.role.of(text) for passage in passages for mention in passage.mentions if mention.role}
    beside = {described_by(term) for phrase in speakers | roles for term in terms(phrase)}
    caveats = {CAVEAT for caveat in reading.caveats if caveat.by_outlet}
    denials = {DENIAL for passage in passages if passage.denial}
    return frozenset(beside | {said_by(speaker) for speaker in speakers} | caveats | denials)
