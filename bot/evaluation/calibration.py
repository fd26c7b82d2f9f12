"""Confidences, each with whether the reply was right -> how far they can be relied on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import groupby

from bot.evaluation.scores import Bin, Calibration, Share

BINS = 10

Judged = tuple[float, bool]  # a confidence, 0 to 1, and whether the reply was right


def calibration(judged: Sequence[Judged]) -> Calibration:
    """Return how well the confidences in ``judged`` tell right from wrong, and how far they are off."""
    bins = tuple(_bin(tuple(held)) for _, held in groupby(sorted(judged), key=lambda each: _tenth(each[0])))
    off = sum(abs(each.told * each.right.whole - each.right.part) for each in bins)
    return Calibration(_auc(judged), off / len(judged) if judged else None, bins)


def _tenth(confidence: float) -> int:
    return min(int(confidence * BINS), BINS - 1)


def _bin(held: Sequence[Judged]) -> Bin:
    told = sum(confidence for confidence, _ in held)
    return Bin(told / len(held), Share(sum(right for _, right in held), len(held)))


def _auc(judged: Sequence[Judged]) -> float | None:
    """Return the share of pairs of right and wrong that are in order, ties counting half."""
    wrong = sorted(confidence for confidence, right in judged if not right)
    right = [confidence for confidence, right in judged if right]
    if not wrong or not right:
        return None
    # below and not above: a tie is counted once, a pair in order twice
    return sum(bisect_left(wrong, each) + bisect_right(wrong, each) for each in right) / (2 * len(right) * len(wrong))
