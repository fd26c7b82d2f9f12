"""Three nodes beside one machine, over the same articles: how they grow and answer, and what a node's death does.

``python -m tests.benchmarks.cluster_soak --archive PATH`` fills the cluster with what an archive in a file holds, asks
both the same, kills a node while twenty ask, and prints a report; it fails where a reply was wrong or lost.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import click
from opensearchpy import OpenSearch

from adapters import machine
from bot.ask.understand import understand
from bot.command import Holdings
from bot.desk import Desk
from bot.model import Answer, Question, Reply
from retrieval.archive.lasting.archive import LastingArchive
from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.opening import copy_to_opensearch
from retrieval.search import Archive
from tests.servers import failover
from tests.servers.opensearch import Node, serving, wait_for_green

NODES = 3
QUESTIONS, PRESSED = 200, 25  # how many are asked of both, and of these by each of twenty askers
TRIES = 20  # sentences that are looked at for a question
WORDS = 4  # of the sentence that a question is about
CANDIDATES = 30
ASKED = 3  # times that each question is asked of each archive, once for its candidates alone
BEFORE, AFTER = 1, 3  # times that each asker asks every question
LONGEST = 60.0  # seconds after which nobody may be told any more that the archive is away
KINDS = ("sentences", "articles", "names")


@dataclass(frozen=True, slots=True)
class Asked:
    """What an archive was asked: each question's reply, and how long replies and their candidates took."""

    replies: tuple[Reply, ...]
    replying: tuple[float, ...]
    searching: tuple[float, ...]


@click.command()
@click.option("--archive", "paths", multiple=True, type=Path, required=True, help="Archives in files, smallest first.")
@click.option("--heap", default="1g", help="Memory of each node.")
@click.option("--shards", default=NODES, help="Shards of each index, with two copies each.")
def main(paths: Sequence[Path], heap: str, shards: int) -> None:
    """Measure at each size, and kill a node at the last."""
    told, lost = run(paths, heap, shards)
    if failover.wrong(told) or lost or failover.failover(told) > LONGEST:
        sys.exit(f"{failover.wrong(told)} replies were wrong, {lost} were lost")


def run(paths: Sequence[Path], heap: str, shards: int) -> tuple[list[failover.Told], int]:
    """Measure with the archives in these files; return what askers were told at the last, and how many were not."""
    with serving(NODES, heap) as nodes:
        for path in paths:
            with closing(LastingArchive(path)) as alone:
                archive = filled(alone, nodes, shards)  # first of all, so that the memory it is told to take is its own
                say(f"{path.name}: {alone.size():,} sentences, {megabytes(path.stat().st_size)} on one machine")
                questions = about(alone)
                compared(archive, alone, questions, nodes)
        told = pressed(archive, questions[:PRESSED], nodes)
    say(failover.report(told))
    return told, failover.ASKERS * len(questions[:PRESSED]) * (BEFORE + AFTER) - len(told)


def about(archive: LastingArchive) -> tuple[Question, ...]:
    """Return questions for the rarer words of sentences that are held, every other one for what somebody said."""
    chance = random.Random(16)  # noqa: S311 - the same on every run
    ids = [article.id for article in archive.articles()]
    found: dict[Question, None] = {}
    for _ in range(QUESTIONS * TRIES):
        reading = archive.reading(chance.choice(ids))
        passage = chance.choice(reading.passages)
        said = passage.sentence.span.of(reading.article.text)
        words = sorted({word.strip('.,:;?!"“”’') for word in said.split() if len(word) > WORDS}, key=len)[-WORDS:]
        speaker = passage.attribution.speaker if passage.attribution else None
        if len(words) == WORDS and bool(speaker) == len(found) % 2:
            asked = f"what did {speaker} say about" if speaker else "what is known about"
            found[Question(f"{asked} {' '.join(words)}?")] = None
    return tuple(found)[:QUESTIONS]


def filled(alone: LastingArchive, nodes: Sequence[Node], shards: int) -> OpenSearchArchive:
    """Fill the cluster from the file; say how long that took, and what it has on disk."""
    hosts = ",".join(node.http for node in nodes)
    setting = f"opensearch+http://{hosts}/soak?shards={shards}&replicas=1"
    began, used, worked = time.perf_counter(), time.process_time(), work(nodes)
    archive = copy_to_opensearch(setting, Credentials(), alone.contents)
    took, own = time.perf_counter() - began, time.process_time() - used
    wait_for_green(nodes)
    say(
        f"cluster: filled from the file in {took:.0f} s: {own:.0f} s of a core here, {memory()};"
        f" {work(nodes) - worked:.0f} s of a core on the nodes"
    )
    say(f"cluster: {archive.size():,} sentences, {shards} shards of two copies; one copy has {sizes(nodes[0])}")
    return archive


def memory() -> str:
    """Say how much memory this process has of its own, and how much of files, which the system takes back at will."""
    told = Path("/proc/self/status")
    lines = told.read_text(encoding="ascii").splitlines() if told.exists() else ()
    held = {
        name: int(size.split()[0]) * 1000 for name, _, size in (line.partition(":") for line in lines if "kB" in line)
    }
    return f"{megabytes(held.get('RssAnon', 0))} of memory and {megabytes(held.get('RssFile', 0))} of files"


def work(nodes: Sequence[Node]) -> float:
    """Return for how many seconds of a core all nodes have worked."""
    return sum(node.worked() for node in nodes)


def compared(
    archive: OpenSearchArchive, alone: LastingArchive, questions: Sequence[Question], nodes: Sequence[Node]
) -> None:
    """Ask both the same, and say how long they took and what is the same."""
    worked = work(nodes)
    ours = asked_of(archive, questions)
    each = 1000 * (work(nodes) - worked) / (ASKED * len(questions))
    say(f"the nodes work {each:.0f} ms of a core for a reply")
    theirs = asked_of(alone, questions)
    for name, each in (("cluster", ours), ("one machine", theirs)):
        say(f"{name}, one asker: {failover.latency(each.replying)}; candidates: {failover.latency(each.searching)}")
    for name, shown in (
        ("to the byte", drawn),
        ("but for the third digit of how sure they are", rounded),
        ("in what they quote", failover.shown),
    ):
        same = sum(shown(one) == shown(other) for one, other in zip(ours.replies, theirs.replies, strict=True))
        say(f"{same} of {len(questions)} replies are the same {name}")
    answered = sum(isinstance(reply, Answer) for reply in ours.replies)
    say(f"{answered} of them are answers")


def drawn(reply: Reply) -> bytes:
    """Return a reply as a program is given it."""
    return machine.line(machine.reply(reply)).encode()


def rounded(reply: Reply) -> bytes:
    """Return the same with how sure it is in two digits."""
    return drawn(replace(reply, confidence=round(reply.confidence, 2)) if isinstance(reply, Answer) else reply)


def asked_of(archive: Archive, questions: Sequence[Question]) -> Asked:
    """Ask an archive everything once to warm it, and once to measure."""
    desk = Desk(Holdings(archive))
    replies, replying, searching = [], [], []
    for question in questions:
        desk.answer(question)
    for question in questions:
        began = time.perf_counter()
        replies.append(desk.answer(question))
        replying.append(time.perf_counter() - began)
        query = understand(question, archive).query
        began = time.perf_counter()
        archive.search(query, CANDIDATES)
        searching.append(time.perf_counter() - began)
    return Asked(tuple(replies), tuple(replying), tuple(searching))


def pressed(archive: OpenSearchArchive, questions: Sequence[Question], nodes: Sequence[Node]) -> list[failover.Told]:
    """Have twenty ask while the node that manages the cluster is killed."""
    desk = Desk(Holdings(archive))
    right = {question: failover.shown(desk.answer(question)) for question in questions}
    with OpenSearch([f"http://{nodes[0].http}"]) as client:
        [manager] = client.cat.cluster_manager(params={"format": "json"})
    say(f"killing {manager['node']}, which manages the cluster")
    return failover.asked(desk, right, nodes[int(manager["node"].removeprefix("node"))].kill, BEFORE, AFTER)


def sizes(node: Node) -> str:
    """Say how much one copy of each index has on disk."""
    with OpenSearch([f"http://{node.http}"], timeout=60) as client:
        stats = client.indices.stats(index="soak-*", metric="store")["indices"]
    held = {
        kind: sum(of["primaries"]["store"]["size_in_bytes"] for name, of in stats.items() if kind in name)
        for kind in KINDS
    }
    return ", ".join(f"{megabytes(size)} of {kind}" for kind, size in held.items())


def megabytes(size: int) -> str:
    """Say how many bytes there are."""
    return f"{size / 10**6:,.0f} MB"


def say(line: str) -> None:
    """Print a line of the report as soon as it is known."""
    click.echo(line)


if __name__ == "__main__":
    main()
