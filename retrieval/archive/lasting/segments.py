"""Readings -> a segment of the index: for each term, where it stands and how often, as bytes that can be put together.

Sentences, paragraphs and versions of articles have numbers of the whole archive, so that segments are merged by
writing what they say of a term one after the other, and a version is taken out by dropping its numbers.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.archive.fields import own
from retrieval.archive.lasting.database import Run, run_many
from retrieval.archive.spelling import counted
from retrieval.model import Boilerplate, Reading
from retrieval.text.terms import terms

NUMBERS = np.dtype("<u4")
COLUMNS = 2  # of postings: a number, and how often the term stands there
# of a version in its segment: its number, the numbers of its first sentence and paragraph, how many it has of
# either, and how many terms it has
ARTICLE = 6
# of a sentence: how many terms it has, the number of its paragraph, and which kind of boilerplate it is
SENTENCE = 3
KINDS = (None, *Boilerplate)
ROW = COLUMNS * NUMBERS.itemsize  # bytes of a posting

Numbers = NDArray[np.uint32]
Row = tuple[str, bytes, bytes, bytes]  # a term, and its postings in sentences, paragraphs and articles


def _numbers() -> array[int]:
    return array("I")


@dataclass(slots=True)
class Segment:
    """What is written of a few versions: the rows of each table, in bytes.

    ``own`` are the terms of its sentences by their numbers in the segment, one after the other, ``titles`` those of
    each version's title.
    """

    articles: array[int] = field(default_factory=_numbers)
    sentences: array[int] = field(default_factory=_numbers)
    paragraphs: array[int] = field(default_factory=_numbers)
    words: Counter[str] = field(default_factory=Counter)
    numbers: dict[str, int] = field(default_factory=dict)
    own: array[int] = field(default_factory=_numbers)
    titles: list[list[int]] = field(default_factory=list)

    def add(self, number: int, reading: Reading, sentence: int, paragraph: int) -> tuple[int, int]:
        """Take in a version whose first sentence and paragraph have these numbers; return the next free ones."""
        held = own(reading)
        self.words.update(held.words)
        title = self._numbered(terms(reading.article.title or ""))
        lengths: dict[int, int] = {}
        places: dict[int, int] = {}
        for passage, found in zip(reading.passages, held.sentences, strict=True):
            key = passage.sentence.paragraph
            place = places.setdefault(key, paragraph + len(places))
            lengths[key] = lengths.get(key, len(title)) + len(found)
            self.own.extend(self._numbered(found))
            self.sentences.extend((len(found), place, KINDS.index(passage.sentence.boilerplate)))
        self.paragraphs.extend(lengths.values())
        self.titles.append(title)
        own_terms = sum(map(len, held.sentences))
        sizes = (len(held.sentences), len(places), own_terms + len(title))
        self.articles.extend((number, sentence, paragraph, *sizes))
        return sentence + sizes[0], paragraph + sizes[1]

    def _numbered(self, found: Sequence[str]) -> list[int]:
        numbers = self.numbers
        return [numbers.setdefault(term, len(numbers)) for term in found]

    def postings(self) -> Iterator[Row]:
        """Yield the row of each term, in the order of the alphabet."""
        levels = [_slices(numbered, places, len(self.numbers)) for numbered, places in self._levels()]
        for term in sorted(self.numbers):
            at = self.numbers[term]
            yield term, *(code[bounds[at] : bounds[at + 1]] for code, bounds in levels)  # type: ignore[misc]  # three

    def _levels(self) -> Iterator[tuple[Numbers, Numbers]]:
        """Yield the numbers of all terms, and of the sentences they stand in; the same of paragraphs, of articles."""
        numbered, titles = np.array(self.own, NUMBERS), [np.array(title, NUMBERS) for title in self.titles]
        articles, sentences = table(self.articles.tobytes(), ARTICLE), table(self.sentences.tobytes(), SENTENCE)
        lengths = sentences[:, 0]
        yield numbered, np.repeat(articles[0, 1] + np.arange(len(sentences), dtype=NUMBERS), lengths)
        parts, first = articles[:, 4], articles[:, 2]
        titled = [
            np.repeat(np.arange(n, dtype=NUMBERS) + at, len(t)) for t, at, n in zip(titles, first, parts, strict=True)
        ]
        each = [np.tile(title, count) for title, count in zip(titles, parts, strict=True)]
        yield np.concatenate((numbered, *each)), np.concatenate((np.repeat(sentences[:, 1], lengths), *titled))
        within = np.repeat(np.repeat(articles[:, 0], articles[:, 3]), lengths)
        of_titles = np.repeat(articles[:, 0], [len(title) for title in titles])
        yield np.concatenate((numbered, *titles)), np.concatenate((within, of_titles))

    def write(self, run: Run) -> None:
        """Write the segment."""
        added = run(
            "INSERT INTO segments (articles, sentences, paragraphs) VALUES (?, ?, ?)",
            (self.articles.tobytes(), self.sentences.tobytes(), self.paragraphs.tobytes()),
        )
        number = int(added.lastrowid or 0)
        versions = table(self.articles.tobytes(), ARTICLE)[:, 0].tolist()
        run_many(run, "INSERT INTO members VALUES (?, ?)", [(version, number) for version in versions])
        run_many(run, "INSERT INTO postings VALUES (?, ?, ?, ?, ?)", ((number, *row) for row in self.postings()))
        write_words(run, number, self.words)


def _slices(numbered: Numbers, places: Numbers, count: int) -> tuple[bytes, list[int]]:
    """Return the postings of terms from 0 on, one after the other, and at which byte those of each begin."""
    keys, times = np.unique(numbered.astype(np.uint64) << np.uint64(32) | places, return_counts=True)
    rows = np.stack((keys & np.uint64(0xFFFFFFFF), times.astype(np.uint64)), axis=1).astype(NUMBERS)
    bounds = np.searchsorted(keys >> np.uint64(32), np.arange(count + 1, dtype=np.uint64)) * ROW
    return rows.tobytes(), bounds.tolist()


def write_words(run: Run, number: int, words: Counter[str]) -> None:
    """Write how often a segment has each word that a misspelt one may be meant for, in a row for each length."""
    by_length: dict[int, dict[str, int]] = {}
    for word, times in words.items():
        if times > 0 and counted(word):
            by_length.setdefault(len(word), {})[word] = times
    run("DELETE FROM words WHERE segment = ?", (number,))
    rows = [(number, length, json.dumps(held, ensure_ascii=False)) for length, held in sorted(by_length.items())]
    run_many(run, "INSERT INTO words VALUES (?, ?, ?)", rows)


def table(code: bytes, columns: int) -> Numbers:
    """Return the rows that stand in these bytes."""
    return np.frombuffer(code, NUMBERS).reshape(-1, columns)


def columns_of(codes: Sequence[bytes]) -> tuple[Numbers, Numbers]:
    """Return the numbers and the times of postings, those of several segments one after the other."""
    rows = table(b"".join(codes), COLUMNS)
    return rows[:, 0], rows[:, 1]
