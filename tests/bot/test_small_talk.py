"""What a line is that somebody wrote: a greeting, thanks, an end, or something that is asked of the articles."""

import pytest

from bot.small_talk import SmallTalk, may_ask, other_language_reply, says_nothing, small_talk
from tests.support.tables import cases


@cases("text, kind", SmallTalk)
def test_a_line_is_small_talk_only_as_a_whole(text: str, kind: SmallTalk | None) -> None:
    assert small_talk(text) is kind


@pytest.mark.parametrize("word", ["who", "how", "may", "and", "name"])
def test_what_opens_a_question_opens_one_without_its_mark(word: str) -> None:
    assert may_ask(f"{word} ferries sank off Lisbon")
    assert not may_ask(f"ferries {word} off Lisbon")
    assert may_ask("ferries sank off Lisbon?")


@pytest.mark.parametrize("word", ["i", "yours", "somebody"])
def test_who_speaks_of_those_around_asks_them(word: str) -> None:
    assert not may_ask(f"what of the ferry did {word} see?")
    assert may_ask("what of the ferry did they see?")
    assert not may_ask("any ferries off Lisbon?")


@pytest.mark.parametrize(
    ("text", "nothing"), [("", True), ("…!", True), ("_ 🎉", True), ("🎉 7", False), ("É!", False)]
)
def test_a_line_without_a_letter_or_a_figure_says_nothing(text: str, *, nothing: bool) -> None:
    assert says_nothing(text) is nothing
    assert not may_ask(text)


@cases("question, told")
def test_another_language_is_told_so_and_english_is_none(question: str, told: str | None) -> None:
    reply = other_language_reply(question)
    assert reply is None if told is None else reply and reply.startswith(told)
