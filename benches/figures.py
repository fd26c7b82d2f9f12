"""Records of ``stet eval TEST --record docs/results/TEST.json`` -> the table of public tests in docs/quality.md."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from bot.evaluation.benchmarks import record

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- results -->", "<!-- /results -->"
SIMPLE = ", by the simple rule"
HEAD = ("| test | what | cases | share | 95 % interval | by the simple rule |", "|---|---|---|---|---|---|")


def written(text: str, results: Path = DOCS / "results") -> str:
    """Return the page with the table between its marks; a record whose cases or models have changed is marked."""
    rows: list[str] = []
    for kept in map(json.loads, sorted(path.read_text(encoding="utf-8") for path in results.glob("*.json"))):
        is_current = record(kept["test"], None, {})["digests"] == kept["digests"]
        name = f"`{kept['test']}`, {kept['day']}{'' if is_current else ', **out of date**'}"
        shares = {what: part / whole for what, (part, whole) in kept["figures"].items()}
        for what, (part, whole) in kept["figures"].items():
            if not what.endswith(SIMPLE):
                simple = _share(shares[what + SIMPLE]) if what + SIMPLE in shares else ""
                cells = (name, what, f"{part} of {whole}", _share(part / whole), _interval(part, whole), simple)
                rows.append(f"| {' | '.join(cells)} |")
    return re.sub(f"{BEGIN}.*{END}", lambda _: "\n".join((BEGIN, *HEAD, *rows, END)), text, flags=re.DOTALL)


def _share(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _interval(part: int, whole: int) -> str:
    """Return Wilson's interval."""
    z, p = 1.96, part / whole
    middle, half = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + (z / (2 * whole)) ** 2)
    return " to ".join(_share((middle + sign * half) / (1 + z * z / whole)) for sign in (-1, 1))


if __name__ == "__main__":
    page = DOCS / "quality.md"
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
