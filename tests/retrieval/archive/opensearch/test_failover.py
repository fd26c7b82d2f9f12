"""A node of three is killed while many ask: no answer is wrong, none is lost, and what fails says so in words."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from retrieval.archive.lasting.archive import LastingArchive
from tests import shelf
from tests.benchmarks import cluster_soak
from tests.servers import failover
from tests.servers.maven import NoServerError

HEAP = "512m"


@pytest.mark.soak
def test_no_answer_is_wrong_or_lost_when_a_node_goes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Twenty askers, three nodes, two copies of each shard; the one that manages the others is killed."""
    path = tmp_path / "archive.sqlite"
    with closing(LastingArchive(path)) as archive:
        archive.add(shelf.readings(shelf.FIXTURES))
    with capsys.disabled():
        print()  # noqa: T201 - what `make soak` is for
        try:
            told, lost = cluster_soak.run([path], HEAP, cluster_soak.NODES)
        except NoServerError as error:
            pytest.skip(str(error))
    assert told
    assert lost == 0
    assert failover.wrong(told) == 0
    assert all(each.at + each.took >= 0 for each in told if each.away)
    assert failover.failover(told) <= cluster_soak.LONGEST
