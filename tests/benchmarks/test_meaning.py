"""How long comparing meanings takes: sentences to encode, sentences kept, and a question while others are encoded."""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adapters.background import prepared_while_idle, sentences
from bot.command import Holdings
from bot.service import QuestionService
from retrieval.archive.archive import open_archive
from retrieval.cache.digest_store import DigestStore
from retrieval.errors import NoEncoderError
from retrieval.intake.articles import load_articles
from retrieval.meaning import similarity as module
from retrieval.meaning.e5 import E5
from retrieval.meaning.encoder import Encoder, cosines, encodable, encoded
from retrieval.meaning.similarity import Similarity
from retrieval.model import Article
from retrieval.pipeline import read_separately

ARTICLES = Path(__file__).parents[1] / "fixtures" / "articles"
QUESTION = "who was taken to hospital after the storm?"
CANDIDATES = 30
ENCODED = 1500.0  # ms, of all candidates
COMPARED = 3.0  # ms, of all candidates where their vectors are kept
RUNS = 5


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    """Return the encoder by default."""
    try:
        return E5()
    except NoEncoderError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def candidates() -> list[str]:
    """Return sentences of news, of all lengths."""
    given = list(sentences(open_archive(read_separately(load_articles([ARTICLES]).articles))))
    return random.Random(2).sample(given, CANDIDATES)  # noqa: S311 - the same on every run


def fastest(act: Callable[[], object]) -> float:
    """Return the milliseconds of the fastest of some runs."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        act()
        times.append(1000 * (time.perf_counter() - began))
    return min(times)


@pytest.mark.bench
def test_comparing_meanings_is_quick(encoder: Encoder, candidates: list[str], tmp_path: Path) -> None:
    kept = DigestStore(tmp_path / "vectors.sqlite")
    asked = encoded(encoder.question(QUESTION)[None])[0]
    wanted = dict(Similarity(encoder)._named(sentence) for sentence in candidates)
    anew = fastest(lambda: Similarity(encoder).similarities(QUESTION, candidates))
    similarity = Similarity(encoder, kept)
    similarity.similarities(QUESTION, candidates)
    question = fastest(lambda: encoder.question(encodable(QUESTION)))

    def from_file() -> None:
        codes = Similarity(encoder, kept)._codes(wanted)
        cosines(asked, list(codes.values()))

    def at_hand() -> None:
        codes = similarity._codes(dict(similarity._named(sentence) for sentence in candidates))
        cosines(asked, list(codes.values()))

    file, memory = fastest(from_file), fastest(at_hand)
    print(  # noqa: T201 - what `make bench` is for
        f"\n{CANDIDATES} candidates to encode {anew:8.1f} ms"
        f"\ntheir vectors in the file {file:5.1f} ms\ntheir vectors at hand {memory:9.2f} ms"
        f"\na question to encode {question:10.1f} ms"
    )
    kept.close()
    assert anew <= ENCODED
    assert file <= COMPARED
    assert memory <= COMPARED


@pytest.mark.bench
def test_filling_delays_no_question(
    encoder: Encoder, candidates: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first question, of many one after another, comes in the midst of filling; its candidates' vectors are kept."""
    monkeypatch.setattr(module, "QUIET", 0.0)  # so that filling is under way whenever somebody asks
    kept = DigestStore(tmp_path / "vectors.sqlite")
    similarity = Similarity(encoder, kept)
    similarity.similarities(QUESTION, candidates)
    endless = QuestionService(Holdings(open_archive(read_separately([Article("1", news())])), meaning=similarity))
    alone = sorted(asked(similarity, candidates))
    with prepared_while_idle(endless):
        beside = sorted(asked(similarity, candidates))
        filling = "prepare" in [thread.name for thread in threading.enumerate()]
    kept.close()
    print(  # noqa: T201 - what `make bench` is for
        f"\na question's cosines: {statistics.median(alone):.1f} ms alone, {statistics.median(beside):.1f} ms while"
        f" sentences are prepared, at most {alone[-1]:.1f} and {beside[-1]:.1f} ms"
    )
    assert filling
    assert statistics.median(beside) <= statistics.median(alone) + 30


def news() -> str:
    """Return an article of many sentences."""
    return " ".join(f"The council of ward {number} voted on Monday to mend the bridge." for number in range(4000))


def asked(similarity: Similarity, candidates: list[str]) -> Iterator[float]:
    """Give the milliseconds of question after question, with a pause between."""
    pause = threading.Event()
    for number in range(40):
        pause.wait(0.05)
        began = time.perf_counter()
        similarity.similarities(f"{QUESTION} {number}", candidates)
        yield 1000 * (time.perf_counter() - began)
