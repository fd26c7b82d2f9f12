"""Sentence -> who says it, and in what voice."""

from __future__ import annotations

from retrieval.layout import Layout
from retrieval.model import Attribution, Mention


def attribute(layout: Layout, mentions: tuple[tuple[Mention, ...], ...]) -> tuple[Attribution | None, ...]:
    """Return the attribution of each sentence, none for the outlet's own voice."""
    return tuple(None for _ in layout.sentences)
