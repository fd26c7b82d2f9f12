"""What governs a part of a sentence: the part is between brackets, and what is to be shown of what governs it."""

from bot.commands.governing import governor
from bot.model import ContextKind
from tests.support.tables import cases


@cases("kind, marked, words", ContextKind)
def test_what_turns_or_limits_a_part_is_found_and_shown(kind: ContextKind, marked: str, words: str) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    sentence = marked.replace("[", "").replace("]", "")
    found = governor(sentence, start, end)
    assert found
    assert found.kind is kind
    assert words in sentence[found.start : found.end]


@cases("marked")
def test_near_words_that_govern_something_else_are_left_alone(marked: str) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    assert governor(marked.replace("[", "").replace("]", ""), start, end) is None
