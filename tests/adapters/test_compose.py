"""From the settings to a service: one bad article takes nothing else with it, and is named."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.articles import open_service
from adapters.settings import Settings, load
from bot.model import Answer, Listing, Question
from retrieval import pipeline
from retrieval.errors import NoArticlesError
from retrieval.model import Article, Reading
from tests.faulty import PARTS, break_part
from tests.stock import BRIDGE, FERRY


def _settings(folder: Path) -> Settings:
    return load({"STET_ARTICLES": str(folder)}, folder / ".env")


def _left_out(listing: object) -> tuple[str, ...]:
    assert isinstance(listing, Listing)
    return listing.sections[-1].lines


@pytest.mark.parametrize("part", PARTS)
def test_an_article_that_breaks_a_part_is_named_and_the_others_answer(
    part: str, folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_part(monkeypatch, part, BRIDGE.text)
    service = open_service(_settings(folder))
    answer = service.answer(Question("how many people on board the ferry"))
    assert isinstance(answer, Answer)
    assert answer.extracts[0].citation.article_id == FERRY.id
    [record] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.getMessage().startswith(f"{folder / BRIDGE.id} is left out: Reading its {part} failed (KeyError in ")
    assert BRIDGE.text[:20] not in caplog.text
    [line] = _left_out(service.answer(Question("/sources")))
    assert line.startswith(f"{BRIDGE.id}: Reading its {part} failed (KeyError in ")


def test_an_article_that_cannot_be_indexed_is_named_and_the_others_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_one(article: Article) -> Reading:
        reading = whole(article)
        return replace(reading, passages=(None,)) if article.id == BRIDGE.id else reading  # type: ignore[arg-type]

    whole = pipeline.read_one
    monkeypatch.setattr(pipeline, "read_one", read_one)
    service = open_service(_settings(folder))
    assert isinstance(service.answer(Question("how many people on board the ferry")), Answer)
    [line] = _left_out(service.answer(Question("/sources")))
    assert line.startswith(f"{BRIDGE.id}: Reading its ")


def test_left_out_files_are_listed_without_this_machines_folders(folder: Path) -> None:
    (folder / "broken.txt").write_bytes(b"\xff\xfe\xff")
    (folder / "ends\nin\x1b[31m.txt").write_bytes(b"")
    lines = _left_out(open_service(_settings(folder)).answer(Question("/sources")))
    assert lines == (
        "broken.txt: It is not in UTF-8: save it again as plain text in UTF-8.",
        "ends\\x0ain\\x1b[31m.txt: There is nothing in it. Add a text, or remove the file.",
    )


def test_an_archive_without_readable_articles_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_part(monkeypatch, "names")
    with pytest.raises(NoArticlesError, match="Reading its names failed"):
        open_service(_settings(folder))


def test_the_service_uses_the_thresholds_of_the_settings(folder: Path) -> None:
    asked = Question("how many people on board the ferry")
    environment = {"STET_ARTICLES": str(folder), "STET_ENCODER": "none", "STET_SURE": "1"}
    doubting = open_service(load(environment, folder / ".env")).answer(asked)
    assert isinstance(doubting, Answer)
    assert not doubting.sure
