"""``who`` and ``said``: an entity over all articles, and what it said."""

from __future__ import annotations

from retrieval.model import Archive


def is_name(archive: Archive, words: str) -> bool:
    """Tell whether ``words`` are the name of somebody or something in the articles, and nothing more."""
    wanted = " ".join(words.lower().split())
    spelt = (name for entity in archive.entities() for name in (entity.name, *entity.variants))
    return any(wanted == name.lower() for name in spelt)
