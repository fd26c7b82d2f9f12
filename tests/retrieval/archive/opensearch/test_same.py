"""An archive in a cluster answers as one in memory does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.ask.understand import understand
from bot.model import Question
from retrieval.archive.lasting.archive import open_archive
from retrieval.archive.opensearch.archive import OpenSearchArchive
from retrieval.search import Hit
from retrieval.text.terms import words
from tests import shelf

SAME_SCORE = 0.01  # a sentence of stopwords alone counts among the documents of one archive, and not of the other
SAME_CANDIDATES = 0.9  # of 30, at least, on average: two archives count a paragraph's words in two ways


def test_all_that_is_held_is_what_memory_holds(filled: OpenSearchArchive) -> None:
    """Articles, readings, terms, names, their bearers and counts, over a shelf of articles."""
    held, memory = filled, open_archive(shelf.readings(shelf.FIXTURES))
    assert held.articles() == memory.articles()
    for article in memory.articles():
        assert held.reading(article.id) == memory.reading(article.id)
        assert held.searchable(article.id) == memory.searchable(article.id)
    assert held.size() == memory.size()
    assert held.entities() == memory.entities()
    assert held.outlets() == memory.outlets()
    asked = [entity.name.lower() for entity in memory.entities()][:60]
    for name in (*asked, "mayor", "xyzzy", "the"):
        assert held.register().find(name) == memory.register().find(name)
        assert held.register().beginning(name[:3]) == memory.register().beginning(name[:3])


def test_a_questions_words_are_the_same_as_in_memory(filled: OpenSearchArchive) -> None:
    """How often they occur, what a misspelt one is meant for, and whom they name."""
    held, memory = filled, open_archive(shelf.readings(shelf.FIXTURES))
    for golden in shelf.golden(shelf.FIXTURES)[:60]:
        question = Question(golden.question, golden.previous)
        assert understand(question, held) == understand(question, memory)
        named = [entity.name for entity in memory.named(words(golden.question))]
        assert [entity.name for entity in held.named(words(golden.question))] == named


def test_the_candidates_are_those_of_memory(filled: OpenSearchArchive) -> None:
    """What a sentence itself scores is the same; of what stands around it, the order is nearly."""
    held, memory = filled, open_archive(shelf.readings(shelf.FIXTURES))
    shared: list[float] = []
    for golden in shelf.golden(shelf.FIXTURES):
        query = understand(Question(golden.question, golden.previous), memory).query
        ours, theirs = _by_place(held.search(query, 30)), _by_place(memory.search(query, 30))
        both = ours.keys() & theirs.keys()
        assert [ours[place].sentence for place in both] == pytest.approx(
            [theirs[place].sentence for place in both], rel=SAME_SCORE
        )
        assert next(iter(theirs), None) in (ours or {None: None})
        shared.append(len(both) / max(len(theirs), 1) if theirs else float(not ours))
    assert sum(shared) / len(shared) >= SAME_CANDIDATES


def _by_place(hits: Sequence[Hit]) -> dict[tuple[str, int], Hit]:
    return {(hit.article_id, hit.passage.sentence.index): hit for hit in hits}
