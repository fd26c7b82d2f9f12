"""Article -> its denials, and what each denies."""

from __future__ import annotations

from retrieval.layout import Layout
from retrieval.model import Attribution, Denial, Mention


def find_denials(
    layout: Layout,
    mentions: tuple[tuple[Mention, ...], ...],
    attributions: tuple[Attribution | None, ...],
) -> tuple[Denial | None, ...]:
    """Return for each sentence the denial it makes, if it makes one."""
    return tuple(None for _ in layout.sentences)
