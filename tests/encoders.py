"""Encoders and a reader that need no library, and a sentence-transformers model small enough to make in a test."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.meaning.encoder import Vectors
from retrieval.search import Window

LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOCABULARY = ("[UNK]", "query:", "passage:", "the", "ferry", "sank", "harbour", "mayor", "resigned", "Ferry")
DIMENSIONS = 5


class Letters:
    """Counts letters: texts of the same letters mean the same. Notes what it is given, and may be told to hold on."""

    name = "letters"

    def __init__(self) -> None:
        self.given: list[str] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.has_begun = threading.Event()

    def sentences(self, texts: Sequence[str]) -> Vectors:
        self.given.extend(texts)
        self.has_begun.set()
        assert self.may_go_on.wait(30)
        return np.stack([self.question(text) for text in texts])

    def question(self, text: str) -> Vectors:
        counts = np.array([text.lower().count(letter) for letter in LETTERS], dtype=np.float32)
        return counts / (np.linalg.norm(counts) or np.float32(1.0))


class Fixed:
    """Cosines that are given: ``near`` for sentences that hold its words, 0.7 for the others; none where broken.

    Those sentences are read as having the ``odds``, and the others as having few; none is where blind.
    """

    def __init__(
        self, words: str, near: float = 0.9, odds: float = -5.0, *, broken: bool = False, blind: bool = False
    ) -> None:
        self._words, self._near, self._odds, self._broken, self._blind = words, near, odds, broken, blind
        self.asked: list[str] = []

    def similarities(self, question: str, sentences: Sequence[str]) -> NDArray[np.float64] | None:
        assert question
        return None if self._broken else np.array([self._near if self._words in text else 0.7 for text in sentences])

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        self.asked.append(question)
        odds = [tuple(self._odds if self._words in text else -5.0 for text in each.sentences) for each in windows]
        return None if self._blind else odds

    def fill(self, sentences: Iterable[str], stop: threading.Event) -> int:
        raise NotImplementedError


def weights() -> Vectors:
    """Return the vector of each token of the model below, shape (tokens, dimensions)."""
    return np.random.default_rng(8).normal(size=(len(VOCABULARY), DIMENSIONS)).astype(np.float32)


def write_model(folder: Path, *, file: str = "onnx/model.onnx", files: Mapping[str, object] | None = None) -> Path:
    """Write a model that looks each token's vector up; ``files`` are written as JSON beside it. Return the folder."""
    import onnx  # noqa: PLC0415 - only some machines have it
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415

    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"])
    found = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", DIMENSIONS])
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    table = numpy_helper.from_array(weights(), "table")
    graph = helper.make_graph([node], "lookup", [ids, mask], [found], [table])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(folder / file))
    _write_tokenizer(folder / "tokenizer.json")
    for name, content in (files or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def _write_tokenizer(path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: PLC0415

    words = {word: number for number, word in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(path))
