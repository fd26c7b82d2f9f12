"""What is told of an archive that cannot be asked for a while: that, and what it held."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adapters.operations import metrics
from adapters.operations.metrics import ArchiveProbe, Held
from retrieval.archive.archive import PersistentArchive
from retrieval.pipeline import read_all
from tests.stock import BRIDGE, FERRY


def test_it_is_said_once_that_it_cannot_be_asked_and_once_that_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And what it held last is told meanwhile."""
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as archive:
        archive.add(read_all([FERRY, BRIDGE]))
        look = ArchiveProbe(archive)
        assert look.answers()
        held = look.last
        assert held == Held(2, archive.vocabulary().size())
        with closing(sqlite3.connect(archive.path)) as other:
            other.execute("ALTER TABLE versions RENAME TO away")
            assert [look.answers(), look.answers()] == [False, False]
            assert look.last == held
            other.execute("ALTER TABLE away RENAME TO versions")
        assert [look.answers(), look.answers()] == [True, True]
    logged = [record.message for record in caplog.records if record.name == metrics.__name__]
    assert len(logged) == 2
    assert logged[0].startswith("the articles cannot be asked: The archive ")
    assert logged[1] == "the articles can be asked again"
