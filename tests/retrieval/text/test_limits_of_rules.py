"""What a rule of the text takes last, and what it no longer takes: of lines, headings, clauses and numbers."""

from __future__ import annotations

import pytest

from retrieval.model import Article, Boilerplate
from retrieval.text.blocks import find_blocks
from retrieval.text.segmentation import lay_out
from retrieval.text.terms import term
from retrieval.text.tokens import parse

WRAPPED = "the old ferry that had left the harbours"


def _kinds(text: str, title: str | None = None) -> list[Boilerplate | None]:
    return [sentence.boilerplate for sentence in lay_out(Article("a", text, title=title), parse(text)).sentences]


@pytest.mark.parametrize(("lines", "blocks"), [(12, 1), (13, 13)])
def test_copy_is_wrapped_where_fifteen_breaks_of_a_hundred_stand_inside_a_sentence(lines: int, blocks: int) -> None:
    """Two of thirteen are; two of fourteen are not, and every line that begins with a capital is a block."""
    text = "\n".join([*(["The old ferry that had left the harbours"] * lines), WRAPPED, WRAPPED])
    assert len(find_blocks(text)) == blocks


@pytest.mark.parametrize(("letters", "blocks"), [(50, 2), (60, 1)])
def test_a_signature_is_no_longer_than_a_name(letters: int, blocks: int) -> None:
    """A line that a quotation ends and more follows, of sixty characters and on, goes on in the next."""
    signature = f"A{'b' * (letters - 1)}"
    assert len(find_blocks(f"It said “the pier” — {signature}\nwas shut for good.")) == blocks


def test_the_first_line_is_a_title_where_it_is_the_articles() -> None:
    """With a full stop or without; a sentence that is not the title stays one."""
    text = "The ferry sank.\n\nIt lay off Port Ellis.\n\nNobody was hurt."
    assert _kinds(text, "The ferry  sank")[0] is Boilerplate.TITLE
    assert _kinds(text, "The pier fell")[0] is None
    assert _kinds(text)[0] is None


@pytest.mark.parametrize(("letters", "kind"), [(500, Boilerplate.TITLE), (501, None)])
def test_what_is_no_part_of_the_report_has_five_hundred_characters_at_most(
    letters: int, kind: Boilerplate | None
) -> None:
    """A longer line is taken for the report, however it ends."""
    line = "The ferry " + "sank" * 200
    assert _kinds(f"{line[:letters]}\n\nIt lay off Port Ellis.\n\nNobody was hurt.")[0] is kind


def test_numbers_in_words_are_their_figures() -> None:
    """From two to nineteen, and the tens; one is more often no number."""
    units = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
    assert [term(word) for word in units] == [str(number) for number in range(2, 17)]
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    assert [term(word) for word in tens] == [str(number) for number in range(20, 100, 10)]
    assert term("one") == ""
