"""A question's words -> whose words are wanted."""

from __future__ import annotations

import pytest
from bot.speakers import speakers_of


@pytest.mark.parametrize(
    ("question", "speakers"),
    [
        ("what did the harbour master say about the ferry", ("harbour master",)),
        ("roe on the inquiry", ("roe",)),
        ("cause of the fire according to the chief inspector", ("chief inspector",)),
        ("brandts exact words", ("brandts",)),
        ("need a quote from marta lindqvist on the crew", ("marta lindqvist",)),
        ("norfar statement", ("norfar",)),
        ("union boss warned what", ("union boss",)),
        ("has the mayor called it an accident", ("mayor",)),
        ("who said the bridge was safe", ()),
        ("how many were on board", ()),
        ("", ()),
    ],
)
def test_the_speaker_is_found_in_the_askers_words(question: str, speakers: tuple[str, ...]) -> None:
    """Before a verb of speech, after "according to", before "quote" and its like; who asks for a speaker names none."""
    assert speakers_of(tuple(question.split())) == speakers
