"""The file that several threads and processes share: opened, brought up to date, or refused in words."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from adapters.storage.schema import MIGRATIONS
from adapters.storage.sqlite import SqliteDatabase, open_to_others
from adapters.storage.store import Opinion, Store, StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "stet.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


def test_a_store_says_its_schema_and_a_newer_one_is_refused(path: Path) -> None:
    Store(path, read_only=True).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=r"written by a newer version of stet \(its schema is 99\)"):
        Store(path)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Call the harbour master back. " * 40)
    with pytest.raises(StoreError, match=r"cannot use .*notes\.txt: file is not a database"):
        Store(notes)
    assert notes.read_text() == "Call the harbour master back. " * 40


def test_a_number_that_no_file_can_hold_is_an_error_of_the_stores_own(store: Store) -> None:
    with pytest.raises(StoreError, match="cannot store this value"):
        store.answer(10**40)


def test_file_and_folder_are_for_nobody_else(store: Store, path: Path) -> None:
    store.save_fact("x", "y")
    modes = {place.name: stat.S_IMODE(place.stat().st_mode) for place in (path.parent, *path.parent.iterdir())}
    assert modes.pop("state") == 0o700
    assert set(modes.values()) == {0o600}
    assert not open_to_others(path)
    path.chmod(0o640)
    assert open_to_others(path)
    assert not open_to_others(path.with_name("none"))


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.sqlite"
    for version in (0, 1):
        with closing(sqlite3.connect(theirs)) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS prices (day TEXT)")
            connection.execute(f"PRAGMA user_version = {version}")
            connection.commit()
        before = theirs.read_bytes()
        with pytest.raises(StoreError, match=r"another program's database\. Name another file with STET_STATE"):
            Store(theirs)
        assert theirs.read_bytes() == before


def test_a_state_with_flags_of_an_older_version_opens_without_them(path: Path) -> None:
    older = SqliteDatabase(path, MIGRATIONS[:9])
    with older.transaction() as run:
        run("INSERT INTO flags VALUES ('a', 'a.txt', 'd', 0, 'It rained.', 'outlet', '', '', '', 1.0)")
        run("INSERT INTO facts VALUES ('commands', 'abc'), ('discord session box 1', '{}')")
    older.close()
    with Store(path) as store:
        assert (store.fact("commands"), store.fact("discord session box 1")) == ("abc", None)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'flags'").fetchall() == []


@pytest.mark.parametrize("steps", range(1, len(MIGRATIONS)))
def test_a_state_of_every_older_version_opens(path: Path, steps: int) -> None:
    older = SqliteDatabase(path, MIGRATIONS[:steps])
    with older.transaction() as run:
        run(
            "INSERT INTO claims (platform, payload, host, process, instance, claimed)"
            " VALUES ('slack', 'x', '', 0, '', 1)"
        )
        run(
            "INSERT INTO answers (platform, asker, question, reply, digests, at)"
            " VALUES ('page', 'U1', 'who?', '{}', '[\"aa\"]', ?)",
            (time.time(),),
        )
    older.close()
    with Store(path) as store:
        (number, record), *_ = store.last_answers(9)
        assert (record.question, record.digests, record.rendered_copy, record.sources) == ("who?", ("aa",), "", None)
        store.record_opinion(Opinion(number, "U1", right=True))
        assert store.all_opinions()[0][0].right
        assert store.watches() == ()


def test_a_damaged_file_is_noticed_on_opening(path: Path) -> None:
    with Store(path) as store:
        for number in range(2000):
            store.save_fact(f"fact {number}", "x" * 200)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + os.urandom(20_000) + whole[middle + 20_000 :])
    with pytest.raises(StoreError, match="Name another file with STET_STATE, or move this one away"):
        Store(path)


def test_a_read_only_state_can_be_read(read_only: Path) -> None:
    with Store(read_only, read_only=True) as store:
        assert store.fact("commands") == "abc"
        with pytest.raises(StoreError, match="read-only"):
            store.save_fact("commands", "abd")
    with pytest.raises(StoreError, match="must be writable"):
        Store(read_only)


def test_an_old_read_only_state_says_what_to_do(read_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.storage.store.MIGRATIONS", (*MIGRATIONS, ("SELECT 1",)))
    with pytest.raises(StoreError, match="older version of stet, and is read-only: copy it"):
        Store(read_only, read_only=True)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="unable to open database file"):
        Store(tmp_path)


def test_a_finished_claim_forgets_its_payload(store: Store, path: Path) -> None:
    claim = store.claim("slack", ("Ev1",), "a very private question")
    assert claim is not None
    store.finish(claim)
    store.close()
    assert b"very private" not in path.read_bytes()
