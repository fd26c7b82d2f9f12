from __future__ import annotations

import pytest

from retrieval.model import Article, Voice
from retrieval.pipeline import read_one
from retrieval.speech.turns import RULE

INTERVIEW = """The Gazette spoke to Orla Finch, the mayor, and to the engineer Tomas Varga.

ORLA FINCH, MAYOR: I was told in May that the pier was safe. We believed it.

GAZETTE REPORTER: Who told you?

FINCH: The company did. Its letter said, “Every beam was tested in March.”

I have kept that letter.

TOMAS VARGA: You can read it in our archive. (Laughs)

(APPLAUSE)

GAZETTE REPORTER: When will you publish it?

FINCH: We will do so today.

The pier has been closed since June."""


def speakers(text: str) -> dict[str, str | None]:
    passages = read_one(Article("talk", text)).passages
    return {each.sentence.span.of(text): each.speaker for each in passages}


def test_each_sentence_of_a_turn_is_its_speakers() -> None:
    found = speakers(INTERVIEW)
    assert found["ORLA FINCH, MAYOR: I was told in May that the pier was safe."] == "Orla Finch"
    assert found["We believed it."] == "Orla Finch"
    assert found["FINCH: The company did."] == "Orla Finch"
    assert found["I have kept that letter."] == "Orla Finch"
    assert found["TOMAS VARGA: You can read it in our archive."] == "Tomas Varga"


def test_what_stands_around_the_turns_is_the_outlets() -> None:
    found = speakers(INTERVIEW)
    assert found["The pier has been closed since June."] is None
    assert found["(APPLAUSE)"] is None


def test_a_turn_of_a_person_without_a_name_is_not_the_outlets() -> None:
    passages = read_one(Article("talk", INTERVIEW)).passages
    voices = {each.sentence.span.of(INTERVIEW): each.voice for each in passages}
    assert voices["GAZETTE REPORTER: Who told you?"] is Voice.UNRESOLVED


def test_initials_and_a_newsroom_are_labels() -> None:
    found = speakers(
        "Orla Finch leads the port.\n\nCNN: What do you remember?\n\nOF: I remember the storm.\n\n"
        "CNN: Would you do it again?\n\nOF: I would. My family helped me."
    )
    assert found["OF: I remember the storm."] == "Orla Finch"
    assert found["My family helped me."] == "Orla Finch"
    assert found["CNN: Would you do it again?"] == "CNN"


def test_the_full_label_tells_two_of_one_surname_apart() -> None:
    found = speakers(
        "Mark Finch won the race, and his mother watched.\n\nLarry Stone: Were you there?\n\n"
        "Dora Finch: I was. We all were.\n\nStone: Did he see you?\n\nFinch: He waved at me."
    )
    assert found["Finch: He waved at me."] == "Dora Finch"


@pytest.mark.parametrize(
    "lines",
    [
        ("Finch: 40 votes", "Varga: 12 votes", "Finch: 30 votes", "Varga: 9 votes"),
        ("Date: Friday", "Place: the town hall", "Date: Saturday", "Place: the port"),
        ("Finch: I won", "Orla Finch spoke first.", "Varga: I lost", "Tomas Varga spoke last."),
    ],
)
def test_lists_and_headings_are_no_turns(lines: tuple[str, ...]) -> None:
    text = "Orla Finch and Tomas Varga stood for mayor.\n\n" + "\n\n".join(lines)
    passages = read_one(Article("list", text)).passages
    assert not any(each.attribution and each.attribution.rule == RULE for each in passages)
