"""The cross-encoder that comes with the program: question and window read together, a log-odds for each sentence.

What it is, what it learned from and what it is worth stands in ``model/README.md``; ``training.reader`` makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files

import numpy as np

from retrieval.errors import NoEncoderError
from retrieval.meaning.windows import tokens
from retrieval.search import Window

DIGITS = 2  # of a score: the rest differs between processors
QUIET = 3  # of onnxruntime's log levels: errors alone


class CrossEncoder:
    """The model, loaded; ``NoEncoderError`` where it cannot be. Safe to call from several threads."""

    def __init__(self) -> None:
        try:
            import onnxruntime  # noqa: PLC0415 - loaded when a question is first read with
            import tokenizers  # noqa: PLC0415

            options = onnxruntime.SessionOptions()
            options.log_severity_level = QUIET
            options.use_deterministic_compute = True
            with as_file(files("retrieval.meaning").joinpath("model")) as folder:
                self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
                self._session = onnxruntime.InferenceSession(
                    str(folder / "reader.onnx"), options, providers=["CPUExecutionProvider"]
                )
        except Exception as error:  # what the two libraries raise has no root of its own
            raise NoEncoderError(f"the reader cannot be loaded: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def scores(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]]:
        """Return for each window's sentences the log-odds that they answer.

        Windows go through it one by one: beside others they would be padded, and 8 bits be scaled by the largest.
        """
        return [self._scores(question, window) for window in windows]

    def _scores(self, question: str, window: Window) -> tuple[float, ...]:
        found = tokens(self._tokenizer, question, window)
        given = {
            "input_ids": np.array([found.ids]),
            "token_type_ids": np.array([found.types]),
            "attention_mask": np.ones((1, len(found.ids)), dtype=np.int64),
        }
        (read,) = self._session.run(["scores"], given)
        return tuple(round(float(read[0, mark]), DIGITS) for mark in found.marks)
