"""What a line is that somebody wrote: a greeting, thanks, an end, or something that is asked of the articles."""

from __future__ import annotations

import pytest

from bot.small_talk import SmallTalk, may_ask, says_nothing, small_talk

GREETINGS = "hi hello hey hiya howdy greetings good morning afternoon evening there all everyone team"
THANKS = """
    thanks thank thx ta cheers great good perfect cool nice brilliant lovely excellent super understood right fine sure
    lol haha wow nevermind yes yep no nope ok okay
"""
FILLING = "then so you very a it that is much many lot mind all"
ASKING = """
    who which whom whose what where when why how is are was were being am does do did has have had can could may might
    must shall should will would and but show tell find list name give
"""
AMONG_US = """
    i we you my our your me us mine ours yours someone somebody anyone anybody everyone everybody nobody
"""


@pytest.mark.parametrize("word", GREETINGS.split())
def test_a_line_of_nothing_but_greetings_greets(word: str) -> None:
    assert small_talk(f"Howdy {word}!") is SmallTalk.GREETING
    assert small_talk(f"howdy {word} ferry") is None


@pytest.mark.parametrize("word", THANKS.split())
def test_a_line_of_nothing_but_thanks_needs_no_reply(word: str) -> None:
    assert small_talk(f"{word}.") is SmallTalk.THANKS
    assert small_talk(f"{word}?") is not SmallTalk.THANKS
    assert small_talk(f"{word} ferry") is None


@pytest.mark.parametrize("word", FILLING.split())
def test_what_fills_a_line_of_thanks_is_no_thanks_alone(word: str) -> None:
    assert small_talk(f"cheers {word}") is SmallTalk.THANKS
    assert small_talk(word) is not SmallTalk.THANKS


@pytest.mark.parametrize("word", "well oh none please night ferry".split())
def test_words_that_are_near_are_neither_greeting_nor_thanks(word: str) -> None:
    assert small_talk(word) is None


@pytest.mark.parametrize("text", ["Stop.", "stop it", "Be quiet!", "quiet", "Shut up"])
def test_what_ends_a_conversation_does_so_alone(text: str) -> None:
    assert small_talk(text) is SmallTalk.END
    assert small_talk(f"{text} at Lisbon") is None


@pytest.mark.parametrize("text", ["", "!!", "…"])
def test_a_line_without_a_word_is_of_no_manner(text: str) -> None:
    assert small_talk(text) is None


@pytest.mark.parametrize("word", ASKING.split())
def test_what_opens_a_question_opens_one_without_its_mark(word: str) -> None:
    assert may_ask(f"{word} ferries sank off Lisbon")
    assert not may_ask(f"ferries {word} off Lisbon")


@pytest.mark.parametrize("word", [*"be been ferries the".split()])
def test_any_other_opening_asks_with_a_question_mark_only(word: str) -> None:
    assert not may_ask(f"{word} sank off Lisbon")
    assert may_ask(f"{word} sank off Lisbon?")


def test_who_asks_for_any_asks_people() -> None:
    assert not may_ask("any ferries off Lisbon?")


@pytest.mark.parametrize("word", AMONG_US.split())
def test_who_speaks_of_those_around_asks_them(word: str) -> None:
    assert not may_ask(f"what of the ferry did {word} see?")
    assert may_ask("what of the ferry did they see?")


@pytest.mark.parametrize("text", ["", "?", "…!", "🎉"])
def test_a_line_without_words_asks_nothing(text: str) -> None:
    assert not may_ask(text)
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["7", "a", "É!", "🎉 7"])
def test_a_letter_or_a_figure_says_something(text: str) -> None:
    assert not says_nothing(text)
    assert says_nothing("_ 🎉")
