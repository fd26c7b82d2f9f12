"""Everyday words for the same thing: what people ask with, and what articles are written with.

The groups stand in ``paraphrases.txt``, one a line; a word may stand in several.
A group says "may be meant", never "is the same": what is found by it counts for less than the asker's own word.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from importlib.resources import files

from retrieval.archive.terms import term


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for line in files("bot").joinpath("paraphrases.txt").read_text(encoding="utf-8").splitlines():
        group = dict.fromkeys(filter(None, (term(word) for word in line.split())))
        for word in group:
            found[word] |= group
    return {word: tuple(other for other in near if other != word) for word, near in found.items()}


def paraphrases(of: str) -> tuple[str, ...]:
    """Return the terms that may be meant by the term ``of``."""
    return _groups().get(of, ())
