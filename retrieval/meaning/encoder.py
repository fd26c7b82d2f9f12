"""What an encoder is, and what it is given."""

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


def encodable(text: str) -> str:
    """Return ``text`` as an encoder can take it: of bounded length, every character whole, white space collapsed."""
    # a NUL ends a C string, and half a character cannot be encoded
    whole = text.replace("\0", " ").encode("utf-8", "replace").decode()
    return " ".join(whole.split())[:LONGEST].rstrip()
