"""Readings -> a segment of the index: for each term, where it occurs and how often, as bytes that can be put together.

rank-bm25 counts the terms of each sentence; what its formula makes of them, and of their sums over paragraphs and
articles, is worked out when a question is asked (``scoring``), over the whole archive, to the same scores. Sentences,
paragraphs and versions of articles have numbers of the whole archive, so that segments are merged by writing what they
say of a term one after the other, and a version is taken out by dropping its numbers.

Segments of about one size are put together once there are enough of them, so that what is said of an article is
written again only as often as its segment's size grows by a factor. The largest are left as they are: nobody is to
wait for them, and a term is looked up in a few dozen as soon as in one.

How sentences lie in paragraphs and articles, each state of the archive has in memory (``IndexLayout``).
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge as in_order
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval.archive.database import CHECKED, Run, is_whole, run_many
from retrieval.archive.fields import own
from retrieval.errors import DamagedIndexError
from retrieval.model import Boilerplate, Reading
from retrieval.text.edit_distance import counted

NUMBERS = np.dtype("<u4")
COLUMNS = 2  # of postings: the number of a sentence, or of a version for its title, and how often the term occurs there
# of a version in its segment: its number, the numbers of its first sentence and paragraph, how many it has of
# either, and how many terms it has
ARTICLE = 6
ARTICLE_BYTES = ARTICLE * NUMBERS.itemsize
# of a sentence: how many terms it has, the number of its paragraph, and which kind of boilerplate it is
SENTENCE = 3
KINDS = (None, *Boilerplate)
ROW = COLUMNS * NUMBERS.itemsize  # bytes of a posting
FACTOR = 8  # segments of about one size that are put together to one
LARGEST = 4_096  # versions from which a segment is put together with no other

LAYOUT = f"articles, sentences, paragraphs, {is_whole('segments')}"
WORDS = f"w.words, {is_whole('words', 'w.')}"
POSTING = "INSERT INTO postings VALUES (?1, ?2, ?3, ?4, crc32(?1, CAST(?2 AS BLOB), ?3, ?4))"

Numbers = NDArray[np.uint32]
Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]
Places = NDArray[np.intp]
Row = tuple[str, bytes, bytes]  # a term, and its postings in sentences and titles


class _Counted(BM25Okapi):  # type: ignore[misc]  # rank-bm25 has no types
    """How often each term occurs in each of a few documents; how rare it is, is counted over the whole archive."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        """Leave it at what is counted."""


def _code(numbers: Sequence[int]) -> bytes:
    return np.array(numbers, NUMBERS).tobytes()


@dataclass(slots=True)
class Segment:
    """What is written of a few versions: the rows of each table; of each term its postings in sentences and titles."""

    articles: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    paragraphs: list[int] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)
    postings: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)

    def add(self, number: int, reading: Reading, sentence: int, paragraph: int) -> tuple[int, int]:
        """Take in a version whose first sentence and paragraph have these numbers; return the next free ones."""
        fields = own(reading)
        lengths = self._count(fields.sentences, sentence, 0)
        title = sum(self._count([fields.title], number, 1))
        parts = Counter(dict.fromkeys(fields.places, title))
        for length, place, passage in zip(lengths, fields.places, reading.passages, strict=True):
            self.sentences.extend((length, paragraph + place, KINDS.index(passage.sentence.boilerplate)))
            parts[place] += length
        self.words.update(fields.words)
        self.paragraphs.extend(parts.values())
        self.articles.extend((number, sentence, paragraph, len(lengths), len(parts), title + sum(lengths)))
        return sentence + len(lengths), paragraph + len(parts)

    def _count(self, documents: Sequence[Sequence[str]], first: int, column: int) -> Sequence[int]:
        """Take in documents, which are numbered from ``first`` on; return how many terms each has."""
        if not documents:  # rank-bm25 divides by how many there are
            return ()
        counted = _Counted(documents)
        for number, counts in enumerate(counted.doc_freqs, first):
            for term, times in counts.items():
                self.postings.setdefault(term, ([], []))[column].extend((number, times))
        lengths: list[int] = counted.doc_len
        return lengths

    def write(self, run: Run) -> None:
        number = _add(run, [_code(each) for each in (self.articles, self.sentences, self.paragraphs)])
        run_many(run, "INSERT INTO members VALUES (?, ?)", [(version, number) for version in self.articles[::ARTICLE]])
        run_many(run, POSTING, ((number, term, *map(_code, each)) for term, each in sorted(self.postings.items())))
        write_words(run, number, self.words)


def _add(run: Run, columns: Sequence[bytes]) -> int:
    """Write the layout of a new segment, and return the segment's number."""
    added = run("INSERT INTO segments (articles, sentences, paragraphs) VALUES (?, ?, ?)", columns)
    number = int(added.lastrowid or 0)
    _seal(run, number)
    return number


def _seal(run: Run, number: int) -> None:
    run(f"UPDATE segments SET checksum = crc32({CHECKED['segments'].format('')}) WHERE number = ?", (number,))


def layout_of(run: Run, number: int) -> Sequence[bytes]:
    """Return the rows of a segment's articles, sentences and paragraphs; ``DamagedIndexError`` where they changed."""
    [row] = whole(run(f"SELECT {LAYOUT} FROM segments WHERE number = ?", (number,)))
    return row


def whole(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """Yield rows without their last column; ``DamagedIndexError`` where that says that a bad disk has changed one."""
    for *row, is_as_written in rows:
        if not is_as_written:
            raise DamagedIndexError
        yield row


def are_whole(run: Run) -> bool:
    """Return whether all of the index is as it was written."""
    tables = ("segments", "postings", "words")
    return not any(run(f"SELECT 1 FROM {name} WHERE NOT {is_whole(name)} LIMIT 1").fetchone() for name in tables)


def write_words(run: Run, number: int, words: Counter[str]) -> None:
    """Write how often a segment has each word that a misspelt one may be meant for, in a row for each length."""
    by_length: dict[int, dict[str, int]] = {}
    for word, times in words.items():
        if times > 0 and counted(word):
            by_length.setdefault(len(word), {})[word] = times
    run("DELETE FROM words WHERE segment = ?", (number,))
    rows = [(number, length, json.dumps(counts, ensure_ascii=False)) for length, counts in sorted(by_length.items())]
    run_many(run, "INSERT INTO words VALUES (?1, ?2, ?3, crc32(?1, ?2, CAST(?3 AS BLOB)))", rows)


def due(run: Run) -> list[int]:
    """Return the segments that are to be put together next, the smallest ones first; none where all is well."""
    sizes: dict[int, list[int]] = {}
    for number, count in run(f"SELECT number, length(articles) / {ARTICLE_BYTES} FROM segments ORDER BY number"):
        if count < LARGEST:
            sizes.setdefault((count.bit_length() - 1) // (FACTOR.bit_length() - 1), []).append(number)
    return next((sizes[rank] for rank in sorted(sizes) if len(sizes[rank]) >= FACTOR), [])


def merge_due(run: Run) -> bool:
    """Put the segments together that are due; return whether there were any."""
    if not (numbers := due(run)):
        return False
    layouts = [layout_of(run, number) for number in numbers]
    merged = _add(run, [b"".join(parts) for parts in zip(*layouts, strict=True)])
    run_many(run, POSTING, ((merged, *row) for row in _joined(run, numbers)))
    marks = ",".join("?" * len(numbers))
    write_words(run, merged, words_of(run(f"SELECT {WORDS} FROM words AS w WHERE w.segment IN ({marks})", numbers)))
    run_many(run, "UPDATE members SET segment = ? WHERE segment = ?", [(merged, number) for number in numbers])
    _drop(run, numbers)
    return True


def _joined(run: Run, numbers: Sequence[int]) -> Iterator[Row]:
    columns = f"term, sentences, titles, {is_whole('postings')}"
    each = (
        whole(run(f"SELECT {columns} FROM postings WHERE segment = ? ORDER BY term", (number,))) for number in numbers
    )
    for term, rows in groupby(in_order(*each, key=itemgetter(0)), itemgetter(0)):
        _, sentences, titles = zip(*rows, strict=True)
        yield term, b"".join(sentences), b"".join(titles)


def words_of(rows: Iterable[Sequence[Any]]) -> Counter[str]:
    """Return the words that rows have together, with how often each occurs there."""
    words: Counter[str] = Counter()
    for (code,) in whole(rows):
        words.update(json.loads(code))
    return words


def _drop(run: Run, numbers: Iterable[int]) -> None:
    for number in numbers:
        run("DELETE FROM postings WHERE segment = ?", (number,))
        run("DELETE FROM words WHERE segment = ?", (number,))
        run("DELETE FROM segments WHERE number = ?", (number,))


def take_out(run: Run, number: int, reading: Reading, *, same_terms: bool) -> None:
    """Take a version out of the segment that holds it; ``reading`` is what was put in.

    Where it was not by the ``same_terms`` that this program finds in it, it is looked for at every term.
    """
    [segment] = run("SELECT segment FROM members WHERE version = ?", (number,)).fetchone()
    run("DELETE FROM members WHERE version = ?", (number,))
    layout = layout_of(run, segment)
    articles = table(layout[0], ARTICLE)
    if len(articles) == 1:
        _drop(run, (segment,))
        return
    place = int(np.flatnonzero(articles[:, 0] == number)[0])
    _, first_sentence, first_paragraph, sentences, parts, _ = (int(n) for n in articles[place])
    if same_terms:
        own = Segment()
        own.add(number, reading, first_sentence, first_paragraph)
        terms = list(own.postings)
        words = words_of(run(f"SELECT {WORDS} FROM words AS w WHERE w.segment = ?", (segment,)))
        words.subtract(own.words)
        write_words(run, segment, words)
    else:
        terms = [term for (term,) in run("SELECT term FROM postings WHERE segment = ?", (segment,)).fetchall()]
        # misspelt words are not compared with these until the index is rebuilt
        run("DELETE FROM words WHERE segment = ?", (segment,))
    columns = f"sentences, titles, {is_whole('postings')}"
    for term in terms:
        [before] = whole(run(f"SELECT {columns} FROM postings WHERE segment = ? AND term = ?", (segment, term)))
        left = []
        for code, (first, count) in zip(before, ((first_sentence, sentences), (number, 1)), strict=True):
            rows = table(code, COLUMNS)
            left.append(rows[(rows[:, 0] < first) | (rows[:, 0] >= first + count)].tobytes())
        if left != before:
            run("DELETE FROM postings WHERE segment = ? AND term = ?", (segment, term))
            if any(left):
                run(POSTING, (segment, term, *left))
    before = int(articles[:place, 3].sum()), int(articles[:place, 4].sum())
    cut = (
        np.delete(articles, place, axis=0),
        np.delete(table(layout[1], SENTENCE), slice(before[0], before[0] + sentences), axis=0),
        np.delete(table(layout[2], 1), slice(before[1], before[1] + parts), axis=0),
    )
    codes = (each.tobytes() for each in cut)
    run("UPDATE segments SET articles = ?, sentences = ?, paragraphs = ? WHERE number = ?", (*codes, segment))
    _seal(run, segment)


def table(code: bytes, columns: int) -> Numbers:
    return np.frombuffer(code, NUMBERS).reshape(-1, columns)


def columns_of(codes: Sequence[bytes]) -> tuple[Numbers, Numbers]:
    """Return the numbers and the times of postings, those of several segments one after the other."""
    rows = table(b"".join(codes), COLUMNS)
    return rows[:, 0], rows[:, 1]


@dataclass(frozen=True, slots=True)
class Totals:
    """How many documents of a level there are, and how many terms they have together."""

    documents: int
    terms: int

    @property
    def average(self) -> float:
        return self.terms / self.documents if self.documents else 0.0


class IndexLayout:
    """The place of every sentence of a state, by the numbers of the whole archive.

    ``lengths`` are those of sentences, paragraphs and articles, ``paragraph_of`` that of a sentence, ``article_of``
    that of a paragraph, ``first`` and ``count`` are an article's first sentence and how many it has, ``first_part`` and
    ``parts`` the same of its paragraphs, ``kinds`` what of ``KINDS`` a sentence is.
    """

    def __init__(self, run: Run) -> None:
        rows = list(whole(run(f"SELECT {LAYOUT} FROM segments")))
        articles_code, sentences_code, paragraphs_code = (b"".join(row[column] for row in rows) for column in range(3))
        articles, sentences = table(articles_code, ARTICLE), table(sentences_code, SENTENCE)
        lengths = np.frombuffer(paragraphs_code, NUMBERS)
        numbers, first, first_paragraph, counts, parts, terms = articles.T
        self.totals = (
            Totals(len(sentences), int(sentences[:, 0].sum())),
            Totals(len(lengths), int(lengths.sum())),
            Totals(len(articles), int(terms.sum())),
        )
        places, paragraphs = runs(first, counts), runs(first_paragraph, parts)
        sizes = [int(each.max(initial=-1)) + 1 for each in (places, paragraphs, numbers.astype(np.intp))]
        self.lengths = [np.zeros(size, NUMBERS) for size in sizes]
        self.paragraph_of, self.kinds = np.zeros(sizes[0], NUMBERS), np.zeros(sizes[0], np.uint8)
        self.article_of = np.zeros(sizes[1], NUMBERS)
        self.first, self.count, self.first_part, self.parts = (np.zeros(sizes[2], NUMBERS) for _ in range(4))
        self.lengths[0][places], self.paragraph_of[places], self.kinds[places] = sentences.T
        self.lengths[1][paragraphs], self.article_of[paragraphs] = lengths, np.repeat(numbers, parts)
        self.lengths[2][numbers], self.first[numbers], self.count[numbers] = terms, first, counts
        self.first_part[numbers], self.parts[numbers] = first_paragraph, parts

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
