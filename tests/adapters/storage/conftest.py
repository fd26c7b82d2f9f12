"""The places where a store can be kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.storage.postgres import PostgresDatabase
from adapters.storage.sqlite import SqliteDatabase
from tests.postgres import Cluster, cluster


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    with cluster() as started:
        yield started


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a place for a store with nothing in it: a file in a folder that is not there yet, and a database."""
    if request.param == "sqlite":
        return str(tmp_path / "state" / "stet.sqlite")
    started: Cluster = request.getfixturevalue("server")
    return started.database()


class Clock:
    """A clock that stands until it is moved."""

    now = 1_000_000.0

    def __call__(self, *_: object) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock by which both databases and this process go."""
    stands = Clock()
    for database in (SqliteDatabase, PostgresDatabase):
        monkeypatch.setattr(database, "now", lambda *_: stands.now)
    monkeypatch.setattr("adapters.storage.database.monotonic", stands)
    return stands
