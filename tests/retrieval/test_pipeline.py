"""Reading articles together: in their order, however the work is shared out, and each guarded by itself."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from retrieval import pipeline
from retrieval.errors import NoEncoderError, UnreadArticleError
from retrieval.model import Article
from retrieval.names.aliases import Aliases
from retrieval.pipeline import JOINING_STAGE, PIPELINE, Annotations, Stage, Stages, read_all

ARTICLES = tuple(
    Article(f"{number}.txt", f"Ines Moreau said on Monday that {number} boats had left the harbour. It rained.")
    for number in range(60)
)
FEW = ARTICLES[:20]
BROKEN = "7.txt"
STAGES = [stage.name for stage in PIPELINE]
READ_IN_PARALLEL = pytest.mark.rest  # by several processes


@pytest.fixture(autouse=True)
def _parallel_from_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "PARALLEL_FROM", len(ARTICLES))


@READ_IN_PARALLEL
def test_many_articles_are_read_as_few_are_and_in_their_order() -> None:
    counted: list[None] = []
    readings = read_all(ARTICLES, advance=lambda: counted.append(None))
    assert [reading.article for reading in readings] == list(ARTICLES)
    assert readings[:20] == read_all(FEW)
    assert readings[-20:] == read_all(ARTICLES[-20:])
    assert len(counted) == len(ARTICLES)


def _miss(_: Annotations) -> None:
    raise NoEncoderError("The encoder is not installed.")


@READ_IN_PARALLEL
def test_what_fails_while_many_articles_are_read_is_told() -> None:
    with pytest.raises(NoEncoderError, match="The encoder is not installed"):
        read_all(ARTICLES, on_error=[].append, stages=(Stage("words", _miss),))


def _stumble(found: Annotations) -> None:
    """Raise on one article, as a rule that knows no such word would."""
    if found.article.id == BROKEN:
        raise KeyError(found.article.text)


def _before(name: str, run: Callable[[Annotations], None]) -> Stages:
    """Return the stages with one more of that name before it."""
    at = STAGES.index(name)
    return (*PIPELINE[:at], Stage(name, run), *PIPELINE[at:])


@pytest.mark.parametrize(
    ("stage", "articles"),
    [
        *(pytest.param(stage, FEW, id=stage) for stage in STAGES),
        pytest.param("speakers", ARTICLES, id="many", marks=READ_IN_PARALLEL),
    ],
)
def test_a_stage_that_raises_on_one_article_costs_that_article_alone(stage: str, articles: tuple[Article, ...]) -> None:
    errors: list[UnreadArticleError] = []
    readings = read_all(articles, on_error=errors.append, stages=_before(stage, _stumble))
    others = [article for article in articles if article.id != BROKEN]
    assert [reading.article for reading in readings] == others
    assert readings[:10] == read_all(others[:10])
    [error] = errors
    assert (error.article, error.stage) == (BROKEN, stage)
    assert f"its {stage} failed (KeyError in _stumble, test_pipeline.py line" in str(error)
    assert "boats" not in str(error)
    assert "raise KeyError" in error.trace


def test_without_a_handler_what_raises_is_raised() -> None:
    with pytest.raises(UnreadArticleError):
        read_all(FEW, stages=_before("words", _stumble))


def _end_the_process(_: Annotations) -> None:
    """End every process but the one that the tests run in, as running out of memory would."""
    if multiprocessing.parent_process():
        os._exit(1)


@READ_IN_PARALLEL
def test_what_a_process_that_died_was_to_read_is_read_here() -> None:
    stages = (Stage("words", _end_the_process), *PIPELINE)
    assert [reading.article for reading in read_all(ARTICLES, stages=stages)] == list(ARTICLES)


class _Torn(Aliases):
    """Names written by hand that raise whatever is looked up in them."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError(name)


def test_where_names_cannot_be_joined_every_article_is_read_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    readings = read_all(ARTICLES[:3], _Torn(), on_error=pytest.fail)
    assert [reading.article for reading in readings] == list(ARTICLES[:3])
    assert readings[0].passages[0].mentions[0].name == "Ines Moreau"
    assert "names are not joined over the articles: RuntimeError" in caplog.text


def _misname(found: Annotations) -> None:
    """Give one article mentions that no later step can take."""
    if found.article.id == BROKEN:
        found.layout = replace(found.layout, mentions=tuple((None,) for _ in found.layout.sentences))  # type: ignore[misc]


def test_an_article_on_whose_names_the_joining_fails_is_left_out() -> None:
    errors: list[UnreadArticleError] = []
    readings = read_all(FEW, on_error=errors.append, stages=_before("passages", _misname))
    assert len(readings) == 19
    assert [(error.article, error.stage) for error in errors] == [(BROKEN, JOINING_STAGE)]
