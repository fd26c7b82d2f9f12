"""What may be seen of an article whose text and whose embargo change: its newest version, once its time has come."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from retrieval.archive.archive import PersistentArchive
from retrieval.archive.schema import MIGRATIONS, WAITING
from retrieval.model import Article, Reading
from retrieval.pipeline import read_one
from retrieval.search import Query
from tests.retrieval.archive.clock import MORNING, Clock

WORDS = ("quorvex", "zelbrin", "tandolf", "mirqual")  # each in one text alone
TEXTS = tuple(f"The dam at {word.capitalize()} holds, Ada {word.capitalize()} said. Nobody was hurt." for word in WORDS)
HOUR = timedelta(hours=1)


@pytest.fixture
def archive(tmp_path: Path, clock: Clock) -> Iterator[PersistentArchive]:
    """Return an empty archive that goes by the clock."""
    lasting = PersistentArchive(tmp_path / "archive.sqlite", now=clock)
    yield lasting
    lasting.close()


@lru_cache
def read(text: str, embargo: datetime | None = None) -> Reading:
    """Return what is read in a text."""
    return read_one(Article("dam", text, embargo=embargo))


def left(folder: Path) -> set[str]:
    """Return which of the words stand in any file, in whatever table or journal."""
    held = b"".join(file.read_bytes() for file in folder.iterdir()).lower()
    return {word for word in WORDS if word.encode() in held}


def found(archive: PersistentArchive) -> list[str]:
    """Return the words by which the article is found."""
    return [word for word in WORDS if archive.search(Query(((word, 1.0),)), 5)]


class Model:
    """What may be seen: the current text and the earlier ones; of what waits, and of what was cut, nothing."""

    def __init__(self) -> None:
        self.earlier: list[str] = []
        self.current: str | None = None
        self.waiting: tuple[str, datetime] | None = None

    def publish(self, text: str) -> None:
        """Have a text take the place of the one before it."""
        if self.current not in (None, text):
            self.earlier.append(str(self.current))
        self.current = text

    def wait(self, now: datetime) -> None:
        """Publish what has waited until now."""
        if self.waiting and self.waiting[1] <= now:
            self.publish(self.waiting[0])
            self.waiting = None

    def put(self, text: str, embargo: datetime | None, now: datetime) -> None:
        """Have the newest version be this one."""
        self.waiting = None
        if not embargo or embargo <= now:
            self.publish(text)
            return
        self.waiting = (text, embargo)
        if text == self.current:  # what was public is so no more
            self.current = None

    @property
    def seen(self) -> list[str]:
        """The texts that can be opened, the current last."""
        return [*self.earlier, self.current] if self.current else []

    @property
    def held(self) -> set[str]:
        """The texts that may stand in the file."""
        return {*self.earlier, *filter(None, (self.current, self.waiting and self.waiting[0]))}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(TEXTS), st.one_of(st.none(), st.integers(-2, 6))),  # a version, its embargo in hours
        st.integers(1, 4),  # hours that go by
    ),
    min_size=2,
    max_size=8,
)


@given(STEPS)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_whatever_is_edited_embargoed_and_released_what_is_seen_is_what_may_be(
    steps: list[tuple[str, int | None] | int],
) -> None:
    """And no word of anything else stands in any file."""
    clock, model = Clock(), Model()
    with tempfile.TemporaryDirectory() as folder:
        archive = PersistentArchive(Path(folder) / "archive.sqlite", now=clock)
        for step in steps:
            if isinstance(step, int):
                clock.moment += step * HOUR
                model.wait(clock.moment)
            else:
                text, hours = step
                embargo = None if hours is None else clock.moment + hours * HOUR
                archive.add([read(text, embargo)])
                model.put(text, embargo, clock.moment)
        archive.publish_due()
        seen = model.seen
        assert [article.text for article in archive.articles()] == seen[-1:]
        if seen:
            assert [v.digest for v in archive.history("dam")] == [Article("dam", text).digest for text in seen]
        assert {text for text in TEXTS if archive.addressed(Article("dam", text).key)} == set(seen)
        assert found(archive) == [word for word, text in zip(WORDS, TEXTS, strict=True) if text == model.current]
        assert [article.text for article in archive.waiting()] == ([model.waiting[0]] if model.waiting else [])
        assert left(Path(folder)) == {word for word, text in zip(WORDS, TEXTS, strict=True) if text in model.held}
        archive.close()


def test_a_draft_that_was_replaced_is_never_released(archive: PersistentArchive, clock: Clock) -> None:
    """Neither over the correction that is public, nor before the newest draft's own time."""
    archive.add([read(TEXTS[0], MORNING + HOUR)])
    archive.add([read(TEXTS[1])])
    clock.moment = MORNING + 2 * HOUR
    assert found(archive) == ["zelbrin"]
    archive.add([read(TEXTS[2], MORNING + 3 * HOUR)])
    archive.add([read(TEXTS[3], MORNING + 9 * HOUR)])
    clock.moment = MORNING + 4 * HOUR
    assert found(archive) == ["zelbrin"]
    clock.moment = MORNING + 10 * HOUR
    assert found(archive) == ["mirqual"]
    assert len(archive.history("dam")) == 2


@pytest.mark.parametrize(("before", "after"), [(1, 9), (9, 1), (9, None), (None, 9)])
def test_another_embargo_on_the_same_words_is_a_change(
    archive: PersistentArchive, before: int | None, after: int | None
) -> None:
    """Later, earlier, lifted and added: it counts from now on."""
    first, second = (hours and MORNING + hours * HOUR for hours in (before, after))
    archive.add([read(TEXTS[0], first)])
    assert archive.known([Article("dam", TEXTS[0], embargo=first)]) == (True,)
    assert archive.known([Article("dam", TEXTS[0], embargo=second)]) == (False,)
    archive.add([read(TEXTS[0], second)])
    assert found(archive) == ([] if second else ["quorvex"])
    assert [article.embargo for article in archive.waiting()] == ([second] if second else [])


def test_an_embargo_that_has_ended_is_no_change(archive: PersistentArchive, clock: Clock) -> None:
    """Be it released or not, and be it said any longer or not."""
    until = MORNING + HOUR
    archive.add([read(TEXTS[0], until)])
    clock.moment += 2 * HOUR
    assert archive.known([Article("dam", TEXTS[0], embargo=until)]) == (True,)
    archive.publish_due()
    assert archive.known([Article("dam", TEXTS[0], embargo=until), Article("dam", TEXTS[0])]) == (True, True)


def test_a_correction_is_told_after_an_embargo_that_came_in_between(archive: PersistentArchive, clock: Clock) -> None:
    """The sentence was changed on the day on which it was."""
    archive.add([read(TEXTS[0])])
    archive.add([read(TEXTS[1])])
    archive.add([read(TEXTS[1], MORNING + 48 * HOUR)])
    clock.moment += 50 * HOUR
    archive.publish_due()
    assert archive.corrected("dam", 0) == MORNING.date()


def test_drafts_of_an_earlier_program_that_were_replaced_are_gone(tmp_path: Path) -> None:
    """Those that wait and those that it let out; what waits still is told with its time."""
    path, until = tmp_path / "archive.sqlite", MORNING + HOUR
    PersistentArchive(path).close()
    row = (
        "INSERT INTO versions (id, state, digest, key, path, taken, embargo, reader, corrections, metadata, text,"
        " reading) VALUES ('dam', ?, ?, ?, '', ?, ?, '', '{}', '[\"\", null, null, null, null, null, null]', ?, '')"
    )
    states = ("superseded", "superseded", "embargoed", "embargoed")
    with sqlite3.connect(path) as file:
        file.execute("DROP INDEX versions_waiting")
        file.execute("ALTER TABLE feeds DROP COLUMN looker")
        file.execute("ALTER TABLE uses DROP COLUMN spellings")
        for name in ("removals", "bands", "copies", "arrived"):
            file.execute(f"DROP TABLE {name}")
        file.execute(f"PRAGMA user_version = {MIGRATIONS.index(WAITING)}")
        for number, (state, text) in enumerate(zip(states, TEXTS, strict=True)):
            ends = until.timestamp() + 3600 * max(0, number - 1)
            file.execute(row, (state, text, text, MORNING.timestamp() - 9, ends, text))
    file.close()
    archive = PersistentArchive(path, now=Clock())
    assert [(each.text, each.embargo) for each in archive.waiting()] == [(TEXTS[3], until + 2 * HOUR)]
    archive.close()
    assert left(tmp_path) == {"zelbrin", "mirqual"}


LOOKS: dict[str, Callable[[PersistentArchive], object]] = {
    "article": lambda archive: archive.article("dam").id,
    "reading": lambda archive: archive.reading("dam").article.id,
    "addressed": lambda archive: archive.addressed(read(TEXTS[0]).article.key),
    "articles": lambda archive: archive.articles(),
    "listed": lambda archive: archive.listed(),
    "outlets": lambda archive: archive.outlets(),
    "entities": lambda archive: archive.entities(),
    "named": lambda archive: archive.named(["quorvex"]),
    "register": lambda archive: archive.register().find("Ada Quorvex"),
    "frequencies": lambda archive: archive.frequencies(["quorvex"])["quorvex"],
    "history": lambda archive: archive.history("dam"),
    "synopses": lambda archive: list(archive.synopses(["dam"])),
    "contents": lambda archive: list(archive.contents()),
    "size": lambda archive: archive.size(),
}


@pytest.mark.parametrize("look", LOOKS)
def test_whoever_looks_first_after_an_embargo_sees_the_article(
    archive: PersistentArchive, clock: Clock, look: str
) -> None:
    """By whatever method, and within some sources too; nothing has to be searched before."""
    archive.add([read(TEXTS[0], MORNING + HOUR)])
    assert archive.listed() == ()
    clock.moment = MORNING + HOUR
    assert LOOKS[look](archive)


def test_a_look_waits_for_no_writer_and_publishes_a_second_later(
    archive: PersistentArchive, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may write for long."""
    archive.add([read(TEXTS[0], MORNING + HOUR)])
    clock.moment = MORNING + HOUR
    with closing(sqlite3.connect(archive.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert archive.listed() == ()
        other.execute("ROLLBACK")
    later = time.monotonic() + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert archive.listed() != ()


def test_an_archive_that_cannot_be_written_withholds_what_is_due_and_says_so(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In every look alike."""
    path = tmp_path / "archive.sqlite"
    with closing(PersistentArchive(path, now=clock)) as archive:
        archive.add([read(TEXTS[0], MORNING + HOUR)])
    clock.moment = MORNING + HOUR
    monkeypatch.setattr(os, "access", lambda *_: False)
    with closing(PersistentArchive(path, now=clock)) as reader:
        assert found(reader) == []
        assert reader.listed() == reader.entities() == reader.outlets() == ()
        assert reader.overdue().startswith("1 article stays unpublished after the embargo")
        assert reader.overdue() in caplog.text
