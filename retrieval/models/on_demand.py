"""Encoder and reader, loaded when they are first needed; without them, words alone are compared."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from retrieval.errors import NoEncoderError
from retrieval.models.cross_encoder import CrossEncoder
from retrieval.models.sentence_encoder import SentenceEncoder
from retrieval.search import Codes, Window

T = TypeVar("T")

log = logging.getLogger(__name__)

WORDS_ALONE = "none"  # the value of STET_ENCODER


class MeaningOnDemand:
    """Encoder and reader; every method returns None where they cannot be loaded, and where they fail."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: tuple[SentenceEncoder, CrossEncoder] | None = None
        self._fault = ""

    def __reduce__(self) -> tuple[object, ...]:
        return MeaningOnDemand, ()  # another process loads its own

    def question(self, text: str) -> Codes | None:
        return self._with(lambda encoder, _: encoder.question(text))

    def passages(self, texts: Sequence[str]) -> Codes | None:
        return self._with(lambda encoder, _: encoder.passages(texts))

    def in_context(self, title: str, sentences: Sequence[str]) -> Codes | None:
        return self._with(lambda encoder, _: encoder.in_context(title, sentences))

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        return self._with(lambda _, reader: reader.scores(question, windows))

    def fault(self) -> str:
        """Say why the models cannot be loaded; "" where they can."""
        self._open()
        return self._fault

    def _with(self, use: Callable[[SentenceEncoder, CrossEncoder], T]) -> T | None:
        models = self._open()
        try:
            return use(*models) if models else None
        except Exception:  # whatever fails in a library, words can still answer
            log.exception("meanings could not be compared")
            return None

    def _open(self) -> tuple[SentenceEncoder, CrossEncoder] | None:
        with self._lock:
            if not (self._models or self._fault):
                try:
                    self._models = SentenceEncoder(), CrossEncoder()
                except NoEncoderError as error:
                    self._fault = str(error)
                    log.warning("answering by words alone: %s", error)
            return self._models
