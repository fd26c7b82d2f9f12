"""What becomes of the versions of an article, however they come, and who is told of it.

And what may be seen of one whose text and whose embargo change: its newest version, once its time has come.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from retrieval.archive import retirement
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.retirement import Retired
from retrieval.archive.versions import counterpart
from retrieval.model import Article, Reading
from retrieval.pipeline import read_one
from retrieval.search import Query
from tests.retrieval.archive.clock import MORNING, Clock

FERRY = Article(
    "ferry",
    "The ferry to Zoltberg sank on Friday. Ines Roe, the mayor, counted 12 people on board. An inquiry has begun.",
    source="The Oxley Bell",
    url="https://bell.example/ferry",
    published=MORNING.date(),
)
CORRECTED = replace(FERRY, text=FERRY.text.replace("12 people", "14 people"))
LONGER = replace(CORRECTED, text=CORRECTED.text + " Nobody was hurt.")


def put(archive: PersistentArchive, clock: Clock, *versions: Article) -> None:
    for version in versions:
        archive.add([read_one(version)])
        clock.moment += timedelta(days=1)


def test_a_changed_sentence_is_corrected_and_one_that_is_added_is_not(archive: PersistentArchive, clock: Clock) -> None:
    put(archive, clock, FERRY)
    assert archive.history("ferry")[-1].corrections == {}
    put(archive, clock, CORRECTED, LONGER)
    assert archive.history("ferry")[-1].corrections == {1: date(2024, 3, 2)}


def test_a_superseded_version_can_still_be_opened_by_its_key(archive: PersistentArchive, clock: Clock) -> None:
    put(archive, clock, FERRY, replace(CORRECTED, url="https://bell.example/moved"))
    assert archive.addressed(FERRY.key) == read_one(FERRY)
    assert archive.article("ferry").text == CORRECTED.text
    for address in (FERRY.url, "https://bell.example/moved"):
        assert {reading.article.id for reading in archive.versions(str(address))} == {"ferry"}


def test_what_is_held_is_known_again_by_its_address_and_its_file(archive: PersistentArchive) -> None:
    archive.add([read_one(replace(FERRY, id="a"))])
    archive.add([read_one(Article("one.txt", FERRY.text, path="/north/one.txt"))])
    given = (
        Article("other", CORRECTED.text, url="https://bell.example/ferry"),
        Article("one.txt", CORRECTED.text, path="/north/one.txt"),
        Article("one.txt", CORRECTED.text, path="/south/one.txt"),
        Article("north/one.txt", CORRECTED.text, path="/north/one.txt"),
        Article("south/one.txt", CORRECTED.text, path="/elsewhere/south/one.txt"),
        Article("b", CORRECTED.text),
    )
    ids = ["a", "one.txt", "/south/one.txt", "one.txt", "south/one.txt", "b"]
    assert [each.id for each in archive.identified(given)] == ids


def told(archive: PersistentArchive, after: int = 0) -> list[tuple[str, bool]]:
    return [(each.key, each.removed) for each in archive.retirements.after(after)]


def test_a_version_is_retired_by_the_next_and_with_its_article(archive: PersistentArchive, clock: Clock) -> None:
    old, new = FERRY, CORRECTED
    put(archive, clock, old)
    assert told(archive) == []
    archive.add([read_one(new)])
    assert told(archive) == [(old.key, False)]
    [first] = archive.retirements.after(0)
    assert (first.digest, told(archive, first.number)) == (old.digest, [])
    archive.remove("ferry")
    assert told(archive, first.number) == [(old.key, True), (new.key, True)]
    with closing(PersistentArchive(archive.path)) as other:
        assert told(other, first.number) == told(archive, first.number)
        assert other.retirements.identity() == archive.retirements.identity() != ""


def test_who_has_read_further_than_there_is_begins_anew(archive: PersistentArchive, clock: Clock) -> None:
    """For then the file was put back to an earlier state of itself."""
    put(archive, clock, FERRY, CORRECTED)
    assert told(archive, 500) == told(archive, 0) != []


def test_much_is_told_in_parts(archive: PersistentArchive, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    put(archive, clock, FERRY, *(replace(FERRY, text=f"{FERRY.text} {number}.") for number in range(3)))
    whole = archive.retirements.after(0)
    monkeypatch.setattr(retirement, "MOST", 2)
    first = archive.retirements.after(0)
    assert (*first, *archive.retirements.after(first[-1].number)) == whole
    assert [len(first), len(whole)] == [2, 3]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (CORRECTED.text, (0, 1, 2)),
        (f"Rain fell all day. {LONGER.text}", (1, 2, 3)),
        ("An inquiry has begun. The ferry to Zoltberg sank on Friday.", (1, None, 0)),
        ("The ferry to Zoltberg sank on Friday. Nothing more is known. An inquiry has begun.", (0, 1, 2)),
        (FERRY.text.replace("sank on Friday.", "sank on Thursday. It was raining."), (0, 2, 3)),
    ],
)
def test_a_sentence_has_its_counterpart_in_another_version(text: str, found: tuple[int | None, ...]) -> None:
    before, after = read_one(FERRY), read_one(replace(FERRY, text=text))
    assert tuple(counterpart(before, index, after) for index in range(3)) == found


def test_of_a_finished_removal_not_even_the_address_is_left(archive: PersistentArchive) -> None:
    """While the file is open elsewhere, in whatever table or journal."""
    archive.add([read_one(Article("gull", "A gull was seen.", url="https://echo.example/gull-over-zanzibar"))])
    with closing(PersistentArchive(archive.path)) as service:
        assert service.vocabulary().size() == archive.vocabulary().size()
        archive.remove("gull")
        removed: list[Retired] = []
        archive.retirements.listener = removed.extend
        archive.retirements.publish_removals()
        assert [each.article for each in removed] == ["gull"]
        assert archive.retirements.unfinished() == ()
        left = b"".join(file.read_bytes() for file in archive.path.parent.iterdir())
        assert b"zanzibar" not in left


def test_a_version_that_is_removed_again_while_the_listener_runs_is_passed_on_again(archive: PersistentArchive) -> None:
    passed_on: list[str] = []

    def listener(removed: Sequence[Retired]) -> None:
        passed_on.extend(each.article for each in removed)
        if len(passed_on) == 1:
            archive.add([read_one(FERRY)])
            archive.remove(FERRY.id)

    archive.add([read_one(FERRY)])
    archive.remove(FERRY.id)
    archive.retirements.listener = listener
    archive.retirements.publish_removals()
    archive.retirements.publish_removals()
    assert passed_on == [FERRY.id, FERRY.id]
    assert archive.retirements.unfinished() == ()


TEXT = "The dam at Quorvex holds, Ada Quorvex said. Nobody was hurt."
HOUR = timedelta(hours=1)


def read(embargo: datetime | None = None, text: str = TEXT) -> Reading:
    return read_one(Article("dam", text, embargo=embargo))


def finds(archive: PersistentArchive) -> bool:
    return bool(archive.search(Query((("quorvex", 1.0),)), 5))


@pytest.mark.parametrize(("before", "after"), [(1, 9), (9, 1), (9, None), (None, 9)])
def test_another_embargo_alone_is_a_change(archive: PersistentArchive, before: int | None, after: int | None) -> None:
    first, second = (hours and MORNING + hours * HOUR for hours in (before, after))
    archive.add([read(first)])
    assert archive.known([Article("dam", TEXT, embargo=until) for until in (first, second)]) == (True, False)
    archive.add([read(second)])
    assert finds(archive) is (second is None)
    assert [article.embargo for article in archive.waiting()] == ([second] if second else [])


def test_an_embargo_that_has_ended_is_no_change(archive: PersistentArchive, clock: Clock) -> None:
    until = MORNING + HOUR
    archive.add([read(until)])
    clock.moment += 2 * HOUR
    assert archive.known([Article("dam", TEXT, embargo=until)]) == (True,)
    archive.publish_due()
    assert archive.known([Article("dam", TEXT, embargo=until), Article("dam", TEXT)]) == (True, True)


def test_a_correction_is_told_after_an_embargo_that_came_in_between(archive: PersistentArchive, clock: Clock) -> None:
    changed = TEXT.replace("Quorvex", "Zelbrin")
    for embargo, text in ((None, TEXT), (None, changed), (MORNING + 48 * HOUR, changed)):
        archive.add([read(embargo, text)])
    clock.moment += 50 * HOUR
    archive.publish_due()
    assert archive.history("dam")[-1].corrections.get(0) == MORNING.date()


def rows(archive: PersistentArchive) -> list[tuple[object, ...]]:
    with archive.rows() as run:
        return run("SELECT id FROM versions WHERE state = 'current'").fetchall()


LOOKS: dict[str, Callable[[PersistentArchive], object]] = {
    "article": lambda archive: archive.article("dam").id,
    "reading": lambda archive: archive.reading("dam").article.id,
    "addressed": lambda archive: archive.addressed(read().article.key),
    "articles": lambda archive: archive.articles(),
    "listed": lambda archive: archive.listed(),
    "outlets": lambda archive: archive.outlets(),
    "entities": lambda archive: archive.register().entities(),
    "named": lambda archive: archive.register().named(["quorvex"]),
    "register": lambda archive: archive.register().find("Ada Quorvex"),
    "frequencies": lambda archive: archive.vocabulary().frequencies(["quorvex"])["quorvex"],
    "history": lambda archive: archive.history("dam"),
    "readings": lambda archive: list(archive.readings(["dam"])),
    "rows": rows,
    "size": lambda archive: archive.vocabulary().size(),
}


@pytest.mark.parametrize("look", LOOKS)
def test_who_looks_first_after_an_embargo_sees_the_article(archive: PersistentArchive, clock: Clock, look: str) -> None:
    archive.add([read(MORNING + HOUR)])
    assert archive.listed() == ()
    clock.moment = MORNING + HOUR
    assert LOOKS[look](archive)


def test_a_look_waits_for_no_writer(archive: PersistentArchive, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    archive.add([read(MORNING + HOUR)])
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
        archive.add([read(MORNING + HOUR)])
    clock.moment = MORNING + HOUR
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    with closing(PersistentArchive(path, now=clock)) as reader:
        assert not finds(reader)
        assert reader.listed() == reader.register().entities() == reader.outlets() == ()
        assert reader.overdue().startswith("1 article stays unpublished after the embargo")
        assert reader.overdue() in caplog.text
