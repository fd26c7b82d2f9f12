"""The words of the articles, to hold a misspelt one against."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

# A word shorter than this has too many neighbours for one of them to be meant.
_SHORTEST = 5
_LONG = 8


def counted(word: str) -> bool:
    """Return whether a misspelt word may be meant for ``word``."""
    return len(word) >= _SHORTEST - 1 and word.isalpha()


class Spellings:
    """Folded words with their frequency, by length."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._counts = {word: n for word, n in words.items() if counted(word)}
        self._by_length: dict[int, list[str]] = {}
        for word in sorted(self._counts):
            self._by_length.setdefault(len(word), []).append(word)

    @staticmethod
    def slips(word: str) -> int:
        """Return how many slips ``word`` may have; none where it is too short to be misspelt, or no word."""
        if len(word) < _SHORTEST or not word.isalpha():
            return 0
        return 1 if len(word) < _LONG else 2

    def of(self, word: str, limit: int) -> tuple[str, ...]:
        """Return the words that ``word`` may be meant for: one slip, or two in a long word; nearest first.

        Nearest is fewest slips, then the same first letter, then the more frequent.
        """
        slips = self.slips(word)
        if not slips or word in self._counts:
            return ()
        near = [w for n in range(len(word) - slips, len(word) + slips + 1) for w in self._by_length.get(n, ())]
        found = process.extract(word, near, scorer=OSA.distance, score_cutoff=slips, limit=None)
        found.sort(key=lambda f: (f[1], f[0][0] != word[0], -self._counts[f[0]], f[0]))
        return tuple(f[0] for f in found[:limit])
