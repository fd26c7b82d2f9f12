"""Two sequences -> their common stretches; and a word -> the words that it may be a misspelling of.

As much as possible is matched in order (a longest common subsequence), in time bounded by the two lengths.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rapidfuzz import process
from rapidfuzz.distance import OSA, Indel

SHORTEST = 5  # letters; a shorter word has too many neighbours for one of them to be meant
_LONG = 8  # letters of a word that may have two slips

# Pairs of items, a bit of memory each, beyond which everything between the common beginning and end counts as
# replaced: 20,000 sentences on either side, far more than an article has.
MAX_PAIRS = 400_000_000


@dataclass(frozen=True, slots=True)
class Stretch:
    """Items of the first and of the second sequence, by index: the ``same`` ones, or a replacement."""

    same: bool
    before: range
    after: range


def align(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[Stretch]:
    """Yield the stretches in order; together they are both sequences, and none is empty.

    >>> [(s.same, [*s.before], [*s.after]) for s in align("ABC", "ADC")]
    [(True, [0], [0]), (False, [1], [1]), (True, [2], [2])]
    """
    left, right = 0, 0
    for start, other_start, size in _common_blocks(before, after):
        if start > left or other_start > right:
            yield Stretch(same=False, before=range(left, start), after=range(right, other_start))
        left, right = start + size, other_start + size
        if size:
            yield Stretch(same=True, before=range(start, left), after=range(other_start, right))


def _common_blocks(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """Yield the start of each common block in both sequences, and its length; the last one is empty if need be."""
    head = _common_prefix(before, after)
    tail = _common_prefix(before[head:][::-1], after[head:][::-1])
    one, other = before[head : len(before) - tail], after[head : len(after) - tail]
    yield 0, 0, head
    if one and other and len(one) * len(other) <= MAX_PAIRS:
        for block in Indel.opcodes(one, other).as_matching_blocks():
            yield head + block.a, head + block.b, block.size
    yield len(before) - tail, len(after) - tail, tail


def _common_prefix(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


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
    letter and the same last one ("ministery" is "ministry", not "minister"), then the more frequent.
    """
    if not word.isalpha() or word in of_length(len(word)):
        return ()
    found = ((w, slips, of_length(len(w))[w]) for w, slips in near(word, of_length))
    ranked = sorted((slips, w[0] != word[0], w[-1] != word[-1], -times, w) for w, slips, times in found)
    return tuple(spelt for *_, spelt in ranked[:limit])
