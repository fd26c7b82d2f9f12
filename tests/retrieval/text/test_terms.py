from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from retrieval.text.terms import fold, long_words, root, term, terms, words

ENDINGS = ("ations", "fulness", "ingly", "ements", "ously", "izers")


UNITS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"


@pytest.mark.parametrize(
    ("cut", "text", "expected"),
    [
        (words, "The minister’s car", ("the", "minister", "car")),
        (words, "They weren't told", ("they", "werent", "told")),
        (words, "1,200 of 4.2 million", ("1200", "of", "4.2", "million")),
        (words, "EB-5 and G7", ("eb", "5", "and", "g7")),
        (words, "Ćosić, naïve, Orbán", ("cosic", "naive", "orban")),
        (words, "the US told us", ("the", "usa", "told", "us")),
        (words, "U.S. and U.K. aid", ("usa", "and", "uk", "aid")),
        (words, "#WeMarchOn", ("wemarchon",)),
        (words, "…—“” ’’’", ()),
        (terms, "the said weren't who's it", ()),  # words that say nothing
        (terms, "The ferry ran aground off the island", ("ferri", "run", "aground", "island")),
        (terms, f"one {UNITS}", tuple(map(str, range(2, 18)))),
        (terms, "twenty thirty forty fifty sixty seventy eighty ninety", tuple(map(str, range(20, 100, 10)))),
        (terms, "Łódź", terms("Lodz")),
        (long_words, "The tall quay of 1902 fell", ["tall", "quay", "fell"]),  # one of three letters has no root
        (lambda text: [fold(word) for word in text.split()], "ABC Ærø Łódź Straße", ["abc", "aero", "lodz", "strasse"]),
    ],
)
def test_words_and_terms_are_told_in_order(
    cut: Callable[[str], Sequence[str]], text: str, expected: Sequence[str]
) -> None:
    assert cut(text) == expected
    assert len(words("x" * 100_000)[0]) < 100


def test_forms_of_one_word_are_one_term_and_other_words_are_not() -> None:
    forms = """organise organization, armoured armor, fled fleeing, shot shoot, kyivs kyiv, mums moms, women woman,
        realise realize, centres center, gunmen gunman, trafficked traffic, crises crisis, taxis taxi, lives life"""
    others = "ferris ferry, harris harry, leaves leaf, wound wind, praise praize"
    pairs = [tuple(pair.split()) for pair in f"{forms}, {others}".split(",")]
    assert [f"{one} {other}" for one, other in pairs if term(one) != term(other)] == others.split(", ")
    assert all(term(one) for one, _ in pairs)


def test_words_that_share_five_letters_share_a_root() -> None:
    assert root("Norland") == root("Norlanders") == "norla"
    assert root("sinking") == root("sinkings") != root("sink")


def test_threads_get_the_same_stems_as_one_alone() -> None:
    made = [f"{stem}{vowel}r{ending}" for stem in ("gl", "pr", "st", "tr") for vowel in "aeiou" for ending in ENDINGS]
    term.cache_clear()
    alone = [term(word) for word in made]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            term.cache_clear()
            with ThreadPoolExecutor(4) as threads:
                assert list(threads.map(term, made * 4)) == alone * 4
    finally:
        sys.setswitchinterval(before)
