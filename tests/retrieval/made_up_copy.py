"""Lays out made-up copy for the tests of what stands on sentences and names, without the stages that find them."""

from __future__ import annotations

import re

from retrieval.model import Article, Boilerplate, Kind, Mention, Quotation, Sentence, Span
from retrieval.text.blocks import Layout, layout_of
from retrieval.text.tokens import parse

PERSONS = ("Ann Lee", "Omar Diaz", "Lee", "Diaz", "Ruth Kay", "Kay")
BODIES = ("Harbour Board", "Daily Lantern", "Lantern", "Reuters", "Ministry of Tides", "HB")
PLACES = ("Norland", "Sudland", "Port Wick")
FULLEST = {"Lee": "Ann Lee", "Diaz": "Omar Diaz", "Kay": "Ruth Kay", "HB": "Harbour Board"}
KINDS = {
    **dict.fromkeys(PERSONS, Kind.PERSON),
    **dict.fromkeys(BODIES, Kind.ORG),
    **dict.fromkeys(PLACES, Kind.PLACE),
}
_NAME = re.compile("|".join(sorted(KINDS, key=len, reverse=True)))
_QUOTED = re.compile(r"“[^”]*”")


def lay(*sentences: str, paragraphs: tuple[int, ...] = ()) -> Layout:
    """Return the sentences laid out, and the names of ``KINDS`` in them; one that begins with "#" is boilerplate."""
    text = " ".join(sentence.removeprefix("#") for sentence in sentences)
    laid: list[Sentence] = []
    start = 0
    for i, sentence in enumerate(sentences):
        span = Span(start, start + len(sentence.removeprefix("#")))
        boilerplate = Boilerplate.CAPTION if sentence.startswith("#") else None
        laid.append(Sentence("a", i, span, paragraphs[i] if paragraphs else 0, boilerplate))
        start = span.end + 1
    quotations = tuple(Quotation(n, Span(*m.span())) for n, m in enumerate(_QUOTED.finditer(text)))
    layout = layout_of(Article("a", text, source="Daily Lantern"), parse(text), quotations, laid)
    return layout.with_names(tuple(_names(layout, sentence) for sentence in laid))


def _names(layout: Layout, sentence: Sentence) -> tuple[Mention, ...]:
    return tuple(
        Mention(
            KINDS[found.group()],
            FULLEST.get(found.group(), found.group()),
            Span(sentence.span.start + found.start(), sentence.span.start + found.end()),
        )
        for found in _NAME.finditer(layout.text(sentence))
    )
