"""Records in docs/results -> the tables of docs/quality.md, docs/speed.md and the cards of the models.

``stet eval TEST --record docs/results/TEST.json`` writes those of public tests, ``make bench`` that of speed.
``elsewhere.toml`` has what the program can't measure: judgements of readers, and figures on sealed texts.
"""

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.evaluation.benchmarks import BENCHMARKS, GROUP, SIMPLE, record

PROJECT = Path(__file__).parents[1]
DOCS, MODELS = PROJECT / "docs", PROJECT / "retrieval" / "models"
RESULTS = DOCS / "results"
SPEED = RESULTS / "speed.json"
CARDS = {test: MODELS / test / "README.md" for test in ("caveats", "speakers")}
WORKS = ("start", "reading", "candidates", "reply", "proof")
ENGINES = {"tantivy": "tantivy", "fts5": "FTS5", "bm25s": "bm25s"}
HEAD = ("test", "what", "cases", "share", "95 % interval", "by the simple rule", "day", "commit")
ELSEWHERE = {
    "readers": ("what", "cases", "right", "wrong", "day", "commit"),
    "sealed": ("what", "cases", "figure", "day", "commit"),
}


def written(text: str, results: Path = RESULTS) -> str:
    """Return the page of quality with its tables; a record whose cases or models have changed is marked."""
    rows: list[Sequence[str]] = []
    for test in sorted(BENCHMARKS):
        if not (path := results / f"{test}.json").exists():
            continue
        kept = json.loads(path.read_text(encoding="utf-8"))
        name, figures = f"`{test}`{_age(kept)}", kept["figures"]
        for what, (part, whole) in figures.items():
            if GROUP not in what and not what.endswith(SIMPLE):
                simple = _share(figures[what + SIMPLE]) if what + SIMPLE in figures else ""
                shares = (f"{part} of {whole}", _share((part, whole)), _interval(part, whole), simple)
                rows.append((name, what, *shares, kept["day"], kept["commit"]))
    text = _with_lines(text, "results", _table(HEAD, rows))
    elsewhere = tomllib.loads((RESULTS / "elsewhere.toml").read_text(encoding="utf-8"))
    for name, columns in ELSEWHERE.items():
        text = _with_lines(text, name, _table(columns, [[str(row[key]) for key in columns] for row in elsewhere[name]]))
    return text


def card(text: str, test: str, results: Path = RESULTS) -> str:
    """Return a model's card with the figures of its test by layout or kind."""
    kept = json.loads((results / f"{test}.json").read_text(encoding="utf-8"))
    cells = {tuple(what.split(GROUP)): f"{part} of {whole}" for what, (part, whole) in kept["figures"].items()}
    names = sorted({what[0] for what in cells if len(what) > 1})
    groups = sorted({what[1] for what in cells if len(what) > 1}, key=str.lower)
    rows = [(group, *(cells.get((name, group), "") for name in names)) for group in groups]
    told = f"`stet eval {test}`, {kept['day']}, at {kept['commit']}{_age(kept)}:"
    return _with_lines(text, "groups", [told, "", *_table(("", *names), rows)])


def _age(kept: Mapping[str, Any]) -> str:
    is_current = record(kept["test"], None, {})["digests"] == kept["digests"]
    return "" if is_current else ", **out of date**"


def speeds(text: str, record: Path = SPEED) -> str:
    """Return the page with a row for each work and size: what Stet takes, and how many times as long as the others."""
    kept = json.loads(record.read_text(encoding="utf-8"))
    head = ("work", "articles", "sentences", "Stet", *(f"× {name}" for name in ENGINES.values()))
    rows = list[Sequence[str]]()
    for row in sorted(kept["rows"], key=lambda row: (WORKS.index(row["work"]), row["articles"])):
        seconds = row["seconds"]
        ratios = [seconds["stet"] / seconds[name] if name in seconds else None for name in ENGINES]
        times = ["not installed" if each is None else f"{each:.2g}" if each < 10 else f"{each:,.0f}" for each in ratios]
        own = f"{seconds['stet']:.1f} s" if seconds["stet"] >= 1 else f"{1000 * seconds['stet']:.1f} ms"
        rows.append((row["work"], f"{row['articles']:,}", f"{row['sentences']:,}", own, *times))
    measured = f"Measured on {kept['day']}: {kept['machine']}."
    return _with_lines(text, "results", [measured, "", *_table(head, rows)])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    top, *below = (f"| {' | '.join(cells)} |" for cells in (head, *rows))
    return [top, f"|{'---|' * len(head)}", *below]


def _with_lines(text: str, name: str, lines: Sequence[str]) -> str:
    """Return the text with these lines between the marks of that name."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    return re.sub(f"{begin}.*{end}", lambda _: "\n".join((begin, *lines, end)), text, flags=re.DOTALL)


def _share(parts: tuple[int, int]) -> str:
    return _decimal(parts[0] / parts[1])


def _decimal(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _interval(part: int, whole: int) -> str:
    """Return Wilson's interval."""
    z, p = 1.96, part / whole
    middle, half = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + (z / (2 * whole)) ** 2)
    return " to ".join(_decimal((middle + sign * half) / (1 + z * z / whole)) for sign in (-1, 1))


if __name__ == "__main__":
    pages = {DOCS / "quality.md": written, DOCS / "speed.md": speeds}
    for path, draw in {**pages, **{path: partial(card, test=test) for test, path in CARDS.items()}}.items():
        path.write_text(draw(path.read_text(encoding="utf-8")), encoding="utf-8")
