"""A word, and the words of the articles -> those of them that it may be a misspelling of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

SHORTEST = 5  # letters; a shorter word has too many neighbours for one of them to be meant
_LONG = 8  # letters of a word that may have two slips


def slips_in(word: str) -> int:
    """Return how many slips ``word`` may have: 0 where it is too short to be misspelt."""
    if len(word) < SHORTEST:
        return 0
    return 1 if len(word) < _LONG else 2


def near(word: str, of_length: Callable[[int], Iterable[str]]) -> Iterator[tuple[str, int]]:
    """Yield the words that ``word`` may be meant for, each with the number of slips: one, two in a long word.

    ``of_length`` gives the words that there are of a length.
    """
    slips = slips_in(word)
    if not slips:
        return
    candidates = [w for n in range(len(word) - slips, len(word) + slips + 1) for w in of_length(n)]
    for spelt, distance, _ in process.extract_iter(word, candidates, scorer=OSA.distance, score_cutoff=slips):
        yield spelt, int(distance)


class Neighbours:
    """Folded words, by length."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_length: dict[int, list[str]] = {}
        for word in sorted(words):
            self._by_length.setdefault(len(word), []).append(word)

    def of(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield the words that ``word`` may be meant for, each with the number of slips: one, two in a long word."""
        return near(word, lambda length: self._by_length.get(length, ()))


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
