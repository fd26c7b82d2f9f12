"""An archive that cannot be searched for a while."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adapters import metrics
from adapters.metrics import ArchiveProbe, ArchiveSize
from retrieval.archive.archive import PersistentArchive
from retrieval.pipeline import read_all
from tests.stock import BRIDGE, FERRY


def test_it_is_logged_once_that_it_cannot_be_searched_and_once_that_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(PersistentArchive(tmp_path / "archive.sqlite")) as archive:
        archive.add(read_all([FERRY, BRIDGE]))
        probe = ArchiveProbe(archive)
        assert probe.answers()
        size = probe.last
        assert size == ArchiveSize(2, archive.vocabulary().size())
        with closing(sqlite3.connect(archive.path)) as other:
            other.execute("ALTER TABLE versions RENAME TO away")
            assert [probe.answers(), probe.answers()] == [False, False]
            assert probe.last == size
            other.execute("ALTER TABLE away RENAME TO versions")
        assert [probe.answers(), probe.answers()] == [True, True]
    logged = [record.message for record in caplog.records if record.name == metrics.__name__]
    assert len(logged) == 2
    assert logged[0].startswith("the articles cannot be searched: The archive ")
    assert logged[1] == "the articles can be searched again"
