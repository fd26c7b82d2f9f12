"""PostgreSQL under the store: restarted, out of reach, another program's; all in words, and no password in them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from adapters.settings import load
from adapters.storage.postgres import named, translated
from adapters.storage.schema import MIGRATIONS
from adapters.storage.store import Store, StoreError
from adapters.terminal.configuration_check import report
from tests.postgres import Cluster, cluster


@pytest.fixture
def address(server: Cluster) -> str:
    """Return the address of an empty database."""
    return server.database()


@pytest.fixture
def own() -> Iterator[Cluster]:
    """Give a server that the test may stop."""
    with cluster() as started:
        yield started


def test_a_store_says_its_schema(address: str) -> None:
    """And an older one is brought up to date by whoever opens it."""
    Store(address).close()
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT version FROM stet_schema").fetchall() == [(len(MIGRATIONS),)]
    Store(address).close()


def test_many_who_open_it_at_once_make_it_once(address: str) -> None:
    """Replicas are started together."""
    with ThreadPoolExecutor(6) as pool:
        for store in pool.map(lambda _: Store(address), range(6)):
            store.close()


def test_a_newer_schema_is_refused(address: str) -> None:
    """An older program does not touch what it does not know."""
    Store(address).close()
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE stet_schema SET version = 99")
    with pytest.raises(StoreError, match=r"written by a newer version of stet \(its schema is 99\)"):
        Store(address)


def test_another_programs_tables_are_left_alone(address: str) -> None:
    """A table of that name which is not ours is not written to."""
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE claims (amount INTEGER)")
    with pytest.raises(StoreError, match="another program's tables"):
        Store(address)
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT to_regclass('stet_schema')").fetchone() == (None,)


def test_a_restart_of_the_server_is_survived(own: Cluster) -> None:
    """What was begun is undone, what was done is there, and the store goes on by itself."""
    with Store(own.database()) as store:
        store.save_fact("kept", "yes")
        own.stop("immediate")
        with pytest.raises(StoreError, match="cannot use postgresql://"):
            store.save_fact("kept", "no")
        own.start()
        assert store.fact("kept") == "yes"
        own.stop("fast")
        own.start()  # nobody asked meanwhile: the connection is found to be lost when it is wanted
        store.save_fact("kept", "again")
        assert store.fact("kept") == "again"


def test_what_fails_is_undone(address: str) -> None:
    """Whole, and the next transaction is sound."""
    with Store(address) as store:
        with pytest.raises(StoreError, match="does not exist"):
            half_done(store)
        assert store.fact("half") is None
        with pytest.raises(StoreError, match="cannot hold what it was given"):
            store.save_fact("x", "a\0b")
        with pytest.raises(StoreError, match="cannot hold what it was given"):
            store.save_fact("x", "\ud800")
        store.save_fact("x", "sound")
        assert store.fact("x") == "sound"


def half_done(store: Store) -> None:
    """Write one thing, and fail at the next."""
    with store._database.transaction() as run:
        run("INSERT INTO facts (name, value) VALUES (?, ?)", ("half", "done"))
        run("SELECT 1 FROM nowhere")


def test_a_closed_store_says_so(address: str) -> None:
    """Using it after closing is an error of the store's own kind."""
    store = Store(address)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.fact("any")


def test_no_password_is_told(tmp_path: Path) -> None:
    """Neither in an error, nor by ``stet check``, nor where settings are printed."""
    address = f"postgresql://stet:hush%21@/none?host={tmp_path}"
    with pytest.raises(StoreError) as failed:
        Store(address)
    settings = load({"STET_STATE": address, "STET_ENCODER": "none"}, tmp_path / "none")
    told = [str(failed.value), repr(settings), *report(settings, everything=True)]
    assert any(line.startswith("State: cannot use postgresql:///none") for line in told)
    assert not [line for line in told if "hush" in line]
    assert (
        named("postgresql://stet:pass@word@db.example:5432/state?sslmode=require")
        == "postgresql://db.example:5432/state"
    )


def test_check_says_where_it_is_kept(address: str, tmp_path: Path) -> None:
    """Once it can be."""
    settings = load({"STET_STATE": address, "STET_ENCODER": "none"}, tmp_path / "none")
    assert any(line.startswith("State: stored in postgresql://…@/stet") for line in report(settings))


def test_every_column_keeps_its_meaning() -> None:
    """Numbers of sixty-four bits, times to the microsecond."""
    assert translated("id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, n INTEGER NOT NULL) WITHOUT ROWID") == (
        "id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, at DOUBLE PRECISION NOT NULL, n BIGINT NOT NULL)"
    )
