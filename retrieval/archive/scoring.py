"""Query -> the sentences with the highest scores: BM25 over the sentence, its paragraph and its article.

The scores are those of the archive in memory, to the last bit: the same operations in the same order. Only where terms
stand in sentences and titles is stored. How often a paragraph and an article have them is added up from that, and a
sentence without a term of its own is looked into only where its paragraph and article alone reach the best.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from retrieval.archive import segments
from retrieval.archive.database import IN_LIST, Run, is_whole
from retrieval.archive.segments import IndexLayout, Mask, Numbers, Places, Scores, Totals, columns_of, runs, whole
from retrieval.search import ARTICLE, K1, PARAGRAPH, B, Query, idf

COLUMNS = f"SELECT p.term, {{}} FROM segments AS s CROSS JOIN postings AS p ON p.segment=s.number AND p.term {IN_LIST}"
POSTINGS = COLUMNS.format(f"p.sentences, p.titles, {is_whole('postings', 'p.')}")
SENTENCES = COLUMNS.format(f"p.sentences, {is_whole('postings', 'p.')}")
WORDS = f"SELECT {segments.WORDS} FROM segments AS s CROSS JOIN words AS w ON w.segment = s.number AND w.length = ?"


def frequencies(run: Run, layout: IndexLayout, terms: Collection[str], within: Mask | None) -> dict[str, int]:
    """Return how many sentences hold each of ``terms``, of the articles that ``within`` marks; of all without it."""
    found = dict.fromkeys(terms, 0)
    values = (json.dumps(list(found)),)
    if within is None:  # what is long is not read to be counted
        for term, size in run(COLUMNS.format("length(p.sentences)"), values):
            found[term] += size // segments.ROW
        return found
    for term, blob in whole(run(SENTENCES, values)):
        found[term] += int(layout.among(columns_of([blob])[0], within).sum())
    return found


def numbers_having(run: Run, terms: Collection[str]) -> Numbers:
    """Return the numbers of the sentences that hold one of ``terms``, each once, in order."""
    codes = [blob for _, blob in whole(run(SENTENCES, (json.dumps(list(terms)),)))]
    numbers: Numbers = np.sort(columns_of(codes)[0])
    return numbers[np.flatnonzero(np.diff(numbers, prepend=numbers[:1] + 1))]


def words(run: Run, length: int) -> Counter[str]:
    """Return the words of this length that may be meant for a misspelt one, with how often each occurs there."""
    return segments.words_of(run(WORDS, (length,)))


def ranked(  # noqa: PLR0913 - each limits the search on its own
    run: Run, layout: IndexLayout, query: Query, limit: int, within: Mask | None = None, *, more: Places | None = None
) -> tuple[Places, Scores, Scores, Scores, Scores]:
    """Return the ``limit`` best sentences, those that tie with the last of them, and ``more``, in no order.

    That is their numbers and their scores: in all, by themselves, by their paragraph and by their article.
    ``within`` says of each article by its number whether its sentences may be among them; all may without it.
    """
    levels = own, paragraph, article = list(map(_Level, layout.lengths, layout.totals))
    found: dict[str, tuple[list[bytes], list[bytes]]] = {}  # each term's postings in sentences and titles
    for term, *codes in whole(run(POSTINGS, (json.dumps([term for term, _ in query.terms]),))):
        for blobs, code in zip(found.setdefault(term, ([], [])), codes, strict=True):
            blobs.append(code)
    for term, weight in query.terms:
        if term in found:
            for level, (documents, times) in zip(levels, _occurrences(layout, levels, *found[term]), strict=True):
                level.add(documents, times, weight)
    hidden = np.array([kind is not None and kind not in query.boilerplate for kind in segments.KINDS])

    def summed(numbers: Places) -> tuple[Places, Scores]:
        numbers = numbers[~hidden[layout.kinds[numbers]]]
        if within is not None:
            numbers = numbers[layout.among(numbers, within)]
        part = layout.paragraph_of[numbers]
        # in one order everywhere, so that rounding cannot make one sum larger than what bounds it
        total = own.scores[numbers] + PARAGRAPH * paragraph.scores[part]
        return numbers, total + ARTICLE * article.scores[layout.article_of[part]]

    best = [summed(own.found)]
    bar = _bar(best, limit)
    # a sentence without a term of its own is worth what its paragraph and article are, or its article alone
    around = layout.article_of[paragraph.found]
    of_paragraph = PARAGRAPH * paragraph.scores[paragraph.found] + ARTICLE * article.scores[around]
    alone = article.found[ARTICLE * article.scores[article.found] >= bar]
    articles = np.union1d(around[of_paragraph >= bar], alone)
    inside = runs(layout.first[articles], layout.count[articles])
    best.append(summed(inside[own.scores[inside] == 0]))
    bar = _bar(best, limit)
    numbers, total = (np.concatenate(parts) for parts in zip(*best, strict=True))
    passing = total >= bar if bar > 0 else total > 0
    numbers, total = numbers[passing], total[passing]
    if more is not None:
        further, theirs = summed(np.setdiff1d(more, numbers))
        numbers, total = np.concatenate((numbers, further)), np.concatenate((total, theirs))
    part = layout.paragraph_of[numbers]
    return numbers, total, own.scores[numbers], paragraph.scores[part], article.scores[layout.article_of[part]]


class _Level:
    """The score of every document of a level by its number, summed up term by term."""

    def __init__(self, lengths: Numbers, totals: Totals) -> None:
        self._lengths, self._totals = lengths, totals
        self.scores = np.zeros(len(lengths))  # of a million, only those that get a score take memory
        self._times = np.zeros(len(lengths), segments.NUMBERS)
        self._found: list[Places] = []

    def add(self, documents: Places, times: Numbers, weight: float) -> None:
        """Add what a term is worth in each of the ``documents``, which have it so many ``times``."""
        before = self.scores[documents]
        self._found.append(documents[before == 0])  # no term is worth nothing
        norms = K1 * (1 - B + B * self._lengths[documents].astype(np.float64) / (self._totals.average or 1))
        worth = idf(self._totals.documents, len(documents)) * (times * (K1 + 1) / (times + norms)) * weight
        self.scores[documents] = before + worth

    def merged(self, documents: Places, times: Numbers, others: Places, more: Numbers) -> tuple[Places, Numbers]:
        """Return documents, each once, with how often they have a term: ``times``, and ``more`` in the ``others``."""
        if not len(others):
            return documents, times
        counts = self._times
        counts[documents] = times
        documents = np.concatenate((documents, others[counts[others] == 0]))
        counts[others] += more
        times = counts[documents]
        counts[documents] = 0
        return documents, times

    @property
    def found(self) -> Places:
        """The numbers of the documents with a score, in no order."""
        return np.concatenate(self._found) if self._found else np.zeros(0, np.intp)


def _occurrences(
    layout: IndexLayout, levels: Sequence[_Level], sentence_codes: Sequence[bytes], title_codes: Sequence[bytes]
) -> Iterator[tuple[Places, Numbers]]:
    """Yield the sentences, paragraphs and articles that a term occurs in, and how often it does there."""
    numbers, times = columns_of(sentence_codes)
    sentences = numbers.astype(np.intp)
    yield sentences, times
    parts, in_parts = _grouped(layout.paragraph_of[sentences], times)
    articles, in_articles = _grouped(layout.article_of[parts], in_parts)
    titled, in_title = columns_of(title_codes)
    # a title counts in every paragraph below it
    below = runs(layout.first_part[titled], layout.parts[titled])
    yield levels[1].merged(parts, in_parts, below, np.repeat(in_title, layout.parts[titled]))
    yield levels[2].merged(articles, in_articles, titled.astype(np.intp), in_title)


def _grouped(documents: Numbers, times: Numbers) -> tuple[Places, Numbers]:
    """Return documents, each once, with the sum of its times; the same ones stand together."""
    if not len(documents):
        return documents.astype(np.intp), times
    starts = np.concatenate(([0], np.flatnonzero(documents[1:] != documents[:-1]) + 1))
    return documents[starts].astype(np.intp), np.add.reduceat(times, starts)


def _bar(found: Sequence[tuple[Places, Scores]], limit: int) -> float:
    """Return the score of the last of the best ``limit`` so far; 0 where there are fewer, and for none."""
    scores = np.concatenate([scores for _, scores in found])
    return float(np.partition(scores, -limit)[-limit]) if len(scores) >= limit > 0 else 0.0
