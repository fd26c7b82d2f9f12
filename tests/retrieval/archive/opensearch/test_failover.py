"""A node of three is killed while many ask: no answer is wrong, none is lost, and what fails says so in words."""

from __future__ import annotations

import pytest

from bot.command import Holdings
from bot.desk import Desk
from bot.model import Question
from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.opening import open_opensearch
from tests import shelf
from tests.servers import failover
from tests.servers.maven import NoServerError
from tests.servers.opensearch import serving, wait_for_green

BEFORE, AFTER = 2, 6  # rounds of the questions that each asks before and after
QUESTIONS = 12
LONGEST = 60.0  # seconds after which nobody may be told any more that the archive is away


@pytest.mark.soak
def test_no_answer_is_wrong_or_lost_when_a_node_goes(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty askers, three nodes, two copies of each shard beside the first."""
    questions = [Question(each.question) for each in shelf.golden(shelf.FIXTURES)[:QUESTIONS]]
    try:
        with serving(3) as nodes:
            hosts = ",".join(node.http for node in nodes)
            archive = open_opensearch(f"opensearch+http://{hosts}/failover?shards=2&replicas=2", Credentials())
            archive.fill({reading.article.id: reading for reading in shelf.readings(shelf.FIXTURES)})
            wait_for_green(nodes)  # every copy is there before one goes
            desk = Desk(Holdings(archive))
            right = {question: failover.shown(desk.answer(question)) for question in questions}
            told = failover.asked(desk, right, nodes[1].kill, BEFORE, AFTER)
    except NoServerError as error:
        pytest.skip(str(error))
    assert len(told) == failover.ASKERS * QUESTIONS * (BEFORE + AFTER)
    assert failover.wrong(told) == 0
    assert all(each.at + each.took >= 0 for each in told if each.away)
    assert failover.failover(told) <= LONGEST
    with capsys.disabled():
        print(f"\n{failover.report(told)}")  # noqa: T201 - what `make soak` is for
