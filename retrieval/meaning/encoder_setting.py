"""A setting -> the encoder it names, tried; or the reason in words why words alone are left."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np

from retrieval.cache.digest_store import DigestStore
from retrieval.errors import NoEncoderError
from retrieval.meaning.cross_encoder import CrossEncoder
from retrieval.meaning.e5 import E5, e5_name, try_e5
from retrieval.meaning.encoder import Cosines, Encoder
from retrieval.meaning.similarity import DIGEST, Similarity
from retrieval.search import Window

log = logging.getLogger(__name__)

WORDS_ALONE = ("none", "words")
RUNS = b"runs"  # stored after a successful trial


def open_encoder(setting: str = "", store: DigestStore | None = None) -> Encoder:
    """Return the encoder that ``STET_ENCODER`` names, tried on a word; ``NoEncoderError`` says why there is none.

    "" is the one that comes with the extra "meaning", "none" or "words" none.
    That it was tried in a process of its own is noted in ``store``.
    """
    if setting in WORDS_ALONE:
        raise NoEncoderError(f"STET_ENCODER is {setting}")
    if fault := misnamed(setting):
        raise NoEncoderError(fault)
    _try_once(store)
    return _tried(E5())


def misnamed(setting: str) -> str:
    """Return what is wrong with a setting; "" where nothing is."""
    known = ("", *WORDS_ALONE)
    return "" if setting in known else f"STET_ENCODER is {setting!r}; it can be empty, {' or '.join(WORDS_ALONE)}"


def _try_once(store: DigestStore | None) -> None:
    """Try the encoder apart from this process, unless it ran on such a machine before."""
    digest = blake2b(f"trial {e5_name()}".encode(), digest_size=DIGEST).digest()
    if not store or digest not in store.get([digest]):
        try_e5()
        if store:
            store.put({digest: RUNS})


def _tried(encoder: Encoder) -> Encoder:
    try:
        vectors = encoder.sentences(["word"])
        sound = vectors.shape == (1, *encoder.question("word").shape) and np.isfinite(vectors).all() and vectors.any()
    except Exception as error:
        raise NoEncoderError(f"{encoder.name} cannot encode a word: {error}") from error
    if not sound:
        raise NoEncoderError(f"{encoder.name} makes no vectors of words")
    return encoder


class MeaningOnDemand:
    """The encoder of a setting, opened when meanings are first compared; where there is none, words alone are left."""

    def __init__(self, setting: str = "", store: DigestStore | None = None) -> None:
        self._setting = setting
        self._store = store
        self._lock = threading.Lock()
        fault = misnamed(setting)
        if fault:  # at once, whether or not meanings come to be compared
            log.warning("answering by words alone: %s", fault)
        self._opened = bool(fault)
        self._similarity: Similarity | None = None
        self._tried_reader = bool(fault)
        self._reader: CrossEncoder | None = None

    def similarities(self, question: str, sentences: Sequence[str]) -> Cosines | None:
        """Return the cosine of each sentence with the question, shape (sentences,); None without an encoder."""
        similarity = self._open()
        try:
            return similarity.similarities(question, sentences) if similarity else None
        except Exception:  # an encoder is somebody else's, and words can still answer
            log.exception("meanings could not be compared")
            return None

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        """Return for each window's sentences the log-odds that they answer; None without a reader."""
        reader = self._reading()
        try:
            return reader.scores(question, windows) if reader else None
        except Exception:  # as above
            log.exception("nothing could be read with the question")
            return None

    def fill(self, sentences: Iterable[str], stop: threading.Event) -> int:
        """Encode and keep sentences while nobody asks, until ``stop``; return how many were."""
        similarity = self._open()
        return similarity.fill(sentences, stop) if similarity else 0

    def forget(self, sentences: Iterable[str]) -> None:
        similarity = self._open()
        if similarity:
            similarity.forget(sentences)

    def lookups(self) -> dict[str, int]:
        """Return how many vectors of sentences were wanted, by where they came from; nothing before the first was."""
        return self._similarity.lookups() if self._similarity else {}

    def _reading(self) -> CrossEncoder | None:
        with self._lock:
            if not self._tried_reader:
                self._tried_reader = True
                try:
                    self._reader = CrossEncoder()
                except NoEncoderError as error:
                    log.warning("answering without the reader: %s", error)
            return self._reader

    def _open(self) -> Similarity | None:
        with self._lock:
            if not self._opened:
                self._opened = True
                try:
                    self._similarity = Similarity(open_encoder(self._setting, self._store), self._store)
                except NoEncoderError as error:
                    # logged if a certain encoder was named; otherwise `stet check` reports it
                    level = logging.WARNING if self._setting not in ("", *WORDS_ALONE) else logging.INFO
                    log.log(level, "answering by words alone: %s", error)
            return self._similarity
