"""The cross-encoder that comes with the program: question and window read together, a log-odds for each sentence.

What it is, what it learned from and how good it is: see ``reader/README.md``; ``training.reader`` makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.models.loading import CLS, DIGITS, MARK, SEP, open_model
from retrieval.search import Window

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer


QUESTION, HEAD, BEFORE, SENTENCE, ALL = 48, 32, 32, 96, 256  # tokens at most


class TokenIds(NamedTuple):
    """Tokens by number, which of the two texts each is of, and where the marks are, one a sentence."""

    ids: list[int]
    types: list[int]
    marks: list[int]


def tokens(tokenizer: Tokenizer, question: str, window: Window) -> TokenIds:
    """Return the tokens, cut where there are too many: of the sentence before, its end is used.

    ``[CLS] question [SEP] head [SEP] the sentence before [mark] sentence [mark] sentence … [SEP]``: the output at a
    mark is the sentence's score.
    """

    def ids(text: str) -> list[int]:
        whole = text.encode("utf-8", "replace").decode()  # half a character cannot be cut
        return list(tokenizer.encode(whole, add_special_tokens=False).ids)

    found = [CLS, *ids(question)[:QUESTION], SEP]
    asked = len(found)
    found += [*ids(window.head)[:HEAD], SEP, *ids(window.before)[-BEFORE:]]
    marks = []
    for sentence in window.sentences:
        marks.append(min(len(found), ALL - 1))
        found += [MARK, *ids(sentence)[:SENTENCE]]
    found = [*found[: ALL - 1], SEP]
    return TokenIds(found, [0] * asked + [1] * (len(found) - asked), marks)


def run(session: InferenceSession, output: str, ids: Sequence[int], types: Sequence[int]) -> NDArray[np.float32]:
    """Return what a model of this package makes of each of these tokens, by number; the reader takes no mask."""
    inputs = {"input_ids": [ids], "token_type_ids": [types], "attention_mask": [[1] * len(ids)]}
    given = {each.name: np.array(inputs[each.name]) for each in session.get_inputs()}
    found: NDArray[np.float32] = session.run([output], given)[0][0]
    return found


class CrossEncoder:
    """The model, loaded; ``NoEncoderError`` where it cannot be. Safe to call from several threads."""

    def __init__(self) -> None:
        self._tokenizer, self._session = open_model("reader/reader.onnx")

    def scores(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]]:
        """Return for each window's sentences the log-odds that they answer.

        Windows go through it one by one: beside others they would be padded, and 8 bits be scaled by the largest.
        """
        return [self._scores(tokens(self._tokenizer, question, window)) for window in windows]

    def _scores(self, read: TokenIds) -> tuple[float, ...]:
        scores = run(self._session, "scores", read.ids, read.types)
        return tuple(round(float(scores[mark]), DIGITS) for mark in read.marks)
