"""The limits of the text's rules: the last value on either side of each number that decides."""

from __future__ import annotations

import pytest

from retrieval.model import Article, Boilerplate
from retrieval.text.blocks import find_blocks
from retrieval.text.segmentation import lay_out
from retrieval.text.terms import one_spelling, term
from retrieval.text.tokens import parse

WRAPPED = "the old ferry that had left the harbours"
LED = "The ferry sank on Friday, the harbour master said.\n\n"
DIVER = "A diver is at work. "


def _kinds(text: str, title: str | None = None) -> list[Boilerplate | None]:
    return [sentence.boilerplate for sentence in lay_out(Article("a", text, title=title), parse(text)).sentences]


@pytest.mark.parametrize(("lines", "blocks"), [(12, 1), (13, 13)])
def test_copy_is_wrapped_where_fifteen_breaks_of_a_hundred_stand_inside_a_sentence(lines: int, blocks: int) -> None:
    text = "\n".join([*(["The old ferry that had left the harbours"] * lines), WRAPPED, WRAPPED])
    assert len(find_blocks(text)) == blocks


@pytest.mark.parametrize(("letters", "blocks"), [(50, 2), (60, 1)])
def test_a_signature_is_no_longer_than_a_name(letters: int, blocks: int) -> None:
    signature = f"A{'b' * (letters - 1)}"
    assert len(find_blocks(f"It said “the pier” — {signature}\nwas shut for good.")) == blocks


def test_the_first_line_is_a_title_where_it_is_the_articles() -> None:
    text = "The ferry sank.\n\nIt lay off Port Ellis.\n\nNobody was hurt."
    assert _kinds(text, "The ferry  sank")[0] is Boilerplate.TITLE
    assert _kinds(text, "The pier fell")[0] is None
    assert _kinds(text)[0] is None


@pytest.mark.parametrize(("letters", "kind"), [(500, Boilerplate.TITLE), (501, None)])
def test_what_is_no_part_of_the_report_has_five_hundred_characters_at_most(
    letters: int, kind: Boilerplate | None
) -> None:
    line = "The ferry " + "sank" * 200
    assert _kinds(f"{line[:letters]}\n\nIt lay off Port Ellis.\n\nNobody was hurt.")[0] is kind


def test_numbers_in_words_are_their_figures() -> None:
    units = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
    assert [term(word) for word in units] == [str(number) for number in range(2, 17)]
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    assert [term(word) for word in tens] == [str(number) for number in range(20, 100, 10)]
    assert term("one") == ""


@pytest.mark.parametrize(("words", "kind"), [(14, Boilerplate.HEADING), (15, None)])
def test_a_heading_has_fourteen_words_at_most(words: int, kind: Boilerplate | None) -> None:
    heading = " ".join(["Divers", *["search"] * (words - 1)])
    assert _kinds(f"{LED}{heading}\n\nNobody was hurt.")[1] is kind


@pytest.mark.parametrize(("sentences", "kind"), [(2, Boilerplate.CAPTION), (3, None)])
def test_a_caption_and_its_credit_are_three_sentences_at_most(sentences: int, kind: Boilerplate | None) -> None:
    assert _kinds(f"{LED}{DIVER * sentences}Ann Bell / TASS\n\nNobody was hurt.")[1] is kind


@pytest.mark.parametrize(("letters", "blocks"), [(23, 2), (24, 1)])
def test_a_line_short_of_three_quarters_was_ended_on_purpose(letters: int, blocks: int) -> None:
    full = "the old ferry that had left the harbours"
    text = f"{full}\n{full}\n{full}\n{'a' * (letters - 1)}.\nNobody saw"
    assert len(find_blocks(text)) == blocks


@pytest.mark.parametrize(("word", "spelt"), [("realise", "realize"), ("praise", "praise")])
def test_a_verb_in_ise_has_seven_letters(word: str, spelt: str) -> None:
    assert one_spelling(word) == spelt
