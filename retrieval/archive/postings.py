"""Documents as lists of terms -> BM25 scores, precomputed.

rank-bm25 counts the terms and supplies the formula; what it would work out anew for every document and every question
is worked out once here and kept as postings in three arrays.
The scores are those of its own ``get_scores``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval.archive.idf import K1, B, idf
from retrieval.cache.index_parts import Part

Scores = NDArray[np.float64]
Documents = NDArray[np.int32]


class _BM25(BM25Okapi):  # type: ignore[misc]  # rank-bm25 has no types
    """rank-bm25 with Lucene's idf, which every larger archive uses too."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {term: idf(self.corpus_size, held_by) for term, held_by in nd.items()}


@dataclass(frozen=True, slots=True)
class Postings:
    """An index that never changes.

    The postings of a term with number ``n = numbers[term]`` are at ``starts[n]`` to ``starts[n + 1]`` of
    ``documents`` (ascending) and of ``impacts``, the score that one occurrence of the term in a question adds.
    """

    size: int
    numbers: dict[str, int]
    starts: NDArray[np.int64]
    documents: Documents
    impacts: Scores

    def frequency(self, term: str) -> int:
        """Return how many documents hold ``term``."""
        number = self.numbers.get(term)
        return 0 if number is None else int(self.starts[number + 1] - self.starts[number])

    def of(self, term: str) -> tuple[Documents, Scores]:
        """Return the documents that hold ``term`` and its impact on each."""
        number = self.numbers.get(term)
        if number is None:
            return self.documents[:0], self.impacts[:0]
        place = slice(self.starts[number], self.starts[number + 1])
        return self.documents[place], self.impacts[place]

    def scores(self, terms: Sequence[tuple[str, float]]) -> Scores:
        """Return the score of every document: the sum of the impacts of weighted ``terms``; 0 where it has none."""
        scores = np.zeros(self.size)
        for term, weight in terms:
            documents, impacts = self.of(term)
            # a term stands once among a document's postings, so plain indexing loses nothing
            scores[documents] += impacts * weight
        return scores


def part(postings: Postings) -> Part:
    """Return postings as a part of an index."""
    return {
        "size": np.array([postings.size]),
        "terms": list(postings.numbers),  # in the order of their numbers
        "starts": postings.starts,
        "documents": postings.documents,
        "impacts": postings.impacts,
    }


def postings_of(found: Part) -> Postings:
    """Return the postings of a part; ``LookupError`` where it is none of postings."""
    return Postings(
        size=int(cast("NDArray[np.int64]", found["size"])[0]),
        numbers={str(term): number for number, term in enumerate(found["terms"])},
        starts=cast("NDArray[np.int64]", found["starts"]),
        documents=cast("Documents", found["documents"]),
        impacts=cast("Scores", found["impacts"]),
    )


def index(documents: Sequence[Sequence[str]], k1: float = K1, b: float = B) -> Postings:
    """Return the postings of ``documents``, each a list of terms; documents without terms are never found."""
    if not any(documents):
        # rank-bm25 divides by the number of documents, and by that of terms
        return _nothing(len(documents))
    bm25 = _BM25(documents, k1=k1, b=b)
    numbers = {term: number for number, term in enumerate(bm25.idf)}
    counts = np.fromiter((len(held) for held in bm25.doc_freqs), np.int64, bm25.corpus_size)
    total = int(counts.sum())
    held_by = np.repeat(np.arange(bm25.corpus_size, dtype=np.int32), counts)
    held = np.fromiter((numbers[term] for freqs in bm25.doc_freqs for term in freqs), np.int32, total)
    times = np.fromiter((n for freqs in bm25.doc_freqs for n in freqs.values()), np.float64, total)
    order = np.argsort(held, kind="stable")
    held_by, held, times = held_by[order], held[order], times[order]
    return Postings(
        size=bm25.corpus_size,
        numbers=numbers,
        starts=np.concatenate(([0], np.cumsum(np.bincount(held, minlength=len(numbers))))),
        documents=held_by,
        impacts=_impacts(bm25, held, held_by, times),
    )


def _impacts(bm25: BM25Okapi, held: NDArray[np.int32], held_by: Documents, times: Scores) -> Scores:
    """Return rank-bm25's formula for each posting, in the order of its own operations."""
    weights = np.fromiter(bm25.idf.values(), np.float64, len(bm25.idf))[held]
    lengths = np.array(bm25.doc_len)[held_by]
    norm = bm25.k1 * (1 - bm25.b + bm25.b * lengths / bm25.avgdl)
    impacts: Scores = weights * (times * (bm25.k1 + 1) / (times + norm))
    return impacts


def _nothing(size: int) -> Postings:
    return Postings(size, {}, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0))
