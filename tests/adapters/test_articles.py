"""From the settings to what is asked: read once, kept, and one bad article takes nothing else with it."""

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from adapters import articles
from adapters.articles import open_service, read, read_articles
from adapters.settings import Settings, load
from bot.model import Answer, Listing, Question
from retrieval import pipeline
from retrieval.archive.archive import WritableArchive
from retrieval.errors import NoArticlesError
from retrieval.model import Article, Reading
from tests.faulty import PARTS, break_part
from tests.stock import BRIDGE, FERRY


@pytest.fixture
def settings(folder: Path, tmp_path: Path) -> Settings:
    return load({"STET_ARTICLES": str(folder)}, tmp_path / ".env")


def _left_out(listing: object) -> tuple[str, ...]:
    assert isinstance(listing, Listing)
    return listing.sections[-1].lines


@pytest.mark.parametrize("part", PARTS)
def test_an_article_that_breaks_a_part_is_named_and_the_others_answer(
    part: str, settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_part(monkeypatch, part, BRIDGE.text)
    service = open_service(settings)
    answer = service.answer(Question("how many people on board the ferry"))
    assert isinstance(answer, Answer)
    assert answer.extracts[0].citation.article_id == FERRY.id
    [record] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.getMessage().startswith(
        f"{settings.articles[0]}/{BRIDGE.id} is left out: Reading its {part} failed (KeyError in "
    )
    assert BRIDGE.text[:20] not in caplog.text
    [line] = _left_out(service.answer(Question("/sources")))
    assert line.startswith(f"{BRIDGE.id}: Reading its {part} failed (KeyError in ")


def test_an_article_that_cannot_be_indexed_is_named_and_the_others_answer(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_one(article: Article) -> Reading:
        reading = whole(article)
        return replace(reading, passages=(None,)) if article.id == BRIDGE.id else reading  # type: ignore[arg-type]

    whole = pipeline.read_one
    monkeypatch.setattr(pipeline, "read_one", read_one)
    service = open_service(settings)
    assert isinstance(service.answer(Question("how many people on board the ferry")), Answer)
    [line] = _left_out(service.answer(Question("/sources")))
    assert line.startswith(f"{BRIDGE.id}: Reading its ")


def test_left_out_files_are_listed_without_this_machines_folders(folder: Path, settings: Settings) -> None:
    (folder / "broken.txt").write_bytes(b"\xff\xfe\xff")
    (folder / "ends\nin\x1b[31m.txt").write_bytes(b"")
    lines = _left_out(open_service(settings).answer(Question("/sources")))
    assert lines == (
        "broken.txt: It is not in UTF-8: save it again as plain text in UTF-8.",
        "ends\\x0ain\\x1b[31m.txt: There is nothing in it. Add a text, or remove the file.",
    )


def test_an_archive_without_readable_articles_is_refused(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    break_part(monkeypatch, "names")
    with pytest.raises(NoArticlesError, match="Reading its names failed"):
        open_service(settings)


def test_the_service_uses_the_thresholds_of_the_settings(folder: Path) -> None:
    asked = Question("how many people on board the ferry")
    environment = {"STET_ARTICLES": str(folder), "STET_ENCODER": "none", "STET_SURE": "1"}
    doubting = open_service(load(environment, folder / ".env")).answer(asked)
    assert isinstance(doubting, Answer)
    assert not doubting.sure


def readings(settings: Settings) -> dict[str, Reading]:
    with closing(read_articles(settings)[0]) as archive:
        return {listed.id: archive.reading(listed.id) for listed in archive.listed()}


def by_itself(settings: Settings) -> dict[str, Reading]:
    return {reading.article.id: reading for reading in read(settings)[0]}


def kept() -> list[Path]:
    return sorted((user_cache_path("stet") / "readings").glob("readings-*.sqlite"))


def test_a_second_start_reads_nothing_and_another_program_all(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = by_itself(settings)
    assert readings(settings) == expected
    break_part(monkeypatch, "words")
    assert readings(settings) == expected
    assert len(kept()) == 1
    monkeypatch.setattr("retrieval.program_version", lambda: "another")
    with pytest.raises(NoArticlesError):
        readings(settings)


def test_only_new_articles_are_read_and_those_taken_away_are_gone(
    settings: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings(settings)
    seen: list[str] = []
    whole = pipeline.read_one
    monkeypatch.setattr(pipeline, "read_one", lambda article: seen.append(article.id) or whole(article))
    (folder / "quay.txt").write_text("The quay at Oxley burned, the mayor said.", encoding="utf-8")
    (folder / BRIDGE.id).write_text("The bridge will close for 20 months.", encoding="utf-8")
    with closing(read_articles(settings)[0]) as archive:
        assert sorted(seen) == [BRIDGE.id, "quay.txt"]
        assert len(archive.history(BRIDGE.id)) == 2
    (folder / FERRY.id).unlink()
    found, times = readings(settings), len(seen)
    assert (found, times) == (by_itself(settings), 2)


def test_other_names_join_anew(settings: Settings, folder: Path) -> None:
    before = readings(settings)
    (folder / "names.toml").write_text('same = [["Somebody Else", "Marta Lindqvist"]]\n', encoding="utf-8")
    after = readings(settings)
    assert after == by_itself(settings)
    assert after != before


def test_what_cannot_be_read_is_tried_again(settings: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readings(settings)
    (folder / FERRY.id).write_text("The ferry is afloat again.", encoding="utf-8")
    with monkeypatch.context() as patched:
        break_part(patched, "passages", "The ferry is afloat")
        for _ in range(2):
            opened, left_out = read_articles(settings)
            with closing(opened) as archive:
                assert [article.id for article in archive.articles()] == [BRIDGE.id]
            assert len(left_out) == 1
    assert readings(settings) == by_itself(settings)


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(path.read_bytes()[:100] + b"\xa5" * 20_000),
        lambda path: path.write_text("Minutes of the harbour board."),
        lambda path: path.unlink() or path.mkdir(),
    ],
    ids=["damaged", "no archive", "a folder"],
)
def test_whatever_is_wrong_with_a_file_the_articles_are_read(
    harm: Callable[[Path], None], settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    readings(settings)
    [file] = kept()
    for beside in ("-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)
    harm(file)
    assert readings(settings) == by_itself(settings)
    [record] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.getMessage().startswith("what is read is not cached: ")
    assert str(file) in record.getMessage()
    shown = list(articles.cache_report())
    assert shown[0] == f"Folders: 1 that was asked is kept in {file.parent}."
    assert str(file) in shown[1]
    assert shown[1].endswith("; delete it, and it is made again.")


def test_the_folders_used_last_stay_cached(
    settings: Settings, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(articles, "ARCHIVES_LIMIT", 2)
    readings(settings)
    [first] = kept()
    os.utime(first, (1, 1))
    for name in (FERRY.id, BRIDGE.id):
        shown = {"STET_ARTICLES": str(folder / name)}
        readings(load(shown, tmp_path / ".env"))
    assert len(kept()) == 2
    assert not list(first.parent.glob(f"{first.name}*"))


def test_no_byte_of_a_removed_article_stays_cached(settings: Settings, folder: Path) -> None:
    readings(settings)
    (folder / FERRY.id).write_text("The ferry is afloat again.", encoding="utf-8")
    readings(settings)
    articles.erase_from_cache({FERRY.digest})
    [file] = kept()
    assert not any(b"Nobody was at the wheel" in each.read_bytes() for each in file.parent.iterdir())
    with closing(WritableArchive(file)) as archive:
        assert [article.id for article in archive.articles()] == [BRIDGE.id]
    assert readings(settings) == by_itself(settings)


def test_a_cached_archive_of_another_version_is_deleted_when_an_article_is_removed(settings: Settings) -> None:
    """No program that is started from now on would delete a removed article's words from it."""
    readings(settings)
    [file] = kept()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 1")
    assert len(list(articles.cache_report())) == 1
    articles.erase_from_cache({FERRY.digest})
    assert kept() == []


HELD = "2096-03-01T18:00:00Z"


@pytest.mark.parametrize("broken", ['["x.txt"\n', "", f'["X.TXT"]\nembargo = {HELD}\n'])
def test_while_its_table_is_unsafe_a_folder_is_asked_as_it_was(
    settings: Settings, folder: Path, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    table = folder / "articles.toml"
    table.write_text(f'["{BRIDGE.id}"]\nembargo = {HELD}\n', encoding="utf-8")
    before = readings(settings)
    assert list(before) == [FERRY.id]
    table.write_text(broken, encoding="utf-8")
    (folder / FERRY.id).unlink()
    (folder / "quay.txt").write_text("The quay at Oxley burned, the mayor said.", encoding="utf-8")
    assert readings(settings) == before
    assert "Until then nothing in its folder is added or changed" in caplog.text
    table.write_text("# nothing is held", encoding="utf-8")
    assert sorted(readings(settings)) == sorted([BRIDGE.id, "quay.txt"])


def test_of_an_unsafe_folder_nothing_is_read_at_first(settings: Settings, folder: Path) -> None:
    (folder / "articles.toml").write_text("[", encoding="utf-8")
    with pytest.raises(NoArticlesError, match=r"articles\.toml: It is not TOML"):
        readings(settings)
