"""Who is named, of whom the rules find: a speaker beside somebody who acts, thinks or is only mentioned."""

from __future__ import annotations

import pytest

from tests.retrieval.speech.test_attribution import read, said_by


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("Ann Lee said that the pier was closed.", "Ann Lee"),
        ("“The pier is closed,” said Ann Lee, the mayor.", "Ann Lee"),
        ("The pier was closed, harbour officials said.", "harbour officials"),
        ("A source close to Ann Lee said: “The pier will be closed for good.”", "A source close to Ann Lee"),
        ("Ann Lee went on to claim that the pier was closed.", "Ann Lee"),
        ("Ann Lee did say, “The pier will stay closed for a year.”", "Ann Lee"),
        ("“The pier will stay closed for a year,” said Lee spokesman Omar Diaz.", "Omar Diaz"),
    ],
)
def test_who_surely_speaks_is_named(sentence: str, speaker: str) -> None:
    assert said_by(read(sentence)[0])[0] == speaker


@pytest.mark.parametrize(
    "sentence",
    [
        "The brutal logic of the tides asserts itself on the pier.",
        "For good or ill, the storm challenged the harbour masters.",
        "Calls to eight ports found none that would take the boat.",
    ],
)
def test_who_acts_does_not_speak(sentence: str) -> None:
    assert read(sentence)[0] is None


def test_a_pronoun_left_open_stays_open() -> None:
    found = read(
        "The Harbour Board said the pier shook.",
        "“We ran off it at once,” he said.",
        "“Nobody fell into the water,” he added.",
    )
    assert [said_by(each)[0] for each in found] == ["Harbour Board", None, None]
