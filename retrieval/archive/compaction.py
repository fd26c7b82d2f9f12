"""Segments of the index -> fewer, larger ones; a version out of the one that holds it.

Segments of about one size are put together once there are enough of them, so that what is said of an article is
written again only as often as its segment's size grows by a factor. The largest are left as they are: nobody is to
wait for them, and a term is looked up in a few dozen as soon as in one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge as in_order
from itertools import groupby
from operator import itemgetter

import numpy as np

from retrieval.archive.database import Run, run_many
from retrieval.archive.segments import ARTICLE, COLUMNS, NUMBERS, SENTENCE, Row, Segment, table, write_words
from retrieval.model import Reading

FACTOR = 8  # segments of about one size that are put together to one
LARGEST = 4_096  # versions from which a segment is put together with no other


def due(run: Run) -> list[int]:
    """Return the segments that are to be put together next, the smallest ones first; none where all is well."""
    sizes: dict[int, list[int]] = {}
    for number, length in run("SELECT number, length(articles) FROM segments ORDER BY number").fetchall():
        count = length // (ARTICLE * NUMBERS.itemsize)
        if count < LARGEST:
            sizes.setdefault((count.bit_length() - 1) // (FACTOR.bit_length() - 1), []).append(number)
    return next((sizes[rank] for rank in sorted(sizes) if len(sizes[rank]) >= FACTOR), [])


def merge(run: Run, numbers: Sequence[int]) -> None:
    marks = ",".join("?" * len(numbers))
    layouts = run(
        f"SELECT articles, sentences, paragraphs FROM segments WHERE number IN ({marks}) ORDER BY number", numbers
    )
    columns = [b"".join(parts) for parts in zip(*layouts.fetchall(), strict=True)]
    added = run("INSERT INTO segments (articles, sentences, paragraphs) VALUES (?, ?, ?)", columns)
    merged = int(added.lastrowid or 0)
    run_many(
        run, "INSERT INTO postings VALUES (?, ?, ?, ?, ?)", ((merged, *row) for row in _joined(run, sorted(numbers)))
    )
    words: Counter[str] = Counter()
    for (code,) in run(f"SELECT words FROM words WHERE segment IN ({marks})", numbers):
        words.update(json.loads(code))
    write_words(run, merged, words)
    run(f"UPDATE members SET segment = ? WHERE segment IN ({marks})", (merged, *numbers))
    _drop(run, numbers)


def _joined(run: Run, numbers: Sequence[int]) -> Iterator[Row]:
    """Yield what several segments say of each term, the terms in the order of the alphabet."""
    each = (
        run("SELECT term, sentences, paragraphs, articles FROM postings WHERE segment = ? ORDER BY term", (number,))
        for number in numbers
    )
    for term, rows in groupby(in_order(*each, key=itemgetter(0)), itemgetter(0)):
        _, *levels = zip(*rows, strict=True)
        yield term, *map(b"".join, levels)


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
    layout = run("SELECT articles, sentences, paragraphs FROM segments WHERE number = ?", (segment,)).fetchone()
    articles = table(layout[0], ARTICLE)
    if len(articles) == 1:
        _drop(run, (segment,))
        return
    place = int(np.flatnonzero(articles[:, 0] == number)[0])
    _, first_sentence, first_paragraph, sentences, parts, _ = (int(n) for n in articles[place])
    terms: Iterable[str]
    if same_terms:
        own = Segment()
        own.add(number, reading, first_sentence, first_paragraph)
        terms = own.postings
        _take_words_out(run, segment, own.words)
    else:
        terms = _terms(run, segment)
        # misspelt words are not compared with these until the index is rebuilt
        run("DELETE FROM words WHERE segment = ?", (segment,))
    for term in terms:
        _take_term_out(run, segment, term, ((first_sentence, sentences), (first_paragraph, parts), (number, 1)))
    before = int(articles[:place, 3].sum()), int(articles[:place, 4].sum())
    cut = (
        np.delete(articles, place, axis=0),
        np.delete(table(layout[1], SENTENCE), slice(before[0], before[0] + sentences), axis=0),
        np.delete(table(layout[2], 1), slice(before[1], before[1] + parts), axis=0),
    )
    codes = (each.tobytes() for each in cut)
    run("UPDATE segments SET articles = ?, sentences = ?, paragraphs = ? WHERE number = ?", (*codes, segment))


def _terms(run: Run, segment: int) -> list[str]:
    return [term for (term,) in run("SELECT term FROM postings WHERE segment = ?", (segment,)).fetchall()]


def _take_words_out(run: Run, segment: int, gone: Counter[str]) -> None:
    words: Counter[str] = Counter()
    for (code,) in run("SELECT words FROM words WHERE segment = ?", (segment,)):
        words.update(json.loads(code))
    words.subtract(gone)
    write_words(run, segment, words)


def _take_term_out(run: Run, segment: int, term: str, ranges: Sequence[tuple[int, int]]) -> None:
    before = run(
        "SELECT sentences, paragraphs, articles FROM postings WHERE segment = ? AND term = ?", (segment, term)
    ).fetchone()
    left = tuple(_without(code, *span) for code, span in zip(before, ranges, strict=True))
    if left == before:
        return
    if not any(left):
        run("DELETE FROM postings WHERE segment = ? AND term = ?", (segment, term))
        return
    run(
        "UPDATE postings SET sentences = ?, paragraphs = ?, articles = ? WHERE segment = ? AND term = ?",
        (*left, segment, term),
    )


def _without(code: bytes, first: int, count: int) -> bytes:
    rows = table(code, COLUMNS)
    return rows[(rows[:, 0] < first) | (rows[:, 0] >= first + count)].tobytes()
