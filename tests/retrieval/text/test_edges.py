"""The edges of the text's rules: a copy on either side of each number that decides."""

from __future__ import annotations

import pytest

from retrieval.model import Article, Boilerplate
from retrieval.text.blocks import find_blocks
from retrieval.text.segmentation import lay_out
from retrieval.text.terms import one_spelling
from retrieval.text.tokens import parse

LED = "The ferry sank on Friday, the harbour master said.\n\n"
DIVER = "A diver is at work. "


def _kinds(text: str) -> list[Boilerplate | None]:
    return [sentence.boilerplate for sentence in lay_out(Article("a", text), parse(text)).sentences]


@pytest.mark.parametrize(("words", "kind"), [(14, Boilerplate.HEADING), (15, None)])
def test_a_heading_has_fourteen_words_at_most(words: int, kind: Boilerplate | None) -> None:
    """A longer line without a full stop is taken for the report."""
    heading = " ".join(["Divers", *["search"] * (words - 1)])
    assert _kinds(f"{LED}{heading}\n\nNobody was hurt.")[1] is kind


@pytest.mark.parametrize(("sentences", "kind"), [(2, Boilerplate.CAPTION), (3, None)])
def test_a_caption_and_its_credit_are_three_sentences_at_most(sentences: int, kind: Boilerplate | None) -> None:
    """In a longer block a credit makes no caption of the report."""
    assert _kinds(f"{LED}{DIVER * sentences}Ann Bell / TASS\n\nNobody was hurt.")[1] is kind


@pytest.mark.parametrize(("letters", "blocks"), [(23, 2), (24, 1)])
def test_a_line_short_of_three_quarters_was_ended_on_purpose(letters: int, blocks: int) -> None:
    """In copy wrapped at forty characters, a line that left room for the next word is a block's last."""
    full = "the old ferry that had left the harbours"
    text = f"{full}\n{full}\n{full}\n{'a' * (letters - 1)}.\nNobody saw"
    assert len(find_blocks(text)) == blocks


@pytest.mark.parametrize(("word", "spelt"), [("realise", "realize"), ("praise", "praise")])
def test_a_verb_in_ise_has_seven_letters(word: str, spelt: str) -> None:
    """Shorter words in -ise are no verbs of that kind."""
    assert one_spelling(word) == spelt
