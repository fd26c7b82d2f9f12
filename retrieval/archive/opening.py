"""Readings -> an archive to ask. The ``Archive`` protocol itself stands with the other nouns in ``search``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from retrieval.archive.memory import MemoryArchive
from retrieval.cache.index_parts import UNKEPT, Parts
from retrieval.model import Article, Reading
from retrieval.search import Archive


def open_archive(
    readings: Iterable[Reading] | Mapping[str, Reading] = (), articles: Iterable[Article] = (), parts: Parts = UNKEPT
) -> Archive:
    """Return an archive in memory that holds ``readings``; as a mapping by id, they are those of ``articles``.

    ``parts`` is where the index of just these readings is kept.
    """
    return MemoryArchive(readings, articles, parts)
