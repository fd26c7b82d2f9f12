"""The file that several threads and processes share: opened, or refused in words."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from adapters.storage.database import VERSION, StoreSchemaError, open_to_others
from adapters.storage.store import Store, StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "stet.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


@pytest.mark.parametrize("version", [1, VERSION - 1, VERSION + 1])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_state_of_another_version_is_refused_and_left_as_it_is(path: Path, version: int, *, read_only: bool) -> None:
    Store(path, read_only=True).close()
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StoreSchemaError, match=r"another version of Stet.* Name another file with STET_STATE"):
        Store(path, read_only=read_only)
    assert path.read_bytes() == before


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Call the harbour master back. " * 40)
    with pytest.raises(StoreError, match=r"cannot use .*notes\.txt: file is not a database"):
        Store(notes)
    assert notes.read_text() == "Call the harbour master back. " * 40


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


def test_a_finished_claim_forgets_its_payload(store: Store, path: Path) -> None:
    claim = store.claim("slack", ("Ev1",), "a very private question")
    store.finish(claim)
    store.close()
    assert b"very private" not in path.read_bytes()
