"""Readings -> an archive to ask. The ``Archive`` protocol itself stands with the other nouns in ``model``."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.archive.memory import MemoryArchive
from retrieval.model import Reading
from retrieval.search import Archive


def open_archive(readings: Iterable[Reading] = ()) -> Archive:
    """Return an archive in memory that holds ``readings``."""
    return MemoryArchive(readings)
