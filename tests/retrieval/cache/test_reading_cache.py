"""A reading is kept under all that it depends on, and under nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from retrieval.cache import reading_cache as module
from retrieval.cache.digest_store import DigestStore
from retrieval.cache.reading_cache import READINGS, KeptReadings, is_known_pipeline
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.shelf import FIXTURES, stock
from tests.stock import BRIDGE, FERRY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a place for the file."""
    return tmp_path / "readings" / "readings.sqlite"


@pytest.fixture
def kept(path: Path) -> KeptReadings:
    """Return what keeps readings there."""
    return KeptReadings(DigestStore(path, READINGS))


def test_what_is_kept_is_what_the_article_alone_gives(kept: KeptReadings) -> None:
    """So that it holds when others come and go."""
    articles = stock(FIXTURES)
    kept.put([read_one(article) for article in articles])
    assert kept.known([*articles, FERRY]) == (True,) * len(articles) + (False,)
    assert kept.get([FERRY, *articles]) == (None, *(read_one(article) for article in articles))


@pytest.mark.parametrize(
    "change",
    [
        {"text": FERRY.text + " It is raining."},
        {"title": "Another headline"},
        {"source": "The Other Paper"},
        {"published": date(2021, 5, 4)},
        {"author": "Somebody Else"},
        {"url": "https://paper.example/other"},
        {"wire": "Agency"},
        {"id": "other.txt"},
    ],
)
def test_a_changed_article_has_another_reading(change: dict[str, object], kept: KeptReadings) -> None:
    """Its text or anything that is known of it."""
    kept.put([read_one(FERRY)])
    changed = Article(**{**_particulars(FERRY), **change})  # type: ignore[arg-type]  # names and values of its fields
    assert kept.known([changed]) == (False,)
    assert kept.get([changed]) == (None,)


def _particulars(article: Article) -> dict[str, object]:
    return {name: getattr(article, name) for name in article.__match_args__ if name != "digest"}


def test_where_an_article_was_found_makes_no_difference(kept: KeptReadings) -> None:
    """A folder may be named otherwise from another place."""
    kept.put([read_one(FERRY)])
    moved = replace(FERRY, path="elsewhere/ferry.txt")
    assert kept.get([moved]) == (read_one(moved),)


def test_another_program_has_readings_of_its_own(
    kept: KeptReadings, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed rule never serves what the old one read."""
    kept.put([read_one(FERRY)])
    monkeypatch.setattr(module, "program_version", lambda: "another")
    assert KeptReadings(DigestStore(path, READINGS)).get([FERRY]) == (None,)


def test_another_pipeline_has_readings_of_its_own(kept: KeptReadings, path: Path) -> None:
    """One that is in a folder may change unseen, and so nothing of it is kept."""
    kept.put([read_one(FERRY)])
    assert KeptReadings(DigestStore(path, READINGS), "spacy").get([FERRY]) == (None,)
    assert is_known_pipeline("")
    assert is_known_pipeline("spacy")
    assert not is_known_pipeline("models/of/mine")


def test_a_code_that_is_no_reading_is_passed_over(kept: KeptReadings, path: Path) -> None:
    """Alone: the others are taken."""
    kept.put([read_one(FERRY), read_one(BRIDGE)])
    DigestStore(path, READINGS).put({kept.key(FERRY): b"[[],[[1]]]"})
    assert kept.get([FERRY, BRIDGE]) == (None, read_one(BRIDGE))
