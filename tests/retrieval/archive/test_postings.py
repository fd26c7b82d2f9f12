"""Precomputed BM25 beside rank-bm25's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from retrieval.archive.postings import K1, B, Postings, index

WORDS = st.sampled_from(["ferry", "pier", "storm", "mayor", "vote", "dam"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=8), min_size=1, max_size=40)


def weighted(terms: list[str]) -> list[tuple[str, float]]:
    """Return ``terms`` with a weight of 1 each."""
    return [(term, 1.0) for term in terms]


@settings(deadline=None)
@given(documents=DOCUMENTS, asked=st.lists(WORDS, max_size=5))
def test_the_scores_are_rank_bm25s_own(documents: list[list[str]], asked: list[str]) -> None:
    """To 1e-9, on corpora of every small size, terms that occur everywhere or nowhere and empty documents included."""
    if not any(documents):
        return
    expected = BM25Okapi(documents, k1=K1, b=B).get_scores(asked)
    assert np.allclose(index(documents).scores(weighted(asked)), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 3, 10, 1000])
@pytest.mark.parametrize(("k1", "b"), [(0.3, 0.5), (1.5, 0.75), (2.0, 0.0)])
def test_the_scores_are_the_same_for_every_size_and_setting(size: int, k1: float, b: float) -> None:
    """One and two documents, where rank-bm25's scores are negative or nothing, included."""
    documents = [["ferry", f"w{n % 7}", f"w{n % 11}", *["pier"] * (n % 3)] for n in range(size)]
    okapi, postings = BM25Okapi(documents, k1=k1, b=b), index(documents, k1, b)
    for asked in (["ferry"], ["pier", "w3"], ["w1", "w1", "nowhere"], []):
        assert np.allclose(postings.scores(weighted(asked)), okapi.get_scores(asked), rtol=0, atol=1e-9)


@given(documents=DOCUMENTS, asked=st.lists(WORDS, min_size=1, max_size=4), limit=st.integers(1, 6))
def test_the_best_are_the_first_of_all_that_match(documents: list[list[str]], asked: list[str], limit: int) -> None:
    """Only documents that hold a term, best first, ties in their order, whatever the sign of the score."""
    postings = index(documents)
    scores = postings.scores(weighted(asked))
    matching = [n for n, document in enumerate(documents) if set(document) & set(asked)]
    expected = sorted(matching, key=lambda n: (-scores[n], n))[:limit]
    assert [number for number, _ in postings.best(weighted(asked), limit)] == expected


@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_nothing_is_found_in_nothing(documents: list[list[str]]) -> None:
    """An empty archive, and articles without words, are no error."""
    postings = index(documents)
    assert postings.best(weighted(["ferry"]), 3) == ()
    assert postings.best([], 3) == ()
    assert postings.frequency("ferry") == 0


def test_a_terms_weight_counts() -> None:
    """A term of half the weight adds half the score."""
    postings: Postings = index([["ferry", "dam"], ["pier"], ["pier"]])
    (whole,) = postings.best([("ferry", 1.0)], 1)
    (half,) = postings.best([("ferry", 0.5)], 1)
    assert half == (whole[0], whole[1] / 2)
    assert postings.frequency("pier") == 2
