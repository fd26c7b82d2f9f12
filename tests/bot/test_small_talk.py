"""What a line is that somebody wrote: a greeting, thanks, an end, or something that is asked of the articles."""

from bot.small_talk import SmallTalk, may_ask, other_language_reply, says_nothing, small_talk
from tests.support.tables import cases


@cases("text, kind", SmallTalk)
def test_a_line_is_small_talk_only_as_a_whole(text: str, kind: SmallTalk | None) -> None:
    assert small_talk(text) is kind


@cases("text, asks")
def test_a_line_asks_by_its_first_word_or_its_mark_unless_it_speaks_of_those_around(text: str, *, asks: bool) -> None:
    assert may_ask(text) is asks


@cases("text, nothing")
def test_a_line_without_a_letter_or_a_figure_says_nothing(text: str, *, nothing: bool) -> None:
    assert says_nothing(text) is nothing
    assert not may_ask(text)


@cases("question, told")
def test_another_language_is_told_so_and_english_is_none(question: str, told: str | None) -> None:
    reply = other_language_reply(question)
    assert reply is None if told is None else reply and reply.startswith(told)
