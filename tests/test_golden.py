"""The golden files are read strictly, so that a slip in one cannot pass for a right answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import Golden, Place, load

FERRY = """
[[questions]]
id = "ferry"
question = "how many aboard"
previous = "which ferry"
answers = [{ article = "ferry.md", words = "41\\npeople   aboard" }]
speaker = ["Ines Roe"]
caveat = "could not"
"""


def test_a_question_is_read_whole(tmp_path: Path) -> None:
    """Every key arrives; white space in the words expected is collapsed."""
    file = tmp_path / "questions.toml"
    file.write_text(FERRY, encoding="utf-8")
    wanted = Golden(
        id="ferry",
        question="how many aboard",
        previous="which ferry",
        answers=(Place("ferry.md", "41 people aboard"),),
        speaker=("Ines Roe",),
        caveat="could not",
        uncaveated=False,
    )
    assert load(file) == (wanted,)


def test_an_answer_is_right_by_article_and_words(tmp_path: Path) -> None:
    """The same words in another article are no answer, nor are others in the same."""
    file = tmp_path / "questions.toml"
    file.write_text(FERRY, encoding="utf-8")
    (golden,) = load(file)
    assert golden.is_answered_by("ferry.md", "There were 41\npeople aboard.")
    assert not golden.is_answered_by("train.md", "There were 41 people aboard.")
    assert not golden.is_answered_by("ferry.md", "Nobody knows how many were aboard.")


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('question = "x"\nanswers = []', "a question without an id"),
        ('id = "a"\nquestion = "x"\nanswers = []\nspeakers = []', "a: no such key: speakers"),
        ('id = "a"\nquestion = " "\nanswers = []', "a: words are wanted, not ' '"),
        ('id = "a"\nquestion = "x"', "a: a list is wanted, not None"),
        ('id = "a"\nquestion = "x"\nanswers = [{ article = "b.md" }]', "a: an answer is an article and words"),
        ('id = "a"\nquestion = "x"\nanswers = []\ncaveat = true', "a: a caveat is words, or false"),
    ],
)
def test_a_slip_is_named(tmp_path: Path, row: str, complaint: str) -> None:
    """The question and what is wrong with it are said."""
    file = tmp_path / "questions.toml"
    file.write_text(f"[[questions]]\n{row}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=complaint):
        load(file)
