"""Words -> those that one of them may be a misspelling of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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
