"""A phrase -> the articles that have it, each with the day on which it first had it.

The index says which sentences have all words of the phrase; only the texts of these articles are looked through.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import numpy as np

from retrieval.archive.database import IN_LIST, Run
from retrieval.archive.scoring import frequencies, numbers_having
from retrieval.archive.segments import IndexLayout, Mask, Numbers
from retrieval.archive.versions import FIRST, SINCE, day_of, parse_day
from retrieval.search import Occurrence
from retrieval.text.terms import Phrase

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
        return in_order(_having(run, phrase, candidates))
    changed = dict(run("SELECT id, min(number) FROM versions WHERE state = 'superseded' GROUP BY id").fetchall())
    early = {number: found for number, found in candidates.items() if ids[number] in changed}
    found = [each._replace(moment=changed[each.article_id]) for each in _having(run, phrase, early)]
    for number, source, published in run(DAYS):
        if number in candidates and number not in early:
            day = parse_day(published)
            found.append(Occurrence(ids[number], source, day, number, candidates[number], False, UNKNOWN))  # noqa: FBT003
    return _without_misses(run, phrase, in_order(found))


def _having(run: Run, phrase: Phrase, candidates: Mapping[int, tuple[int, ...]]) -> list[Occurrence]:
    """Return the articles with the phrase; where only a later version has it, with the day of that version."""
    having: dict[str, tuple[float, Occurrence]] = {}
    for number, article_id, source, published, moment, since, text in run(ROWS, (json.dumps(list(candidates)),)):
        if forms := spelt(phrase, text):
            day = parse_day(published)
            found = Occurrence(article_id, source, day, moment, candidates[number], added=False, spelt=forms)
            having[article_id] = since, found
    earlier: dict[str, list[tuple[str, float]]] = {}
    for article_id, text, since in run(EARLIER, (json.dumps(sorted(having)),)):
        earlier.setdefault(article_id, []).append((text, since))
    return [dated(found, phrase, earlier.get(article_id, []), since) for article_id, (since, found) in having.items()]


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


def dated(found: Occurrence, phrase: Phrase, earlier: Sequence[tuple[str, float]], since: float) -> Occurrence:
    """Return the same, with the day of the first version to have the phrase where not all of them do.

    ``earlier`` are the texts of the versions before, each with its time; the current one is there ``since``.
    """
    if not earlier or next(phrase.places(earlier[0][0]), None):
        return found
    having = [moment for text, moment in earlier if next(phrase.places(text), None)]
    return found._replace(day=day_of(min((*having, since))), added=True)
