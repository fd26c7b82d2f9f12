"""Vectors to codes of 8 bits a number, and the cosines of codes.

A code is all that is ever compared, so that a vector just made and one that was kept give the same cosine to the bit:
the inner products are sums of whole numbers, exact in any order, and one root and one division follow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.meaning.encoder import Vectors

Cosines = NDArray[np.float64]

LARGEST = 127  # of a code's numbers: the whole range of a signed byte, the same to both sides


def encoded(vectors: Vectors) -> tuple[bytes, ...]:
    """Return the code of each vector, shape (vectors, dimensions): a byte a number, the largest of it ±127.

    A vector of nothing, or one that a broken model makes (not a number, endless), is all zeros: like nothing else.
    """
    exact = np.asarray(vectors, dtype=np.float64)
    exact = np.where(np.isfinite(exact).all(axis=1, keepdims=True), exact, 0.0)
    largest = np.abs(exact).max(axis=1, keepdims=True, initial=0.0)
    scaled = exact * LARGEST / np.where(largest > 0, largest, 1.0)
    return tuple(row.tobytes() for row in np.rint(scaled).astype(np.int8))


def cosines(question: bytes, sentences: Sequence[bytes]) -> Cosines:
    """Return the cosine of a question's code with each of the sentences', shape (sentences,); 0 beside all zeros."""
    # a float64 holds whole numbers below 2 ** 53 exactly, and so whatever order they are added in
    asked = _numbers(question)
    table = _numbers(b"".join(sentences)).reshape(len(sentences), len(asked))
    lengths = np.einsum("ij,ij->i", table, table) * (asked @ asked)
    found: Cosines = np.divide(table @ asked, np.sqrt(lengths), out=np.zeros(len(table)), where=lengths > 0)
    return found


def _numbers(code: bytes) -> NDArray[np.float64]:
    return np.frombuffer(code, dtype=np.int8).astype(np.float64)
