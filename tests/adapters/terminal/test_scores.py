"""``stet eval``: golden questions from a file, scores for people and machines."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from adapters.terminal.scores import draw
from bot.evaluation.evaluate import AnswerFault, Bands, Bin, Calibration, Miss, Scores, Share, ThresholdScore
from tests.adapters.program import Stet

QUESTIONS = """
[[questions]]
id = "wheel"
question = "who was at the wheel"
answers = [{ article = "ferry.txt", words = "Nobody was at the wheel" }]
speaker = ["Marta Lindqvist"]
caveat = "could not be independently verified"

[[questions]]
id = "cost"
question = "what will the bridge repairs cost"
answers = [{ article = "bridge.txt", words = "a sentence that stands nowhere" }]

[[questions]]
id = "chess"
question = "who won the chess olympiad"
answers = []
"""

POINTS = tuple(ThresholdScore(1 - done / 20, Share(done, 20), Share(done - done // 10, done)) for done in range(1, 21))
SCORES = Scores(
    questions=20,
    answered=Share(9, 10),
    first=Share(7, 10),
    within_three=Share(8, 10),
    refused=Share(1, 10),
    bands=Bands(sure=Share(6, 10), right=Share(6, 8), wrongly=Share(2, 10)),
    calibration=Calibration(0.875, 0.0625, (Bin(0.25, Share(1, 8)), Bin(0.75, Share(9, 12)))),
    caveats=Share(3, 3),
    borrowed=Share(0, 0),
    speakers=Share(5, 6),
    extracts=31,
    misquotes=0,
    uncited=0,
    misses=(
        Miss("moon", "who owns the moon", (AnswerFault.LATE, AnswerFault.UNNAMED), "Nobody does."),
        Miss("sun", "who owns the sun", (AnswerFault.REFUSED,), ""),
    ),
    now=POINTS[8],
    curve=POINTS,
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    file = tmp_path / "questions.toml"
    file.write_text(QUESTIONS, encoding="utf-8")
    return file


def test_the_scores_are_printed_for_people(stet: Stet, folder: Path, questions: Path) -> None:
    status, out, err = stet("eval", questions, "--articles", folder)
    assert (status, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "right sentence first 50.0% 1 of 2 of those" in lines
    assert "confident though unanswerable 0.0% 0 of 1 questions that the articles don't answer" in lines
    assert "Reliability: confidence against how often it was right" in lines
    assert "missed: cost: what will the bridge repairs cost" in lines
    assert "Questions answered against answers right" in lines


def test_the_scores_are_printed_for_machines(stet: Stet, folder: Path, questions: Path) -> None:
    status, out, _ = stet("eval", questions, "--articles", folder, "--json")
    figures = json.loads(out)
    assert (status, out.count("\n")) == (0, 1)
    assert figures["first"] == [1, 2]
    assert figures["caveats_given"] == [1, 1]
    assert figures["misquotes"] == 0
    assert [(miss["id"], miss["faults"]) for miss in figures["misses"]] == [("cost", ["missed"])]
    assert figures["curve"][-1]["answered"][1] == 3
    assert figures["sure_though_unanswerable"] == [0, 1]
    assert sum(each["right"][1] for each in figures["reliability"]) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read.\nIt cannot be opened (No such file or directory)"),
        ("[[questions", "is not TOML"),
        ('[[questions]]\nid = "a"', "a: words are wanted, not nothing"),
        (QUESTIONS.replace("bridge.txt", "moon.txt"), "cost: its answer is in moon.txt, which is not among"),
    ],
)
def test_a_wrong_file_is_a_sentence(stet: Stet, folder: Path, tmp_path: Path, text: str | None, words: str) -> None:
    file = tmp_path / "wrong.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    status, out, err = stet("eval", file, "--articles", folder)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") <= 2


def drawn(scores: Scores) -> list[str]:
    console = Console(width=120, highlight=False)
    with console.capture() as captured:
        console.print(draw(scores))
    return [" ".join(line.split()) for line in captured.get().splitlines()]


def test_the_drawing_says_every_figure() -> None:
    lines = drawn(SCORES)
    assert "right when confident 75.0% 6 of 8 confident answers, in the first three" in lines
    assert "confidence, AUC 0.88 how often a right reply is surer than a wrong one" in lines
    assert "calibration error 0.06 how far the confidence is off, in ten bins" in lines
    assert "25.0% 12.5% 8" in lines
    assert "caveat borrowed – 0 of 0 where none may be" in lines
    assert "late, unnamed: moon: who owns the moon" in lines
    assert "nothing was shown" in lines
    assert "0.55 45.0% 100.0% today's setting" in lines


def test_empty_parts_have_no_heading() -> None:
    shown = "\n".join(drawn(replace(SCORES, misses=(), curve=(), calibration=Calibration(None, None, ()))))
    assert [words for words in ("Misses", "answers right", "Reliability") if words in shown] == []
    assert "confidence, AUC" in shown
