"""How fast the archive searches beside rank-bm25 itself (and tantivy, where installed), and how fast a reply is."""

from __future__ import annotations

import gc
import importlib
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

import pytest
from rank_bm25 import BM25Okapi

from bot.desk import Desk
from bot.golden import load as load_questions
from bot.holdings import Holdings
from bot.model import Answer, NoAnswer, Question
from retrieval.annotate import read_all
from retrieval.archive.archive import open_archive
from retrieval.archive.postings import K1, B, index
from retrieval.intake.articles import load
from retrieval.limits import QUESTION
from retrieval.model import Article
from tests.benchmarks.sizes import judge, sized

T = TypeVar("T")

SEEDS = Path(__file__).parents[2] / "seeds"
FIXTURES = Path(__file__).parents[1] / "fixtures"
SENTENCES = sized(100_000, 1_000)
VOCABULARY = sized(60_000, 30_000)
TERMS = (5, 25)  # of a sentence
ASKED = 6  # terms of a question
SPEEDUP = 200
BUILD = 3  # times rank-bm25's own time
MEDIAN, NINETY_FIFTH = 15.0, 50.0  # ms
DEAREST = 0.3  # s


def corpus() -> list[list[str]]:
    """Return sentences of made-up terms, as often as words of a language are."""
    chance = random.Random(4)  # noqa: S311 - the same corpus on every run
    vocabulary = [f"w{number}" for number in range(VOCABULARY)]
    weights = list(accumulate(1 / rank for rank in range(2, VOCABULARY + 2)))
    return [chance.choices(vocabulary, cum_weights=weights, k=chance.randint(*TERMS)) for _ in range(SENTENCES)]


def questions(number: int) -> list[list[str]]:
    """Return questions of terms of middling rarity."""
    chance = random.Random(5)  # noqa: S311
    return [[f"w{chance.randint(20, 20_000)}" for _ in range(ASKED)] for _ in range(number)]


def timed(make: Callable[[], T]) -> tuple[T, float]:
    """Return what ``make`` returns, and the seconds it took."""
    began = time.perf_counter()
    made = make()
    return made, time.perf_counter() - began


def held(make: Callable[[], T]) -> int:
    """Return the bytes that what ``make`` returns holds."""
    tracemalloc.start()
    kept = make()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return size


def tantivy_milliseconds(documents: Sequence[Sequence[str]], asked: Sequence[Sequence[str]]) -> float | None:
    """Return what a question takes tantivy, nothing where it is not installed."""
    try:
        tantivy = importlib.import_module("tantivy")
    except ImportError:
        return None
    schema = tantivy.SchemaBuilder().add_text_field("text", tokenizer_name="whitespace").build()
    engine = tantivy.Index(schema)
    writer = engine.writer()
    for document in documents:
        writer.add_document(tantivy.Document(text=" ".join(document)))
    writer.commit()
    engine.reload()
    searcher = engine.searcher()
    queries = [engine.parse_query(" ".join(terms), ["text"]) for terms in asked]
    _, seconds = timed(lambda: [searcher.search(query, 10) for query in queries])
    return 1000 * seconds / len(asked)


@pytest.mark.bench
def test_the_archives_search_is_rank_bm25_two_hundred_times_faster() -> None:
    """Over 100,000 sentences in one run: scores and the best ten; no more memory, at most three times the build."""
    documents, asked = corpus(), questions(30)
    okapi, okapi_build = timed(lambda: BM25Okapi(documents, k1=K1, b=B))
    postings, build = timed(lambda: index(documents))
    _, okapi_search = timed(lambda: [okapi.get_scores(terms) for terms in asked])
    weighted = [[(term, 1.0) for term in terms] for terms in asked]
    _, search = timed(lambda: [postings.best(terms, 10) for terms in weighted * 10])
    okapi_memory = held(lambda: BM25Okapi(documents, k1=K1, b=B))
    memory = held(lambda: index(documents))
    ours, theirs = 1000 * search / (10 * len(asked)), 1000 * okapi_search / len(asked)
    beside = tantivy_milliseconds(documents, asked)
    print(  # noqa: T201 - what `make bench` is for
        f"\n{SENTENCES} sentences         build s   memory MB  question ms"
        f"\nrank-bm25               {okapi_build:7.2f} {okapi_memory / 1e6:11.1f} {theirs:12.3f}"
        f"\nthe archive's postings  {build:7.2f} {memory / 1e6:11.1f} {ours:12.3f}  {theirs / ours:.0f} times faster"
        f"\ntantivy                 {'not installed' if beside is None else f'{beside:32.3f}'}"
    )
    judge(SPEEDUP, theirs / ours)
    judge(memory, okapi_memory)
    judge(build, BUILD * okapi_build)


def newsroom() -> list[Article]:
    """Return articles of the seeds' and the fixtures' sentences, mixed anew, until there are enough of them."""
    chance = random.Random(6)  # noqa: S311
    loaded = load([SEEDS, FIXTURES / "articles"]).articles
    sentences = [s.strip() for a in loaded for s in a.text.replace("\n\n", " ").split(". ") if len(s) > 20]
    return [
        Article(f"{number}.txt", "\n\n".join(". ".join(chance.choices(sentences, k=3)) + "." for _ in range(10)))
        for number in range(SENTENCES // 30)
    ]


@cache
def _desk() -> Desk:
    """Return a desk over as many sentences, as the program opens it."""
    desk = Desk(Holdings(open_archive(read_all(newsroom()))))
    gc.freeze()
    desk.answer(Question("ferry"))
    return desk


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


@pytest.mark.bench
def test_nothing_that_is_asked_or_checked_costs_more_than_a_third_of_a_second() -> None:
    """The longest questions and quotations that are taken, of words that stand in every article or in none."""
    desk = _desk()
    for words in COSTLY:
        for text in (words, f"/verify {words}"):
            question = Question(text[:QUESTION].strip(), previous=words[:QUESTION].strip())
            _, seconds = timed(lambda question=question: desk.answer(question))
            print(f"\n{1000 * seconds:.0f} ms: {text[:40]}")  # noqa: T201 - what `make bench` is for
            judge(seconds, DEAREST)


@pytest.mark.bench
def test_a_whole_reply_over_a_hundred_thousand_sentences_is_quick() -> None:
    """From the question to the reply, for every golden question: the median and the 95th percentile."""
    desk = _desk()
    golden = (*load_questions(SEEDS / "questions.toml"), *load_questions(FIXTURES / "questions.toml"))
    times = []
    for question in golden:
        reply, seconds = timed(lambda q=question: desk.answer(Question(q.question, previous=q.previous)))
        assert isinstance(reply, (Answer, NoAnswer))
        times.append(1000 * seconds)
    median, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(  # noqa: T201 - what `make bench` is for
        f"\n{desk.holdings.archive.size()} sentences: a reply takes {median:.1f} ms, one in twenty over {late:.1f} ms"
    )
    judge(median, MEDIAN)
    judge(late, NINETY_FIFTH)
