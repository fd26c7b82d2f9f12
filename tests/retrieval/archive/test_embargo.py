"""What may be seen of an article whose text and whose embargo change: its newest version, once its time has come."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive, rows_of
from retrieval.model import Article, Reading
from retrieval.pipeline import read_one
from retrieval.search import Query
from tests.retrieval.archive.clock import MORNING, Clock

WORDS = ("quorvex", "zelbrin", "tandolf", "mirqual")  # each in one text alone
TEXTS = tuple(f"The dam at {word.capitalize()} holds, Ada {word.capitalize()} said. Nobody was hurt." for word in WORDS)
HOUR = timedelta(hours=1)


@lru_cache
def read(text: str, embargo: datetime | None = None) -> Reading:
    return read_one(Article("dam", text, embargo=embargo))


def found(archive: PersistentArchive) -> list[str]:
    return [word for word in WORDS if archive.search(Query(((word, 1.0),)), 5)]


@pytest.mark.parametrize(("before", "after"), [(1, 9), (9, 1), (9, None), (None, 9)])
def test_another_embargo_alone_is_a_change(archive: PersistentArchive, before: int | None, after: int | None) -> None:
    first, second = (hours and MORNING + hours * HOUR for hours in (before, after))
    archive.add([read(TEXTS[0], first)])
    assert archive.known([Article("dam", TEXTS[0], embargo=first)]) == (True,)
    assert archive.known([Article("dam", TEXTS[0], embargo=second)]) == (False,)
    archive.add([read(TEXTS[0], second)])
    assert found(archive) == ([] if second else ["quorvex"])
    assert [article.embargo for article in archive.waiting()] == ([second] if second else [])


def test_an_embargo_that_has_ended_is_no_change(archive: PersistentArchive, clock: Clock) -> None:
    until = MORNING + HOUR
    archive.add([read(TEXTS[0], until)])
    clock.moment += 2 * HOUR
    assert archive.known([Article("dam", TEXTS[0], embargo=until)]) == (True,)
    archive.publish_due()
    assert archive.known([Article("dam", TEXTS[0], embargo=until), Article("dam", TEXTS[0])]) == (True, True)


def test_a_correction_is_told_after_an_embargo_that_came_in_between(archive: PersistentArchive, clock: Clock) -> None:
    archive.add([read(TEXTS[0])])
    archive.add([read(TEXTS[1])])
    archive.add([read(TEXTS[1], MORNING + 48 * HOUR)])
    clock.moment += 50 * HOUR
    archive.publish_due()
    assert archive.history("dam")[-1].corrections.get(0) == MORNING.date()


LOOKS: dict[str, Callable[[PersistentArchive], object]] = {
    "article": lambda archive: archive.article("dam").id,
    "reading": lambda archive: archive.reading("dam").article.id,
    "addressed": lambda archive: archive.addressed(read(TEXTS[0]).article.key),
    "articles": lambda archive: archive.articles(),
    "listed": lambda archive: archive.listed(),
    "outlets": lambda archive: archive.outlets(),
    "entities": lambda archive: archive.register().entities(),
    "named": lambda archive: archive.register().named(["quorvex"]),
    "register": lambda archive: archive.register().find("Ada Quorvex"),
    "frequencies": lambda archive: archive.vocabulary().frequencies(["quorvex"])["quorvex"],
    "history": lambda archive: archive.history("dam"),
    "readings": lambda archive: list(archive.readings(["dam"])),
    "rows": lambda archive: rows(archive),  # noqa: PLW0108 - defined below
    "size": lambda archive: archive.vocabulary().size(),
}


def rows(archive: PersistentArchive) -> list[tuple[object, ...]]:
    with rows_of(archive) as run:
        return run("SELECT id FROM versions WHERE state = 'current'").fetchall()


@pytest.mark.parametrize("look", LOOKS)
def test_who_looks_first_after_an_embargo_sees_the_article(archive: PersistentArchive, clock: Clock, look: str) -> None:
    archive.add([read(TEXTS[0], MORNING + HOUR)])
    assert archive.listed() == ()
    clock.moment = MORNING + HOUR
    assert LOOKS[look](archive)


def test_a_look_waits_for_no_writer(archive: PersistentArchive, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    archive.add([read(TEXTS[0], MORNING + HOUR)])
    clock.moment = MORNING + HOUR
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with closing(sqlite3.connect(archive.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert archive.listed() == ()
        other.execute("ROLLBACK")
    assert archive.listed() == ()
    now += 1
    assert archive.listed() != ()


def test_an_archive_that_cannot_be_written_withholds_what_is_due_and_says_so(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "archive.sqlite"
    with closing(PersistentArchive(path, now=clock)) as archive:
        archive.add([read(TEXTS[0], MORNING + HOUR)])
    clock.moment = MORNING + HOUR
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    with closing(PersistentArchive(path, now=clock)) as reader:
        assert found(reader) == []
        assert reader.listed() == reader.register().entities() == reader.outlets() == ()
        assert reader.overdue().startswith("1 article stays unpublished after the embargo")
        assert reader.overdue() in caplog.text
