"""A file that a newer program reads otherwise is no correction; a file that was changed is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.ingest import IngestResult, ingest_articles
from retrieval.intake.articles import load_articles
from retrieval.model import Article

SUNK = "The ferry sank off Port Ellis 1 on Friday."
CLEANER = "The ferry sank off Port Ellis on Friday."


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[PersistentArchive]:
    archive = PersistentArchive(tmp_path / "archive.sqlite")
    yield archive
    archive.close()


def _loaded(folder: Path, text: str = SUNK, table: str = "") -> Article:
    (folder / "desk").mkdir(exist_ok=True)
    (folder / "desk" / "a.txt").write_text(text, encoding="utf-8")
    (folder / "desk" / "articles.toml").write_text(f'["a.txt"]\nsource = "Harbour News"\n{table}', encoding="utf-8")
    [article] = load_articles([folder / "desk"]).articles
    return article


def _taken(archive: PersistentArchive, article: Article) -> IngestResult:
    def fail(error: Exception) -> None:
        raise error

    return ingest_articles(archive, [article], lambda: None, fail)


def test_a_cleaner_reading_of_the_same_file_is_no_version(archive: PersistentArchive, tmp_path: Path) -> None:
    article = _loaded(tmp_path)
    assert _taken(archive, article).added == ("a.txt",)
    [before] = archive.history("a.txt")
    # what a newer program makes of it
    assert _taken(archive, replace(article, text=CLEANER, title="Ferry sinks")).unchanged == ("a.txt",)
    assert archive.history("a.txt") == (before,)
    assert [stored.text for stored in archive.articles()] == [SUNK]


@pytest.mark.parametrize(("text", "table"), [(CLEANER, ""), (SUNK, 'title = "Ferry sinks"\n')])
def test_a_changed_file_is_a_version(archive: PersistentArchive, tmp_path: Path, text: str, table: str) -> None:
    _taken(archive, _loaded(tmp_path))
    assert _taken(archive, _loaded(tmp_path, text, table)).changed == ("a.txt",)
    [stored] = archive.articles()
    assert (stored.text, stored.title) == (text, "Ferry sinks" if table else None)


def test_what_comes_from_no_file_is_compared_by_its_text(archive: PersistentArchive) -> None:
    _taken(archive, Article("a", SUNK))
    assert _taken(archive, Article("a", SUNK)).unchanged == ("a",)
    assert _taken(archive, Article("a", CLEANER)).changed == ("a",)
