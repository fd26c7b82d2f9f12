"""SQLite and PostgreSQL under the store: opened, or refused in words with no password in them; and lost on the way."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from adapters.settings import load
from adapters.storage.database import VERSION, StoreSchemaError, open_to_others
from adapters.storage.postgres import to_postgres, without_password
from adapters.storage.store import Store, StoreError
from adapters.terminal.configuration_check import report
from tests.postgres import Cluster


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


@pytest.fixture
def address(server: Cluster) -> str:
    return server.database()


def test_many_who_open_it_at_once_make_it_once_and_another_schema_is_refused(address: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        for store in pool.map(lambda _: Store(address), range(6)):
            store.close()
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT version FROM stet_schema").fetchall() == [(VERSION,)]
        connection.execute("UPDATE stet_schema SET version = 99")
    with pytest.raises(StoreError, match=r"another version of Stet.* Name another database with STET_STATE"):
        Store(address)


def test_another_programs_tables_are_left_alone(address: str) -> None:
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE claims (amount INTEGER)")
    with pytest.raises(StoreError, match="another program's tables"):
        Store(address)
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT to_regclass('stet_schema')").fetchone() == (None,)


def test_a_restart_of_the_server_is_survived(server: Cluster) -> None:
    with Store(server.database()) as store:
        store.save_fact("kept", "yes")
        server.stop("immediate")
        with pytest.raises(StoreError, match="cannot use postgresql://"):
            store.save_fact("kept", "no")
        server.start()
        assert store.fact("kept") == "yes"
        server.stop("fast")
        server.start()  # nobody asked meanwhile: the connection is found to be lost when it is wanted
        store.save_fact("kept", "again")
        assert store.fact("kept") == "again"


def test_a_character_that_the_server_cannot_hold_is_an_error_of_the_stores_own(address: str) -> None:
    with Store(address) as store, pytest.raises(StoreError, match="cannot store this value"):
        store.save_fact("x", "a\0b")


def test_no_password_is_told(tmp_path: Path) -> None:
    address = f"postgresql://stet:hush%21@/none?host={tmp_path}"
    with pytest.raises(StoreError) as failed:
        Store(address)
    settings = load({"STET_STATE": address, "STET_ENCODER": "none"}, tmp_path / "none")
    output = [str(failed.value), repr(settings), *report(settings, everything=True)]
    assert any(line.startswith("State: cannot use postgresql:///none") for line in output)
    assert not [line for line in output if "hush" in line]
    shown = without_password("postgresql://stet:pass@word@db.example:5432/state?sslmode=require")
    assert shown == "postgresql://db.example:5432/state"


@pytest.mark.usefixtures("samples")
def test_check_says_where_it_is_kept(address: str, tmp_path: Path) -> None:
    settings = load({"STET_STATE": address, "STET_ENCODER": "none"}, tmp_path / "none")
    assert any(line.startswith("State: stored in postgresql://…@/stet") for line in report(settings))


def test_every_column_keeps_its_meaning() -> None:
    assert to_postgres("id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, n INTEGER NOT NULL) WITHOUT ROWID") == (
        "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, at DOUBLE PRECISION NOT NULL, n BIGINT NOT NULL)"
    )
