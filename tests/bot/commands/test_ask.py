"""A page of a reply: whole sentences, as many as fit."""

from __future__ import annotations

from dataclasses import replace

from bot import messages
from bot.model import Answer, NoAnswer, Question
from tests.stock import FERRY, desk

LONG = "The harbour committee of Sandholm listed " + ", ".join(f"berth {number}" for number in range(200)) + "."
ASKED = Question("harbour committee of sandholm berths")


def test_a_sentence_too_long_to_show_is_left_out_and_said_so() -> None:
    """Never cut."""
    text = LONG + " The harbour committee meets in Sandholm."
    reply = desk([replace(FERRY, id="long.txt", text=text)]).answer(ASKED)
    assert isinstance(reply, Answer)
    assert [extract.text for extract in reply.extracts] == ["The harbour committee meets in Sandholm."]
    assert reply.message == messages.LEFT_OUT


def test_where_only_a_sentence_too_long_answers_nothing_is_shown_and_that_is_said() -> None:
    """It was found: "nothing found" would be untrue."""
    reply = desk([replace(FERRY, id="long.txt", text=LONG)]).answer(ASKED)
    assert isinstance(reply, NoAnswer)
    assert reply.message == messages.LEFT_OUT_ALONE


def test_a_question_without_a_word_to_look_for_is_told_so() -> None:
    """Signs and emoji are no words."""
    reply = desk().answer(Question("???"))
    assert isinstance(reply, NoAnswer)
    assert reply.message.startswith(f"Nothing found. {messages.NO_WORD}")
