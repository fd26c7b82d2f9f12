"""Reading articles together: in their order, however the work is shared out, and each guarded by itself."""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import replace
from typing import Any

import pytest

from retrieval import pipeline
from retrieval.errors import NoEncoderError, UnreadArticleError
from retrieval.model import Article, Passage
from retrieval.names.aliases import Aliases
from retrieval.pipeline import JOINING_STAGE, read_all
from retrieval.text.blocks import Layout
from tests.faulty import PARTS, break_part

ARTICLES = tuple(
    Article(f"{number}.txt", f"Ines Moreau said on Monday that {number} boats had left the harbour. It rained.")
    for number in range(60)
)
FEW = ARTICLES[:20]
BROKEN = "7.txt"
BROKEN_WORDS = "that 7 boats"
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


class _Faulty(Article):
    """An article with which something goes wrong where its text is read, in any process; its id says what."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Make no digest of the text."""

    def __reduce__(self) -> tuple[type[_Faulty], tuple[str, str]]:
        return _Faulty, (self.id, "")

    def __getattribute__(self, name: str) -> object:
        if name == "text":
            match self.id:
                case "no encoder":
                    raise NoEncoderError("The encoder is not installed.")
                case "deadly":  # as running out of memory would, in every process but the one of the tests
                    _ = multiprocessing.parent_process() and os._exit(1)
                case _:
                    raise KeyError(self.id)
        return super().__getattribute__(name)


@READ_IN_PARALLEL
def test_what_fails_while_many_articles_are_read_is_told() -> None:
    with pytest.raises(NoEncoderError, match="The encoder is not installed"):
        read_all((_Faulty("no encoder", ""), *ARTICLES), on_error=[].append)


@READ_IN_PARALLEL
def test_one_of_many_articles_that_raises_costs_itself_alone_and_what_a_dead_process_had_is_read_here() -> None:
    errors: list[UnreadArticleError] = []
    readings = read_all((_Faulty(BROKEN, ""), *ARTICLES), on_error=errors.append)
    assert [reading.article for reading in readings] == list(ARTICLES)
    assert [(error.article, error.stage) for error in errors] == [(BROKEN, "words")]
    readings = read_all((_Faulty("deadly", ""), *ARTICLES))
    assert [reading.article.id for reading in readings] == ["deadly", *(article.id for article in ARTICLES)]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_raises_on_one_article_costs_that_article_alone(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [article for article in FEW if article.id != BROKEN]
    whole = read_all(others[:10])
    break_part(monkeypatch, part, BROKEN_WORDS)
    errors: list[UnreadArticleError] = []
    readings = read_all(FEW, on_error=errors.append)
    assert [reading.article for reading in readings] == others
    assert readings[:10] == whole
    [error] = errors
    assert (error.article, error.stage) == (BROKEN, part)
    assert f"its {part} failed (KeyError in stumble, faulty.py line" in str(error)
    assert "boats" not in str(error)
    assert "raise KeyError" in error.trace


def test_without_a_handler_what_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    break_part(monkeypatch, "words", BROKEN_WORDS)
    with pytest.raises(UnreadArticleError):
        read_all(FEW)


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


def test_an_article_on_whose_names_the_joining_fails_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    make_passages = pipeline._passages

    def misname(layout: Layout, *known: Any) -> tuple[Passage, ...]:  # noqa: ANN401
        passages = make_passages(layout, *known)
        return tuple(replace(p, mentions=(None,)) for p in passages) if layout.article.id == BROKEN else passages

    monkeypatch.setattr(pipeline, "_passages", misname)
    errors: list[UnreadArticleError] = []
    assert len(read_all(FEW, on_error=errors.append)) == 19
    assert [(error.article, error.stage) for error in errors] == [(BROKEN, JOINING_STAGE)]
