"""How a lasting archive grows and answers: adding, searching, and a single ``stet ask``."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

import pytest

from retrieval.archive.lasting import scoring
from retrieval.archive.lasting.archive import LastingArchive
from retrieval.pipeline import read_apart
from retrieval.search import Query
from retrieval.text.terms import terms
from tests.benchmarks.sizes import judge, sized
from tests.benchmarks.test_reading import stock
from tests.benchmarks.test_start import KEPT_MEGABYTES, KEPT_SECONDS, fastest, resident
from tests.shelf import FIXTURES, SEEDS, golden

HELD = sized(5_000, 20)
MORE = sized(200, 2)
TIMES = 1.3  # what reading more articles takes, beside which they are added
ONE_MORE = 0.1  # seconds that adding one article takes over reading it
CANDIDATES = 30
MEDIAN, NINETY_FIFTH = 3.0, 10.0  # milliseconds of a search for the candidates of a question
QUESTION = ("-m", "adapters", "ask", "how many were buried in mass graves")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LastingArchive]:
    """Return an archive of ``HELD`` articles."""
    lasting = LastingArchive(tmp_path_factory.mktemp("archive") / "archive.sqlite")
    for _ in read_apart(stock(HELD), keep=lasting.add):
        pass
    yield lasting
    lasting.close()


@pytest.mark.bench
def test_more_articles_take_little_more_than_reading_them(archive: LastingArchive) -> None:
    """Beside as many as there are; and one by itself is in at once."""
    fresh = stock(HELD + MORE)[-MORE:]
    began = time.process_time()
    own = list(read_apart(fresh))
    reading = time.process_time() - began
    began = time.process_time()
    for start in range(0, len(own), 8):
        archive.add(own[start : start + 8])
    adding = time.process_time() - began
    (last,) = read_apart(stock(HELD + MORE + 1)[-1:])
    began = time.process_time()
    archive.put(last)
    one = time.process_time() - began
    print(  # noqa: T201 - what `make bench` is for
        f"\n{archive.size()} sentences: {MORE} more articles are read in {reading:.2f} s of a core and added in"
        f" {adding:.2f} s; one by itself in {1000 * one:.0f} ms; the file has {archive.path.stat().st_size // 10**6} MB"
    )
    judge(reading + adding, TIMES * reading)
    judge(one, ONE_MORE)


@pytest.mark.bench
def test_candidates_are_found_in_milliseconds(archive: LastingArchive) -> None:
    """For questions of words that the articles have."""
    chance = random.Random(5)  # noqa: S311 - the same on every run
    asked = [each.question for shelf in (SEEDS, FIXTURES) for each in golden(shelf)]
    chance.shuffle(asked)
    taken = []
    for question in asked:
        query = Query(tuple((term, 1.0) for term in dict.fromkeys(terms(question))))
        with archive._state() as run:
            began = time.thread_time()
            scoring.ranked(run, archive._layout, query, CANDIDATES)
            taken.append(1000 * (time.thread_time() - began))
    median, late = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    print(f"\n{archive.size()} sentences: candidates in {median:.1f} ms, one in twenty over {late:.1f} ms")  # noqa: T201
    judge(median, MEDIAN)
    judge(late, NINETY_FIFTH)


@pytest.mark.bench
def test_an_answer_from_a_lasting_archive_takes_half_a_second_over_importing_numpy(
    archive: LastingArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is held; also how much memory it takes."""
    monkeypatch.setenv("STET_ARCHIVE", str(archive.path))
    fastest(*QUESTION)
    numpy, answer = fastest("-c", "import numpy"), fastest(*QUESTION)
    most = resident(*QUESTION)
    print(f"\nimport numpy {numpy:.2f} s, stet ask {answer:.2f} s and {most:.0f} MB")  # noqa: T201 - as above
    judge(answer, numpy + KEPT_SECONDS)
    judge(most, KEPT_MEGABYTES)
