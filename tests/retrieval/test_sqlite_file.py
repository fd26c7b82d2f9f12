"""Every SQLite file of this program is private, and gets each step of its schema once."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from retrieval.sqlite_file import make_private, migrate, schema_version

STEPS = (("CREATE TABLE first (n)",), ("CREATE TABLE second (n)", "INSERT INTO second VALUES (2)"))


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_nobody_else_may_enter_any_folder_made_on_the_way(tmp_path: Path) -> None:
    """A folder that is already there keeps its mode: it is somebody else's."""
    tmp_path.chmod(0o755)
    path = tmp_path / "of ours" / "deeper" / "file.sqlite"
    make_private(path)
    assert [oct(place.stat().st_mode & 0o777) for place in (path, *path.parents[:3])] == [
        "0o600",
        "0o700",
        "0o700",
        "0o755",
    ]


def test_what_a_file_holds_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite"
    path.write_bytes(b"kept")
    make_private(path)
    assert path.read_bytes() == b"kept"


def test_each_step_is_taken_once() -> None:
    run = sqlite3.connect(":memory:").execute
    migrate(run, STEPS[:1])
    assert schema_version(run) == 1
    migrate(run, STEPS)
    migrate(run, STEPS)
    assert (schema_version(run), run("SELECT count(*) FROM second").fetchone()) == (2, (1,))
