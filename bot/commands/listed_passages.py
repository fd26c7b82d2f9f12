"""Passages worth a command's listing: those that have to do with some words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot import verbatim
from bot.model import Extract
from retrieval import Archive, terms


def matching(archive: Archive, words: str, facets: Collection[str]) -> frozenset[tuple[str, int]]:
    """Return the places (article id, index) of the sentences that hold every term of ``words``, names included.

    Those of articles with one of ``facets`` alone: of few of many, and no other is looked into.
    """
    wanted = dict.fromkeys(terms(words))
    return frozenset(archive.holding(wanted, among={each.id for each in archive.listed(wanted, facets)}))


def extracts(archive: Archive, article_id: str, indexes: Iterable[int]) -> tuple[Extract, ...]:
    """Return those sentences of an article that can be shown."""
    found = (verbatim.extract(archive, article_id, index) for index in indexes)
    return tuple(extract for extract in found if extract)
