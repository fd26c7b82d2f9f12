"""A node of three is killed while many ask: no answer is wrong, none is lost, and what fails says so in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.command import Holdings
from bot.desk import Desk
from bot.model import Question
from retrieval.archive.lasting.archive import LastingArchive
from retrieval.archive.opensearch.opening import fill_opensearch, open_opensearch
from retrieval.model import Reading
from tests import shelf
from tests.benchmarks import cluster_soak
from tests.servers import failover
from tests.servers.maven import NoServerError
from tests.servers.opensearch import wait_for_cluster
from tests.servers.secured import ASKS, FILLS, PREFIX, Secured, serving_secured

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
    assert lost == 0
    check(told)


def check(told: Sequence[failover.Told]) -> None:
    """Hold what askers were told against what may be: nothing wrong, and the archive away for a while at most."""
    assert told
    assert failover.wrong(told) == 0
    assert all(each.at + each.took >= 0 for each in told if each.away)
    assert failover.failover(told) <= cluster_soak.LONGEST


@pytest.mark.soak
def test_nor_with_tls_and_users(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Three nodes as the guide sets them up: one user fills, another asks, and again when the cluster has two nodes."""
    path = tmp_path / "archive.sqlite"
    readings = {reading.article.id: reading for reading in shelf.readings(shelf.FIXTURES)}
    with closing(LastingArchive(path)) as alone:
        alone.add(readings.values())
        questions = cluster_soak.about(alone)[: cluster_soak.PRESSED]
    with capsys.disabled():
        print()  # noqa: T201 - as above
        try:
            with serving_secured(("127.0.0.1", "127.0.0.2", "127.0.0.3")) as server:
                told, refilled = _pressed(server, readings, questions)
        except NoServerError as error:
            pytest.skip(str(error))
        print(failover.report(told))  # noqa: T201 - as above
    assert cluster_soak.lost(told, questions) == 0
    check(told)
    assert refilled == len(questions)


def _pressed(
    server: Secured, readings: Mapping[str, Reading], questions: Sequence[Question]
) -> tuple[list[failover.Told], int]:
    """Return what askers were told, and how many replies are right after the cluster was filled with a node less."""
    address = f"opensearch+{server.place}/{PREFIX}soak?shards=3&replicas=1"
    fill_opensearch(address, server.credentials(FILLS), readings)
    wait_for_cluster(server.admin, len(server.nodes))
    archive = open_opensearch(address, server.credentials(ASKS))
    told = cluster_soak.pressed(archive, questions, server.nodes, server.admin)
    desk = Desk(Holdings(archive))
    before = [failover.shown(desk.answer(question)) for question in questions]
    fill_opensearch(address, server.credentials(FILLS), readings)
    fresh = Desk(Holdings(open_opensearch(address, server.credentials(ASKS))))
    after = [failover.shown(fresh.answer(question)) for question in questions]
    return told, sum(one == other for one, other in zip(before, after, strict=True))
