"""Closed classes of words, written out as text: how a table is read."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """Return the words of a table, which are set apart by white space."""
    return frozenset(words.split())
