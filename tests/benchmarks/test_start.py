"""How soon ``stet ask`` answers, beside importing spaCy in the same run."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.benchmarks.sizes import judge, sized

PROJECT = Path(__file__).parents[2]
RUNS = sized(5, 1)
TIMES, SECONDS = 1.5, 0.3  # of spaCy's import, and beside it


def fastest(*words: str) -> float:
    """Return the seconds of the fastest of ``RUNS`` processes."""
    taken = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *words], cwd=PROJECT, check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return min(taken)


@pytest.mark.bench
def test_an_answer_takes_at_most_half_as_long_again_as_importing_spacy() -> None:
    """Reading the five seeds included."""
    fastest("-m", "adapters", "ask", "how many were buried in mass graves")  # the derived tables are kept from here on
    spacy = fastest("-c", "import spacy")
    answer = fastest("-m", "adapters", "ask", "how many were buried in mass graves")
    print(f"\nimport spacy {spacy:.2f} s, stet ask {answer:.2f} s")  # noqa: T201 - what `make bench` is for
    judge(answer, TIMES * spacy + SECONDS)
