"""Passages worth a command's listing: those that have to do with some words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from bot import verbatim
from bot.model import Extract
from retrieval import Archive, Article, Reading, terms

_NEVER = date.min


def newest(archive: Archive) -> list[Article]:
    """Return every article, the newest first, undated ones last, then by id."""
    return sorted(archive.articles(), key=lambda a: (a.published is None, -(a.published or _NEVER).toordinal(), a.id))


def readings(archive: Archive) -> Iterator[Reading]:
    """Yield every reading in that order."""
    for article in newest(archive):
        yield archive.reading(article.id)


def matching(archive: Archive, words: str) -> frozenset[tuple[str, int]]:
    """Return the places (article id, index) of the sentences that hold every term of ``words``, names included."""
    return frozenset(archive.holding(dict.fromkeys(terms(words))))


def extracts(archive: Archive, article_id: str, indexes: Iterable[int]) -> tuple[Extract, ...]:
    """Return those sentences of an article that can be shown."""
    found = (verbatim.extract(archive, article_id, index) for index in indexes)
    return tuple(extract for extract in found if extract)
