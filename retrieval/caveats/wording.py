"""A sentence as its words in a row: what the rules about caveats read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.lexicon.word_classes import classes
from retrieval.model import Sentence, Span
from retrieval.text.layout import Layout

REACH = 9  # words between an inability and the word it bears on
FARTHEST = 60  # words that are looked through for the end of a clause; more are no clause, and cost time

_MARKS = frozenset(("-", "–", "—", "--", "'", "‘", "’", '"', "“", "”"))
_APOSTROPHES = frozenset({"'", "’"})
_STOPS = frozenset((",", ";", ":", "(", ")", "[", "]", "…", "...", ".", "!", "?"))
_JOINTS = (
    classes("concessives", "causal_conjunctions", "as_conjunctions", "so", "relatives") - {"whereas", "whose"}
    | {"and", "but", "since"}
    | {"if", "that"}
)


@dataclass(frozen=True, slots=True)
class Wording:
    """The tokens of one sentence: ``words`` as spelt, ``lower`` in small letters, ``spans`` their places."""

    words: tuple[str, ...]
    lower: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.words)

    def span(self, start: int, end: int) -> Span:
        """Return the place in the text of words ``start`` to ``end``, half-open."""
        return Span(self.spans[start][0], self.spans[end - 1][1])

    def breaks(self, i: int) -> bool:
        """Return whether word ``i`` parts two clauses: a stop, a dash with room around it, a conjunction."""
        word = self.lower[i]
        if word in _STOPS or word in _JOINTS:
            return True
        return word in _MARKS and not self._joins(i)

    def _joins(self, i: int) -> bool:
        tight_before = i > 0 and self.spans[i - 1][1] == self.spans[i][0]
        if tight_before and self.words[i] in _APOSTROPHES and self.lower[i - 1].endswith("s"):
            return True
        tight_after = i + 1 < len(self) and self.spans[i][1] == self.spans[i + 1][0]
        return tight_before and tight_after

    def word(self, i: int) -> str:
        """Return word ``i`` in small letters, nothing where the sentence has no such word."""
        return self.lower[i] if 0 <= i < len(self) else ""

    def before(self, i: int, reach: int = REACH) -> range:
        """Return where the few words before ``i`` stand, nearest first."""
        return range(i - 1, max(-1, i - 1 - reach), -1)

    def after(self, i: int, reach: int = REACH) -> range:
        """Return where the few words after ``i`` stand, nearest first."""
        return range(i + 1, min(len(self), i + 1 + reach))

    def back_over(self, i: int, passes: Callable[[str], bool]) -> int:
        """Return where the unbroken run of words that ``passes`` lets by, and that ends before ``i``, begins."""
        for j in self.before(i, FARTHEST):
            if not passes(self.lower[j]):
                return j + 1
        return max(0, i - FARTHEST)

    def clause_start(self, end: int) -> int:
        """Return where the stretch of words that ends before ``end`` begins, back to the nearest break."""
        for i in self.before(end, FARTHEST):
            if self.breaks(i):
                return i + 1
        return max(0, end - FARTHEST)

    def clause_end(self, start: int) -> int:
        """Return where the stretch of words from ``start`` ends, at the nearest break."""
        for i in self.after(start - 1, FARTHEST):
            if self.breaks(i):
                return i
        return min(len(self), start + FARTHEST)


def wording(layout: Layout, sentence: Sentence) -> Wording:
    """Return the words of ``sentence``."""
    place = layout.tokens(sentence.span)
    words = layout.doc.words[place.start : place.stop]
    spans = tuple(
        zip(layout.doc.starts[place.start : place.stop], layout.doc.ends[place.start : place.stop], strict=True)
    )
    return Wording(words, tuple(word.lower() for word in words), spans)
