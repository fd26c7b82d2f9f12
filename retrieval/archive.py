"""Readings -> an archive to ask. The ``Archive`` protocol itself stands with the other nouns in ``model``."""

from __future__ import annotations

from collections.abc import Iterable

from retrieval.memory import MemoryArchive
from retrieval.model import Archive, Reading


def open_archive(readings: Iterable[Reading] = ()) -> Archive:
    """Return an archive in memory that holds ``readings``."""
    return MemoryArchive(readings)
