"""What a change wins and loses on the development data: `python -m tests.compare COMMIT SHARED [--sample]`.

The commit and the working tree ask, read and check the same data (`compare.toml`), each by the `stet` of its own tree
and the JSON that it prints. The scorers in SHARED/eval judge item by item. Whatever differs, the exit status is 0. What
the commit prints is kept in `.venv/compare`; the next comparison with it runs the working tree alone. A sample takes
less than a minute, and keeps nothing.
"""

import hashlib
import io
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tarfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

PROJECT = Path(__file__).resolve().parent.parent
SETS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
RUN = "from adapters.terminal.cli import main; main()"
TIMEOUT_SECONDS = 1200
CORPUS = "corpus/news_2000.jsonl"
QUESTION = "how many people were buried in mass graves in Bucha?"
LEAD = "The article says: "
SAMPLED = 32  # one item in so many is in a sample
EXAMPLES = 10  # printed of each kind of change
LONGEST = 160  # characters printed of a sentence

Row = dict[str, Any]
Figures = Mapping[str, tuple[float, float]]  # how many of how many


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    key: str  # of the output that it is judged by
    gold: Row
    words: str


@dataclass(frozen=True, slots=True)
class Job:
    """A call of `stet`, and what its output is judged by; a set's name ends with its scorer's."""

    name: str
    arguments: Sequence[str]
    files: Mapping[str, str]
    sets: Mapping[tuple[str, str], Sequence[Item]]  # by name and scorer
    texts: Mapping[str, str]  # of the articles that questions are asked of


@dataclass(frozen=True, slots=True)
class Side:
    name: str
    tree: Path
    home: Path

    def stet(self, job: Job, caches: str = "caches", kept: Path | None = None) -> str:
        """Return what `stet` prints, or has printed into `kept`; ValueError where it fails."""
        if kept and kept.exists():
            return kept.read_text(encoding="utf-8")
        folder = self.home / job.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in job.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        own = {name: value for name, value in os.environ.items() if not re.match("STET_|SLACK_|DISCORD_|XDG_", name)}
        own |= {"HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / caches), "PYTHONPATH": str(self.tree)}
        own |= {"STET_ENCODER": "none"} if job.name == "cuts" else {}  # the words alone tell whether they are exact
        command = [sys.executable, "-c", RUN, *job.arguments]
        done = subprocess.run(command, cwd=folder, env=own, capture_output=True, check=False, timeout=TIMEOUT_SECONDS)
        if done.returncode:
            raise ValueError(f"{self.name} fails: {done.stderr.decode().strip()[-300:]}")
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(done.stdout)
        return done.stdout.decode()


class Data:
    """The development data and the scorers beside them."""

    def __init__(self, shared: Path, *, sample: bool) -> None:
        self._shared, self._part = shared, SAMPLED if sample else 1
        self._rows = cache(self._read)
        self._code = cache(lambda name: compile((shared / "eval" / name).read_bytes(), name, "exec"))

    def jobs(self) -> Iterator[Job]:
        """Make the jobs, the longest first; a set whose data are missing is named and left out."""
        makers: dict[str, Callable[[], Job]] = {
            **{name: partial(self._asking, name, *row) for name, row in SETS["questions"].items()},
            "cuts": self._checking,
            **{name: partial(self._reading, name, file) for name, file in SETS["readings"].items()},
        }
        for name in makers if self._part == 1 else SETS["sampled"]:
            try:
                yield makers[name]()
            except FileNotFoundError as error:
                print(f"{name}: left out, {error.filename} is missing")

    def judge(self, scorer: str, texts: Mapping[str, str], item: Item, got: Row) -> Figures:
        """Return the scorer's figures of one item."""
        command, names = SETS["scorers"][scorer]
        if scorer == "cuts":
            exact = got.get("verdict") == "exact" and not got.get("to_check")
            return {"honest_exact" if item.gold["kind"] == "honest" else "misleading_exact": (exact, 1)}
        if scorer == "scope":
            got = got | {"article_id": "scope0"}  # a case is named by its place, and is alone here
        words = {word.rpartition("/")[2] for word in re.findall(r'"([^"]+)"', json.dumps(got))}
        articles = [{"id": name, "text": texts[name]} for name in words & texts.keys()]
        with TemporaryDirectory() as folder:
            files = {"GOLD": [item.gold], "GOT": [got], "ARTICLES": articles}
            for name, rows in files.items():
                Path(folder, name).write_text(_lines(rows), encoding="utf-8")
            printed = self._printed(*(f"{folder}/{word}" if word in files else word for word in command.split()))
        values = dict(line.split(" ", 1) for line in printed.splitlines())
        figures = {name[1:]: _figure(name[1:], values.get(name[1:], "nan")) for name in names.split()}
        return {name: value for name, value in figures.items() if value}

    def _asking(self, name: str, files: Sequence[str], articles: str, most: int, documents: int) -> Job:
        source, wanted = self._shared / "data" / articles, set[str]()
        whole = source.is_dir()
        found = sorted(file for file in source.iterdir() if file.is_file()) if whole else []
        texts = {file.name: file.read_text(encoding="utf-8") for file in found}
        texts |= {} if whole else {row["id"]: row["text"] for row in self._rows(articles)}
        sets: dict[tuple[str, str], list[Item]] = {}
        for file in files:
            scorer = "premises" if "premises" in file else "public" if articles.startswith("questions") else "questions"
            items = sets[file.removesuffix("/questions"), scorer] = []
            for row in self._drawn(f"{file}.jsonl", 1):
                docs = wanted | {answer["doc"] for answer in (*row["answers"], *row.get("also_good", []))}
                if len(items) < most // self._part and (whole or len(docs) <= documents // self._part):
                    wanted = docs
                    items.append(Item(row["id"], row["id"], row, row["question"]))
        made = {"q.jsonl": _lines(item.gold for items in sets.values() for item in items)}
        if not whole:
            others = [row["id"] for row in self._drawn(articles, 1) if row["id"] not in wanted]
            made["a.jsonl"] = self._articles(wanted.union(others[: documents // self._part - len(wanted)]), articles)
        arguments = ("ask", "--batch", "q.jsonl", "--articles", str(source) if whole else "a.jsonl")
        return Job(name, arguments, made, sets, texts)

    def _reading(self, name: str, file: str) -> Job:
        rows = self._drawn(file)
        if name in {"speakers", "rows"}:
            articles = self._articles({row["article_id"] for row in rows})
            parts = [(row, place, row["sentences"][place]) for row in rows for place in range(len(row["sentences"]))]
            items = [
                Item(f"{row['id']} {place}", row["article_id"], row | {"sentences": [part]}, part["text"])
                for row, place, part in parts
                if part["sure"]
            ]
        else:
            with TemporaryDirectory() as folder:
                Path(folder, "gold").write_text(_lines([{"cases": rows}] if name == "scope" else rows), "utf-8")
                articles = self._printed("make_articles.py", name, f"{folder}/gold")
            items = [
                Item(key, key, {"cases": [row]} if name == "scope" else row, row.get("text") or row.get("caveat") or "")
                for row, key in zip(rows, (json.loads(line)["id"] for line in articles.splitlines()), strict=True)
            ]
        return Job(name, ("read", "a.jsonl", "--json"), {"a.jsonl": articles}, {(name, name): items}, {})

    def _checking(self) -> Job:
        draft, items = "", []
        for row in self._drawn("cuts/dev.jsonl"):
            items.append(Item(row["id"], str(len(draft) + len(LEAD)), row, row["cut"]))
            draft += LEAD + "“" + row["cut"].translate(str.maketrans('“”"', "‘’'")) + "”.\n\n"
        files = {"draft.txt": draft, "a.jsonl": self._articles({item.gold["article_id"] for item in items})}
        arguments = ("proof", "draft.txt", "--json", "--articles", "a.jsonl")
        return Job("cuts", arguments, files, {("cuts", "cuts"): items}, {})

    def _read(self, file: str) -> Sequence[Row]:
        text = (self._shared / "data" / file).read_text(encoding="utf-8")
        return list(json.loads(text)["cases"]) if file.endswith(".json") else list(map(json.loads, text.splitlines()))

    def _drawn(self, file: str, part: int = 0) -> Sequence[Row]:
        rows = self._rows(file)
        return random.Random(1).sample(rows, len(rows) // (part or self._part))  # noqa: S311 - no secret

    def _articles(self, names: set[str], file: str = CORPUS) -> str:
        return _lines(row for row in self._rows(file) if row["id"] in names)

    def _printed(self, script: str, *arguments: str) -> str:
        output, name = io.StringIO(), Path(script).name
        with patch("sys.argv", [name, *arguments]), redirect_stdout(output), suppress(SystemExit):
            exec(self._code(name), {"__name__": "__main__"})  # noqa: S102 - the data's own scorers
        return output.getvalue()


def _lines(rows: Iterable[Row]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _figure(name: str, text: str) -> tuple[float, float] | None:
    if parts := re.search(r"(\d+)/(\d+)\)?$", text):
        return (int(parts[1]), int(parts[2])) if int(parts[2]) else None
    if math.isnan(float(text)):
        return (1, 1) if name == "caveat_precision" else None  # where nothing is taken for a caveat, nothing is wrong
    return float(text), 1


def by_item(printed: str) -> Mapping[str, Row]:
    """Return the lines of output by question, by article, or by the place in a draft; its summary has none."""
    rows = [json.loads(line) for line in printed.splitlines()]
    return {str(next((row[key] for key in ("id", "article_id", "start") if key in row), "")): row for row in rows}


def sign_test(won: int, lost: int) -> float:
    """Return how likely a split at least as uneven is by chance, in either direction."""
    tail = sum(math.comb(won + lost, fewer) for fewer in range(min(won, lost) + 1))
    return min(1.0, tail / float(2 ** (won + lost - 1)))


def report(
    name: str,
    items: Sequence[Item],
    sides: Sequence[Mapping[str, Row]],
    figures: str,
    judge: Callable[[Item, Row], Figures],
) -> str:
    """Tell what each figure of a set won and lost; `judge` takes an item and its output."""
    outputs = [(item, sides[0].get(item.key, {}), sides[1].get(item.key, {})) for item in items]
    differing = sum(old != new for _, old, new in outputs)
    lines = [f"{name}: {len(items)} items, {differing} differ"]
    judged = []
    for item, old, new in outputs if differing else ():
        was = judge(item, old)
        judged.append((item, was, was if old == new else judge(item, new)))
    for sign, figure in ((word[0], word[1:]) for word in figures.split()):
        pairs = [(item, was[figure], now[figure]) for item, was, now in judged if figure in was and figure in now]
        way = 1 if sign == "+" else -1
        changes = [(item, way * (now[0] - was[0])) for item, was, now in pairs if was[0] != now[0]]
        if not changes:
            continue
        won, lost = (sum(turn * change > 0 for _, change in changes) for turn in (1, -1))
        columns = list(zip(*pairs, strict=True))[1:]
        totals = " -> ".join(f"{sum(a for a, _ in row):g}/{sum(b for _, b in row):g}" for row in columns)
        lines.append(f"    {figure}: {totals}, won {won}, lost {lost}, p {sign_test(won, lost):.3f}")
        for item, change in changes[:EXAMPLES]:
            lines.append(f"        {'won' if change > 0 else 'lost'} {item.name}: {item.words[:LONGEST]}")
    return "\n".join(lines)


def reading_changes(old: Row, new: Row) -> Iterator[tuple[str, str]]:
    """Yield each change of an article's reading: its kind, what it was and is, and the sentence."""
    before, after = ({(row["start"], row["end"]): row for row in side["sentences"]} for side in (old, new))
    for span in sorted(before.keys() | after.keys()):
        was, now = before.get(span), after.get(span)
        text = (was or now or {})["text"][:LONGEST]
        if was is None or now is None:
            yield "sentence bounds", f"{'only now' if now else 'only before'} | {text}"
        else:
            yield from ((kind, f"{one or '-'} -> {other or '-'} | {text}") for kind, one, other in _changes(was, now))


def _changes(old: Row, new: Row) -> Iterator[tuple[str, object, object]]:
    (speaker, voice), (speaker_now, voice_now) = (
        [(row["attribution"] or {}).get(key) for key in ("speaker", "voice")] for row in (old, new)
    )
    if speaker != speaker_now:
        words, others = (set(re.findall(r"\w+", (name or "").lower())) for name in (speaker, speaker_now))
        one_person = words and others and (words <= others or others <= words)
        yield "label" if one_person else "speaker", speaker, speaker_now
    elif voice != voice_now:
        yield "voice", voice, voice_now
    for kind in ("boilerplate", "denial"):
        if old[kind] != new[kind]:
            yield kind, old[kind], new[kind]
    for kind, key, names in (
        ("caveat", "caveats", ["text"]),
        ("possible caveat", "possible_caveats", ["text"]),
        ("mention", "mentions", ["text", "name", "kind"]),
    ):
        was, now = (["; ".join(row[name] for name in names) for row in side[key]] for side in (old, new))
        lost, won = ([text for text in one if text not in other] for one, other in ((was, now), (now, was)))
        changes = (
            (("caveat removed", lost, []), ("caveat added", [], won)) if kind == "caveat" else ((kind, lost, won),)
        )
        yield from (change for change in changes if any(change[1:]))


def _time(sides: Sequence[Side], jobs: Sequence[Job], repeats: int) -> Iterator[str]:
    """Time three calls; of six, the first is a warm-up, which the jobs are for a sample."""
    known = {job.name: job for job in jobs}
    asked = known["seeds"].arguments[3:] if "seeds" in known else ()  # articles that were read for the job
    read = known["speakers"].files["a.jsonl"].splitlines(keepends=True) if "speakers" in known else []
    for name, files, *arguments in (
        ("start", {}, "--version"),
        ("one question, with the start", {}, "ask", QUESTION, "--json", *asked),
        ("reading articles, with the start", {"a.jsonl": "".join(read[:20])}, "read", "a.jsonl", "--json"),
    ):
        taken: dict[str, list[float]] = defaultdict(list)
        for number in range(repeats):
            for side in sides[:: 1 if number % 2 else -1]:
                began = time.perf_counter()
                side.stet(Job("times", arguments, files, {}, {}), f"cold {number}" if files else "caches")
                taken[side.name].append(time.perf_counter() - began)
        yield f"{name}: " + " -> ".join(f"{statistics.median(taken[side.name][-5:]):.2f} s" for side in sides)


def _compare(sides: Sequence[Side], data: Data, jobs: Sequence[Job], kept: Path | None) -> None:
    """Run each job on both sides, a process on each core, and print what differs."""
    cores = list(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
    changes: dict[str, list[str]] = defaultdict(list)
    with ThreadPoolExecutor(len(cores), initializer=lambda: _stay_on(cores.pop())) as pool:
        runs = []
        for job in jobs:
            digest = hashlib.sha256(repr((job.arguments, job.files, job.texts)).encode()).hexdigest()[:16]
            places = (kept / f"{job.name}-{digest}.jsonl" if kept else None, None)
            runs.append([pool.submit(side.stet, job, kept=at) for side, at in zip(sides, places, strict=True)])
        for job, run in zip(jobs, runs, strict=True):
            try:
                old, new = (by_item(future.result()) for future in run)
            except (ValueError, subprocess.TimeoutExpired) as error:
                print(f"{job.name}: not compared. {error}")
                continue
            for (name, scorer), items in job.sets.items():
                judge = partial(data.judge, scorer, job.texts)
                print(report(name, items, (old, new), SETS["scorers"][scorer][1], judge))
            for key in old.keys() & new.keys() if job.arguments[0] == "read" else ():
                for kind, words in reading_changes(old[key], new[key]):
                    changes[kind].append(f"{key}: {words}")
    for kind, lines in sorted(changes.items()):
        print(f"readings, {kind}: {len(lines)}", *sorted(lines)[:EXAMPLES], sep="\n    ")


def _stay_on(core: int) -> None:
    if hasattr(os, "sched_setaffinity"):  # of this thread, and the processes that it starts
        os.sched_setaffinity(0, {core})


def _git(*arguments: str) -> bytes:
    command = ["git", "-C", str(PROJECT), *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


def main(arguments: Sequence[str]) -> int:
    """Compare; 2 where the command is wrong."""
    began, sample = time.monotonic(), "--sample" in arguments
    try:
        commit, shared = (word for word in arguments if word != "--sample")
    except ValueError:
        print(__doc__, file=sys.stderr)
        return 2
    if not Path(shared, "data").is_dir():
        print(f"compare: {shared} holds no development data; nothing is compared")
        return 0
    with TemporaryDirectory() as folder:
        base, now = (Side(name, Path(folder, "tree"), Path(folder, name)) for name in ("base", "now"))
        now = Side("now", PROJECT, now.home)
        try:
            digest = _git("rev-parse", "--verify", f"{commit}^{{commit}}").decode().strip()
            with tarfile.open(fileobj=io.BytesIO(_git("archive", digest))) as archive:
                archive.extractall(base.tree, filter="data")
        except subprocess.CalledProcessError as error:
            print(f"compare: {commit} can't be checked out; nothing is compared. {error.stderr.decode().strip()}")
            return 0
        print(f"compare: {commit} ({digest[:8]}) -> the working tree", flush=True)
        data = Data(Path(shared).resolve(), sample=sample)
        jobs = list(data.jobs())
        _compare((base, now), data, jobs, None if sample else PROJECT / ".venv/compare" / digest)
        with suppress(ValueError):  # a side that fails has been named
            print(*_time((base, now), jobs, 1 if sample else 6), sep="\n")
    print(f"compared in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
