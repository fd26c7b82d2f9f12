"""Every SQLite file of this program is private."""

import os
from pathlib import Path

import pytest

from retrieval.sqlite_file import make_private


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX's")
def test_nobody_else_may_enter_any_folder_made_on_the_way_to_a_file_and_what_is_there_stays(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)  # somebody else's folder keeps its mode
    path = tmp_path / "of ours" / "deeper" / "file.sqlite"
    make_private(path)
    modes = [place.stat().st_mode & 0o777 for place in (path, *path.parents[:3])]
    assert modes == [0o600, 0o700, 0o700, 0o755]
    path.write_bytes(b"kept")
    make_private(path)
    assert path.read_bytes() == b"kept"
