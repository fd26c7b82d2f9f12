"""The places where a store can be kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgres import Cluster


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return a place for a store with nothing in it: a file in a folder that is not there yet, and a database."""
    if request.param == "sqlite":
        return str(tmp_path / "state" / "stet.sqlite")
    started: Cluster = request.getfixturevalue("server")
    return started.database()
