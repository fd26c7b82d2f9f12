"""Records -> the tables of docs/quality.md and docs/speed.md.

``stet eval TEST --record docs/results/TEST.json`` writes those of public tests, ``make bench`` that of speed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

from bot.evaluation.benchmarks import record

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- results -->", "<!-- /results -->"
SPEED = DOCS / "results" / "speed.json"
WORKS = ("start", "reading", "candidates", "reply", "proof")
ENGINES = {"tantivy": "tantivy", "fts5": "FTS5", "bm25s": "bm25s"}
SIMPLE = ", by the simple rule"
HEAD = ("| test | what | cases | share | 95 % interval | by the simple rule |", "|---|---|---|---|---|---|")


def written(text: str, results: Path = DOCS / "results") -> str:
    """Return the page with the table between its marks; a record whose cases or models have changed is marked."""
    rows: list[str] = []
    records = sorted(path.read_text(encoding="utf-8") for path in results.glob("*.json") if path.name != SPEED.name)
    for kept in map(json.loads, records):
        is_current = record(kept["test"], None, {})["digests"] == kept["digests"]
        name = f"`{kept['test']}`, {kept['day']}{'' if is_current else ', **out of date**'}"
        shares = {what: part / whole for what, (part, whole) in kept["figures"].items()}
        for what, (part, whole) in kept["figures"].items():
            if not what.endswith(SIMPLE):
                simple = _share(shares[what + SIMPLE]) if what + SIMPLE in shares else ""
                cells = (name, what, f"{part} of {whole}", _share(part / whole), _interval(part, whole), simple)
                rows.append(f"| {' | '.join(cells)} |")
    return _with_lines(text, [*HEAD, *rows])


def speeds(text: str, record: Path = SPEED) -> str:
    """Return the page with a row for each work and size: what Stet takes, and how many times as long as the others."""
    kept = json.loads(record.read_text(encoding="utf-8"))
    head = " | ".join(("work", "articles", "sentences", "Stet", *(f"× {name}" for name in ENGINES.values())))
    rows = [f"Measured on {kept['day']}: {kept['machine']}.", "", f"| {head} |", "|---|---|---|---|---|---|---|"]
    for row in sorted(kept["rows"], key=lambda row: (WORKS.index(row["work"]), row["articles"])):
        seconds = row["seconds"]
        ratios = [seconds["stet"] / seconds[name] if name in seconds else None for name in ENGINES]
        times = ["not installed" if each is None else f"{each:.2g}" if each < 10 else f"{each:,.0f}" for each in ratios]
        own = f"{seconds['stet']:.1f} s" if seconds["stet"] >= 1 else f"{1000 * seconds['stet']:.1f} ms"
        cells = (row["work"], f"{row['articles']:,}", f"{row['sentences']:,}", own, *times)
        rows.append(f"| {' | '.join(cells)} |")
    return _with_lines(text, rows)


def _with_lines(text: str, lines: Sequence[str]) -> str:
    return re.sub(f"{BEGIN}.*{END}", lambda _: "\n".join((BEGIN, *lines, END)), text, flags=re.DOTALL)


def _share(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _interval(part: int, whole: int) -> str:
    """Return Wilson's interval."""
    z, p = 1.96, part / whole
    middle, half = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + (z / (2 * whole)) ** 2)
    return " to ".join(_share((middle + sign * half) / (1 + z * z / whole)) for sign in (-1, 1))


if __name__ == "__main__":
    for page, draw in ((DOCS / "quality.md", written), (DOCS / "speed.md", speeds)):
        page.write_text(draw(page.read_text(encoding="utf-8")), encoding="utf-8")
