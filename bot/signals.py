"""A hit -> its signals: how far the question's words, names and kind of answer are met by it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from bot.answers import View, holds
from bot.choice import Candidate
from retrieval.model import Answering, Archive, Hit, Query, Searchable
from retrieval.terms import term, terms, words

# How well a word of the question is met by where it stands: in the sentence itself it counts whole.
SPEAKER = 0.95
AROUND = 0.9
BEFORE = 0.35
AFTER = 0.2
ARTICLE = 0.3

# What each signal adds to the score at most.
WEIGHTS = {
    "own": 1.0,
    "context": 0.5,
    "bm25": 0.15,
    "pairs": 0.15,
    "kind": 0.12,
    "speaker": 0.25,
    "near": 0.15,
    "caveat": 0.3,
    "dense": 0.05,
}
# Longer sentences are never shown, and need not be read to their end.
LONGEST = 1200


@dataclass(frozen=True, slots=True)
class Concept:
    """One word of the question: what it weighs, and the terms that meet it with how well each does (0 to 1)."""

    asked: str
    weight: float
    terms: tuple[tuple[str, float], ...]

    def met(self, held: Iterable[str]) -> float:
        """Return how well any of the terms ``held`` meets it."""
        return max((how for name, how in self.terms if name in held), default=0.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query made ready to be held against sentences; ``missing`` are the asker's words that occur nowhere."""

    query: Query
    concepts: tuple[Concept, ...]
    total: float
    speakers: tuple[Concept, ...]
    counted: frozenset[str]
    every: frozenset[str]
    missing: tuple[str, ...]
    best: float

    @classmethod
    def of(cls, query: Query, hits: tuple[Hit, ...], archive: Archive) -> Asked:
        """Weigh the words of ``query`` by how rare they are in ``archive``."""
        weights = dict(query.terms)
        concepts = tuple(_concept(word, names, weights, archive) for word, names in query.words)
        spoken = {term(word) for speaker in query.speakers for word in words(speaker)}
        return cls(
            query=query,
            concepts=concepts,
            total=sum(c.weight for c in concepts) or 1.0,
            speakers=tuple(c for c in concepts if spoken & {name for name, _ in c.terms}),
            counted=_counted(query, concepts),
            every=frozenset(name for c in concepts for name, _ in c.terms),
            missing=tuple(
                dict.fromkeys(c.asked for c in concepts if not any(archive.frequency(n) for n, _ in c.terms))
            ),
            best=max((hit.score for hit in hits), default=0.0) or 1.0,
        )


def _concept(word: str, names: tuple[str, ...], weights: dict[str, float], archive: Archive) -> Concept:
    own = weights[names[0]]
    size = archive.size()
    frequent = max(archive.frequency(name) * weights[name] / own for name in names)
    rarity = math.log(1 + (size - frequent + 0.5) / (frequent + 0.5))
    return Concept(word, own * rarity, tuple((name, min(1.0, weights[name] / own)) for name in names))


def _counted(query: Query, concepts: tuple[Concept, ...]) -> frozenset[str]:
    """Return the terms of what is counted: the first words after "how many"."""
    found = words(query.text)
    start = next((i + 2 for i in range(len(found) - 1) if found[i] == "how" and found[i + 1] in ("many", "few")), None)
    if start is None:
        return frozenset()
    after = found[start : start + 4]
    things = [c for c in concepts if c.asked in after and c.weight > 0]
    return frozenset(name for c in things for name, _ in c.terms)


def weigh(hit: Hit, asked: Asked, archive: Archive) -> Candidate:
    """Return ``hit`` with its signals."""
    sentences = archive.searchable(hit.article_id)
    index = hit.passage.sentence.index
    here = sentences[index]
    article = archive.article(hit.article_id)
    text = hit.passage.sentence.span.of(article.text)[:LONGEST]
    head = frozenset(terms(f"{article.source or ''} {article.title or ''}"))
    own = [_own(concept, here) for concept in asked.concepts]
    full = [max(o, _context(c, sentences, index, head)) for o, c in zip(own, asked.concepts, strict=True)]
    covered = sum(c.weight * f for c, f in zip(asked.concepts, full, strict=True)) / asked.total
    share = sum(c.weight * o for c, o in zip(asked.concepts, own, strict=True)) / asked.total
    view = View(text, hit.passage, here.own, asked.query.text, asked.counted, asked.every)
    values = {
        "own": share,
        "context": covered - share,
        "bm25": hit.score / asked.best,
        "pairs": _pairs(asked, here.own),
        "kind": _kind(asked.query.answering, view),
        "speaker": _speaker(asked, here),
        "near": _near(hit, asked.query),
        "caveat": _caveat(hit, asked.query),
        "dense": _dense(asked, here.own),
    }
    parts = tuple((name, WEIGHTS[name] * value) for name, value in values.items() if value)
    return Candidate(hit, sum(value for _, value in parts), covered, parts)


def _own(concept: Concept, here: Searchable) -> float:
    return max(concept.met(here.own), SPEAKER * concept.met(here.speaker), AROUND * concept.met(here.around))


def _context(concept: Concept, sentences: tuple[Searchable, ...], index: int, head: frozenset[str]) -> float:
    met = ARTICLE * concept.met(head)
    if index:
        met = max(met, BEFORE * concept.met((*sentences[index - 1].own, *sentences[index - 1].speaker)))
    if index + 1 < len(sentences):
        met = max(met, AFTER * concept.met(sentences[index + 1].own))
    return met


def _pairs(asked: Asked, own: tuple[str, ...], reach: int = 3) -> float:
    """Return the share of the question's neighbouring words that stand near each other in the sentence."""
    content = [c for c in asked.concepts if c.weight]
    places = [[i for i, name in enumerate(own) if any(name == n for n, _ in c.terms)] for c in content]
    pairs = list(pairwise(places))
    near = sum(any(abs(i - j) <= reach for i in left for j in right if i != j) for left, right in pairs)
    return near / len(pairs) if pairs else 0.0


def _kind(answering: tuple[Answering, ...], view: View) -> float:
    """Return how surely the kind asked for is there; the first kind counts whole, the others half."""
    first, *others = (holds(kind, view) for kind in answering)
    return first + sum(others) / 2


def _speaker(asked: Asked, here: Searchable) -> float:
    """Return 1 where the sentence is said by whom it should be, -0.5 where by somebody else."""
    if not asked.speakers:
        return 0.0
    total = sum(c.weight for c in asked.speakers) or 1.0
    said_by = sum(c.weight * c.met((*here.speaker, *here.own)) for c in asked.speakers) / total
    return said_by if here.speaker or said_by else -0.3


def _near(hit: Hit, query: Query) -> float:
    """Return how near the hit stands to what was answered before, 0 to 1."""
    index = hit.passage.sentence.index
    distances = [abs(index - place) for article_id, place in query.near if article_id == hit.article_id]
    if not distances:
        return 0.0
    nearest = min(distances)
    return 0.8 if nearest == 0 else max(0.3, 1.0 - 0.15 * (nearest - 1))


def _caveat(hit: Hit, query: Query) -> float:
    """Return whether a caveat answers, where one is asked for."""
    if query.answering[0] is not Answering.VERIFICATION:
        return -0.5 if hit.passage.is_caveat else 0.0
    return 1.0 if hit.passage.is_caveat else 0.5 if hit.passage.caveats else 0.0


def _dense(asked: Asked, own: tuple[str, ...]) -> float:
    return sum(name in asked.every for name in own) / len(own) if own else 0.0
