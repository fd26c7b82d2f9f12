"""The scores of an archive beside those of rank-bm25 itself, which knows nothing of segments, levels and bars."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from rank_bm25 import BM25Okapi

from retrieval.archive.archive import open_archive
from retrieval.archive.interface import Archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from retrieval.search import ARTICLE, K1, PARAGRAPH, B, Query, idf
from retrieval.text.terms import terms
from tests.shelf import FIXTURES, golden, readings
from tests.stock import archive_of

WORDS = st.sampled_from(["ferry", "pier", "storm", "mayor", "vote", "dam"])
SENTENCES = st.lists(WORDS, min_size=1, max_size=8).map(lambda words: f"{' '.join(words).capitalize()}.")
TEXTS = st.lists(st.lists(SENTENCES, min_size=1, max_size=3).map("\n\n".join), min_size=1, max_size=12)

Scores = tuple[float, float, float]  # of a sentence, its paragraph and its article


def okapi(documents: Sequence[Sequence[str]]) -> BM25Okapi:
    """Return rank-bm25's index of documents, with Lucene's idf put in its table."""
    bm25 = BM25Okapi(documents, k1=K1, b=B)
    held = Counter(term for document in documents for term in set(document))
    bm25.idf = {term: idf(len(documents), held[term]) for term in bm25.idf}
    return bm25


class Reference:
    """What rank-bm25 makes of each sentence of an archive, of its paragraph and of its article."""

    def __init__(self, archive: Archive) -> None:
        self.ids = [article.id for article in archive.articles()]
        sentences: list[Sequence[str]] = []
        parts: dict[tuple[int, int], list[str]] = {}
        whole: list[list[str]] = []
        self.places = []
        searchable = archive.searchable(self.ids)
        for number, article_id in enumerate(self.ids):
            reading = archive.reading(article_id)
            title = terms(reading.article.title or "")
            whole.append([*title])
            for passage, sentence in zip(reading.passages, searchable[article_id], strict=True):
                paragraph = (number, passage.sentence.paragraph)
                parts.setdefault(paragraph, [*title]).extend(sentence.own)
                whole[-1].extend(sentence.own)
                sentences.append(sentence.own)
                self.places.append((number, passage.sentence.index, list(parts).index(paragraph)))
        self.own, self.part, self.article = okapi(sentences), okapi([*parts.values()]), okapi(whole)

    def scores(self, asked: Sequence[str]) -> dict[tuple[str, int], Scores]:
        own, part, article = (bm25.get_scores(asked) for bm25 in (self.own, self.part, self.article))
        return {
            (self.ids[number], at): (score, part[paragraph], article[number])
            for score, (number, at, paragraph) in zip(own, self.places, strict=True)
        }


def check(archive: Archive, scores: Mapping[tuple[str, int], Scores], asked: Sequence[str], limit: int) -> None:
    totals = {place: own + PARAGRAPH * part + ARTICLE * article for place, (own, part, article) in scores.items()}
    hits = archive.search(Query(tuple((term, 1.0) for term in asked)), limit)
    best = sorted((total for total in totals.values() if total > 0), reverse=True)[:limit]
    assert np.allclose([hit.score for hit in hits], best, rtol=0, atol=1e-9)
    for hit in hits:
        place = hit.article_id, hit.passage.sentence.index
        assert np.allclose((hit.sentence, hit.paragraph, hit.article), scores[place], rtol=0, atol=1e-9)
        assert hit.score == pytest.approx(totals[place], abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(texts=TEXTS, asked=st.lists(WORDS, min_size=1, max_size=4, unique=True), limit=st.integers(1, 40))
def test_the_scores_are_rank_bm25s_own(texts: list[str], asked: list[str], limit: int) -> None:
    """To 1e-9, in archives of every small size, of words that occur everywhere or nowhere."""
    archive = open_archive(read_separately([Article(f"{n:02}", text) for n, text in enumerate(texts)]))
    found = [term for word in asked for term in terms(word)]
    check(archive, Reference(archive).scores(found), found, limit)


def test_they_are_so_of_real_prose() -> None:
    archive = open_archive(readings(FIXTURES))
    reference = Reference(archive)
    for question in golden(FIXTURES):
        asked = tuple(dict.fromkeys(terms(question.question)))
        scores = reference.scores(asked)
        for limit in (1, 30, 1000):
            check(archive, scores, asked, limit)


@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_word_that_every_document_has_is_worth_a_little_and_a_rarer_one_more(size: int) -> None:
    """Never less than nothing, as rank-bm25 has it for a word in more than half of them."""
    worth = [idf(size, frequency) for frequency in range(1, size + 1)]
    assert worth == sorted(worth, reverse=True)
    assert worth[-1] > 0


def test_a_terms_weight_counts() -> None:
    archive = archive_of("Ferry and dam.", "The pier.", "Pier.")
    [whole_weight], [half] = (archive.search(Query((("ferri", weight),)), 30) for weight in (1.0, 0.5))
    assert half.score == pytest.approx(whole_weight.score / 2)
    assert archive.vocabulary().frequencies(["pier"]) == {"pier": 2}
