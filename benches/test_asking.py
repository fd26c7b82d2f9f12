"""How fast the archive searches beside FTS5, and how fast a reply is."""

import statistics
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from benches.newsroom import Newsroom, newsroom, real
from benches.sizes import judge, sized
from benches.speed import measured
from bot.ask.choose import CANDIDATES, analyse
from bot.command import Library
from bot.evaluation.golden import load as load_questions
from bot.model import Answer, NoAnswer, Question
from bot.service import QuestionService
from retrieval.archive.archive import open_archive
from retrieval.ingest import encode
from retrieval.limits import QUESTION
from retrieval.models.on_demand import MeaningOnDemand
from retrieval.processes import collect_rarely, freeze_loaded

T = TypeVar("T")

SEEDS = Path(__file__).parents[1] / "seeds"
FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures"
ARTICLES, REAL = sized(4_000, 20), sized(2_000, 8)
MEDIAN, NINETY_FIFTH = 40.0, 120.0  # ms, by words alone
WITH_MEANING = 200.0  # ms, the median where the candidates' vectors are kept and the best windows read
MEANT = sized(200, 20)  # articles with vectors
DEAREST = 0.3  # s


def timed(make: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    made = make()
    return made, time.perf_counter() - began


@cache
def _room() -> Newsroom:
    return newsroom(real(REAL), ARTICLES)


@cache
def _service() -> QuestionService:
    service = QuestionService(Library(open_archive(_room().variants(0, ARTICLES))))
    collect_rarely()
    service.answer(Question("ferry"))
    freeze_loaded()
    return service


def test_candidates_are_found_as_soon_as_by_fts5(tmp_path: Path) -> None:
    for work, sentences, seconds in measured(ARTICLES, tmp_path):
        print(f"\n{work} over {sentences} sentences, seconds: {seconds}")
        if work == "candidates":
            judge(seconds["stet"], seconds["fts5"])


def _golden() -> tuple[Question, ...]:
    golden = (*load_questions(SEEDS / "questions.toml"), *load_questions(FIXTURES / "questions.toml"))
    return tuple(Question(each.question, previous=each.previous) for each in golden)


def _milliseconds(service: QuestionService, asked: Sequence[Question]) -> list[float]:
    times = []
    for question in asked:
        reply, seconds = timed(lambda question=question: service.answer(question))
        assert isinstance(reply, (Answer, NoAnswer))
        times.append(1000 * seconds)
    return times


COSTLY = (
    "a " * 1_000,
    "it is what it is",
    "the of and to in " * 110,
    "a: " * 600,
    "- " * 999,
    "ferry " * 330,
    "the coastguard said on Friday that the " * 50,
    "who said what to whom and why " * 60,
    "is it true that " * 120,
    "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 38,
)


def test_nothing_that_is_asked_or_checked_costs_more_than_a_third_of_a_second() -> None:
    service = _service()
    for words in COSTLY:
        for text in (words, f"/verify {words}"):
            question = Question(text[:QUESTION].strip(), previous=words[:QUESTION].strip())
            _, seconds = timed(lambda question=question: service.answer(question))
            print(f"\n{1000 * seconds:.0f} ms: {text[:40]}")
            judge(seconds, DEAREST)


def test_a_whole_reply_over_four_thousand_articles_is_quick() -> None:
    service = _service()
    archive = service.library.archive
    queries = [analyse(question, service.library).query for question in _golden()]
    search = [1000 * timed(lambda query=query: archive.search(query, CANDIDATES))[1] for query in queries]
    times = _milliseconds(service, _golden())
    median, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(
        f"\n{archive.vocabulary().size()} sentences: a search takes {statistics.median(search):.1f} ms,"
        f" a reply by words alone {median:.1f} ms, one in twenty over {late:.1f} ms"
    )
    judge(median, MEDIAN)
    judge(late, NINETY_FIFTH)


def test_a_whole_reply_with_meanings_compared_is_quick() -> None:
    room, meaning = newsroom(real(MEANT), MEANT), MeaningOnDemand()
    archive = open_archive(room.readings)
    encode(archive, meaning, lambda: None)
    times = _milliseconds(QuestionService(Library(archive, meaning=meaning)), _golden())
    print(f"\n{archive.vocabulary().size()} sentences: a reply by meaning takes {statistics.median(times):.1f} ms")
    judge(statistics.median(times), WITH_MEANING)
