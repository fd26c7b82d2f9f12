"""A phrase -> the articles that have it, each with the day on which it first had it.

The index says which sentences have all words of the phrase; only the texts of these articles are looked through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import numpy as np

from retrieval.archive.database import AMONG, Run
from retrieval.archive.layout import IndexLayout, Mask
from retrieval.archive.scoring import numbers_having
from retrieval.archive.versions import FIRST, SINCE, day_of
from retrieval.search import Occurrence
from retrieval.text.phrases import Phrase

ROWS = f"SELECT number, id, coalesce(source, ''), published, {FIRST}, {SINCE}, text FROM versions WHERE number {AMONG}"
EARLIER = f"SELECT id, text, {SINCE} FROM versions WHERE id {AMONG} AND state = 'superseded' ORDER BY {SINCE}, number"


def of(run: Run, layout: IndexLayout, phrase: Phrase, within: Mask | None) -> tuple[Occurrence, ...]:
    """Return the articles with ``phrase`` in the order of their days, the undated last."""
    candidates = _candidates(run, layout, phrase, within)
    rows = run(ROWS, (json.dumps(list(candidates)),))
    found = []
    for number, article_id, source, published, moment, since, text in rows:
        if spelt := frozenset(" ".join(place.of(text).lower().split()) for place in phrase.places(text)):
            day = date.fromisoformat(published) if published else None
            found.append(
                (since, Occurrence(article_id, source, day, moment, candidates[number], added=False, spelt=spelt))
            )
    return in_order(_dated(run, phrase, found))


def in_order(found: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    return tuple(sorted(found, key=lambda each: (each.day is None, each.day or date.min, each.moment, each.article_id)))


def _candidates(run: Run, layout: IndexLayout, phrase: Phrase, within: Mask | None) -> Mapping[int, tuple[int, ...]]:
    """Return the sentences of the report that have a term of each word, by the version's number."""
    having = [numbers_having(run, each) for each in phrase.terms]
    if not having:
        return {}
    numbers = having[0]
    for others in having[1:]:
        numbers = np.intersect1d(numbers, others, assume_unique=True)
    numbers = numbers[layout.kinds[numbers] == 0]
    if within is not None:
        numbers = numbers[layout.among(numbers, within)]
    found: dict[int, list[int]] = {}
    for version, index in zip(*layout.places(numbers), strict=True):
        found.setdefault(version, []).append(index)
    return {version: tuple(indexes) for version, indexes in found.items()}


def _dated(run: Run, phrase: Phrase, found: Iterable[tuple[float, Occurrence]]) -> Iterable[Occurrence]:
    """Yield the same; where only a later version of an article has the phrase, with the day of that version."""
    by_id = {each.article_id: (since, each) for since, each in found}
    earlier: dict[str, list[tuple[str, float]]] = {}
    for article_id, text, since in run(EARLIER, (json.dumps(sorted(by_id)),)):
        earlier.setdefault(article_id, []).append((text, since))
    for article_id, (since, each) in by_id.items():
        yield dated(each, phrase, earlier.get(article_id, []), since)


def dated(found: Occurrence, phrase: Phrase, earlier: Sequence[tuple[str, float]], since: float) -> Occurrence:
    """Return the same, with the day of the first version to have the phrase where not all of them do.

    ``earlier`` are the texts of the versions before, each with its time; the current one is there ``since``.
    """
    if not earlier or next(phrase.places(earlier[0][0]), None):
        return found
    having = [moment for text, moment in earlier if next(phrase.places(text), None)]
    return found._replace(day=day_of(min((*having, since))), added=True)
