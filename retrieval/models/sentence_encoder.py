"""e5-small-v2 by onnxruntime: text -> a code of 384 numbers of 8 bits, near each other where texts mean the same.

What the model is and where it comes from: see ``encoder/README.md``. Its vectors lie close together, so their mean
is taken off each. Only codes are stored and compared. Their inner products are sums of whole numbers, exact in any
order, so a code that was just made and one that was stored give the same cosine to the bit.
"""

from collections.abc import Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from retrieval.models.cross_encoder import run
from retrieval.models.loading import CLS, SEP, open_model
from retrieval.search import Codes

DIMENSIONS = 384
TOKENS = 128  # of a text at most: what is longer is a list or a table, and costs time
CHARACTERS = 1_000  # the same, before tokens are cut
# Tokens at most of a window: of its title, the sentence before it, each sentence, and in all.
TITLE, BEFORE, SENTENCE, WINDOW = 32, 48, 96, 256
LARGEST = 127  # of a code's numbers: the whole range of a signed byte, the same to both sides

Vectors = NDArray[np.float32]


class SentenceEncoder:
    """The model, loaded; ``NoEncoderError`` where it cannot be. Safe to call from several threads.

    Each call runs in the caller's thread alone, so that filling an archive can give way to questions.
    """

    def __init__(self) -> None:
        self._tokenizer, self._session = open_model("encoder/encoder.onnx", threads=1)
        with files("retrieval.models").joinpath("encoder", "means.npy").open("rb") as file:
            self._means = np.load(file)  # of sentences alone, and in context

    def question(self, text: str) -> Codes:
        """Return the code of a question, shape (384,)."""
        code: Codes = self._code([self._vector("query", text)])[0]
        return code

    def passages(self, texts: Sequence[str]) -> Codes:
        """Return a code for each text by itself, shape (texts, 384).

        They go through one by one: beside others they would be padded, and 8 bits be scaled by the largest.
        """
        return self._code([self._vector("passage", text) for text in texts])

    def in_context(self, title: str, sentences: Sequence[str]) -> Codes:
        """Return a code for each sentence of an article, shape (sentences, 384): the mean over its tokens in a window.

        A window has the title, the sentence before it, and as many sentences as fit.
        """
        head = [CLS, *self._ids("passage:"), *self._ids(title)[:TITLE]]
        tokens = [self._ids(sentence)[:SENTENCE] for sentence in sentences]
        vectors: list[Vectors] = []
        while (first := len(vectors)) < len(tokens):
            window = head + (tokens[first - 1][-BEFORE:] if first else [])
            spans: list[slice] = []
            for sentence in tokens[first:]:
                if spans and len(window) + len(sentence) > WINDOW:
                    break
                spans.append(slice(len(window), len(window) + len(sentence)))
                window += sentence
            states = self._states([*window, SEP])
            vectors += [(states[span] if span.stop > span.start else states[:1]).mean(axis=0) for span in spans]
        return self._code(vectors, in_context=True)

    def _vector(self, kind: str, text: str) -> Vectors:
        mean: Vectors = self._states([CLS, *self._ids(f"{kind}: {text}")[:TOKENS], SEP]).mean(axis=0)
        return mean

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(encodable(text), add_special_tokens=False).ids)

    def _states(self, ids: Sequence[int]) -> Vectors:
        return run(self._session, "last_hidden_state", ids, [0] * len(ids))

    def _code(self, vectors: Sequence[Vectors], *, in_context: bool = False) -> Codes:
        table = np.array(vectors, np.float64).reshape(-1, DIMENSIONS)
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        directions = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 0)
        return encoded(directions - self._means[int(in_context)])


def encodable(text: str) -> str:
    """Return ``text`` as an encoder can take it: of bounded length, every character whole, white space collapsed."""
    whole = text.replace("\0", " ").encode("utf-8", "replace").decode()  # half a character cannot be encoded
    return " ".join(whole.split())[:CHARACTERS].rstrip()


def encoded(vectors: Vectors) -> Codes:
    """Return the code of each vector, shape (vectors, dimensions): whole numbers, the largest of each ±127.

    A vector of nothing, or one that a broken model makes (not a number, endless), is all zeros: like nothing else.
    """
    exact = np.asarray(vectors, dtype=np.float64)
    exact = np.where(np.isfinite(exact).all(axis=1, keepdims=True), exact, 0.0)
    largest = np.abs(exact).max(axis=1, keepdims=True, initial=0.0)
    return np.rint(exact * LARGEST / np.where(largest > 0, largest, 1.0)).astype(np.int8)
