"""Readings -> a segment of the index: for each term, where it stands and how often, as bytes that can be put together.

Sentences, paragraphs and versions of articles have numbers of the whole archive, so that segments are merged by
writing what they say of a term one after the other, and a version is taken out by dropping its numbers.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from retrieval.archive.fields import fields, paragraphs, whole
from retrieval.archive.lasting.database import Run
from retrieval.archive.spelling import counted
from retrieval.model import Boilerplate, Reading

FACTOR = 8  # segments of about one size that are put together to one
NUMBERS = np.dtype("<u4")
COLUMNS = 2  # of postings: a number, and how often the term stands there
# of a version in its segment: its number, the numbers of its first sentence and paragraph, how many it has of
# either, and how many terms it has
ARTICLE = 6
# of a sentence: how many terms it has, the number of its paragraph, and which kind of boilerplate it is
SENTENCE = 3
KINDS = (None, *Boilerplate)

Numbers = NDArray[np.uint32]
Lists = tuple["array[int]", "array[int]", "array[int]"]


@dataclass(slots=True)
class Segment:
    """What is written of a few versions: the rows of each table, in bytes."""

    articles: array[int] = field(default_factory=lambda: array("I"))
    sentences: array[int] = field(default_factory=lambda: array("I"))
    paragraphs: array[int] = field(default_factory=lambda: array("I"))
    postings: dict[str, Lists] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)

    def add(self, number: int, reading: Reading, sentence: int, paragraph: int) -> tuple[int, int]:
        """Take in a version whose first sentence and paragraph have these numbers; return the next free ones."""
        found = fields([reading], ())
        held = found.sentences[reading.article.id]
        self.words.update(found.words)
        by_paragraph = paragraphs(reading, held)
        numbers = {key: paragraph + place for place, key in enumerate(by_paragraph)}
        article = whole(reading, held)
        for place, (passage, own) in enumerate(zip(reading.passages, held, strict=True), sentence):
            kind = KINDS.index(passage.sentence.boilerplate)
            self.sentences.extend((len(own.own), numbers[passage.sentence.paragraph], kind))
            self._post(0, place, own.own)
        for key, terms in by_paragraph.items():
            self.paragraphs.append(len(terms))
            self._post(1, numbers[key], terms)
        self._post(2, number, article)
        self.articles.extend((number, sentence, paragraph, len(held), len(by_paragraph), len(article)))
        return sentence + len(held), paragraph + len(by_paragraph)

    def _post(self, level: int, number: int, terms: Sequence[str]) -> None:
        for term, times in Counter(terms).items():
            if term not in self.postings:
                self.postings[term] = (array("I"), array("I"), array("I"))
            self.postings[term][level].extend((number, times))

    def write(self, run: Run) -> None:
        """Write the segment, and put segments together where there are enough of one size."""
        added = run(
            "INSERT INTO segments (articles, sentences, paragraphs) VALUES (?, ?, ?)",
            (self.articles.tobytes(), self.sentences.tobytes(), self.paragraphs.tobytes()),
        )
        number = added.lastrowid
        members = [(int(version), number) for version in _rows(self.articles.tobytes(), ARTICLE)[:, 0]]
        many = run("SELECT 1").connection.executemany
        many("INSERT INTO members VALUES (?, ?)", members)
        rows = ((number, term, *(part.tobytes() for part in self.postings[term])) for term in sorted(self.postings))
        many("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", rows)
        words = ((number, len(word), word, times) for word, times in self.words.items() if counted(word))
        many("INSERT INTO words VALUES (?, ?, ?, ?)", words)
        _merge_where_many(run)


def _rows(code: bytes, columns: int) -> Numbers:
    return np.frombuffer(code, NUMBERS).reshape(-1, columns)


def _merge_where_many(run: Run) -> None:
    sizes: dict[int, list[int]] = {}
    for number, length in run("SELECT number, length(articles) FROM segments ORDER BY number").fetchall():
        held = length // (ARTICLE * NUMBERS.itemsize)
        sizes.setdefault((held.bit_length() - 1) // (FACTOR.bit_length() - 1), []).append(number)
    for rank in sorted(sizes):
        if len(sizes[rank]) >= FACTOR:
            merge(run, sizes[rank])
            _merge_where_many(run)
            return


def merge(run: Run, numbers: Sequence[int]) -> None:
    """Put these segments together to one."""
    marks = ",".join("?" * len(numbers))
    layouts = run(f"SELECT articles, sentences, paragraphs FROM segments WHERE number IN ({marks})", numbers)
    columns = [b"".join(parts) for parts in zip(*layouts.fetchall(), strict=True)]
    merged = run("INSERT INTO segments (articles, sentences, paragraphs) VALUES (?, ?, ?)", columns).lastrowid
    many = run("SELECT 1").connection.executemany
    told = run(
        f"SELECT term, sentences, paragraphs, articles FROM postings WHERE segment IN ({marks}) ORDER BY term, segment",
        numbers,
    )
    many("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", [(merged, *row) for row in _joined(told)])
    run(
        "INSERT INTO words SELECT ?, length, word, sum(times) FROM words"
        f" WHERE segment IN ({marks}) GROUP BY length, word",
        (merged, *numbers),
    )
    run(f"UPDATE members SET segment = ? WHERE segment IN ({marks})", (merged, *numbers))
    _drop(run, numbers)


def _joined(rows: Iterable[tuple[str, bytes, bytes, bytes]]) -> Iterator[tuple[str, bytes, bytes, bytes]]:
    term, parts = "", ([b""], [b""], [b""])
    for row in rows:
        if row[0] != term and term:
            yield term, *(b"".join(each) for each in parts)  # type: ignore[misc]  # three of them
        if row[0] != term:
            term, parts = row[0], ([], [], [])
        for each, part in zip(parts, row[1:], strict=True):
            each.append(part)
    if term:
        yield term, *(b"".join(each) for each in parts)  # type: ignore[misc]  # as above


def _drop(run: Run, numbers: Sequence[int]) -> None:
    for number in numbers:
        run("DELETE FROM postings WHERE segment = ?", (number,))
        run("DELETE FROM words WHERE segment = ?", (number,))
        run("DELETE FROM segments WHERE number = ?", (number,))


def take_out(run: Run, number: int, reading: Reading) -> None:
    """Take a version out of the segment that holds it; ``reading`` is what was put in."""
    [segment] = run("SELECT segment FROM members WHERE version = ?", (number,)).fetchone()
    layout = run("SELECT articles, sentences, paragraphs FROM segments WHERE number = ?", (segment,)).fetchone()
    articles, sentences, paragraphs_of = _rows(layout[0], ARTICLE), _rows(layout[1], SENTENCE), _rows(layout[2], 1)
    place = int(np.flatnonzero(articles[:, 0] == number)[0])
    _, first_sentence, first_paragraph, held, parts, _ = (int(n) for n in articles[place])
    own = Segment()
    own.add(number, reading, first_sentence, first_paragraph)
    ranges = ((first_sentence, held), (first_paragraph, parts), (number, 1))
    for term in own.postings:
        _take_term_out(run, segment, term, ranges)
    for word, times in own.words.items():
        run(
            "UPDATE words SET times = times - ? WHERE (segment, length, word) = (?, ?, ?)",
            (times, segment, len(word), word),
        )
    run("DELETE FROM words WHERE segment = ? AND times <= 0", (segment,))
    run("DELETE FROM members WHERE version = ?", (number,))
    if len(articles) == 1:
        _drop(run, (segment,))
        return
    before = slice(0, int(articles[:place, 3].sum())), slice(0, int(articles[:place, 4].sum()))
    cut = (
        np.delete(articles, place, axis=0),
        np.delete(sentences, slice(before[0].stop, before[0].stop + held), axis=0),
        np.delete(paragraphs_of, slice(before[1].stop, before[1].stop + parts), axis=0),
    )
    run(
        "UPDATE segments SET articles = ?, sentences = ?, paragraphs = ? WHERE number = ?",
        (*(each.tobytes() for each in cut), segment),
    )


def _take_term_out(run: Run, segment: int, term: str, ranges: Sequence[tuple[int, int]]) -> None:
    held = run(
        "SELECT sentences, paragraphs, articles FROM postings WHERE segment = ? AND term = ?", (segment, term)
    ).fetchone()
    left = [_without(code, *span) for code, span in zip(held, ranges, strict=True)]
    if not any(left):
        run("DELETE FROM postings WHERE segment = ? AND term = ?", (segment, term))
        return
    run(
        "UPDATE postings SET sentences = ?, paragraphs = ?, articles = ? WHERE segment = ? AND term = ?",
        (*left, segment, term),
    )


def _without(code: bytes, first: int, count: int) -> bytes:
    rows = _rows(code, COLUMNS)
    return rows[(rows[:, 0] < first) | (rows[:, 0] >= first + count)].tobytes()


def columns_of(codes: Sequence[bytes]) -> tuple[Numbers, Numbers]:
    """Return the numbers and the times of postings, those of several segments one after the other."""
    rows = _rows(b"".join(codes), COLUMNS)
    return rows[:, 0], rows[:, 1]
