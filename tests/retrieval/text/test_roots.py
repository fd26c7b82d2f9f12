"""The roots by which the words of one article are compared."""

from __future__ import annotations

from retrieval.text.terms import long_words, root


def test_words_that_share_five_letters_share_a_root() -> None:
    """A people and its country, a deed in two forms; and a word that parts from them a letter earlier does not."""
    assert root("Norland") == root("Norlanders") == "norla"
    assert root("sinking") == root("sinkings") != root("sink")


def test_a_word_of_three_letters_has_no_root() -> None:
    """Nor have numbers."""
    assert long_words("The tall quay of 1902 fell") == ["tall", "quay", "fell"]
