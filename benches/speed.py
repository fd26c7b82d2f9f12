"""Stet beside other engines over the same sentences: ``python -m benches.speed [ARTICLES…]`` writes the record.

Each figure is a median of ``ROUNDS``, in which Stet and the others take turns. An engine that isn't installed is left
out, and named in the record.
"""

import importlib.util
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from benches.engines import ENGINES
from benches.newsroom import newsroom, real
from bot.command import Library
from bot.commands.proof import proof
from bot.evaluation.golden import load
from bot.model import Question
from bot.service import QuestionService
from retrieval.archive import scoring
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.fields import own
from retrieval.model import Reading
from retrieval.pipeline import read_one, read_separately
from retrieval.processes import collect_rarely
from retrieval.search import Query
from retrieval.text.terms import terms

PROJECT = Path(__file__).parents[1]
RECORD = PROJECT / "docs" / "results" / "speed.json"
SIZES = (5, 300, 4_000, 40_000)
READ = 60  # articles that are read; the others are variants of them
TOGETHER = 256  # articles that are added at once
CANDIDATES, ROUNDS = 50, 5
QUESTION = "how many were buried in mass graves"
OPEN = "import sys, pathlib; from benches.engines import *; {}(pathlib.Path(sys.argv[1]), 50)(sys.argv[2:])"

Seconds = dict[str, float]
Acts = Mapping[str, Callable[[], object]]


def processor() -> float:
    """Return the seconds of a processor that this process and its ended children have taken."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def medians(acts: Acts, count: int = 1, rounds: int = ROUNDS) -> Seconds:
    """Return the seconds of a processor for each of ``count`` things that an act does."""
    taken: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            began = processor()
            act()
            taken[name].append(processor() - began)
    return {name: statistics.median(times) / count for name, times in taken.items()}


@cache
def read() -> tuple[tuple[Reading, ...], float]:
    """Return what was read in articles, and the seconds of a processor for each."""
    first, *articles = real(READ + 1)
    read_one(first)  # loads the models
    began = processor()
    readings = tuple(read_separately(articles))
    return readings, (processor() - began) / len(readings)


def measured(size: int, folder: Path) -> Iterator[tuple[str, int, Seconds]]:
    """Yield what was done, over how many sentences, and the seconds that each took for it."""
    readings, seconds = read()
    readings = readings[:size]
    room = newsroom([reading.article for reading in readings], size, readings)
    reading = seconds * size
    archive = PersistentArchive(folder / "archive.sqlite")
    began = processor()
    collect_rarely()
    with archive.adding():
        for start in range(0, size, TOGETHER):
            archive.add(list(room.variants(start, min(TOGETHER, size - start))), more=True)
    reading += processor() - began
    documents = [list(sentence) for each in room.variants(0, size) for sentence in own(each).sentences]
    engines = {each.__name__: each for each in ENGINES if each.__name__ == "fts5" or _is_installed(each.__name__)}
    for name in engines:
        (folder / name).mkdir()
    made = medians({name: lambda n=name: engines[n](folder / n, 1, documents) for name in engines}, rounds=1)
    yield "reading", len(documents), {"stet": reading, **made}

    def fresh(*command: str | Path) -> Callable[[], object]:
        environment = {**os.environ, "STET_ARCHIVE": str(archive.path), "STET_ENCODER": "none", "STET_ARTICLES": ""}
        whole = [sys.executable, *command]
        return lambda: subprocess.run(whole, cwd=PROJECT, env=environment, check=True, capture_output=True)

    opened = {name: fresh("-c", OPEN.format(name), folder / name, *terms(QUESTION)) for name in engines}
    yield "start", len(documents), medians({"stet": fresh("-m", "adapters", "ask", QUESTION), **opened})
    asked = [each.question for each in load(PROJECT / "seeds" / "questions.toml")]
    service = QuestionService(Library(archive))
    queries = [each for each in map(_distinct, asked) if each]
    ask = {name: engine(folder / name, CANDIDATES) for name, engine in engines.items()}
    found = {name: lambda n=name: [ask[n](each) for each in queries] for name in ask}
    with archive._state() as (run, state):
        words = [Query(tuple((term, 1.0) for term in each)) for each in queries]
        ours = {"stet": lambda: [scoring.ranked(run, state.layout, each, CANDIDATES) for each in words]}
        yield "candidates", len(documents), medians({**ours, **found}, len(asked))
    answered = {"stet": lambda: [service.answer(Question(each)) for each in asked]}
    yield "reply", len(documents), medians({**answered, **found}, len(asked))
    said = [(each.article, each.passages[len(each.passages) // 2]) for each in room.variants(0, min(size, 20))]
    draft = "\n\n".join(f"The mayor said: “{passage.sentence.span.of(article.text)}”" for article, passage in said)
    parts = [each for each in map(_distinct, draft.split("\n\n")) if each]
    looked = {name: lambda n=name: [ask[n](part) for part in parts] for name in ask}
    yield "proof", len(documents), medians({"stet": lambda: proof(service.library, draft), **looked})
    archive.close()


def _distinct(text: str) -> list[str]:
    return list(dict.fromkeys(terms(text)))


def _is_installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def main(sizes: Sequence[int]) -> None:
    missing = [name for name in ("tantivy", "bm25s") if not _is_installed(name)]
    machine = f"{os.cpu_count()} cores with a load of {os.getloadavg()[0]:.0f}, Python {platform.python_version()}"
    rows: list[dict[str, object]] = []
    kept = {"day": datetime.now(UTC).date().isoformat(), "machine": machine, "missing": missing, "rows": rows}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for work, sentences, seconds in measured(size, Path(folder)):
                rows.append({"articles": size, "sentences": sentences, "work": work, "seconds": seconds})
                ratios = "  ".join(f"{name} ×{seconds['stet'] / took:.2g}" for name, took in seconds.items())
                print(f"{size:>6} {work:10} {1000 * seconds['stet']:10.1f} ms  {ratios}", flush=True)
        RECORD.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or SIZES)
