"""Article -> the outlet's own caveats, and the sentences each covers."""

from __future__ import annotations

from retrieval.layout import Layout
from retrieval.model import Attribution, Caveat, Denial, Mention


def find_caveats(
    layout: Layout,
    mentions: tuple[tuple[Mention, ...], ...],
    attributions: tuple[Attribution | None, ...],
    denials: tuple[Denial | None, ...],
) -> tuple[Caveat, ...]:
    """Return the article's caveats in order, each with the sentences it covers."""
    return ()
