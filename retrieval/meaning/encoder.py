"""What an encoder is, and its input.

Vectors are stored as codes of 8 bits a number. A code is all that is ever compared, so that a vector just made and one
that was stored give the same cosine to the bit: the inner products are sums of whole numbers, exact in any order, and
one root and one division follow.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

LONGEST = 1000  # characters of a sentence that are encoded; a longer one is a list or a table, and costs time


class Encoder(Protocol):
    """Text to vectors of length 1, so that the inner product of two is their cosine.

    The same text gives the same vector to the bit, alone or among others; safe to call from several threads.
    """

    @property
    def name(self) -> str:
        """The name that the vectors are stored under: another model has another name."""

    def sentences(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each sentence, shape (sentences, dimensions)."""

    def question(self, text: str) -> Vectors:
        """Return the vector of a question, shape (dimensions,)."""


def encodable(text: str) -> str:
    """Return ``text`` as an encoder can take it: of bounded length, every character whole, white space collapsed."""
    # a NUL ends a C string, and half a character cannot be encoded
    whole = text.replace("\0", " ").encode("utf-8", "replace").decode()
    return " ".join(whole.split())[:LONGEST].rstrip()


CPU = Path("/proc/cpuinfo")
ABLE = ("flags", "Features")  # as x86 and ARM call what a processor is able to do


@cache
def computer() -> str:
    """Return the kind of processor, what it is able to do, and the library of mathematics, in few characters."""
    able = blake2b(_abilities().encode(), digest_size=4).hexdigest()
    return " ".join((platform.machine(), able, *platform.libc_ver()))


def _abilities() -> str:
    with suppress(OSError), CPU.open(encoding="utf-8", errors="replace") as lines:
        return next((line for line in lines if line.startswith(ABLE)), "")
    return platform.processor()


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
