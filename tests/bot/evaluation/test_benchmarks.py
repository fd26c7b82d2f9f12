"""The public tests: what is counted, and that the cases which come with the program are sound."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from benches.figures import CARDS, card, speeds, written
from bot.errors import GoldenError
from bot.evaluation import benchmarks
from bot.evaluation.benchmarks import CaveatCase, Row, observe_caveat, observe_speakers
from bot.evaluation.evaluate import Share
from retrieval import Article, Span, read_one
from tests.stock import service

PROJECT = Path(__file__).parents[3]
ECHO = [
    "The harbour office opens at eight.",
    "Two passengers told the Echo that the bridge had been empty.",
    "The accounts could not be independently verified.",
    "The ferry was built in 2019.",
]
PASSAGE: Row = {"id": "a", "sentences": ECHO, "paragraph_ends": [0, 2], "at": 2, "kind": "own"}
PASSAGE |= {"covers": [1], "border": [3]}
STRETCH: Row = {
    "id": "b",
    "text": "The hall was full.\n\n“It leaks,” said Ada Brook.\n\n“It always has,” said Carl Denny.\n\nBrook left.",
    "sentences": [
        {"text": "The hall was full.", "speaker": None, "sure": True},
        {"text": "“It leaks,” said Ada Brook.", "speaker": "Ada Brook", "sure": True},
        {"text": "“It always has,” said Carl Denny.", "speaker": "Mr Carl Denny", "sure": True},
        {"text": "Brook left.", "speaker": "Ada Brook", "sure": False},
    ],
}


def _counts(observed: dict[str, Share]) -> dict[str, tuple[int, int]]:
    return {name: (share.part, share.whole) for name, share in observed.items()}


def test_a_caveat_counts_with_each_sentence_that_it_covers() -> None:
    counted = _counts(benchmarks.figures(observe_caveat(CaveatCase.of(PASSAGE))))
    assert counted.pop("sentences covered, or noted") == (1, 1)
    assert counted.pop("sentences covered wrongly, or noted")[1] == 1
    assert counted == {
        "caveats recognised": (1, 1),
        "sentences covered": (1, 1),
        "sentences covered, by the simple rule": (1, 1),
        "sentences covered wrongly": (0, 1),
        "sentences covered wrongly, by the simple rule": (1, 1),
    }


@pytest.mark.parametrize(
    ("changes", "counted"),
    [
        ({"kind": "verified"}, {"no caveat, taken for one": (1, 1)}),
        ({"kind": "none", "at": 3}, {"no caveat, taken for one": (0, 1)}),
        ({"kind": "none", "at": 3, "soft": True}, {}),
        ({"kind": "epithet"}, {}),
    ],
)
def test_what_only_looks_like_a_caveat_covers_nothing(changes: Row, counted: dict[str, tuple[int, int]]) -> None:
    assert _counts(benchmarks.figures(observe_caveat(CaveatCase.of({**PASSAGE, **changes})))) == counted


def test_speakers_are_right_wrong_or_missing() -> None:
    assert _counts(benchmarks.figures(observe_speakers(benchmarks.parse_speakers(STRETCH)))) == {
        "a speaker where nobody speaks": (0, 1),
        "a speaker where nobody speaks, by the simple rule": (0, 1),
        "another speaker": (0, 2),
        "no speaker though the text names one": (0, 2),
        "right ones with the whole name": (2, 2),
        "the right speaker": (2, 2),
        "the right speaker, by the simple rule": (2, 2),
    }
    swapped = [{**row, "speaker": "Carla Denny"} for row in STRETCH["sentences"][2:3]]
    changed = benchmarks.parse_speakers({**STRETCH, "sentences": swapped})
    counted = _counts(benchmarks.figures(observe_speakers(changed)))
    assert (counted["another speaker"], counted["the right speaker"]) == ((1, 1), (0, 1))


def test_a_sentence_is_found_however_the_program_cuts_it() -> None:
    reading = read_one(Article("a", "It rained all day. It poured. The dam held."))
    assert [passage.sentence.index for passage in benchmarks.passages_at(reading, Span(0, 29))] == [0]
    assert [passage.sentence.index for passage in benchmarks.passages_at(reading, Span(22, 29))] == [1]


@pytest.mark.parametrize(
    ("parse", "line", "words"),
    [
        (CaveatCase.of, json.dumps({**PASSAGE, "at": 9}), "line 1, is no case"),
        (CaveatCase.of, "{", "line 1: "),
        (benchmarks.parse_speakers, json.dumps({**STRETCH, "text": "Nothing."}), "line 1, is no case"),
        (benchmarks.parse_premise, json.dumps({"question": "who", "answers": [], "premise": "perhaps"}), "'perhaps'"),
        (benchmarks.parse_cut, "", "has no case"),
        (benchmarks.parse_cut, "[]", "line 1: keys and values"),
    ],
)
def test_a_wrong_file_and_line_are_named(tmp_path: Path, parse: Callable[[Row], object], line: str, words: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(GoldenError, match=words):
        benchmarks.load_rows(file, parse)
    with pytest.raises(GoldenError, match="cannot be read"):
        benchmarks.load_rows(tmp_path / "gone.jsonl", parse)


def _rows(name: str) -> tuple[Row, ...]:
    return benchmarks.load_rows(benchmarks.BUNDLED / f"{name}.jsonl", lambda row: row)


def test_the_bundled_cases_can_be_read() -> None:
    tests, folder = benchmarks.BENCHMARKS, benchmarks.BUNDLED
    numbers = {name: len(benchmarks.load_rows(folder / f"{name}.jsonl", parse)) for name, (parse, _) in tests.items()}
    assert numbers == {"caveats": 100, "cuts": 200, "premises": 110, "speakers": 40}


def test_the_bundled_cases_are_sound() -> None:
    assert Counter(row["kind"] == benchmarks.HONEST for row in _rows("cuts")) == {True: 100, False: 100}
    for row in _rows("caveats"):
        places = {*row["covers"], *row["border"], *row["paragraph_ends"], row["at"]}
        assert places <= set(range(len(row["sentences"])))
        assert not set(row["covers"]) & set(row["border"])
        assert bool(row["covers"]) == (row["kind"] in benchmarks.CAVEATS)
        assert row["kind"] in benchmarks.CAVEATS | benchmarks.LOOKALIKES
    for row in _rows("speakers"):
        assert all((part["speaker"] or "").lower() in row["text"].lower() for part in row["sentences"])
    texts = {row["id"]: row["text"] for row in benchmarks.load_rows(benchmarks.ARTICLES, lambda row: row)}
    for row in _rows("premises"):
        assert [texts[answer["doc"]].count(answer["must_contain"]) for answer in row["answers"]] == [1]


def test_training_knows_which_passages_not_to_learn_from() -> None:
    held_out = (PROJECT / "training" / "held_out_caveats.txt").read_text(encoding="utf-8").splitlines()
    assert held_out[1:] == [row["id"] for row in _rows("caveats")]


def test_the_pages_show_the_records_and_none_is_out_of_date() -> None:
    page = (PROJECT / "docs" / "quality.md").read_text(encoding="utf-8")
    assert written(page) == page
    assert (page.count("| `") >= 18, "**out of date**" in page) == (True, False)
    for test, path in CARDS.items():
        assert card(told := path.read_text(encoding="utf-8"), test) == told
        assert "**out of date**" not in told
    assert speeds(speed := (PROJECT / "docs" / "speed.md").read_text(encoding="utf-8")) == speed


def test_a_record_of_other_cases_is_out_of_date(tmp_path: Path) -> None:
    figures = {"honest, flagged": [1, 4], "honest, flagged · honest": [1, 4]}
    kept = {"test": "cuts", "day": "2026-11-28", "commit": "1a2b3c4d", "digests": {}, "figures": figures}
    (tmp_path / "cuts.json").write_text(json.dumps(kept), encoding="utf-8")
    row = "| `cuts`, **out of date** | honest, flagged | 1 of 4 | .25 | .05 to .70 |  | 2026-11-28 | 1a2b3c4d |"
    page = written("<!-- results --><!-- /results -->", tmp_path)
    assert page.splitlines()[3:] == [row, "<!-- /results -->"]
    groups = card("<!-- groups --><!-- /groups -->", "cuts", tmp_path)
    assert "at 1a2b3c4d, **out of date**:" in groups
    assert "|  | honest, flagged |\n|---|---|\n| honest | 1 of 4 |\n" in groups


def test_no_figure_of_the_page_of_quality_is_typed() -> None:
    page = (PROJECT / "docs" / "quality.md").read_text(encoding="utf-8")
    typed = re.sub(r"<!-- (\w+) -->.*?<!-- /\1 -->", "", page, flags=re.DOTALL)
    assert len(page) > 2 * len(typed) > 4_000
    prose = re.sub(r"\]\(.*?\)|^\d+\. |\.5\b", "", typed, flags=re.MULTILINE)  # links, numbered lists, the example
    assert re.findall(r".*\d.*", prose) == []


@pytest.mark.rest
def test_a_record_chosen_by_the_commit_can_be_repeated() -> None:
    command = ["git", "-C", str(PROJECT), "rev-parse", "HEAD"]
    commit = subprocess.run(command, capture_output=True, check=False).stdout
    test = ("caveats", "cuts", "speakers")[int(commit.strip() or b"0", 16) % 3]
    kept = json.loads((PROJECT / "docs" / "results" / f"{test}.json").read_text(encoding="utf-8"))["figures"]
    now = _counts(benchmarks.run_benchmark(test, None, service))
    assert now.keys() == kept.keys()
    assert [what for what in now if abs(now[what][0] - kept[what][0]) > 2] == []
