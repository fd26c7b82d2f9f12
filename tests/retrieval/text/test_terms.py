import sys
from concurrent.futures import ThreadPoolExecutor

from retrieval.text.terms import fold, term, terms, words
from tests.support.tables import cases

ENDINGS = ("ations", "fulness", "ingly", "ements", "ously", "izers")
CUTS = {"words": words, "terms": terms, "folded": lambda text: map(fold, text.split())}


@cases("cut, text, expected")
def test_words_and_terms_are_told_in_order(cut: str, text: str, expected: tuple[str, ...]) -> None:
    assert tuple(CUTS[cut](text)) == expected
    assert len(words("x" * 100_000)[0]) < 100


def test_forms_of_one_word_are_one_term_and_other_words_are_not() -> None:
    forms = """organise organization, armoured armor, fled fleeing, shot shoot, kyivs kyiv, mums moms, women woman,
        realise realize, centres center, gunmen gunman, trafficked traffic, crises crisis, taxis taxi, lives life"""
    others = "ferris ferry, harris harry, leaves leaf, wound wind, praise praize"
    pairs = [tuple(pair.split()) for pair in f"{forms}, {others}".split(",")]
    assert [f"{one} {other}" for one, other in pairs if term(one) != term(other)] == others.split(", ")
    assert all(term(one) for one, _ in pairs)


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
