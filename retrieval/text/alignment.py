"""Two sequences -> the stretches of the one that stand in the other, and those that stand in their place.

As much as can be is kept in order, whatever repeats itself: the time that it takes is bounded by the two lengths.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rapidfuzz.distance import Indel

# Pairs of items, a bit of memory each, beyond which all between the beginning and the end that are kept is taken for
# replaced: 20,000 sentences on either side, far more than an article has.
MOST = 400_000_000


@dataclass(frozen=True, slots=True)
class Stretch:
    """Items of the one sequence, and of the other, by their places: the ``same`` ones, or what came in their place."""

    same: bool
    before: range
    after: range


def align(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[Stretch]:
    """Yield the stretches in order; all of both sequences is in them, and in each there is something.

    >>> [(s.same, [*s.before], [*s.after]) for s in aligned("ABC", "ADC")]
    [(True, [0], [0]), (False, [1], [1]), (True, [2], [2])]
    """
    at, there = 0, 0
    for start, place, size in (*_kept(before, after), (len(before), len(after), 0)):
        if start > at or place > there:
            yield Stretch(False, range(at, start), range(there, place))  # noqa: FBT003 - the field's name says which
        at, there = start + size, place + size
        if size:
            yield Stretch(True, range(start, at), range(place, there))  # noqa: FBT003 - as above


def _kept(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """Yield where a stretch of both begins in each, and how many items it has."""
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    one, other = before[head : len(before) - tail], after[head : len(after) - tail]
    if head:
        yield 0, 0, head
    if one and other and len(one) * len(other) <= MOST:
        for block in Indel.opcodes(one, other).as_matching_blocks():
            if block.size:
                yield head + block.a, head + block.b, block.size
    if tail:
        yield len(before) - tail, len(after) - tail, tail


def _alike(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Return how many items at the beginning are the same in both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
