"""The encoder and the reader that come with the program: what they give is what they gave, alone and beside others."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from retrieval.archive.vectors import compared
from retrieval.errors import NoEncoderError
from retrieval.models import loading, on_demand
from retrieval.models.cross_encoder import CrossEncoder
from retrieval.models.on_demand import MeaningOnDemand
from retrieval.models.sentence_encoder import SentenceEncoder, encodable, encoded
from retrieval.search import Window

HOSTILE = (
    *("", "\0", "a\0b", "\ud800 half a character \udfff", "🚢" * 300, "e\u0301" * 400, "\u200b\ufeff\u2028\u2029"),
    *("\u202eright to left\u202c שלום مرحبا", "query: passage: </s> <s> <pad> <mask>"),
    *("x" * 1_000_000, " " * 1_000_000, "".join(map(chr, range(1, 0x300)))),
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_becomes_one_that_can_be_encoded(text: str) -> None:
    given = encodable(text)
    assert len(given) <= 1_000
    assert "\0" not in given
    assert given.encode().decode() == given
    assert encodable(given) == given


def test_the_first_thousand_characters_are_encoded_and_white_space_says_nothing() -> None:
    assert encodable(" The  ferry\n\tsank. ") == "The ferry sank."
    assert encodable("x" * 999 + "yz") == "x" * 999 + "y"
    assert encodable("x" * 999 + " z") == "x" * 999


SENTENCES = (
    "The ferry went down within sight of the harbour.",
    "The budget of the town was voted down by nine to four.",
    "A baker in the old quarter has won the prize for rye bread.",
    "Divers brought up the ship's bell on Sunday.",
)


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


def test_the_weights_are_those_that_the_readme_names() -> None:
    folder = files("retrieval.models").joinpath("encoder")
    assert sha256(folder.joinpath("encoder.onnx").read_bytes()).hexdigest() in folder.joinpath("README.md").read_text()


@pytest.mark.parametrize(
    ("question", "nearest"), [("Where did the boat sink?", 0), ("What did the council decide about spending?", 1)]
)
def test_what_means_the_same_is_nearest(encoder: SentenceEncoder, question: str, nearest: int) -> None:
    near = compared(encoder.question(question), encoder.passages(SENTENCES))
    assert max(range(4), key=near.__getitem__) == nearest
    assert near[nearest] - sorted(near)[-2] > 0.1


def test_a_code_is_the_same_in_any_company(encoder: SentenceEncoder) -> None:
    together = encoder.passages(SENTENCES).tobytes()
    alone = b"".join(encoder.passages([text]).tobytes() for text in SENTENCES)
    backwards = encoder.passages(SENTENCES[::-1])[::-1].tobytes()
    with ThreadPoolExecutor(4) as pool:
        threads = {found.tobytes() for found in pool.map(lambda _: encoder.passages(SENTENCES), range(4))}
    assert {together, alone, backwards} | threads == {together}


def test_any_text_has_a_code(encoder: SentenceEncoder) -> None:
    codes = encoder.passages(HOSTILE)
    assert codes.shape == (len(HOSTILE), 384)
    assert (np.abs(codes.astype(int)).max(axis=1) == 127).all()
    assert encoder.passages([]).shape == (0, 384)


def test_the_cosine_of_codes_is_near_that_of_vectors() -> None:
    vectors = np.random.default_rng(3).normal(size=(200, 384)).astype(np.float32)
    exact = vectors @ vectors[0] / np.linalg.norm(vectors, axis=1) / np.linalg.norm(vectors[0])
    codes = encoded(vectors)
    assert np.abs(compared(codes[0], codes) - exact).max() < 0.003


def test_a_vector_of_nothing_is_like_nothing() -> None:
    vectors = np.zeros((4, 384), dtype=np.float32)
    vectors[1] = 1.0
    vectors[2, 3] = np.nan
    vectors[3, 3] = np.inf
    codes = encoded(vectors)
    assert compared(codes[1], codes) == [0.0, 1.0, 0.0, 0.0]
    assert compared(codes[0], codes) == [0.0] * 4


def test_a_model_that_cannot_be_loaded_leaves_words_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loading, "as_file", lambda _: nullcontext(tmp_path))
    with pytest.raises(NoEncoderError, match=r"encoder/encoder\.onnx cannot be loaded"):
        SentenceEncoder()
    with pytest.raises(NoEncoderError, match="cannot be loaded"):
        CrossEncoder()
    models = MeaningOnDemand()
    assert (models.question("who?"), models.passages(["who?"]), models.read("who?", [])) == (None, None, None)
    assert models.fault()
    assert [record.getMessage().split(":")[0] for record in caplog.records] == ["answering by words alone"]


def test_a_failing_model_leaves_words_alone(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(on_demand.SentenceEncoder, "passages", lambda *_: 1 / 0)
    models = MeaningOnDemand()
    assert models.passages(["who?"]) is None
    assert models.question("who?") is not None
    assert "division by zero" in caplog.text


FERRY = Window(
    "The Courier · 2026-03-02 · Ferry aground",
    "",
    (
        "The ferry Odette ran aground off Lisewood on Monday.",
        "Lifeboats took 48 passengers ashore, the coastguard said.",
        "The captain was questioned for two hours.",
    ),
)
QUAY = Window(
    "The Courier · 2026-03-03 · New quay",
    "",
    (
        "Lisewood will rebuild its quay in spring.",
        "How many passengers use the ferry?",
        "The council said 900 people a day take it.",
    ),
)
# As they were when the model was taught; another processor gives them within a tenth or two.
STORED = {
    "how many passengers were taken off the ferry": ((-4.91, 0.99, -4.61), (-5.99, -4.52, -2.1)),
    "who questioned the captain": ((-4.68, -1.82, -1.06), (-7.31, -6.79, -5.7)),
    "who won the cup final": ((-5.79, -6.02, -6.09), (-6.71, -6.69, -6.19)),
}


@pytest.fixture(scope="module")
def reader() -> CrossEncoder:
    return CrossEncoder()


def test_a_readers_scores_are_those_it_was_taught(reader: CrossEncoder) -> None:
    for question, scores in STORED.items():
        for found, stored in zip(reader.scores(question, [FERRY, QUAY]), scores, strict=True):
            assert found == pytest.approx(stored, abs=0.3), question


def test_a_window_is_read_alike_alone_and_beside_others(reader: CrossEncoder) -> None:
    alone = [reader.scores("how many were taken ashore", [window])[0] for window in (FERRY, QUAY)]
    assert reader.scores("how many were taken ashore", [FERRY, QUAY]) == alone
    assert reader.scores("how many were taken ashore", [QUAY, FERRY]) == alone[::-1]


def test_any_text_is_read(reader: CrossEncoder) -> None:
    odd = Window("", "\ud800", ("", "\0", "word " * 5000, "last"))
    (found,) = reader.scores("?" * 9000, [odd])
    assert len(found) == 4
    assert reader.scores("anything", []) == []
