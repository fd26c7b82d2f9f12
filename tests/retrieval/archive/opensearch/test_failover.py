"""A node of three is killed while many ask: no answer is wrong, none is lost, and what fails says so in words."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median, quantiles
from time import monotonic

import pytest

from bot import messages
from bot.command import Holdings
from bot.desk import Desk
from bot.model import Answer, Message, Question, Reply
from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.opening import open_opensearch
from tests import shelf
from tests.servers.maven import NoServerError
from tests.servers.opensearch import Node, serving, wait_for_green

ASKERS = 20
BEFORE, AFTER = 2, 6  # rounds of the questions that each asks before and after
FAILOVER = 60.0  # seconds after which nobody may be told any more that the archive is away


@pytest.mark.soak
def test_no_answer_is_wrong_or_lost_when_a_node_goes(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty askers, three nodes, two copies of each shard beside the first."""
    try:
        with serving(3) as nodes:
            told, killed = _asked(nodes)
    except NoServerError as error:
        pytest.skip(str(error))
    wrong = [reply for _, _, reply, right in told if not right and reply != Message(messages.AWAY)]
    away = [at - killed for at, _, reply, _ in told if reply == Message(messages.AWAY)]
    assert wrong == []
    assert all(0 <= at <= FAILOVER for at in away)
    with capsys.disabled():
        for name, taken in (
            ("before", [took for at, took, _, _ in told if at < killed]),
            ("after", [took for at, took, _, _ in told if at >= killed]),
        ):
            p95 = quantiles(taken, n=20)[-1]
            print(f"\n{name}: {len(taken)} answers, median {median(taken):.3f} s, p95 {p95:.3f} s", end="")  # noqa: T201
        print(f"; away: {len(away)}, the last {max(away, default=0.0):.1f} s after")  # noqa: T201


Told = list[tuple[float, float, Reply, bool]]


def _asked(nodes: Sequence[Node]) -> tuple[Told, float]:
    """Ask, kill a node, ask on; return of each when, how long it took, the reply, and whether it is right."""
    hosts = ",".join(node.http for node in nodes)
    archive = open_opensearch(f"opensearch+http://{hosts}/failover?shards=2&replicas=2", Credentials())
    archive.fill({reading.article.id: reading for reading in shelf.readings(shelf.FIXTURES)})
    wait_for_green(nodes)  # every copy is there before one goes
    desk = Desk(Holdings(archive))
    questions = [Question(each.question) for each in shelf.golden(shelf.FIXTURES)[:12]]
    right = {question: _shown(desk.answer(question)) for question in questions}
    warm = threading.Barrier(ASKERS + 1)

    def ask(asker: int) -> Told:
        found: Told = []
        for turn in range(BEFORE + AFTER):
            if turn == BEFORE:
                warm.wait()
            for question in (*questions[asker % len(questions) :], *questions[: asker % len(questions)]):
                began = monotonic()
                reply = desk.answer(question)
                found.append((began, monotonic() - began, reply, _shown(reply) == right[question]))
        return found

    with ThreadPoolExecutor(ASKERS) as pool:
        asking = [pool.submit(ask, asker) for asker in range(ASKERS)]
        warm.wait()
        killed = monotonic()
        nodes[1].kill()
        return [each for future in asking for each in future.result()], killed


def _shown(reply: Reply) -> object:
    """Return what a reply shows: how sure it is may differ in the last digit from one copy of a shard to the next."""
    return tuple((e.text, e.citation) for e in reply.extracts) if isinstance(reply, Answer) else reply
