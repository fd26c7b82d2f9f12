"""What a trained pipeline found, where one is installed: it adds names and settles doubtful kinds, takes none away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from retrieval.model import Kind, Mention, Sentence, Span
from retrieval.text.layout import Layout, Mentions

_DOUBTFUL = frozenset(("rest", "speaks", "firm"))
_FRONT = re.compile(r"(?:the|a|an|mrs?\.?|ms\.?|dr\.?)\s+", re.IGNORECASE)
_BACK = re.compile(r"(?:['’]s?|\s|[.,;:])+$")


def with_entities(layout: Layout, found: Mentions) -> Mentions:
    """Return ``found`` with the entities of the layout's pipeline beside them."""
    return tuple(
        _beside(list(_within(layout, sentence)), mentions)
        for sentence, mentions in zip(layout.sentences, found, strict=True)
    )


def _within(layout: Layout, sentence: Sentence) -> Iterator[Mention]:
    for kind, span in layout.tokens.entities:
        if sentence.span.contains(span) and (bare := _bare(layout.article.text, span)) is not None:
            name = " ".join(bare.of(layout.article.text).split())
            yield Mention(kind, name, bare, None, "pipeline")


def _bare(text: str, span: Span) -> Span | None:
    """Return the place without an article or a title before the name and a possessive behind it."""
    front = _FRONT.match(text, span.start, span.end)
    start = front.end() if front else span.start
    end = start + len(_BACK.sub("", text[start : span.end]))
    return Span(start, end) if start < end else None


def _beside(entities: list[Mention], mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    settled = [_settled(mention, entities) for mention in mentions]
    new = [e for e in entities if not any(e.span.overlaps(mention.span) for mention in mentions)]
    return tuple(sorted((*settled, *new), key=lambda mention: mention.span))


def _settled(mention: Mention, entities: list[Mention]) -> Mention:
    """Return a doubtful mention with the kind that the pipeline gives the same words."""
    kind: Kind | None = next((e.kind for e in entities if e.span == mention.span), None)
    if kind is None or mention.rule not in _DOUBTFUL:
        return mention
    return replace(mention, kind=kind, rule="pipeline")
