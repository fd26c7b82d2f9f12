"""What becomes of the versions of an article, however they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.retrieval.archive.clock import Clock

FERRY = Article(
    "ferry",
    "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board. An inquiry has begun.",
    source="The Oxley Bell",
    url="https://bell.example/ferry",
)
CORRECTED = replace(FERRY, text=FERRY.text.replace("12 people", "14 people"))
LONGER = replace(CORRECTED, text=CORRECTED.text + " Nobody was hurt.")
STORM = Article("storm", "A storm is coming. The port is closed.")


@pytest.fixture
def archive(tmp_path: Path, clock: Clock) -> Iterator[PersistentArchive]:
    with closing(PersistentArchive(tmp_path / "archive.sqlite", now=clock)) as lasting:
        yield lasting


def put(archive: PersistentArchive, clock: Clock, *versions: Article) -> None:
    for version in versions:
        archive.add([read_one(version)])
        clock.moment += timedelta(days=1)


def test_a_changed_sentence_is_corrected_and_one_that_was_added_is_not(
    archive: PersistentArchive, clock: Clock
) -> None:
    put(archive, clock, FERRY)
    assert archive.history("ferry")[-1].corrections.get(1) is None
    put(archive, clock, CORRECTED, LONGER)
    assert [archive.history("ferry")[-1].corrections.get(index) for index in range(4)] == [
        None,
        date(2024, 3, 2),
        None,
        None,
    ]


def test_a_superseded_version_can_still_be_opened_by_its_key(archive: PersistentArchive, clock: Clock) -> None:
    put(archive, clock, FERRY, replace(CORRECTED, url="https://bell.example/moved"))
    assert archive.addressed(FERRY.key) == read_one(FERRY)
    assert archive.article("ferry").text == CORRECTED.text
    assert archive.meant("https://bell.example/ferry") == archive.meant("https://bell.example/moved") == ("ferry",)


def test_other_particulars_of_the_same_text_are_no_new_version(archive: PersistentArchive, clock: Clock) -> None:
    put(archive, clock, FERRY, replace(FERRY, title="The ferry"))
    assert archive.article("ferry").title == "The ferry"
    assert archive.history("ferry")[-1].corrections.get(0) is None
    assert archive.addressed(FERRY.key) is not None
    assert len(archive.history("ferry")) == 1
