"""How soon ``stet ask`` answers, beside importing spaCy and numpy in the same run."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benches import sizes
from benches.sizes import judge, sized
from benches.test_reading import stock

PROJECT = Path(__file__).parents[1]
RUNS = sized(5, 1)
TIMES, SECONDS = 1.5, 0.3  # of spaCy's import, and beside it


ARTICLES = sized(1000, 5)
KEPT_SECONDS, KEPT_MEGABYTES = 0.8, 300.0  # beside numpy's import, by words alone, where what is read is kept
READER_SECONDS = 0.6  # what the reader takes beside: its library, its model, and eight windows read


def fastest(*words: str) -> float:
    whole = [sys.executable, *words]
    return sizes.fastest(lambda: subprocess.run(whole, cwd=PROJECT, check=True, capture_output=True), RUNS)


def resident(*words: str) -> float:
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, sys.executable, *words]
    return int(subprocess.run(command, cwd=PROJECT, check=True, capture_output=True).stdout) / 1024


def test_an_answer_takes_at_most_half_as_long_again_as_importing_spacy() -> None:
    fastest("-m", "adapters", "ask", "how many were buried in mass graves")  # the derived tables are kept from here on
    spacy = fastest("-c", "import spacy")
    answer = fastest("-m", "adapters", "ask", "how many were buried in mass graves")
    print(f"\nimport spacy {spacy:.2f} s, stet ask {answer:.2f} s")
    judge(answer, TIMES * spacy + SECONDS)


def test_an_answer_from_what_is_kept_is_soon_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for article in stock()[:ARTICLES]:
        (tmp_path / article.id).write_text(article.text, encoding="utf-8")
    monkeypatch.setenv("STET_ARTICLES", str(tmp_path))
    question = ("-m", "adapters", "ask", "how many were buried in mass graves")
    judge_kept(question, KEPT_SECONDS)


def judge_kept(question: Sequence[str], most: float) -> None:
    """Judge how soon it is answered from what is kept, by words alone and as it is set up; and in how much memory."""
    fastest(*question)
    numpy, answer = fastest("-c", "import numpy"), fastest(*question)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STET_ENCODER", "none")
        by_words = fastest(*question)
    held = resident(*question)
    print(
        f"\nimport numpy {numpy:.2f} s, stet ask by words {by_words:.2f} s, with the reader {answer:.2f} s,"
        f" {held:.0f} MB"
    )
    judge(by_words, numpy + most)
    judge(answer, by_words + READER_SECONDS)
    judge(held, KEPT_MEGABYTES)
