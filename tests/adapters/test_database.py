"""The file that several threads and processes share: opened, brought up to date, or refused in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.schema import MIGRATIONS
from adapters.store import Store, StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a place for the file, in a folder that is not there yet."""
    return tmp_path / "state" / "stet.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Return a new store."""
    with Store(path) as opened:
        yield opened


def test_a_store_says_its_schema(store: Store, path: Path) -> None:
    """The file counts the steps behind it, and shares itself between processes."""
    assert store.fact("any") is None
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_newer_file_is_refused(path: Path) -> None:
    """An older program does not touch what it does not know."""
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match=r"written by a newer version of stet \(its schema is 99\)"):
        Store(path)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    """A text file is named and left as it is."""
    notes = tmp_path / "notes.txt"
    notes.write_text("Call the harbour master back. " * 40)
    with pytest.raises(StoreError, match=r"cannot use .*notes\.txt: file is not a database"):
        Store(notes)
    assert notes.read_text() == "Call the harbour master back. " * 40


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A path that cannot be opened ends in a sentence."""
    with pytest.raises(StoreError, match="unable to open database file"):
        Store(tmp_path)


def test_a_closed_store_says_so(store: Store) -> None:
    """Using it after closing is an error of the store's own kind."""
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.fact("any")
