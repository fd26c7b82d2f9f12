"""Readings -> a segment of the index: for each term, where it occurs and how often, as bytes that can be put together.

rank-bm25 counts the terms; what its formula makes of them is worked out when a question is asked (``scoring``), over
the whole archive, to the same scores. Sentences, paragraphs and versions of articles have numbers of the whole archive,
so that segments are merged by writing what they say of a term one after the other, and a version is taken out by
dropping its numbers.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval.archive.database import Run, run_many
from retrieval.archive.fields import own
from retrieval.model import Boilerplate, Reading
from retrieval.text.edit_distance import counted
from retrieval.text.terms import terms

NUMBERS = np.dtype("<u4")
COLUMNS = 2  # of postings: a number, and how often the term occurs there
# of a version in its segment: its number, the numbers of its first sentence and paragraph, how many it has of
# either, and how many terms it has
ARTICLE = 6
# of a sentence: how many terms it has, the number of its paragraph, and which kind of boilerplate it is
SENTENCE = 3
KINDS = (None, *Boilerplate)
ROW = COLUMNS * NUMBERS.itemsize  # bytes of a posting

Numbers = NDArray[np.uint32]
Row = tuple[str, bytes, bytes, bytes]  # a term, and its postings in sentences, paragraphs and articles


class _Counted(BM25Okapi):  # type: ignore[misc]  # rank-bm25 has no types
    """How often each term occurs in each of a few documents; how rare it is, is counted over the whole archive."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        """Leave it at what is counted."""


def _numbers() -> array[int]:
    return array("I")


@dataclass(slots=True)
class Segment:
    """What is written of a few versions: the rows of each table; of each term its postings at the three levels."""

    articles: array[int] = field(default_factory=_numbers)
    sentences: array[int] = field(default_factory=_numbers)
    paragraphs: array[int] = field(default_factory=_numbers)
    words: Counter[str] = field(default_factory=Counter)
    postings: dict[str, tuple[array[int], array[int], array[int]]] = field(default_factory=dict)

    def add(self, number: int, reading: Reading, sentence: int, paragraph: int) -> tuple[int, int]:
        """Take in a version whose first sentence and paragraph have these numbers; return the next free ones."""
        fields = own(reading)
        self.words.update(fields.words)
        title = terms(reading.article.title or "")
        parts: dict[int, list[str]] = {}
        for passage, found in zip(reading.passages, fields.sentences, strict=True):
            parts.setdefault(passage.sentence.paragraph, [*title]).extend(found)
        places = dict(zip(parts, range(paragraph, paragraph + len(parts)), strict=True))
        lengths = self._count(0, fields.sentences, sentence)
        for length, passage in zip(lengths, reading.passages, strict=True):
            kind = KINDS.index(passage.sentence.boilerplate)
            self.sentences.extend((length, places[passage.sentence.paragraph], kind))
        self.paragraphs.extend(self._count(1, tuple(parts.values()), paragraph))
        [whole] = self._count(2, ([*title, *chain.from_iterable(fields.sentences)],), number)
        self.articles.extend((number, sentence, paragraph, len(lengths), len(places), whole))
        return sentence + len(lengths), paragraph + len(places)

    def _count(self, level: int, documents: Sequence[Sequence[str]], first: int) -> Sequence[int]:
        """Take in the documents of a level, which are numbered from ``first`` on; return how many terms each has."""
        if not documents:  # rank-bm25 divides by how many there are
            return ()
        counted = _Counted(documents)
        for number, counts in enumerate(counted.doc_freqs, first):
            for term, times in counts.items():
                if term not in self.postings:
                    self.postings[term] = (_numbers(), _numbers(), _numbers())
                self.postings[term][level].extend((number, times))
        lengths: list[int] = counted.doc_len
        return lengths

    def write(self, run: Run) -> None:
        added = run(
            "INSERT INTO segments (articles, sentences, paragraphs) VALUES (?, ?, ?)",
            (self.articles.tobytes(), self.sentences.tobytes(), self.paragraphs.tobytes()),
        )
        number = int(added.lastrowid or 0)
        versions = table(self.articles.tobytes(), ARTICLE)[:, 0].tolist()
        run_many(run, "INSERT INTO members VALUES (?, ?)", [(version, number) for version in versions])
        rows = (
            (number, term, *(numbers.tobytes() for numbers in levels)) for term, levels in sorted(self.postings.items())
        )
        run_many(run, "INSERT INTO postings VALUES (?, ?, ?, ?, ?)", rows)
        write_words(run, number, self.words)


def write_words(run: Run, number: int, words: Counter[str]) -> None:
    """Write how often a segment has each word that a misspelt one may be meant for, in a row for each length."""
    by_length: dict[int, dict[str, int]] = {}
    for word, times in words.items():
        if times > 0 and counted(word):
            by_length.setdefault(len(word), {})[word] = times
    run("DELETE FROM words WHERE segment = ?", (number,))
    rows = [(number, length, json.dumps(counts, ensure_ascii=False)) for length, counts in sorted(by_length.items())]
    run_many(run, "INSERT INTO words VALUES (?, ?, ?)", rows)


def table(code: bytes, columns: int) -> Numbers:
    return np.frombuffer(code, NUMBERS).reshape(-1, columns)


def columns_of(codes: Sequence[bytes]) -> tuple[Numbers, Numbers]:
    """Return the numbers and the times of postings, those of several segments one after the other."""
    rows = table(b"".join(codes), COLUMNS)
    return rows[:, 0], rows[:, 1]
