"""Precomputed BM25 beside rank-bm25's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from rank_bm25 import BM25Okapi

from retrieval.archive.idf import K1, B, idf
from retrieval.archive.postings import index

WORDS = st.sampled_from(["ferry", "pier", "storm", "mayor", "vote", "dam"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=8), min_size=1, max_size=40)


def weighted(terms: list[str]) -> list[tuple[str, float]]:
    """Return ``terms`` with a weight of 1 each."""
    return [(term, 1.0) for term in terms]


def okapi(documents: list[list[str]], k1: float = K1, b: float = B) -> BM25Okapi:
    """Return rank-bm25's own index with Lucene's idf put in its table."""
    bm25 = BM25Okapi(documents, k1=k1, b=b)
    for term in bm25.idf:
        bm25.idf[term] = idf(len(documents), sum(term in document for document in documents))
    return bm25


@settings(deadline=None)
@given(documents=DOCUMENTS, asked=st.lists(WORDS, max_size=5))
def test_the_scores_are_rank_bm25s_own(documents: list[list[str]], asked: list[str]) -> None:
    """To 1e-9, on corpora of every small size, terms that occur everywhere or nowhere and empty documents included."""
    if not any(documents):
        return
    expected = okapi(documents).get_scores(asked)
    assert np.allclose(index(documents).scores(weighted(asked)), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 3, 10, 1000])
@pytest.mark.parametrize(("k1", "b"), [(0.3, 0.5), (1.5, 0.75), (2.0, 0.0)])
def test_the_scores_are_the_same_for_every_size_and_setting(size: int, k1: float, b: float) -> None:
    """One and two documents included."""
    documents = [["ferry", f"w{n % 7}", f"w{n % 11}", *["pier"] * (n % 3)] for n in range(size)]
    expected, postings = okapi(documents, k1, b), index(documents, k1, b)
    for asked in (["ferry"], ["pier", "w3"], ["w1", "w1", "nowhere"], []):
        assert np.allclose(postings.scores(weighted(asked)), expected.get_scores(asked), rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_word_that_every_document_has_is_worth_a_little_and_a_rarer_one_more(size: int) -> None:
    """Never less than nothing, as rank-bm25 has it for a word in more than half of them."""
    worth = [idf(size, frequency) for frequency in range(1, size + 1)]
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] > 0


@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_nothing_is_found_in_nothing(documents: list[list[str]]) -> None:
    """An empty archive, and articles without words, are no error."""
    postings = index(documents)
    assert postings.scores(weighted(["ferry"])).tolist() == [0.0] * len(documents)
    assert postings.frequency("ferry") == 0


def test_a_terms_weight_counts() -> None:
    """A term of half the weight adds half the score; a document without the term gets nothing."""
    postings = index([["ferry", "dam"], ["pier"], ["pier"]])
    whole, half = (postings.scores([("ferry", weight)]) for weight in (1.0, 0.5))
    assert whole[0] > 0
    assert half.tolist() == [whole[0] / 2, 0.0, 0.0]
    assert postings.frequency("pier") == 2
