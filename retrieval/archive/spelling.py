"""The words of the articles, to hold a misspelt one against."""

from __future__ import annotations

from collections.abc import Mapping

from retrieval.text.neighbours import SHORTEST, Neighbours


def counted(word: str) -> bool:
    """Return whether a misspelt word may be meant for ``word``."""
    return len(word) >= SHORTEST - 1 and word.isalpha()


class Spellings:
    """Folded words with their frequency."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._counts = {word: n for word, n in words.items() if counted(word)}
        self._neighbours = Neighbours(self._counts)

    def of(self, word: str, limit: int) -> tuple[str, ...]:
        """Return the words that ``word`` may be meant for: one slip, or two in a long word; nearest first.

        Nearest is fewest slips, then the same first letter, then the more frequent.
        """
        if word in self._counts or not word.isalpha():
            return ()
        found = sorted(self._neighbours.of(word), key=lambda f: (f[1], f[0][0] != word[0], -self._counts[f[0]], f[0]))
        return tuple(spelt for spelt, _ in found[:limit])
