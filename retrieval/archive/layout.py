"""Segments -> how sentences lie in paragraphs and articles, and how long each is, by their numbers.

Each state of the archive has one, made of the one before it: what one version has never changes, so only the segments
that came since are looked into.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.archive.database import Run
from retrieval.archive.segments import ARTICLE, ARTICLE_BYTES, NUMBERS, SENTENCE, Numbers, layout_of, table

T = TypeVar("T", bound=np.generic)
Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

GROWTH_FACTOR = 1.25  # room for this share of what there is, so that not each article that is added moves all


@dataclass(frozen=True, slots=True)
class Totals:
    """How many documents of a level there are, and how many terms they have together."""

    documents: int
    terms: int

    @property
    def average(self) -> float:
        return self.terms / self.documents if self.documents else 0.0


@dataclass(slots=True)
class IndexLayout:
    """The place of every sentence; the arrays may be longer than there are numbers.

    ``lengths`` are those of sentences, paragraphs and articles, ``paragraph_of`` that of a sentence, ``article_of``
    that of a paragraph, ``first`` and ``count`` are an article's first sentence and how many it has, ``first_part`` and
    ``parts`` the same of its paragraphs, ``kinds`` what of ``KINDS`` a sentence is.
    """

    totals: tuple[Totals, Totals, Totals] = (Totals(0, 0),) * 3
    lengths: list[Numbers] = field(default_factory=lambda: [np.zeros(0, NUMBERS)] * 3)
    paragraph_of: Numbers = field(default_factory=lambda: np.zeros(0, NUMBERS))
    article_of: Numbers = field(default_factory=lambda: np.zeros(0, NUMBERS))
    first: Numbers = field(default_factory=lambda: np.zeros(0, NUMBERS))
    count: Numbers = field(default_factory=lambda: np.zeros(0, NUMBERS))
    first_part: Numbers = field(default_factory=lambda: np.zeros(0, NUMBERS))
    parts: Numbers = field(default_factory=lambda: np.zeros(0, NUMBERS))
    kinds: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    segments: dict[int, tuple[Totals, Totals, Totals]] = field(default_factory=dict)

    def refreshed(self, run: Run) -> IndexLayout:
        """Return the layout of the state that ``run`` reads; this one is of an earlier state, and stays as it is."""
        counts = dict(run(f"SELECT number, length(articles) / {ARTICLE_BYTES} FROM segments").fetchall())
        same = {number: had for number, had in self.segments.items() if counts.get(number) == had[2].documents}
        missing = counts.keys() - same.keys()
        found = replace(deepcopy(self) if missing else self, segments=same)  # this layout goes on with its own arrays
        for number in missing:
            found.segments[number] = found.take(*layout_of(run, number))
        every = tuple(found.segments.values())
        found.totals = tuple(  # type: ignore[assignment]  # three of them
            Totals(sum(each[level].documents for each in every), sum(each[level].terms for each in every))
            for level in range(3)
        )
        return found

    def take(
        self, articles_code: bytes, sentences_code: bytes, paragraphs_code: bytes
    ) -> tuple[Totals, Totals, Totals]:
        """Put a segment into the arrays, and return how much is in it."""
        articles, sentences = table(articles_code, ARTICLE), table(sentences_code, SENTENCE)
        lengths = np.frombuffer(paragraphs_code, NUMBERS)
        numbers, first, first_paragraph, counts, parts, terms = articles.T
        sizes = int((first + counts).max()), int((first_paragraph + parts).max()), int(numbers.max()) + 1
        self.lengths = [grown(array, size) for array, size in zip(self.lengths, sizes, strict=True)]
        self.paragraph_of, self.kinds = grown(self.paragraph_of, sizes[0]), grown(self.kinds, sizes[0])
        self.article_of = grown(self.article_of, sizes[1])
        self.first, self.count = grown(self.first, sizes[2]), grown(self.count, sizes[2])
        self.first_part, self.parts = grown(self.first_part, sizes[2]), grown(self.parts, sizes[2])
        self.lengths[2][numbers], self.first[numbers], self.count[numbers] = terms, first, counts
        self.first_part[numbers], self.parts[numbers] = first_paragraph, parts
        places, paragraphs = runs(first, counts), runs(first_paragraph, parts)
        self.lengths[0][places], self.paragraph_of[places], self.kinds[places] = sentences.T
        self.lengths[1][paragraphs], self.article_of[paragraphs] = lengths, np.repeat(numbers, parts)
        return (
            Totals(len(sentences), int(sentences[:, 0].sum())),
            Totals(len(lengths), int(lengths.sum())),
            Totals(len(articles), int(terms.sum())),
        )

    def places(self, sentences: Numbers | Places) -> tuple[list[int], list[int]]:
        """Return the version that each of these sentences is of, and the index of each there."""
        versions = self.article_of[self.paragraph_of[sentences]]
        return versions.tolist(), (sentences - self.first[versions]).tolist()

    def marked(self, articles: Sequence[int]) -> Mask:
        return np.isin(np.arange(len(self.first)), articles)

    def among(self, sentences: Numbers | Places, articles: Mask) -> Mask:
        return articles[self.article_of[self.paragraph_of[sentences]]]


def runs(first: Numbers, counts: Numbers) -> NDArray[np.intp]:
    """Return the numbers ``first``, ``first + 1``… of every row, as many as its count, one row after the other."""
    before = np.cumsum(counts) - counts
    return (np.repeat(first.astype(np.intp) - before, counts) + np.arange(int(counts.sum()))).astype(np.intp)


def grown(array: NDArray[T], size: int) -> NDArray[T]:
    """Return an array with room for ``size`` rows, and for more where it had too little."""
    if len(array) >= size:
        return array
    larger = np.zeros((int(size * GROWTH_FACTOR), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
