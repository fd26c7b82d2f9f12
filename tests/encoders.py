"""An encoder and a reader without a model; and the real ones, which encode each text once in a run of the tests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from retrieval.models.on_demand import MeaningOnDemand
from retrieval.search import Codes, Window

DIMENSIONS = 384


class Fixed:
    """Cosines that are given: .6 for texts with its words, .1 for others. It reads those as having ``odds``.

    A ``broken`` one encodes nothing, a ``blind`` one reads nothing.
    """

    def __init__(self, words: str, odds: float = -5.0, *, broken: bool = False, blind: bool = False) -> None:
        self._words, self._odds, self._broken, self._blind = words, odds, broken, blind
        self.asked: list[str] = []
        self.encoded: list[str] = []

    def question(self, text: str) -> Codes | None:
        assert text
        return None if self._broken else code(1.0)

    def passages(self, texts: Sequence[str]) -> Codes | None:
        self.encoded += texts
        found = [code(0.6 if self._words in text else 0.1) for text in texts]
        return None if self._broken else np.array(found, np.int8).reshape(-1, DIMENSIONS)

    def in_context(self, title: str, sentences: Sequence[str]) -> Codes | None:
        del title
        return self.passages(sentences)

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        self.asked.append(question)
        odds = [tuple(self._odds if self._words in text else -5.0 for text in each.sentences) for each in windows]
        return None if self._blind else odds


def code(cosine: float) -> Codes:
    found = np.zeros(DIMENSIONS, np.int8)
    found[:2] = np.rint(127 * np.array([cosine, np.sqrt(1 - cosine**2)]))
    return found


class Remembering(MeaningOnDemand):
    def __init__(self) -> None:
        super().__init__()
        self._codes: dict[str, Codes] = {}
        self._contexts, self._odds = cache(super().in_context), cache(super().read)

    def passages(self, texts: Sequence[str]) -> Codes | None:
        new = [text for text in dict.fromkeys(texts) if text not in self._codes]
        made = super().passages(new)
        if made is not None:
            self._codes.update(zip(new, made, strict=True))
        return np.stack([self._codes[text] for text in texts]) if texts else made

    def in_context(self, title: str, sentences: Sequence[str]) -> Codes | None:
        return self._contexts(title, tuple(sentences))

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        return self._odds(question, tuple(windows))
