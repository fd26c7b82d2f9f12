"""A sentence as its words in a row: what the rules about caveats read."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.layout import Layout
from retrieval.model import Sentence, Span
from retrieval.titles import listed

_MARKS = listed("- – — -- ' ‘ ’ \" “ ”")
_STOPS = listed(", ; : ( ) [ ] … ... . ! ?")
_JOINTS = listed("and but though although while whilst because as since so if that which who whom than")


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
        """Tell whether word ``i`` parts two clauses: a stop, a dash with room around it, a conjunction."""
        word = self.lower[i]
        if word in _STOPS or word in _JOINTS:
            return True
        return word in _MARKS and not self._joins(i)

    def _joins(self, i: int) -> bool:
        tight_before = i > 0 and self.spans[i - 1][1] == self.spans[i][0]
        tight_after = i + 1 < len(self) and self.spans[i][1] == self.spans[i + 1][0]
        return tight_before and tight_after

    def clause_start(self, end: int) -> int:
        """Return where the stretch of words that ends before ``end`` begins, back to the nearest break."""
        start = end
        while start > 0 and not self.breaks(start - 1):
            start -= 1
        return start

    def clause_end(self, start: int) -> int:
        """Return where the stretch of words from ``start`` ends, at the nearest break."""
        end = start
        while end < len(self) and not self.breaks(end):
            end += 1
        return end


def wording(layout: Layout, sentence: Sentence) -> Wording:
    """Return the words of ``sentence``."""
    place = layout.tokens(sentence.span)
    words = layout.doc.words[place.start : place.stop]
    spans = tuple(
        zip(layout.doc.starts[place.start : place.stop], layout.doc.ends[place.start : place.stop], strict=True)
    )
    return Wording(words, tuple(word.lower() for word in words), spans)
