"""A hit -> its signals: how far the question's words, names and kind of answer are met by it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bot.choice import Candidate
from retrieval.model import Archive, Hit, Query

_AROUND = 0.9
_BEFORE = 0.35
_AFTER = 0.2


@dataclass(frozen=True, slots=True)
class Concept:
    """One word of the question: what it weighs, and the terms that meet it with how well each does (0 to 1)."""

    weight: float
    terms: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A query made ready to be held against sentences; ``missing`` are the asker's words that occur nowhere."""

    query: Query
    concepts: tuple[Concept, ...]
    total: float
    missing: tuple[str, ...]

    @classmethod
    def of(cls, query: Query, archive: Archive) -> Asked:
        """Weigh the words of ``query`` by how rare they are in ``archive``."""
        weights = dict(query.terms)
        concepts = tuple(_concept(names, weights, archive) for _, names in query.words)
        missing = tuple(
            dict.fromkeys(word for word, names in query.words if not any(archive.frequency(n) for n in names))
        )
        return cls(query, concepts, sum(c.weight for c in concepts) or 1.0, missing)


def _concept(names: tuple[str, ...], weights: dict[str, float], archive: Archive) -> Concept:
    own = weights[names[0]]
    size = archive.size()
    frequent = max(archive.frequency(name) * weights[name] / own for name in names)
    rarity = math.log(1 + (size - frequent + 0.5) / (frequent + 0.5))
    return Concept(own * rarity, tuple((name, min(1.0, weights[name] / own)) for name in names))


def weigh(hit: Hit, asked: Asked, archive: Archive) -> Candidate:
    """Return ``hit`` with its signals."""
    sentences = archive.searchable(hit.article_id)
    index = hit.passage.sentence.index
    fields = [(set(sentences[index].own), 1.0), (set(sentences[index].around), _AROUND)]
    if index:
        fields.append((set(sentences[index - 1].own), _BEFORE))
    if index + 1 < len(sentences):
        fields.append((set(sentences[index + 1].own), _AFTER))
    covered = (
        sum(
            concept.weight
            * max((how * field for name, how in concept.terms for held, field in fields if name in held), default=0.0)
            for concept in asked.concepts
        )
        / asked.total
    )
    parts = (("covered", covered), ("score", 0.01 * hit.score))
    return Candidate(hit, sum(value for _, value in parts), covered, parts)
