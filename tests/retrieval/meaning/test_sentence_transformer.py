"""A model of the newsroom's own, in the layout of sentence-transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import NoEncoderError
from retrieval.meaning.encoder import Vectors
from retrieval.meaning.sentence_transformer import SentenceTransformer
from tests.encoders import DIMENSIONS, VOCABULARY, weights, write_model
from tests.retrieval.meaning.test_encoder import HOSTILE

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

E5_PROMPTS = {"prompts": {"query": "query: ", "document": "passage: "}, "default_prompt_name": "document"}


def mean(*words: str) -> Vectors:
    """Return what the model is to make of words, by hand."""
    found = weights()[[VOCABULARY.index(word) for word in words]].astype(np.float64).mean(axis=0)
    return (found / np.linalg.norm(found)).astype(np.float32)


@pytest.mark.parametrize("file", ["model.onnx", "onnx/model.onnx"])
def test_a_text_is_the_mean_of_its_tokens(file: str, tmp_path: Path) -> None:
    """Of length 1; without further files nothing is put ahead of it."""
    encoder = SentenceTransformer(write_model(tmp_path, file=file))
    expected = np.stack([mean("the", "ferry", "sank"), mean("the", "mayor", "[UNK]")])
    np.testing.assert_allclose(encoder.sentences(["the ferry sank", "the mayor spoke"]), expected, rtol=1e-6)
    np.testing.assert_allclose(encoder.question("the ferry sank"), expected[0], rtol=1e-6)


@pytest.mark.parametrize(
    "config", [{"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, {"pooling_mode": "cls"}]
)
def test_the_first_token_stands_for_the_text_where_the_folder_says_so(config: object, tmp_path: Path) -> None:
    """Of the module that the list of modules names, by either way of saying it."""
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "7_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
    ]
    files = {"modules.json": modules, "7_Pooling/config.json": config, "1_Pooling/config.json": {"pooling_mode": "max"}}
    encoder = SentenceTransformer(write_model(tmp_path, files=files))
    np.testing.assert_allclose(encoder.question("ferry sank"), mean("ferry"), rtol=1e-6)


def test_prompts_are_put_ahead(tmp_path: Path) -> None:
    """One of questions, another of sentences."""
    encoder = SentenceTransformer(write_model(tmp_path, files={"config_sentence_transformers.json": E5_PROMPTS}))
    np.testing.assert_allclose(encoder.question("ferry"), mean("query:", "ferry"), rtol=1e-6)
    np.testing.assert_allclose(encoder.sentences(["ferry"])[0], mean("passage:", "ferry"), rtol=1e-6)


def test_limits_are_kept(tmp_path: Path) -> None:
    """So many tokens, and capitals only where the model knows them."""
    limits = {"max_seq_length": 2, "do_lower_case": True}
    encoder = SentenceTransformer(write_model(tmp_path, files={"sentence_bert_config.json": limits}))
    np.testing.assert_allclose(encoder.question("THE Ferry sank"), mean("the", "ferry"), rtol=1e-6)


def test_vectors_are_the_same_to_the_bit_in_any_company_and_no_text_ends_it(tmp_path: Path) -> None:
    """Texts of all lengths and none."""
    encoder = SentenceTransformer(write_model(tmp_path))
    together = encoder.sentences(HOSTILE)
    assert together.shape == (len(HOSTILE), DIMENSIONS)
    assert np.isfinite(together).all()
    assert together.tobytes() == b"".join(encoder.sentences([text]).tobytes() for text in HOSTILE)


def test_the_name_follows_the_files(tmp_path: Path) -> None:
    """The same model elsewhere has the same name; what was changed has another."""
    first = SentenceTransformer(write_model(tmp_path / "a")).name
    assert SentenceTransformer(write_model(tmp_path / "b")).name == first
    changed = write_model(tmp_path / "c", files={"config_sentence_transformers.json": E5_PROMPTS})
    assert SentenceTransformer(changed).name != first


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"1_Pooling/config.json": {"pooling_mode_max_tokens": True}}, "pools by max"),
        ({"1_Pooling/config.json": {"pooling_mode_mean_tokens": True, "include_prompt": False}}, "leaves its prompt"),
        ({"modules.json": [{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]}, "module Dense"),
        ({"modules.json": ["words"]}, "not laid out"),
        ({"1_Pooling/config.json": ["words"]}, "not laid out"),
        ({"sentence_bert_config.json": {"max_seq_length": "many"}}, "not laid out"),
        ({"config_sentence_transformers.json": {"prompts": ["query: "]}}, "not laid out"),
    ],
)
def test_a_layout_that_is_not_known_is_refused_in_words(files: dict[str, object], words: str, tmp_path: Path) -> None:
    """Rather than vectors that the model was not made for."""
    with pytest.raises(NoEncoderError, match=words):
        SentenceTransformer(write_model(tmp_path, files=files))


def test_a_folder_without_a_model_is_refused_in_words(tmp_path: Path) -> None:
    """As is one that is not there."""
    with pytest.raises(NoEncoderError, match=r"has no model\.onnx or onnx/model\.onnx with a tokenizer\.json"):
        SentenceTransformer(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["onnx/model.onnx", "tokenizer.json"])
def test_a_broken_file_is_refused_in_words(name: str, tmp_path: Path) -> None:
    """The library's own words stand behind ours."""
    (write_model(tmp_path) / name).write_bytes(b"broken")
    with pytest.raises(NoEncoderError, match="cannot be loaded"):
        SentenceTransformer(tmp_path)
