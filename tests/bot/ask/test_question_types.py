"""A question's words -> what types of answer it asks for."""

from __future__ import annotations

import pytest

from bot.ask.question_types import AnswerType, types_of
from retrieval.text.terms import words


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how many were on the ferry", AnswerType.NUMBER),
        ("death toll at the mine", AnswerType.NUMBER),
        ("how old is the mayor", AnswerType.AGE),
        ("how much will the bridge cost", AnswerType.MONEY),
        ("how long was the dam shut", AnswerType.DURATION),
        ("which minister opened the bridge", AnswerType.NAME),
        ("who shut the dam", AnswerType.PERSON),
        ("where did the storm land", AnswerType.PLACE),
        ("which town flooded first", AnswerType.PLACE),
        ("when does the bridge open", AnswerType.DATE),
        ("need a quote from the harbour master", AnswerType.QUOTATION),
        ("what did the coach say about the transfer", AnswerType.QUOTATION),
        ("why was the vote put off", AnswerType.REASON),
        ("does the firm deny it", AnswerType.DENIAL),
        ("does the owner admit the leak", AnswerType.DENIAL),
        ("can we run it as fact", AnswerType.VERIFICATION),
        ("did the echo verify this", AnswerType.VERIFICATION),
        ("is that confirmed", AnswerType.VERIFICATION),
        ("what could not be verified", AnswerType.VERIFICATION),
        ("is the ferry story safe to run", AnswerType.VERIFICATION),
        ("do the papers contradict each other", AnswerType.COMPARISON),
        ("who is ines roe", AnswerType.DEFINITION),
        ("what is the wcu", AnswerType.DEFINITION),
        ("what is the name of the ship", AnswerType.NAME),
        ("what is the film called", AnswerType.NAME),
        ("ferry", AnswerType.ANY),
    ],
)
def test_the_type_is_read_from_the_words(question: str, kind: AnswerType) -> None:
    assert types_of(words(question))[0] is kind


@pytest.mark.parametrize(
    ("question", "kind", "none"),
    [
        ("how many flu cases were confirmed", AnswerType.NUMBER, AnswerType.VERIFICATION),
        ("who was checked at the border", AnswerType.PERSON, AnswerType.VERIFICATION),
        ("price of solid gold", AnswerType.MONEY, AnswerType.VERIFICATION),
        ("who will run with the mayor", AnswerType.PERSON, AnswerType.VERIFICATION),
        ("who took the blame", AnswerType.PERSON, AnswerType.DENIAL),
        ("what quotas did the ministers agree on", AnswerType.COMPARISON, AnswerType.QUOTATION),
        ("who is ines roe", AnswerType.DEFINITION, AnswerType.NUMBER),
    ],
)
def test_a_word_does_not_decide_where_the_question_word_does(question: str, kind: AnswerType, none: AnswerType) -> None:
    found = types_of(words(question))
    assert found[0] is kind
    assert none not in found
