"""What an earlier start has read is not read again, unless something is no longer as it was."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from retrieval import annotate
from retrieval.annotate import PIPELINE, Annotations, Stage, read_all, read_one
from retrieval.cache import readings as module
from retrieval.cache.kept import VECTORS, Kept
from retrieval.cache.readings import READINGS, KeptReadings, is_known
from retrieval.errors import UnreadArticleError
from retrieval.model import Article
from tests.shelf import FIXTURES, stock
from tests.stock import BRIDGE, FERRY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a place for the file."""
    return tmp_path / "readings" / "readings.sqlite"


@pytest.fixture
def kept(path: Path) -> KeptReadings:
    """Return what keeps readings there."""
    return KeptReadings(Kept(path, READINGS))


def _refuse(found: Annotations) -> None:
    raise AssertionError(found.article.id)


NEVER = (Stage("nothing", _refuse),)


def test_a_second_start_reads_nothing(kept: KeptReadings, path: Path) -> None:
    """It has the same readings, with names joined over all the articles, as if every article had been read."""
    articles = stock(FIXTURES)
    advanced: list[int] = []
    assert read_all(articles, kept=kept) == read_all(articles)
    again = KeptReadings(Kept(path, READINGS))
    assert read_all(articles, advance=lambda: advanced.append(1), stages=NEVER, kept=again) == read_all(articles)
    assert len(advanced) == len(articles)


def test_an_articles_own_reading_is_the_same_beside_any_other(kept: KeptReadings) -> None:
    """What is kept is what the article alone gives, so that it holds when others come and go."""
    articles = stock(FIXTURES)
    read_all(articles, kept=kept)
    assert kept.get(articles) == tuple(read_one(article) for article in articles)


def test_only_what_is_new_is_read(kept: KeptReadings) -> None:
    """In the order of the articles, wherever the new one stands."""
    read_all([FERRY], kept=kept)
    seen: list[str] = []
    stages = (Stage("seen", lambda found: seen.append(found.article.id)), *PIPELINE)
    readings = read_all([BRIDGE, FERRY], stages=stages, kept=kept)
    assert seen == [BRIDGE.id]
    assert readings == read_all([BRIDGE, FERRY])


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
def test_a_changed_article_is_read_again(change: dict[str, object], kept: KeptReadings) -> None:
    """Its text or anything that is known of it."""
    read_all([FERRY], kept=kept)
    changed = Article(**{**_particulars(FERRY), **change})  # type: ignore[arg-type]  # names and values of its fields
    assert kept.get([changed]) == (None,)
    assert read_all([changed], kept=kept) == read_all([changed])


def _particulars(article: Article) -> dict[str, object]:
    return {name: getattr(article, name) for name in article.__match_args__ if name != "digest"}


def test_an_article_that_was_moved_is_not_read_again(kept: KeptReadings) -> None:
    """Its folder may be named otherwise from another place; the reading is that of the article where it stands now."""
    read_all([FERRY], kept=kept)
    moved = replace(FERRY, path="elsewhere/ferry.txt")
    [reading] = read_all([moved], stages=NEVER, kept=kept)
    assert reading.article.path == "elsewhere/ferry.txt"


def test_another_program_reads_everything_again(
    kept: KeptReadings, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed rule never serves what the old one read."""
    read_all([FERRY], kept=kept)
    monkeypatch.setattr(module, "program_version", lambda: "another")
    assert KeptReadings(Kept(path, READINGS)).get([FERRY]) == (None,)


def test_another_pipeline_reads_everything_again(kept: KeptReadings, path: Path) -> None:
    """Each has readings of its own; one that is in a folder may change unseen, and so nothing of it is kept."""
    read_all([FERRY], kept=kept)
    assert KeptReadings(Kept(path, READINGS), "spacy").get([FERRY]) == (None,)
    assert is_known("")
    assert is_known("spacy")
    assert not is_known("models/of/mine")


def test_an_article_that_cannot_be_read_is_tried_again(kept: KeptReadings) -> None:
    """A fault of the program is no reading."""
    errors: list[UnreadArticleError] = []
    broken = (*PIPELINE, Stage("last", lambda found: found.article.text[10**6]))
    for _ in range(2):
        assert read_all([FERRY], on_error=errors.append, stages=broken, kept=kept) == ()
    assert [error.article for error in errors] == [FERRY.id] * 2


def test_a_start_that_is_killed_has_not_read_for_nothing(kept: KeptReadings, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read before is kept a few articles at a time."""
    monkeypatch.setattr(annotate, "KEPT", 2)
    articles = stock(FIXTURES)[:5]

    def interrupt(found: Annotations) -> None:
        if found.article is articles[4]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_all(articles, stages=(*PIPELINE, Stage("interrupted", interrupt)), kept=kept)
    assert [reading is not None for reading in kept.get(articles)] == [True] * 4 + [False]


def _damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100] + b"\xa5" * 20_000)


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:700])


def _make_foreign(path: Path) -> None:
    path.write_text("Minutes of the harbour board.")


def _make_vectors(path: Path) -> None:
    path.unlink()
    other = Kept(path, VECTORS)
    other.put({b"digest": b"code"})
    other.close()


def _make_newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [_damage, _cut_short, _make_foreign, _make_vectors, _make_newer, _make_folder])
def test_whatever_is_wrong_with_the_file_the_articles_are_read(
    harm: Callable[[Path], None], path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One line says so, and nobody gets an error."""
    file = Kept(path, READINGS)
    read_all([FERRY], kept=KeptReadings(file))
    file.close()
    harm(path)
    assert read_all([FERRY], kept=KeptReadings(Kept(path, READINGS))) == read_all([FERRY])
    [record] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "readings" in record.getMessage()
    assert str(path) in record.getMessage()


def test_a_code_that_is_no_reading_is_made_anew(kept: KeptReadings, path: Path) -> None:
    """A fault of this program in another version of the same number, say."""
    Kept(path, READINGS).put({kept.key(FERRY): b"[[],[[1]]]"})
    assert kept.get([FERRY]) == (None,)
    assert read_all([FERRY], kept=kept) == read_all([FERRY], stages=NEVER, kept=kept)
