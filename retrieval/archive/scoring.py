"""Query -> the sentences with the highest scores: BM25 over the sentence, its paragraph and its article.

The scores are those of the archive in memory, to the last bit: the same operations in the same order. Most sentences
of a large archive share only a frequent word's article with a question, so a sum for every sentence is not made: the
best of those that have a word themselves set a bar, and only paragraphs and articles that reach it without one are
looked into.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.archive.database import AMONG, Run
from retrieval.archive.layout import IndexLayout, Mask, Places, Scores, Totals, runs
from retrieval.archive.schema import is_whole
from retrieval.archive.segments import KINDS, ROW, Numbers, columns_of, whole
from retrieval.search import ARTICLE, K1, PARAGRAPH, B, Query, idf

Blobs = tuple[Sequence[bytes], Sequence[bytes], Sequence[bytes]]

FEW = 4  # times as many as are wanted: the best by themselves, of which the first bar is made
POSTINGS = (
    f"SELECT p.term, p.sentences, p.paragraphs, p.articles, {is_whole('postings', 'p.')}"
    " FROM segments AS s CROSS JOIN postings AS p"
    " ON p.segment = s.number AND p.term IN ({})"
)
COLUMN = f"SELECT p.term, {{}} FROM segments AS s CROSS JOIN postings AS p ON p.segment = s.number AND p.term {AMONG}"

SENTENCES = COLUMN.format(f"p.sentences, {is_whole('postings', 'p.')}")
WORDS = (
    f"SELECT w.words, {is_whole('words', 'w.')}"
    " FROM segments AS s CROSS JOIN words AS w ON w.segment = s.number AND w.length = ?"
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """Sentences by their numbers, with their scores: in all, by themselves, by their paragraph and by their article.

    They are all that may be among the best, ties at the end included, in no order.
    """

    numbers: Places
    total: Scores
    own: Scores
    paragraph: Scores
    article: Scores


def postings(run: Run, terms: Sequence[str]) -> dict[str, Blobs]:
    found: dict[str, tuple[list[bytes], list[bytes], list[bytes]]] = {}
    for term, *codes in whole(run(POSTINGS.format(",".join("?" * len(terms))), terms)):
        for blobs, code in zip(found.setdefault(term, ([], [], [])), codes, strict=True):
            blobs.append(code)
    return dict(found)


def frequencies(run: Run, layout: IndexLayout, terms: Collection[str], within: Mask | None) -> dict[str, int]:
    """Return how many sentences hold each of ``terms``, of the articles that ``within`` marks; of all without it."""
    found = dict.fromkeys(terms, 0)
    values = (json.dumps(list(found)),)
    if within is None:  # what is long is not read to be counted
        for term, size in run(COLUMN.format("length(p.sentences)"), values):
            found[term] += size // ROW
        return found
    for term, blob in whole(run(SENTENCES, values)):
        found[term] += int(layout.among(columns_of([blob])[0], within).sum())
    return found


def places(run: Run, layout: IndexLayout, term: str) -> dict[int, set[int]]:
    codes = [blob for _, blob in whole(run(SENTENCES, (json.dumps([term]),)))]
    found: dict[int, set[int]] = {}
    for version, index in zip(*layout.places(columns_of(codes)[0]), strict=True):
        found.setdefault(version, set()).add(index)
    return found


def numbers_having(run: Run, terms: Collection[str]) -> Numbers:
    """Return the numbers of the sentences that hold one of ``terms``, each once, in order."""
    codes = [blob for _, blob in whole(run(SENTENCES, (json.dumps(list(terms)),)))]
    numbers: Numbers = np.sort(columns_of(codes)[0])
    return numbers[np.flatnonzero(np.diff(numbers, prepend=numbers[:1] + 1))]


def having(run: Run, layout: IndexLayout, term: str) -> set[int]:
    return set(np.unique(layout.article_of[layout.paragraph_of[numbers_having(run, [term])]]).tolist())


def words(run: Run, length: int) -> Counter[str]:
    """Return the words of this length that may be meant for a misspelt one, with how often each occurs there."""
    found: Counter[str] = Counter()
    for (code,) in whole(run(WORDS, (length,))):
        found.update(json.loads(code))
    return found


def ranked(  # noqa: PLR0913 - each limits the search on its own
    run: Run, layout: IndexLayout, query: Query, limit: int, within: Mask | None = None, *, more: Places | None = None
) -> Ranked:
    """Return the ``limit`` best sentences, those that tie with the last of them, and ``more``.

    ``within`` says of each article by its number whether its sentences may be among them; all may without it.
    """
    found = postings(run, [term for term, _ in query.terms])
    levels = own, paragraph, article = list(map(_Level, layout.lengths, layout.totals))
    for term, weight in query.terms:
        for level, codes in zip(levels, found.get(term, ()), strict=False):
            level.add(codes, weight)
    hidden = np.array([kind is not None and kind not in query.boilerplate for kind in KINDS])
    sums = _Sums(layout, own, paragraph, article, hidden, within)
    numbers, total = sums.best(limit)
    if more is not None:
        further, theirs = sums.summed(np.setdiff1d(more, numbers))
        numbers, total = np.concatenate((numbers, further)), np.concatenate((total, theirs))
    by_paragraph = layout.paragraph_of[numbers]
    by_article = layout.article_of[by_paragraph]
    return Ranked(numbers, total, own.scores[numbers], paragraph.scores[by_paragraph], article.scores[by_article])


class _Level:
    """The score of every document of a level by its number, summed up term by term."""

    def __init__(self, lengths: Numbers, totals: Totals) -> None:
        self._lengths, self._totals = lengths, totals
        self.scores = np.zeros(len(lengths))  # of a million, only those that get a score take memory
        self._found: list[Places] = []

    def add(self, codes: Sequence[bytes], weight: float) -> None:
        """Add what a term, which occurs in the documents of these postings, is worth in each."""
        numbers, times = columns_of(codes)
        documents = numbers.astype(np.intp)
        before = self.scores[documents]
        self._found.append(documents[before == 0])  # no term is worth nothing
        norms = K1 * (1 - B + B * self._lengths[documents].astype(np.float64) / (self._totals.average or 1))
        worth = idf(self._totals.documents, len(documents)) * (times * (K1 + 1) / (times + norms)) * weight
        self.scores[documents] = before + worth

    @property
    def found(self) -> Places:
        """The numbers of the documents with a score, in no order."""
        return np.concatenate(self._found) if self._found else np.zeros(0, np.intp)

    def most(self, documents: Places) -> float:
        return float(self.scores[documents].max(initial=0.0))


@dataclass(frozen=True, slots=True)
class _Sums:
    """The scores of the three levels; ``hidden`` says of each kind of sentence whether it is skipped.

    ``within`` says of each article whether it may be found at all.
    """

    layout: IndexLayout
    own: _Level
    paragraph: _Level
    article: _Level
    hidden: NDArray[np.bool_]
    within: Mask | None

    def best(self, limit: int) -> tuple[Places, Scores]:
        layout = self.layout
        numbers, reach, alone = self._found()
        most = PARAGRAPH * self.paragraph.most(reach), ARTICLE * self.article.most(alone)
        scores = self.own.scores[numbers]
        found = [self.summed(numbers[scores >= _nth(scores, FEW * limit)])]
        # sums are made in one order everywhere, so that rounding cannot make one larger than what bounds it
        rest = (scores < _nth(scores, FEW * limit)) & (scores + most[0] + most[1] >= _bar(found, limit))
        found.append(self.summed(numbers[rest]))
        bar = _bar(found, limit)
        # a paragraph without a word of its own to offer is no better than its article
        reach = reach[PARAGRAPH * self.paragraph.scores[reach] + most[1] >= bar]
        with_article = (
            PARAGRAPH * self.paragraph.scores[reach] + ARTICLE * self.article.scores[layout.article_of[reach]]
        )
        reach = reach[with_article >= bar]
        inside = self._inside(layout.article_of[reach])
        found.append(self._without_own(inside[np.isin(layout.paragraph_of[inside], reach)]))
        bar = _bar(found, limit)
        inside = self._inside(alone[ARTICLE * self.article.scores[alone] >= bar])
        found.append(self._without_own(inside[self.paragraph.scores[layout.paragraph_of[inside]] == 0]))
        bar = _bar(found, limit)
        every, total = (np.concatenate(parts) for parts in zip(*found, strict=True))
        passing = total >= bar if bar > 0 else total > 0
        return every[passing], total[passing]

    def _found(self) -> tuple[Places, Places, Places]:
        """Return the sentences, paragraphs and articles with a score of their own, as far as they are within."""
        found, within = (self.own.found, self.paragraph.found, self.article.found), self.within
        if within is None:
            return found
        sentences, paragraphs, articles = found
        article_of = self.layout.article_of
        return (
            sentences[self.layout.among(sentences, within)],
            paragraphs[within[article_of[paragraphs]]],
            articles[within[articles]],
        )

    def _inside(self, articles: Numbers | Places) -> Places:
        each = np.unique(articles)
        return runs(self.layout.first[each], self.layout.count[each])

    def _without_own(self, numbers: Places) -> tuple[Places, Scores]:
        return self.summed(numbers[self.own.scores[numbers] == 0])

    def summed(self, numbers: Places) -> tuple[Places, Scores]:
        numbers = numbers[~self.hidden[self.layout.kinds[numbers]]]
        by_paragraph = self.layout.paragraph_of[numbers]
        total = self.own.scores[numbers] + PARAGRAPH * self.paragraph.scores[by_paragraph]
        total += ARTICLE * self.article.scores[self.layout.article_of[by_paragraph]]
        return numbers, total


def _nth(scores: Scores, place: int) -> float:
    """Return the score in this place from the highest down; 0 where there are fewer, and for none."""
    return float(np.partition(scores, -place)[-place]) if len(scores) >= place > 0 else 0.0


def _bar(found: Sequence[tuple[Places, Scores]], limit: int) -> float:
    """Return the score of the last of the best ``limit`` so far; 0 where there are fewer."""
    return _nth(np.concatenate([scores for _, scores in found]), limit)
