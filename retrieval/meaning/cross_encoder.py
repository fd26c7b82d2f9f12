"""The cross-encoder that comes with the program: question and window read together, a log-odds for each sentence.

What it is, what it learned from and how good it is: see ``model/README.md``; ``training.reader`` makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import NoEncoderError
from retrieval.search import Window

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer


MARK = 1  # "[unused0]" of BERT's vocabulary
CLS, SEP = 101, 102
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
    """Return what a model of this package makes of each of these tokens, by number."""
    masks = np.ones((1, len(ids)), np.int64)
    inputs = {"input_ids": np.array([ids]), "token_type_ids": np.array([types]), "attention_mask": masks}
    found: NDArray[np.float32] = session.run([output], inputs)[0][0]
    return found


DIGITS = 2  # of a score: the rest differs between processors
QUIET = 3  # of onnxruntime's log levels: errors alone


def open_model(file: str, threads: int = 0) -> tuple[Tokenizer, InferenceSession]:
    """Load a model of this package, and the tokenizer that all of them share; ``threads`` 0 means all processors.

    Raises ``NoEncoderError``.
    """
    try:
        import onnxruntime  # noqa: PLC0415 - loaded when the first question is asked
        import tokenizers  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.log_severity_level = QUIET
        options.use_deterministic_compute = True
        options.intra_op_num_threads = threads
        # a thread that spins while it waits takes the processor from the one it waits for, where others are busy
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        with as_file(files("retrieval.meaning")) as folder:
            tokenizer = tokenizers.Tokenizer.from_file(str(folder / "model" / "tokenizer.json"))
            session = onnxruntime.InferenceSession(str(folder / file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # what the two libraries raise has no root of its own
        raise NoEncoderError(f"{file} cannot be loaded: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, session


class CrossEncoder:
    """The model, loaded; ``NoEncoderError`` where it cannot be. Safe to call from several threads."""

    def __init__(self) -> None:
        self._tokenizer, self._session = open_model("model/reader.onnx")

    def scores(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]]:
        """Return for each window's sentences the log-odds that they answer.

        Windows go through it one by one: beside others they would be padded, and 8 bits be scaled by the largest.
        """
        return [self._scores(tokens(self._tokenizer, question, window)) for window in windows]

    def _scores(self, read: TokenIds) -> tuple[float, ...]:
        scores = run(self._session, "scores", read.ids, read.types)
        return tuple(round(float(scores[mark]), DIGITS) for mark in read.marks)
