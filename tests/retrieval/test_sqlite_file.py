"""Every SQLite file of this program is private, and gets its tables once."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from retrieval.sqlite_file import make_private, make_tables, schema_version


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_nobody_else_may_enter_any_folder_made_on_the_way(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)  # somebody else's folder keeps its mode
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


def test_tables_are_made_once_and_never_changed() -> None:
    run = sqlite3.connect(":memory:").execute
    for version in (3, 3, 4):
        make_tables(run, ("CREATE TABLE first (n)", "INSERT INTO first VALUES (2)"), version)
    assert (schema_version(run), run("SELECT n FROM first").fetchall()) == (3, [(2,)])
