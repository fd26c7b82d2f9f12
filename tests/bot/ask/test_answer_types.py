"""Does a sentence hold the type of answer that is asked for."""

from __future__ import annotations

import pytest

from bot.ask.answer_types import View, holds
from bot.ask.question_types import AnswerType
from retrieval.model import Article
from retrieval.pipeline import read_all
from retrieval.text.terms import terms


def held(kind: AnswerType, text: str, question: str = "") -> float:
    """Return what is held of ``kind`` in the first sentence of ``text``, asked with ``question``."""
    (reading,) = read_all([Article("a", text)])
    return holds(kind, View(text, reading.passages[0], frozenset(terms(question))))


@pytest.mark.parametrize(
    ("kind", "there", "lacking"),
    [
        (AnswerType.NUMBER, "Rescuers found 17 bodies.", "Rescuers found the bodies."),
        (AnswerType.NUMBER, "A dozen ships left.", "The ships left."),
        (AnswerType.AGE, "Ines Roe, 51, left.", "Ines Roe left with 51 others."),
        (AnswerType.AGE, "The girl is nine years of age.", "The girl is in year nine."),
        (AnswerType.MONEY, "It cost $4 million.", "It cost four lives."),
        (AnswerType.MONEY, "Turnout fell to 41 percent.", "Turnout fell to a low."),
        (AnswerType.DURATION, "He was held for three weeks.", "He was held by three guards."),
        (AnswerType.DATE, "It sank on Friday.", "It sank quickly."),
        (AnswerType.DATE, "It was built in 1974.", "It was built by 1,974 men."),
        (AnswerType.PERSON, "Harbour master Ines Roe resigned.", "The harbour master resigned."),
        (AnswerType.PLACE, "It sank off Lisbon.", "It sank quickly."),
        (AnswerType.NAME, "The line is owned by Norfar Shipping Ltd.", "The line is owned by its staff."),
        (AnswerType.REASON, "It closed because of the storm.", "It closed in the storm."),
        (AnswerType.QUOTATION, "“Nobody steered,” said Ines Roe.", "Nobody steered."),
        (AnswerType.DENIAL, "The owner denied it.", "The owner paid for it."),
    ],
)
def test_what_is_there_counts_for_more_than_what_is_lacking(kind: AnswerType, there: str, lacking: str) -> None:
    """A sentence that has it is near 1, one that has not is below."""
    assert held(kind, there) == 1.0
    assert held(kind, lacking) < 1.0


def test_a_name_in_the_question_is_no_answer_to_it() -> None:
    """Who is asked about is not who is asked for."""
    text = "Ines Roe was praised in Lisbon."
    assert held(AnswerType.PERSON, text, "who praised ines roe") == -1.0
    assert held(AnswerType.PERSON, text, "who was praised") == 1.0


def test_a_number_in_a_name_counts_nothing() -> None:
    """A form, a road, a ship."""
    assert held(AnswerType.ANY, "Anything.") == 0.0
