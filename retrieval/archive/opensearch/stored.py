"""An article's document -> its readings, and what a question's words are worth in each of its sentences."""

from __future__ import annotations

import json
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.archive import vectors
from retrieval.archive.fields import Own
from retrieval.archive.layout import Totals
from retrieval.archive.opensearch.documents import REPORT, unpack
from retrieval.archive.opensearch.index import Body
from retrieval.archive.versions import Version
from retrieval.errors import DamagedArticleError
from retrieval.limits import shown
from retrieval.model import Reading
from retrieval.search import ARTICLE, K1, PARAGRAPH, B, Codes, Query, idf

SHOWN = ("id", "digest", "source", "history", "current", "own", "codes")


class Statistics(NamedTuple):
    """Of sentences, paragraphs and articles: how many there are and how long, and how many have each term."""

    totals: Sequence[Totals]
    frequencies: Sequence[Mapping[str, int]]


class Score(NamedTuple):
    total: float
    sentence: float
    paragraph: float
    article: float


Counts = Sequence[Counter[str]]


class StoredArticle:
    """The current version of an article as a document has it; what is made of it is made once."""

    def __init__(self, source: Body) -> None:
        self.id, self.digest, self.source = str(source["id"]), str(source["digest"]), source.get("source")
        self._source = source

    @cached_property
    def reading(self) -> Reading:
        """What was read in it, with names as the article itself has them."""
        text, metadata, code = unpack(self._source["current"])
        return reading_of(self.id, self.digest, text, metadata, code)

    @cached_property
    def history(self) -> list[Body]:
        return list(json.loads(self._source["history"]))

    @cached_property
    def _levels(self) -> tuple[Counts, Counts, Counts, list[str], Sequence[int]]:
        """The terms of its sentences, paragraphs and of itself; each sentence's kind and the place of its paragraph."""
        title, rows = unpack(self._source["own"])
        own = Own(title, [terms.split() for terms, *_ in rows], [place for *_, place in rows])
        sentences, paragraphs = list(map(Counter, own.sentences)), list(map(Counter, own.paragraphs()))
        return sentences, paragraphs, [Counter(own.whole())], [kind for _, kind, _ in rows], own.places

    @property
    def sentences(self) -> Counts:
        return self._levels[0]

    @cached_property
    def _vectors(self) -> tuple[list[int], Codes]:
        code = b64decode(self._source["codes"])
        size = len(code) // (vectors.INDEXES.itemsize + 2 * vectors.DIMENSIONS) * vectors.INDEXES.itemsize
        return vectors.unpacked(code[:size], code[size:])

    @cached_property
    def _summed(self) -> tuple[Codes, NDArray[np.float32]]:
        return vectors.summed(self._vectors[1])

    def scores(self, query: Query, statistics: Statistics) -> Iterator[tuple[int, Score]]:
        """Yield what each sentence that the query may find is worth to it, with its index."""
        *levels, kinds, places = self._levels
        worth = [
            [_score(query, each, *of_level) for each in level]
            for level, of_level in zip(levels, zip(*statistics, strict=True), strict=True)
        ]
        for index, (kind, place) in enumerate(zip(kinds, places, strict=True)):
            if kind == REPORT or kind in query.boilerplate:
                own, paragraph, article = worth[0][index], worth[1][place], worth[2][0]
                yield index, Score(own + PARAGRAPH * paragraph + ARTICLE * article, own, paragraph, article)

    def nearness(self, question: Codes) -> Iterator[tuple[int, float]]:
        table, scales = self._summed
        scores: NDArray[np.float32] = (table.astype(np.float32) @ question.astype(np.float32)) * scales
        yield from zip(self._vectors[0], scores.tolist(), strict=True)

    def cosines(self, question: Codes) -> dict[int, tuple[float, float]]:
        indexes, codes = self._vectors
        alone, in_context = (vectors.compared(question, each) for each in codes)
        return dict(zip(indexes, zip(alone, in_context, strict=True), strict=True))


def reading_of(article_id: str, digest: str, text: str, metadata: str, code: str) -> Reading:
    """Return what was read in a version; ``DamagedArticleError`` where the cluster's disk has changed it."""
    version = Version(article_id, text, metadata, digest, 0.0, code.encode())
    if not version.is_whole:
        raise DamagedArticleError(f"{shown(article_id)} is damaged in the cluster: `stet fill` it into another index.")
    return version.reading


def _score(query: Query, counts: Counter[str], totals: Totals, frequencies: Mapping[str, int]) -> float:
    """Return BM25 as the archive in a file computes it: the same operations in the same order."""
    norm = K1 * (1 - B + B * float(counts.total()) / (totals.average or 1))
    score = 0.0
    for term, weight in query.terms:
        if times := counts[term]:
            score += idf(totals.documents, frequencies[term]) * (times * (K1 + 1) / (times + norm)) * weight
    return score
