"""The golden files are read strictly, so that a slip in one cannot pass for a right answer."""

import json
from pathlib import Path

import pytest

from bot.errors import GoldenError
from bot.evaluation.golden import Golden, Wanted, load
from tests.support.tables import cases

FERRY = """
[[questions]]
id = "ferry"
question = "how many aboard"
previous = "which ferry"
answers = [{ article = "ferry.md", words = "41\\npeople   aboard" }]
speaker = ["Ines Roe"]
caveat = "could not"
"""
ABOARD = (Wanted("ferry.md", "41 people aboard"),)
READ = Golden("ferry", "how many aboard", "which ferry", ABOARD, ("Ines Roe",), "could not", uncaveated=False)
BARE = Golden("a", "who", None, (), (), None, uncaveated=False)


def _file(folder: Path, text: str, name: str = "questions.toml") -> Path:
    place = folder / name
    place.write_text(text, encoding="utf-8")
    return place


def test_a_question_is_read_whole(tmp_path: Path) -> None:
    assert load(_file(tmp_path, FERRY)) == (READ,)


def test_a_line_may_have_the_longer_keys_or_the_same(tmp_path: Path) -> None:
    longer = {
        "id": "ferry",
        "question": "how many aboard",
        "previous": "which ferry",
        "answers": [{"doc": "ferry.md", "must_contain": "41 people aboard"}],
        "speaker_any": ["Ines Roe"],
        "caveat": {"doc": "ferry.md", "must_contain": "could not"},
        "group": "ignored",
    }
    short = {
        **{key: longer[key] for key in ("question", "previous")},
        "id": "short",
        "answers": [{"article": "ferry.md", "words": "41 people aboard"}],
        "speaker": ["Ines Roe"],
        "caveat": "could not",
    }
    bare = {"id": "a", "question": "who", "previous": None, "answers": [], "caveat": None}
    lines = "\n\n".join(map(json.dumps, (longer, short, bare)))
    first, second, third = load(_file(tmp_path, lines, "questions.jsonl"))
    assert first == READ
    assert (second.answers, second.speaker, second.caveat) == (READ.answers, READ.speaker, READ.caveat)
    assert third == BARE


@cases("keys, due")
def test_a_line_says_if_a_caveat_is_due(tmp_path: Path, keys: dict[str, object], due: tuple[str | None, bool]) -> None:
    line = json.dumps({"id": "a", "question": "who", "answers": [], **keys})
    (golden,) = load(_file(tmp_path, line, "questions.jsonl"))
    assert (golden.caveat, golden.uncaveated) == due


def test_an_answer_is_right_by_article_and_words() -> None:
    assert READ.is_answered_by("ferry.md", "There were 41\npeople aboard.")
    assert READ.is_answered_by("ferry.md", "There were 41\\n people aboard.")
    assert not READ.is_answered_by("train.md", "There were 41 people aboard.")
    assert not READ.is_answered_by("ferry.md", "Nobody knows how many were aboard.")


@cases("row, complaint")
def test_a_slip_is_named(tmp_path: Path, row: str, complaint: str) -> None:
    with pytest.raises(GoldenError, match=complaint):
        load(_file(tmp_path, f"[[questions]]\n{row}\n"))


@cases("name, text, complaint")
def test_a_file_that_holds_no_questions_is_refused(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    with pytest.raises(GoldenError, match=complaint):
        load(_file(tmp_path, text, name))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(GoldenError, match=r"none\.toml cannot be read. It cannot be opened .No such file"):
        load(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes('id = "café"'.encode("latin-1"))
    with pytest.raises(GoldenError, match=r"latin\.toml cannot be read. It is not in UTF-8"):
        load(tmp_path / "latin.toml")
