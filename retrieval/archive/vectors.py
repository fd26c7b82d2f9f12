"""The vectors of sentences: stored beside their version, and in memory as one table that a question is compared with.

A row of ``vectors`` has the codes of a version, for each sentence of the report. The database deletes it with its
version, and only versions in the index are compared. So what is removed, superseded, under an embargo or outside a
scope is not found by meaning either.

A sentence has two: alone, and in its context. It is scored by a sum of their cosines. That is the product of the
question with one vector, the sum of the two, so one vector a sentence is kept in memory.
"""

import json
import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.archive.database import IN_LIST, Run, is_whole, run_many
from retrieval.archive.segments import IndexLayout, Mask, Numbers, Places
from retrieval.model import Reading
from retrieval.search import MODEL, Codes

DIMENSIONS = 384
ALONE = 0.5  # what the cosine of a sentence alone counts for beside the one in context
TOGETHER = 4_096  # sentences that are multiplied at a time: as floats they fit into a processor's cache
LOADED = 64  # versions whose codes are loaded at a time
LARGEST = 127  # of a code's numbers
DEAD = 0.25  # the share of sentences that are gone from which the table is made anew
GROWTH_FACTOR = 1.25  # room for this share of what there is, so that not each article that is added moves all
DIGITS = 3  # of a cosine: the rest differs between processors

INDEXES = np.dtype("<u4")
MISSING = f"number NOT IN (SELECT version FROM vectors WHERE model = '{MODEL}')"  # of a version: it has no vectors
WIDTH = 2 * DIMENSIONS // INDEXES.itemsize  # bytes of codes for a byte of indexes
T = TypeVar("T", bound=np.generic)
Place = tuple[int, int]  # a version's number, a sentence's index
Encoded = tuple[int, Reading, Codes]  # a version's number, its reading; its report's codes, shape (2, sentences, 384)


def whole(name: str = "") -> str:
    """Return the condition under which a row of the table that a query calls ``name`` is as it was written."""
    return f"(length({name}codes) = {WIDTH} * length({name}indexes) AND {is_whole('vectors', name)}) IS 1"


def report(reading: Reading) -> tuple[int, ...]:
    """Return the indexes of the sentences that have vectors: all but boilerplate."""
    return tuple(p.sentence.index for p in reading.passages if p.sentence.boilerplate is None)


def texts(reading: Reading) -> list[str]:
    """Return the title of an article, and the sentences of the report."""
    sentences = [reading.passages[index].sentence.span.of(reading.article.text) for index in report(reading)]
    return [reading.article.title or "", *sentences]


def same_texts(one: Reading, other: Reading) -> bool:
    return report(one) == report(other) and texts(one) == texts(other)


def put(run: Run, encoded: Iterable[Encoded]) -> None:
    """Store the codes of versions that are still there."""
    rows = [(MODEL, np.array(report(own), INDEXES).tobytes(), codes.tobytes(), n) for n, own, codes in encoded]
    run_many(
        run,
        "INSERT OR REPLACE INTO vectors (version, model, indexes, codes, checksum)"
        " SELECT number, ?1, ?2, ?3, crc32(number, CAST(?1 AS BLOB), ?2, ?3)"
        " FROM versions WHERE number = ?4 AND state IN ('current', 'embargoed')",
        rows,
    )


def forget(run: Run, version: int) -> None:
    run("DELETE FROM vectors WHERE version = ?", (version,))


def damaged(run: Run) -> list[str]:
    """Return the ids of the articles whose vectors a bad disk has changed."""
    rows = run(
        f"SELECT v.id FROM vectors AS w JOIN versions AS v ON v.number = w.version WHERE NOT ({whole('w.')})"
        " ORDER BY v.number"
    )
    return [article_id for (article_id,) in rows]


def cosines(run: Run, question: Codes, places: Collection[Place]) -> dict[Place, tuple[float, float]]:
    """Return the cosines of sentences with a question: alone, and in context; none where they are not known."""
    wanted: dict[int, list[int]] = {}
    for version, index in places:
        wanted.setdefault(version, []).append(index)
    rows = run(
        f"SELECT version, indexes, codes FROM vectors WHERE model = ? AND version {IN_LIST} AND {whole()}",
        (MODEL, json.dumps(list(wanted))),
    )
    found: dict[Place, tuple[float, float]] = {}
    for version, indexes, codes in rows:
        known, directions = unpacked(indexes, codes)
        at = {index: n for n, index in enumerate(known)}
        alone, in_context = (compared(question, each) for each in directions)
        found.update({(version, i): (alone[at[i]], in_context[at[i]]) for i in wanted[version] if i in at})
    return found


def unpacked(indexes: bytes, codes: bytes) -> tuple[list[int], Codes]:
    """Return the indexes of sentences, and their codes alone and in context, shape (2, sentences, 384)."""
    return np.frombuffer(indexes, INDEXES).tolist(), np.frombuffer(codes, np.int8).reshape(2, -1, DIMENSIONS)


def compared(question: Codes, codes: Codes) -> list[float]:
    """Return the cosine of a question's code with each of ``codes``; 0 beside all zeros."""
    # a float64 holds whole numbers below 2 ** 53 exactly, and so whatever order they are added in
    asked, table = question.astype(np.float64), codes.astype(np.float64)
    lengths = np.einsum("ij,ij->i", table, table) * (asked @ asked)
    found = np.divide(table @ asked, np.sqrt(lengths), out=np.zeros(len(table)), where=lengths > 0)
    return [round(float(cosine), DIGITS) for cosine in found]


@dataclass(frozen=True, slots=True)
class VectorTable:
    """The sentences of one state: the sum of each one's vectors, as whole numbers times ``scales``, and its place.

    ``first`` is the number of the first sentence of each version that is ``live``.
    """

    codes: Codes
    scales: NDArray[np.float32]
    versions: NDArray[np.uint32]
    indexes: NDArray[np.uint32]
    live: Mask
    first: Numbers

    def nearest(self, question: Codes, limit: int, within: Mask | None) -> Places:
        """Return the numbers of the sentences that are nearest to a question, best first; ties by their numbers."""
        # products of two codes stay below 2 ** 24, up to which a float32 is exact
        asked = question.astype(np.float32)
        found = np.empty(len(self.codes), np.float32)
        room = np.empty((min(TOGETHER, len(self.codes)), DIMENSIONS), np.float32)
        for start in range(0, len(self.codes), TOGETHER):
            some = self.codes[start : start + TOGETHER]
            np.copyto(room[: len(some)], some)
            np.dot(room[: len(some)], asked, out=found[start : start + len(some)])
        found *= self.scales
        rows = np.flatnonzero(self.live)
        if within is not None:
            rows = rows[within[self.versions[rows]]]
        scores = found[rows]
        numbers = self.first[self.versions[rows]].astype(np.intp) + self.indexes[rows]
        if len(rows) > limit:
            best = scores >= np.partition(scores, -limit)[-limit]
            scores, numbers = scores[best], numbers[best]
        return numbers[np.lexsort((numbers, -scores))][:limit]


class VectorTables:
    """The table of every state of an archive. They share their rows: sentences are only ever added to them.

    ``_stored`` are the rows of each row of the database by its number: the first, and how many there are.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clear()

    def _clear(self) -> None:
        self._size = 0
        self._stored: dict[int, tuple[int, int]] = {}
        self._codes, self._scales = np.zeros((0, DIMENSIONS), np.int8), np.zeros(0, np.float32)
        self._versions, self._indexes = np.zeros(0, np.uint32), np.zeros(0, np.uint32)

    def table(self, run: Run, layout: IndexLayout) -> VectorTable:
        rows = run(
            "SELECT number FROM vectors AS v JOIN members AS m ON m.version = v.version WHERE model = ?", (MODEL,)
        )
        members = {number for (number,) in rows}
        with self._lock:
            gone = sum(count for number, (_, count) in self._stored.items() if number not in members)
            if gone > DEAD * self._size:
                self._clear()
            self._load(run, sorted(members - self._stored.keys()), layout.count)
            size = self._size
            live = np.zeros(size, np.bool_)
            for number, (first, count) in self._stored.items():
                live[first : first + count] = number in members
            codes, scales = self._codes[:size], self._scales[:size]
            return VectorTable(codes, scales, self._versions[:size], self._indexes[:size], live, layout.first)

    def _load(self, run: Run, wanted: Sequence[int], counts: Numbers) -> None:
        sizes = f"SELECT coalesce(sum(length(indexes)), 0) FROM vectors WHERE number {IN_LIST}"
        room = self._size + run(sizes, (json.dumps(wanted),)).fetchone()[0] // INDEXES.itemsize
        self._codes, self._scales = grown(self._codes, room), grown(self._scales, room)
        self._versions, self._indexes = grown(self._versions, room), grown(self._indexes, room)
        self._stored.update(dict.fromkeys(wanted, (self._size, 0)))  # a damaged row stays empty until it is made again
        for start in range(0, len(wanted), LOADED):
            some = json.dumps(wanted[start : start + LOADED])
            for number, version, indexes, codes in run(
                f"SELECT number, version, indexes, codes FROM vectors WHERE number {IN_LIST} AND {whole()}", (some,)
            ):
                places, directions = unpacked(indexes, codes)
                if places and max(places) >= counts[version]:  # they are of another reading
                    continue
                rows = slice(self._size, self._size + len(places))
                self._codes[rows], self._scales[rows] = summed(directions)
                self._versions[rows], self._indexes[rows] = version, places
                self._stored[number] = (self._size, len(places))
                self._size = rows.stop


def summed(codes: Codes) -> tuple[Codes, NDArray[np.float32]]:
    """Return for each sentence the sum of its two directions: whole numbers, and what to multiply them by."""
    exact = codes.astype(np.float64)
    lengths = np.sqrt(np.einsum("kij,kij->ki", exact, exact))[..., None]
    alone, in_context = np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)
    total = ALONE * alone + in_context
    largest = np.abs(total).max(axis=1, initial=0.0)
    scales = np.where(largest > 0, largest, 1.0) / LARGEST
    return np.rint(total / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def grown(array: NDArray[T], size: int) -> NDArray[T]:
    """Return an array with room for ``size`` rows, and for more where it had too little."""
    if len(array) >= size:
        return array
    larger = np.zeros((int(size * GROWTH_FACTOR), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
