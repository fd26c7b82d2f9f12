"""An encoder that needs no library, and a sentence-transformers model small enough to make in a test."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from retrieval.meaning.encoder import Vectors

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
