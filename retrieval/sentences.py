"""Article -> its layout: quotations and sentences at their exact place."""

from __future__ import annotations

import re

from retrieval.language import Doc
from retrieval.layout import Layout
from retrieval.model import Article, Sentence, Span

_END = re.compile(r"(?<=[.!?])[”\"’']*\s+|\n\s*\n|\Z")


def lay_out(article: Article, doc: Doc) -> Layout:
    """Return ``article`` cut into sentences."""
    sentences: list[Sentence] = []
    start = 0
    for match in _END.finditer(article.text):
        piece = article.text[start : match.end()]
        if piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            span = Span(begin, start + len(piece.rstrip()))
            sentences.append(Sentence(article.id, len(sentences), span, paragraph=0, rule="full stop"))
        start = match.end()
    return Layout(article, doc, (), tuple(sentences))
