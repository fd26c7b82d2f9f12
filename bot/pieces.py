"""A quotation's words -> the pieces of it that stand in a row somewhere in the articles.

Longest first from the left: one piece is an exact quotation, pieces a word apart one that was altered, pieces from
different places one that was stitched together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.wording import Word, wording
from retrieval.model import Reading

SHORTEST = 3  # words in a row that are a piece rather than chance
NEARBY = 5  # words apart within which two pieces are of one place, even across a full stop


@dataclass(frozen=True)
class Source:
    """An article with its words and, for each word, where it stands."""

    reading: Reading

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The article's words."""
        return wording(self.reading.article.text)

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """For each word's form, its numbers."""
        places: dict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self.words):
            places[word.form].append(number)
        return places

    @cached_property
    def starts(self) -> Sequence[int]:
        """The number of the first word of each sentence, and last the number of all words."""
        begin = [word.start for word in self.words]
        return [bisect_left(begin, p.sentence.span.start) for p in self.reading.passages] + [len(self.words)]

    def sentences(self, first: int, last: int) -> tuple[int, ...]:
        """Return the indexes of the sentences that the words from ``first`` to before ``last`` stand in."""
        start, end = self.words[first].start, self.words[last - 1].end
        spans = ((p.sentence.index, p.sentence.span) for p in self.reading.passages)
        return tuple(index for index, span in spans if span.start < end and start < span.end)


@dataclass(frozen=True, slots=True)
class Piece:
    """``length`` words of the quotation from ``start``, found in ``source`` from word ``at``."""

    source: Source
    start: int
    at: int
    length: int

    @property
    def words(self) -> Sequence[Word]:
        """The words in the article."""
        return self.source.words[self.at : self.end]

    @property
    def end(self) -> int:
        """The number of the first word of the article after it."""
        return self.at + self.length

    def continues(self, before: Piece) -> bool:
        """Tell whether this is of the same place as the piece before: the same sentence, or a few words on."""
        if self.source is not before.source or self.at < before.end:
            return False
        return self.at - before.end <= NEARBY or bool(
            {*self.source.sentences(self.at, self.end)} & {*self.source.sentences(before.at, before.end)}
        )


def pieces(words: Sequence[Word], sources: Sequence[Source]) -> tuple[Piece, ...]:
    """Return the pieces of ``words`` in order; words that stand in no piece are left between them."""
    found: list[Piece] = []
    start = 0
    while start < len(words):
        piece = _longest(words, start, sources, found[-1] if found else None)
        if piece and piece.length >= min(SHORTEST, len(words)):
            found.append(piece)
            start += piece.length
        else:
            start += 1
    return tuple(found)


def _longest(words: Sequence[Word], start: int, sources: Sequence[Source], before: Piece | None) -> Piece | None:
    """Return the longest run from ``start``; of equals the one that continues the piece before, then the first."""
    best: Piece | None = None
    for source in sources:
        for at in source.places.get(words[start].form, ()):
            piece = Piece(source, start, at, _run(words, start, source.words, at))
            if (
                best is None
                or piece.length > best.length
                or (piece.length == best.length and _better(piece, best, before))
            ):
                best = piece
    return best


def _better(piece: Piece, best: Piece, before: Piece | None) -> bool:
    return before is not None and piece.continues(before) and not best.continues(before)


def _run(words: Sequence[Word], start: int, others: Sequence[Word], at: int) -> int:
    length = 0
    while start + length < len(words) and at + length < len(others):
        if words[start + length].form != others[at + length].form:
            break
        length += 1
    return length
