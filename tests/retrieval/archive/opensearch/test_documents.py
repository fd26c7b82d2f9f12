"""An article as it is stored: what an earlier version of the program has written is known from again."""

from __future__ import annotations

import json

from retrieval.archive.opensearch.documents import Standing, documents, stored
from retrieval.model import Article
from retrieval.pipeline import read_one

MORNING = 1_700_000_000.0


def test_a_version_written_before_the_first_was_noted_counts_from_its_own_day() -> None:
    """An article without a date would count as new for ever."""
    reading = read_one(Article("ferry", "The ferry sank."))
    whole = documents(reading, {}, Standing(2, MORNING, {}, MORNING - 5)).article
    assert stored(whole).standing.first == MORNING - 5
    earlier = whole | {"record": json.dumps((2, MORNING, {}))}
    assert stored(earlier).standing == Standing(2, MORNING, {}, MORNING)
