"""Three nodes beside one machine, over the same articles: how they grow and answer, and what a node's death does.

``python -m tests.benchmarks.cluster_soak --articles PATH --questions PATH`` prints a report, and fails where a reply
was wrong or lost.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from opensearchpy import OpenSearch

from adapters import machine
from bot.ask.understand import understand
from bot.command import Holdings
from bot.desk import Desk
from bot.evaluation.golden import load
from bot.model import Question
from retrieval.archive.lasting.archive import LastingArchive
from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.archive.opensearch.opening import open_opensearch
from retrieval.intake.articles import load_articles
from retrieval.model import Reading
from retrieval.pipeline import read_apart
from retrieval.search import Archive
from tests.benchmarks.varied import Varied
from tests.servers import failover
from tests.servers.opensearch import Node, serving, wait_for_green

NODES = 3
MOST = 40  # sentences of an article that is copied: a newsroom's have about 25
QUESTIONS = 200
CANDIDATES = 30
TOGETHER = 64  # articles that are added to the file at once
BEFORE, AFTER = 1, 3  # times that each asker asks every question
LONGEST = 60.0  # seconds after which nobody may be told any more that the archive is away
KINDS = ("sentences", "articles", "names")


@dataclass(frozen=True, slots=True)
class Asked:
    """What an archive was asked: each question's reply as bytes, and how long replies and their candidates took."""

    replies: tuple[bytes, ...]
    replying: tuple[float, ...]
    searching: tuple[float, ...]


@click.command()
@click.option("--articles", multiple=True, type=Path, required=True, help="Files or folders to make articles from.")
@click.option("--questions", type=Path, required=True, help="Golden questions on them.")
@click.option("--sentences", multiple=True, type=int, default=(1_000_000,), help="Sizes to measure, smallest first.")
@click.option("--heap", default="1g", help="Memory of each node.")
@click.option("--kept", type=Path, help="Folder in which single-machine archives are kept for the next run.")
def main(articles: Sequence[Path], questions: Path, sentences: Sequence[int], heap: str, kept: Path | None) -> None:
    """Measure, and kill a node at the largest size."""
    read = [reading for reading in read_apart(load_articles(list(articles)).articles) if len(reading.passages) <= MOST]
    asked = [Question(each.question) for each in load(questions)][:QUESTIONS]
    say(f"{len(read)} articles were read; {len(asked)} questions")
    with tempfile.TemporaryDirectory() as folder, serving(NODES, heap) as nodes:
        for size in sentences:
            alone = single(Varied(read, size), (kept or Path(folder)) / f"{size}.sqlite")
            archive, desk = measured(Varied(read, size), alone, nodes, asked)
            alone.close()
        told = soak(desk, asked, nodes)
    say(failover.report(told))
    if failover.wrong(told) or failover.failover(told) > LONGEST:
        raise click.ClickException(f"{failover.wrong(told)} replies of {archive.place} were wrong")


def single(readings: Mapping[str, Reading], path: Path) -> LastingArchive:
    """Return the same articles in a file on one machine, made unless it is there."""
    made = path.exists()
    archive = LastingArchive(path)
    began = time.perf_counter()
    if not made:
        for batch in batches(readings, TOGETHER):
            archive.add(batch)
        say(f"one machine: filled in {time.perf_counter() - began:.0f} s")
    say(f"one machine: {archive.size():,} sentences of {len(readings):,} articles, {megabytes(path.stat().st_size)}")
    return archive


def batches(readings: Mapping[str, Reading], size: int) -> Iterator[list[Reading]]:
    """Yield the readings, so many at a time."""
    ids = list(readings)
    for start in range(0, len(ids), size):
        yield [readings[article_id] for article_id in ids[start : start + size]]


def measured(
    readings: Mapping[str, Reading], alone: LastingArchive, nodes: Sequence[Node], questions: Sequence[Question]
) -> tuple[OpenSearchArchive, Desk]:
    """Fill the cluster, ask it and the single machine the same, and say what is the same."""
    hosts = ",".join(node.http for node in nodes)
    archive = open_opensearch(f"opensearch+http://{hosts}/soak?shards={NODES}&replicas=1", Credentials())
    began = time.perf_counter()
    archive.fill(readings)
    say(f"cluster: filled in {time.perf_counter() - began:.0f} s, with {NODES} shards of 2 copies")
    wait_for_green(nodes)
    say(f"cluster: {archive.size():,} sentences; {sizes(nodes[0])}")
    ours, theirs = asked_of(archive, questions), asked_of(alone, questions)
    for name, each in (("cluster", ours), ("one machine", theirs)):
        say(f"{name}, one asker: {failover.latency(each.replying)}; candidates {failover.latency(each.searching)}")
    same = sum(one == other for one, other in zip(ours.replies, theirs.replies, strict=True))
    say(f"{same} of {len(questions)} replies are the same to the byte")
    return archive, Desk(Holdings(archive))


def asked_of(archive: Archive, questions: Sequence[Question]) -> Asked:
    """Ask an archive everything once to warm it, and once to measure."""
    desk = Desk(Holdings(archive))
    for question in questions:
        desk.answer(question)
    replies, replying, searching = [], [], []
    for question in questions:
        began = time.perf_counter()
        reply = desk.answer(question)
        replying.append(time.perf_counter() - began)
        replies.append(machine.line(machine.reply(reply)).encode())
        query = understand(question, archive).query
        began = time.perf_counter()
        archive.search(query, CANDIDATES)
        searching.append(time.perf_counter() - began)
    return Asked(tuple(replies), tuple(replying), tuple(searching))


def soak(desk: Desk, questions: Sequence[Question], nodes: Sequence[Node]) -> list[failover.Told]:
    """Have twenty ask while the node that manages the cluster is killed."""
    right = {question: failover.shown(desk.answer(question)) for question in questions}
    with OpenSearch([f"http://{nodes[0].http}"]) as client:
        [manager] = client.cat.cluster_manager(params={"format": "json"})
    number = int(manager["node"].removeprefix("node"))
    say(f"killing {manager['node']}, which manages the cluster")
    return failover.asked(desk, right, nodes[number].kill, BEFORE, AFTER)


def sizes(node: Node) -> str:
    """Say how much the first copies of the indexes have on disk."""
    with OpenSearch([f"http://{node.http}"], timeout=60) as client:
        stats = client.indices.stats(index="soak-*", metric="store")["indices"]
    held = {
        kind: sum(of["primaries"]["store"]["size_in_bytes"] for name, of in stats.items() if kind in name)
        for kind in KINDS
    }
    return ", ".join(f"{kind} {megabytes(size)}" for kind, size in held.items())


def megabytes(size: int) -> str:
    """Say how many bytes there are."""
    return f"{size / 10**6:,.0f} MB"


def say(line: str) -> None:
    """Print a line of the report as soon as it is known."""
    click.echo(line)


if __name__ == "__main__":
    main()
