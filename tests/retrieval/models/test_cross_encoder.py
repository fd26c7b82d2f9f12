"""The reader that comes with the program: what it gives is what it gave, alone and beside others."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from retrieval.errors import NoEncoderError
from retrieval.models import loading
from retrieval.models.cross_encoder import CrossEncoder
from retrieval.search import Window

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


@pytest.mark.parametrize("question", STORED)
def test_the_scores_are_those_it_was_taught(reader: CrossEncoder, question: str) -> None:
    for found, stored in zip(reader.scores(question, [FERRY, QUAY]), STORED[question], strict=True):
        assert found == pytest.approx(stored, abs=0.3)


def test_a_window_is_read_alike_alone_and_beside_others(reader: CrossEncoder) -> None:
    alone = [reader.scores("how many were taken ashore", [window])[0] for window in (FERRY, QUAY)]
    assert reader.scores("how many were taken ashore", [FERRY, QUAY]) == alone
    assert reader.scores("how many were taken ashore", [QUAY, FERRY]) == alone[::-1]


def test_any_text_is_read(reader: CrossEncoder) -> None:
    odd = Window("", "\ud800", ("", "\0", "word " * 5000, "last"))
    (found,) = reader.scores("?" * 9000, [odd])
    assert len(found) == 4
    assert reader.scores("anything", []) == []


def test_a_reader_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(loading, "as_file", lambda _: nullcontext(tmp_path))
    with pytest.raises(NoEncoderError, match="cannot be loaded"):
        CrossEncoder()
