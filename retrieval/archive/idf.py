"""What a term is worth by BM25, and the two parameters of it; without an index, so that nothing is loaded for it."""

from __future__ import annotations

import math

# Measured on public questions over sentences: short documents repeat themselves seldom.
K1 = 0.3
B = 0.5


def idf(size: int, frequency: float) -> float:
    """Return how much a term tells that stands in ``frequency`` of ``size`` documents, as Lucene counts it.

    Never negative: Okapi's own form takes points off for a word that half of a small archive has.
    """
    return math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
