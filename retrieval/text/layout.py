"""What the sentence stage hands on: an article with its tokens, quotations and sentences."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from retrieval.model import Article, Quotation, Sentence, Span
from retrieval.text.tokens import Doc


@dataclass(frozen=True, slots=True)
class Layout:
    """An article laid out: every later stage reads this, and none changes it.

    ``sentences`` are in order and never overlap; ``quotations`` are in order of where they open.
    """

    article: Article
    doc: Doc
    quotations: tuple[Quotation, ...]
    sentences: tuple[Sentence, ...]

    def text(self, sentence: Sentence) -> str:
        """Return the sentence's words, as they stand."""
        return sentence.span.of(self.article.text)

    def tokens(self, span: Span) -> range:
        """Return the indexes of the tokens that begin within ``span``."""
        starts = self.doc.starts
        return range(bisect_left(starts, span.start), bisect_left(starts, span.end))
