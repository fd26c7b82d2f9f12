"""Versions that became public: told in that order to who counts on from the last one seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one

FERRY = Article("ferry", "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board.")
QUAY = Article("quay", "The quay at Zoltberg is closed.")
NOON = datetime(2031, 5, 9, 12, tzinfo=UTC)


def test_each_version_arrives_once(tmp_path: Path) -> None:
    """The same text again does not, nor with another title; of what was removed nothing is told."""
    archive = PersistentArchive(tmp_path / "archive.sqlite")
    assert (archive.arrivals.last(), archive.arrivals.after(0)) == (0, ())
    archive.add([read_one(FERRY), read_one(QUAY)])
    first = archive.arrivals.after(0)
    assert [each.article_id for each in first] == ["ferry", "quay"]
    assert archive.arrivals.last() == first[-1].number
    archive.add([read_one(FERRY), read_one(replace(QUAY, title="Quay"))])
    assert archive.arrivals.after(first[-1].number) == ()
    archive.add([read_one(replace(FERRY, text=FERRY.text.replace("12", "14")))])
    [changed] = archive.arrivals.after(first[-1].number)
    assert changed.article_id == "ferry"
    archive.remove("ferry")
    assert [each.article_id for each in archive.arrivals.after(0)] == ["quay"]
    assert archive.arrivals.last() == changed.number
    archive.close()


def test_what_waits_arrives_when_its_time_has_come(tmp_path: Path) -> None:
    """After what came in meanwhile, though it was put in before; a draft that was replaced never does."""
    now = NOON.timestamp()
    archive = PersistentArchive(tmp_path / "archive.sqlite", now=lambda: now)
    archive.add([read_one(replace(FERRY, embargo=NOON.replace(hour=18)))])
    archive.add([read_one(replace(FERRY, text="A draft no more.", embargo=NOON.replace(hour=18)))])
    archive.add([read_one(QUAY)])
    assert [each.article_id for each in archive.arrivals.after(0)] == ["quay"]
    now += 7 * 3600
    archive.publish_due()
    assert [each.article_id for each in archive.arrivals.after(0)] == ["quay", "ferry"]
    archive.close()
