"""What the tests of archives and of what is taken into them share."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive.archive import PersistentArchive
from retrieval.pipeline import read_one
from tests.retrieval.archive.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "archive.sqlite"


@pytest.fixture
def archive(path: Path, clock: Clock) -> Iterator[PersistentArchive]:
    """Return an empty archive that goes by the clock, and reads anew what is damaged."""
    with closing(PersistentArchive(path, now=clock, read=read_one)) as lasting:
        yield lasting
