"""A file that a newer program reads otherwise is no correction, and can be renewed; a file that was changed is one."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from retrieval import ingest
from retrieval.archive.archive import PersistentArchive
from retrieval.intake.articles import load_articles
from retrieval.model import Article
from retrieval.pipeline import raise_error
from tests.support.articles import written

SUNK = "The ferry sank off Port Ellis 1 on Friday."
CLEANER = "The ferry sank off Port Ellis on Friday."


def _written(folder: Path, text: str, table: str) -> None:
    written(folder / "desk" / "a.txt", text)
    written(folder / "desk" / "articles.toml", f'["a.txt"]\nsource = "Harbour News"\n{table}')


def _loaded(folder: Path, text: str = SUNK, table: str = "") -> Article:
    _written(folder, text, table)
    [article] = load_articles([folder / "desk"]).articles
    return article


def _taken(archive: PersistentArchive, article: Article) -> ingest.IngestResult:
    return ingest.ingest_articles(archive, [article], lambda: None, raise_error)


def _renewed(archive: PersistentArchive) -> ingest.Renewal:
    return ingest.renew_from_files(archive, None, lambda: None, raise_error)


def test_a_cleaner_reading_of_the_same_file_is_no_version(archive: PersistentArchive, tmp_path: Path) -> None:
    article = _loaded(tmp_path)
    assert _taken(archive, article).added == ("a.txt",)
    [before] = archive.history("a.txt")
    # what a newer program makes of it
    assert _taken(archive, replace(article, text=CLEANER, title="Ferry sinks")).unchanged == ("a.txt",)
    assert archive.history("a.txt") == (before,)
    assert [stored.text for stored in archive.articles()] == [SUNK]


def test_files_that_are_as_they_were_renew_what_is_stored(archive: PersistentArchive, tmp_path: Path) -> None:
    article = _loaded(tmp_path, CLEANER, 'title = "Ferry sinks"\n')
    dirty = replace(article, text=SUNK, title=None)
    _taken(archive, dirty)
    [before], arrived = archive.history("a.txt"), archive.arrivals.last()
    result = _renewed(archive)
    assert (result.renewed, dict(result.left)) == (["a.txt"], {})
    assert archive.articles() == (article,)
    assert [hit.text for hit in (archive.article("a.txt"),)] == [CLEANER]
    # no version, no news, no correction
    [after] = archive.history("a.txt")
    assert (after.since, after.source, after.digest) == (before.since, before.source, article.digest)
    assert (len(archive.versions("a.txt")), archive.stored(), archive.arrivals.last()) == (1, (1, 1), arrived)
    assert archive.retirements.after(0) == archive.superseded(9) == archive.damaged() == ()
    assert archive.fits()
    # an answer that was posted can still be told by what it showed
    assert archive.addressed(dirty.key).article.text == SUNK
    # and nothing is left for a second time
    assert (_renewed(archive), _taken(archive, article).unchanged) == (ingest.Renewal(), ("a.txt",))


def test_a_renewed_text_is_corrected_and_removed_with_its_article(archive: PersistentArchive, tmp_path: Path) -> None:
    dirty = replace(_loaded(tmp_path, CLEANER), text=SUNK)
    _taken(archive, dirty)
    _renewed(archive)
    later = "The ferry sank off Port Ellis on Saturday."
    _taken(archive, _loaded(tmp_path, later))
    assert dirty.digest in {retired.digest for retired in archive.retirements.after(0) if not retired.removed}
    assert [summary.digest for summary in archive.history("a.txt")] != [dirty.digest]
    assert len(archive.history("a.txt")) == 2
    archive.remove("a.txt")
    assert archive.retirements.is_removed(dirty.key)
    assert archive.addressed(dirty.key) is None
    assert _renewed(archive) == ingest.Renewal()  # the file is there, but the article was taken down
    assert archive.articles() == ()


def test_a_corrected_sentence_that_is_renewed_keeps_its_day(archive: PersistentArchive, tmp_path: Path) -> None:
    _taken(archive, replace(_loaded(tmp_path, "The ferry sank on Monday."), text="The ferry 2 sank on Monday."))
    _taken(archive, replace(_loaded(tmp_path, CLEANER), text=SUNK))
    days = archive.history("a.txt")[-1].corrections
    assert days
    assert _renewed(archive).renewed == ["a.txt"]
    assert archive.history("a.txt")[-1].corrections == days


def test_an_embargoed_text_is_renewed_and_stays_hidden(archive: PersistentArchive, tmp_path: Path) -> None:
    _taken(archive, replace(_loaded(tmp_path, CLEANER, "embargo = 2096-01-01T18:00:00Z\n"), text=SUNK))
    assert _renewed(archive).renewed == ["a.txt"]
    assert archive.articles() == ()
    assert [waiting.text for waiting in archive.waiting()] == [CLEANER]


TABLE = 'title = "Ferry sinks"\n'
UNREAD = "EMBARGOED UNTIL THE MAYOR HAS SPOKEN\n\nThe ferry sank."


@pytest.mark.parametrize(
    ("reason", "file", "stored"),
    [
        ("was changed since", ("The ferry sank on Sunday.", ""), {}),
        ("was changed since", (CLEANER, TABLE), {}),
        ("was changed since", (CLEANER, ""), {"origin": ""}),
        ("does not give it", (CLEANER, "draft = true\n"), {}),
        ("does not give it", (UNREAD, ""), {}),
        ("file is gone", None, {}),
        ("from no file", (CLEANER, ""), {"path": "https://bell.example/ferry"}),
        ("has another embargo", (CLEANER, ""), {"embargo": datetime(2020, 1, 1, tzinfo=UTC)}),
    ],
)
def test_what_may_be_no_cleaner_reading_stays_as_it_is(
    archive: PersistentArchive, tmp_path: Path, reason: str, file: tuple[str, str] | None, stored: dict[str, Any]
) -> None:
    before = replace(_loaded(tmp_path, CLEANER), text=SUNK, **stored)
    _taken(archive, before)
    if file:
        _written(tmp_path, *file)
    else:
        Path(before.path).unlink()
    result = _renewed(archive)
    [(told, left)] = result.left.items()
    assert (result.renewed, left, reason in told) == ([], ["a.txt"], True), told
    assert bool(result.rejected) == (reason == "does not give it")
    assert archive.articles() == (before,)


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
