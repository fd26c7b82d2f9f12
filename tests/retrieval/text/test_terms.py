"""Text -> search terms."""

from __future__ import annotations

import pytest

from retrieval.text.terms import fold, term, terms, words
from training.irregulars import TABLE, rewritten


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The minister’s car", ("the", "minister", "car")),
        ("They weren't told", ("they", "werent", "told")),
        ("1,200 of 4.2 million", ("1200", "of", "4.2", "million")),
        ("EB-5 and G7", ("eb", "5", "and", "g7")),
        ("Ćosić, naïve, Orbán", ("cosic", "naive", "orban")),
        ("the US told us", ("the", "usa", "told", "us")),
        ("U.S. and U.K. aid", ("usa", "and", "uk", "aid")),
        ("#WeMarchOn", ("wemarchon",)),
        ("…—“”", ()),
        ("’’’", ()),
    ],
)
def test_words_are_folded_in_order(text: str, expected: tuple[str, ...]) -> None:
    """Case, accents, apostrophes and the separators of numbers are gone; marks are no words."""
    assert words(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("organise", "organization"),
        ("armoured", "armor"),
        ("fled", "fleeing"),
        ("shot", "shoot"),
        ("kyivs", "kyiv"),
        ("mums", "moms"),
        ("women", "woman"),
        ("seventeen", "17"),
        ("centres", "center"),
        ("gunmen", "gunman"),
        ("trafficked", "traffic"),
        ("crises", "crisis"),
        ("taxis", "taxi"),
        ("lives", "life"),
    ],
)
def test_forms_of_one_word_are_one_term(one: str, other: str) -> None:
    """Endings, irregular forms, countries' spellings and number words are the same."""
    assert term(one) == term(other) != ""


@pytest.mark.parametrize(
    ("one", "other"), [("ferris", "ferry"), ("harris", "harry"), ("leaves", "leaf"), ("wound", "wind")]
)
def test_words_of_their_own_are_no_forms_of_others(one: str, other: str) -> None:
    """What only looks like another word's plural or past is a term by itself."""
    assert term(one) != term(other)


def test_every_irregular_form_is_the_librarys() -> None:
    """The table of forms is what `python -m training.irregulars` writes from lemminflect's dictionary."""
    table = TABLE.read_text(encoding="utf-8")
    assert rewritten(table) == table


@pytest.mark.parametrize("word", ["the", "said", "werent", "whos", "it"])
def test_words_that_say_nothing_have_no_term(word: str) -> None:
    """Stopwords, said and its forms, and contractions without their apostrophe."""
    assert term(word) == ""


def test_terms_leave_the_stopwords_out() -> None:
    """What is left is in order."""
    assert terms("The ferry ran aground off the island") == ("ferri", "run", "aground", "island")


def test_a_long_word_is_cut_and_not_a_burden() -> None:
    """Hostile text costs no more than its length."""
    assert len(words("x" * 100_000)[0]) < 100
    assert fold("ABC") == "abc"


def test_folding_leaves_small_letters_without_marks() -> None:
    """Letters that do not decompose are spelt out, and a name typed without them is found."""
    assert fold("Ærø Łódź Straße") == "aero lodz strasse"
    assert terms("Łódź") == terms("Lodz")
