"""``stet eval``: golden questions from a file, scores for people and machines."""

import json
from pathlib import Path

import pytest

from bot.evaluation import benchmarks
from tests.support.nightly import examples
from tests.support.program import Stet, printed, refused

FILE = Path(__file__).with_name("questions.toml")
ELSEWHERE = FILE.read_text("utf-8").replace("bridge.txt", "moon.txt")


def test_the_scores_are_printed_for_people(stet: Stet, folder: Path) -> None:
    status, out, err = stet("eval", FILE, "--articles", folder)
    assert (status, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "right sentence first 50.0% 1 of 2 of those" in lines
    assert "confident though unanswerable 0.0% 0 of 1 questions that the articles don't answer" in lines
    assert "Reliability: confidence against how often it was right" in lines
    assert "missed: cost: what will the bridge repairs cost" in lines
    assert "Questions answered against answers right" in lines


def test_the_scores_are_printed_for_machines(stet: Stet, folder: Path) -> None:
    out = printed(stet, "eval", FILE, "--articles", folder, "--json")
    figures = json.loads(out)
    assert out.count("\n") == 1
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
        (ELSEWHERE, "cost: its answer is in moon.txt, which is not among"),
    ],
)
def test_a_wrong_file_is_a_sentence(stet: Stet, folder: Path, tmp_path: Path, text: str | None, words: str) -> None:
    file = tmp_path / "wrong.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    err = refused(stet, "eval", file, "--articles", folder)
    assert words in err
    assert err.count("\n") <= 2


CUTS = (
    '{"sentence": "It is a lie that the dam was empty in May.", "cut": "the dam was empty in May", "kind": "reversed"}',
    '{"sentence": "She knew that the dam was empty in May.", "cut": "the dam was empty in May", "kind": "honest"}',
)
PREMISES = (
    '{"question": "who was at the wheel", "premise": "false", "answers": [{"must_contain": "Nobody was at"}]}',
    '{"question": "what do repairs cost", "premise": "true", "answers": [{"must_contain": "4.5 million"}]}',
)


def test_one_public_test_runs_on_a_file(stet: Stet, tmp_path: Path) -> None:
    file = tmp_path / "cuts.jsonl"
    file.write_text("\n".join(CUTS), encoding="utf-8")
    lines = printed(stet, "eval", "cuts", file).splitlines()
    assert lines == ["honest, flagged: 0 of 1, 0.0%", "misleading, called exact: 0 of 1, 0.0%"]
    figures = json.loads(printed(stet, "eval", "cuts", file, "--json"))["figures"]
    assert figures["misleading, called exact · reversed"] == [0, 1]
    file.write_text(CUTS[0].replace("in May.", ""), encoding="utf-8")
    err = refused(stet, "eval", "cuts", file)
    assert "cuts.jsonl, line 1, is no case of this test" in err
    assert "the cut is not in its sentence" in err
    assert "`stet eval all` takes no FILE" in refused(stet, "eval", "all", file)


@pytest.mark.rest
def test_all_public_tests_run_in_one_command(stet: Stet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = tmp_path / "few"
    few.mkdir()
    for file in benchmarks.BUNDLED.glob("*.jsonl"):
        lines = file.read_text("utf-8").splitlines()[:: examples(10, 1)]
        (few / file.name).write_text("\n".join(lines), "utf-8")
    monkeypatch.setattr(benchmarks, "BUNDLED", few)
    out = printed(stet, "eval", "all", "--json", "--record", tmp_path)
    tests = [json.loads(line)["test"] for line in out.splitlines()]
    assert tests == ["caveats", "cuts", "premises", "speakers"]
    assert "".join((tmp_path / f"{test}.json").read_text("utf-8") for test in tests) == out


def test_questions_with_premises_are_asked_of_your_articles(stet: Stet, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "premises.jsonl"
    file.write_text("\n".join(PREMISES), encoding="utf-8")
    kept = tmp_path / "kept.json"
    out = printed(stet, "eval", "premises", file, "--articles", folder, "--json", "--record", kept)
    assert out == kept.read_text(encoding="utf-8")
    assert {"premises.jsonl", "reader.onnx", "speakers.onnx"} <= json.loads(out)["digests"].keys()
    assert json.loads(out)["figures"] == {
        "false premises, called an answer without a correction": [0, 1],
        "false premises, corrected by one of three": [1, 1],
        "false premises, corrected first": [1, 1],
        "false premises, corrected first, by the simple rule": [1, 1],
        "true premises, answered by one of three": [1, 1],
        "true premises, answered first": [1, 1],
        "true premises, answered first, by the simple rule": [1, 1],
        "true premises, called an answer": [1, 1],
    }
