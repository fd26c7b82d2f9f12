"""The words of a question that say what kind of answer is asked for."""

from __future__ import annotations

import pytest
from bot.framing import framing

from retrieval.search import Answering


@pytest.mark.parametrize(
    ("kinds", "word"),
    [
        ((Answering.VERIFICATION,), "solid"),
        ((Answering.DENIAL,), "admit"),
        ((Answering.QUOTATION,), "soundbite"),
        ((Answering.NUMBER, Answering.DEFINITION), "toll"),
        ((Answering.ANY,), "pls"),
        ((Answering.PERSON,), "pls"),
    ],
)
def test_what_asks_for_a_kind_of_answer_is_framing_where_that_kind_is_asked_for(
    kinds: tuple[Answering, ...], word: str
) -> None:
    """And a courtesy always."""
    assert word in framing(kinds)


def test_a_word_is_framing_in_questions_of_its_kind_only() -> None:
    """Whoever asks how many plead, asks about pleading."""
    assert "plead" in framing((Answering.DENIAL,))
    assert "plead" not in framing((Answering.NUMBER,))
