"""A word, and the words of the articles -> those of them that it may be a misspelling of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

SHORTEST = 5  # letters; a shorter word has too many neighbours for one of them to be meant
_LONG = 8  # letters of a word that may have two slips


def near(word: str, of_length: Callable[[int], Iterable[str]]) -> Iterator[tuple[str, int]]:
    """Yield the words that ``word`` may be meant for, each with the number of slips: one, two in a long word.

    ``of_length`` lists the known words of a length.
    """
    if len(word) < SHORTEST:
        return
    slips = 1 if len(word) < _LONG else 2
    candidates = [w for n in lengths(word) for w in of_length(n)]
    for spelt, distance, _ in process.extract_iter(word, candidates, scorer=OSA.distance, score_cutoff=slips):
        yield spelt, int(distance)


def lengths(word: str) -> range:
    """Return how long the words may be that ``word`` may be meant for."""
    slips = 0 if len(word) < SHORTEST else 1 if len(word) < _LONG else 2
    return range(len(word) - slips, len(word) + slips + 1)


def counted(word: str) -> bool:
    """Whether a misspelt word may be meant for ``word``."""
    return len(word) >= SHORTEST - 1 and word.isalpha()


def spellings(word: str, of_length: Callable[[int], Mapping[str, int]], limit: int) -> tuple[str, ...]:
    """Return the folded words that ``word`` may be meant for: one slip, or two in a long word; nearest first.

    ``of_length`` maps the known words of a length to their frequency. Nearest is fewest slips, then the same first
    letter, then the more frequent.
    """
    if not word.isalpha() or word in of_length(len(word)):
        return ()
    ranked = sorted(
        (slips, spelt[0] != word[0], -of_length(len(spelt))[spelt], spelt) for spelt, slips in near(word, of_length)
    )
    return tuple(spelt for *_, spelt in ranked[:limit])
