"""``stet feedback``: what people thought of answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from adapters import json_contract
from adapters.storage.records import AnswerRecord, Opinion
from adapters.storage.store import Store
from adapters.terminal.cli import cli
from bot.evaluation.golden import load
from bot.model import Question
from tests.stock import BRIDGE, FERRY, service

QUESTIONS = ("was anybody at the wheel?", "what will repairs of the old bridge cost?")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "state.sqlite"
    answering = service((FERRY, BRIDGE))
    with Store(path) as store:
        for question in QUESTIONS:
            shown = json_contract.line(json_contract.reply(answering.answer(Question(question))))
            store.record_answer(AnswerRecord("slack", "U1", question, shown, channel="C1"))
        store.record_opinion(Opinion(1, "U1", right=True))
        store.record_opinion(Opinion(2, "U1", right=True))
        store.record_opinion(Opinion(2, "U2", right=False, why="the wrong bridge\x1b[31m"))
        store.record_opinion(Opinion(99_999, "U2", right=False))
    monkeypatch.setenv("STET_STATE", str(path))
    return path


def printed(*options: str) -> str:
    done = CliRunner().invoke(cli, ["feedback", *options])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.usefixtures("state")
def test_each_opinion_is_shown_with_its_answer() -> None:
    shown = printed()
    assert shown.count("right  ") == 2
    assert "wrong  what will repairs of the old bridge cost?" in shown
    assert "“the wrong bridge" in shown
    assert "\x1b" not in shown


@pytest.mark.usefixtures("state")
def test_machines_get_a_line_each() -> None:
    rows = [json.loads(line) for line in printed("--json").splitlines()]
    assert {(row["question"], row["verdict"]) for row in rows} == {
        (QUESTIONS[0], "right"),
        (QUESTIONS[1], "right"),
        (QUESTIONS[1], "wrong"),
    }
    assert all(row["reply"]["kind"] == "answer" for row in rows)


def test_what_was_judged_right_becomes_golden(state: Path) -> None:
    path = state.with_name("golden.jsonl")
    path.write_text(printed("--as-golden"), encoding="utf-8")
    [golden] = load(path)
    assert (golden.id, golden.question) == ("answer-1", QUESTIONS[0])
    assert golden.answers[0].article == FERRY.id


def test_no_feedback_yet_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STET_STATE", str(tmp_path / "new.sqlite"))
    assert printed().startswith("No feedback yet.")
