"""What the sentence stage hands on: an article with its tokens, quotations and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from retrieval.model import Article, Mention, Quotation, Sentence
from retrieval.text.tokens import Tokens

Mentions = tuple[tuple[Mention, ...], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """An article laid out: every later stage reads this, and none changes it.

    ``sentences`` are in order and never overlap; ``quotations`` are in order of where they open. ``mentions`` are the
    names of each sentence, once they are found.
    """

    article: Article
    tokens: Tokens
    quotations: tuple[Quotation, ...]
    sentences: tuple[Sentence, ...]
    mentions: Mentions = ()

    def text(self, sentence: Sentence) -> str:
        """Return the sentence's words, as they stand."""
        return sentence.span.of(self.article.text)

    def with_names(self, mentions: Mentions) -> Layout:
        """Return the layout with the names of each sentence, and its tokens with the names told."""
        tokens = self.tokens.with_names(chain.from_iterable(mentions))
        return replace(self, tokens=tokens, mentions=mentions)


def layout_of(
    article: Article, tokens: Tokens, quotations: Sequence[Quotation], sentences: Sequence[Sentence]
) -> Layout:
    """Return an article's layout, its tokens cut and marked at the sentences and quotations."""
    marked = tokens.at_sentences([s.span for s in sentences], [q.span for q in quotations])
    return Layout(article, marked, tuple(quotations), tuple(sentences))
