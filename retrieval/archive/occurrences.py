"""A phrase -> the articles that have it, each with the day on which it first had it.

The index says which sentences have all words of the phrase; only the texts of these articles are looked through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

import numpy as np

from retrieval.archive.database import IN_LIST, Run
from retrieval.archive.layout import IndexLayout, Mask
from retrieval.archive.scoring import frequencies, numbers_having
from retrieval.archive.segments import Numbers
from retrieval.archive.versions import FIRST, SINCE, day_of
from retrieval.search import Occurrence
from retrieval.text.phrases import Phrase

ROWS = (
    f"SELECT number, id, coalesce(source, ''), published, {FIRST}, {SINCE}, text FROM versions WHERE number {IN_LIST}"
)
DAYS = "SELECT number, coalesce(source, ''), published FROM versions INDEXED BY versions_source WHERE state = 'current'"
TEXTS = f"SELECT id, text FROM versions WHERE number {IN_LIST}"
EARLIER = f"SELECT id, text, {SINCE} FROM versions WHERE id {IN_LIST} AND state = 'superseded' ORDER BY {SINCE}, number"

LOOKED_THROUGH = 1_000  # articles whose texts are read for one phrase
UNKNOWN: frozenset[str] = frozenset()


def of(
    run: Run, layout: IndexLayout, phrase: Phrase, within: Mask | None, ids: Mapping[int, str]
) -> tuple[Occurrence, ...]:
    """Return the articles with ``phrase`` in the order of their days, the undated last; ``ids`` are those of versions.

    Of more than ``LOOKED_THROUGH`` that have all its words in a sentence, the first of each outlet and the last are
    sure to have it. The others may not have it, and nothing is ``spelt`` of them.
    """
    candidates = _candidates(run, layout, phrase, within)
    if len(candidates) <= LOOKED_THROUGH:
        return in_order(_dated(run, phrase, _having(run, phrase, candidates)))
    changed = dict(run("SELECT id, min(number) FROM versions WHERE state = 'superseded' GROUP BY id").fetchall())
    early = {number: found for number, found in candidates.items() if ids[number] in changed}
    having = _dated(run, phrase, _having(run, phrase, early))
    found = [each._replace(moment=changed[each.article_id]) for each in having]
    for number, source, published in run(DAYS):
        if number in candidates and number not in early:
            day = date.fromisoformat(published) if published else None
            found.append(Occurrence(ids[number], source, day, number, candidates[number], False, UNKNOWN))  # noqa: FBT003
    return _without_misses(run, phrase, in_order(found))


def _having(run: Run, phrase: Phrase, candidates: Mapping[int, tuple[int, ...]]) -> Iterator[tuple[float, Occurrence]]:
    """Yield the versions with the phrase, each behind the time since which it is there."""
    for number, article_id, source, published, moment, since, text in run(ROWS, (json.dumps(list(candidates)),)):
        if forms := spelt(phrase, text):
            day = date.fromisoformat(published) if published else None
            yield since, Occurrence(article_id, source, day, moment, candidates[number], added=False, spelt=forms)


def spelt(phrase: Phrase, text: str) -> frozenset[str]:
    return frozenset(" ".join(place.of(text).lower().split()) for place in phrase.places(text))


def _without_misses(run: Run, phrase: Phrase, found: tuple[Occurrence, ...]) -> tuple[Occurrence, ...]:
    """Return the same without those before the first of each outlet, and behind the last, that do not have the phrase.

    The ``moment`` of an article that is not looked through yet is its version's number.
    """
    of_outlets: dict[str, list[Occurrence]] = {}
    for each in found:
        of_outlets.setdefault(each.source, []).append(each)
    open_lists: list[Sequence[Occurrence]] = [*of_outlets.values(), found[::-1]]
    known = {each.article_id: each.spelt for each in found if each.spelt}
    at, count = 0, 1
    while open_lists:
        heads = [each for some in open_lists for each in some[at : at + count] if each.article_id not in known]
        texts = run(TEXTS, (json.dumps([each.moment for each in heads]),))
        known |= {article_id: spelt(phrase, text) for article_id, text in texts}
        open_lists = [
            some
            for some in open_lists
            if len(some) > at + count and not any(known[each.article_id] for each in some[at : at + count])
        ]
        at, count = at + count, count * 2
    return tuple(
        each._replace(spelt=known[each.article_id]) if each.article_id in known else each
        for each in found
        if known.get(each.article_id, True)
    )


def in_order(found: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    return tuple(sorted(found, key=lambda each: (each.day is None, each.day or date.min, each.moment, each.article_id)))


def _candidates(run: Run, layout: IndexLayout, phrase: Phrase, within: Mask | None) -> Mapping[int, tuple[int, ...]]:
    """Return the sentences of the report that have a term of each word, by the version's number."""
    sizes = frequencies(run, layout, frozenset().union(*phrase.terms), None)
    numbers: Numbers | None = None
    for each in sorted(phrase.terms, key=lambda terms: sum(map(sizes.__getitem__, terms))):  # the rare ones first
        if numbers is None:
            numbers = numbers_having(run, each)
        elif len(numbers):
            numbers = np.intersect1d(numbers, numbers_having(run, each), assume_unique=True)
    if numbers is None:
        return {}
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
