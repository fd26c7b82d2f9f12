"""A query made ready to be held against sentences: its words as concepts, each with what it weighs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile

from bot.shorthand import FRAME
from retrieval.archive.terms import STOPWORDS, term, words
from retrieval.names.gazetteer import is_word
from retrieval.search import Archive, Hit, Query

# What the asker's own words count for; those carried over from the question before count for less.
_WHOLE = 0.9

# "who is the mayor of Leeds", "name of the captain"; with no article, "who was hurt" asks for no role.
_WHO = re.compile(
    r"\b(?:who(?:['’]?s|\s(?:is|was|are|were))\s(?:the|their|his|her|its)|names?\sof\s(?:the|their|his|her|its))\s(?P<role>.+)"
    r"|\bwho(?:['’]?s|\s(?:is|was|are|were))\s(?P<whose>\w+)['’]?s['’]?\s(?P<held>.+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Concept:
    """One word of the question: what it weighs, and the terms that meet it with how well each does (0 to 1).

    Two are the same only where they are one and the same word, so that they are quick to look up.
    """

    asked: str
    weight: float
    terms: tuple[tuple[str, float], ...]

    def met(self, held: Mapping[str, float]) -> float:
        """Return how well it is met, 0 to 1, by terms ``held``, each with what it counts for where it stands."""
        return max([how * held[name] for name, how in self.terms if name in held], default=0.0)

    @property
    def names(self) -> frozenset[str]:
        """The terms without their weights."""
        return frozenset(name for name, _ in self.terms)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as it is held against sentences.

    ``speakers`` are the concepts of whose words are wanted, ``named`` those of names.
    ``content`` are the terms of each word in the question's order, ``counted`` those of what is counted, ``role`` those
    of what somebody asked for is ("who is the mayor of Leeds"), ``every`` all of them.
    ``missing`` are the asker's words that occur nowhere; ``unknown`` how many of them are no plain words either,
    so names of somebody or something the articles do not have.
    ``adds`` tells that a follow-up says something of its own, ``best`` is the best hit's score.
    """

    query: Query
    concepts: tuple[Concept, ...]
    speakers: tuple[Concept, ...]
    content: tuple[frozenset[str], ...]
    named: tuple[Concept, ...]
    counted: frozenset[str]
    role: frozenset[str]
    every: frozenset[str]
    missing: tuple[str, ...]
    unknown: int
    adds: bool
    best: float

    @classmethod
    def of(cls, query: Query, hits: tuple[Hit, ...], archive: Archive) -> Asked:
        """Weigh the words of ``query`` by how rare they are in ``archive``."""
        weights = dict(query.terms)
        concepts = tuple(_concept(word, names, weights, archive) for word, names in query.words)
        speakers = _among(concepts, query.speakers)
        missing = _missing(concepts, archive)
        return cls(
            query=query,
            concepts=concepts,
            speakers=speakers,
            content=tuple(c.names for c in concepts if c.weight),
            named=_among(concepts, query.names),
            counted=_counted(query, concepts),
            role=_role(query, concepts),
            every=frozenset(name for c in concepts for name, _ in c.terms),
            missing=missing,
            unknown=sum(_is_unknown(word) for word in missing),
            adds=sum(weights[names[0]] >= _WHOLE for _, names in query.words) > 0,
            best=max((hit.score for hit in hits), default=0.0) or 1.0,
        )


def _concept(word: str, names: tuple[str, ...], weights: dict[str, float], archive: Archive) -> Concept:
    own = weights[names[0]]
    size = archive.size()
    frequent = max(archive.frequency(name) * weights[name] / own for name in names)
    rarity = math.log(1 + (size - frequent + 0.5) / (frequent + 0.5))
    return Concept(word, own * rarity, tuple((name, min(1.0, weights[name] / own)) for name in names))


def _among(concepts: tuple[Concept, ...], names: tuple[str, ...]) -> tuple[Concept, ...]:
    wanted = {term(word) for name in names for word in words(name)}
    return tuple(c for c in concepts if wanted & {name for name, _ in c.terms})


def _missing(concepts: tuple[Concept, ...], archive: Archive) -> tuple[str, ...]:
    found = (c.asked for c in concepts if not any(archive.frequency(name) for name, _ in c.terms))
    return tuple(dict.fromkeys(word for word in found if word not in FRAME))


def _is_unknown(word: str) -> bool:
    return word.isalpha() and not is_word(word) and not is_word(word.removesuffix("s"))


def _counted(query: Query, concepts: tuple[Concept, ...]) -> frozenset[str]:
    """Return the terms of what is counted: the noun after "how many", its adjectives left out."""
    found = words(query.text)
    start = next((i + 2 for i in range(len(found) - 1) if found[i] == "how" and found[i + 1] in ("many", "few")), None)
    if start is None:
        return frozenset()
    phrase = tuple(takewhile(lambda word: word not in STOPWORDS, found[start:]))
    return frozenset(
        name for c in concepts if phrase and c.asked == phrase[-1] and c.asked not in FRAME for name, _ in c.terms
    )


def _role(query: Query, concepts: tuple[Concept, ...]) -> frozenset[str]:
    """Return the terms of what somebody asked for by it is: "accountant" of "who is their accountant in Leeds"."""
    match = _WHO.search(query.text)
    if match is None:
        return frozenset()
    phrase = list(takewhile(lambda word: word not in STOPWORDS, words(match["role"] or match["held"])))
    known = {word for name in query.names for word in words(name)}
    return frozenset(
        name for c in concepts if phrase and c.asked == phrase[-1] and phrase[-1] not in known for name in c.names
    )
