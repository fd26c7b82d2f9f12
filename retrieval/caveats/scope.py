"""A caveat among its sentences -> those it surely covers and those it may, each judged by a score from named features.

The weights and the two thresholds stand in ``scope.toml``, written by `make weights` (``training/scope.py``).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.caveats.context import CaveatContext
from retrieval.caveats.scope_features import features
from retrieval.logistic import Logistic, read_logistic
from retrieval.model import Judgement

FARTHEST = 40  # sentences on either side; no label reaches as far, and a live page has hundreds
WEIGHTS = files(__package__) / "scope.toml"


@dataclass(frozen=True, slots=True)
class Model:
    """The judgement: covered from ``sure`` on, possibly from ``possible`` on; both are probabilities."""

    logistic: Logistic
    sure: float
    possible: float


@cache
def model() -> Model:
    """Return the judgement as it was learned."""
    held = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Model(read_logistic(WEIGHTS), held["sure"], held["possible"])


def eligible(context: CaveatContext, i: int) -> bool:
    """Return whether a caveat can be about sentence ``i``: no credit, no caveat, nothing a reporter saw."""
    status = context.ground[i]
    return i != context.at and not (status.aside or status.observed)


def judged(context: CaveatContext) -> tuple[Judgement, ...]:
    """Return the judgement on each sentence near enough that a caveat can be about, in order."""
    weights = model().logistic
    near = range(max(0, context.at - FARTHEST), min(len(context.ground), context.at + FARTHEST + 1))
    found = ((i, features(context, i)) for i in near if eligible(context, i))
    return tuple(Judgement(i, weights.probability(seen), weights.parts(seen)) for i, seen in found)


def bands(judgements: tuple[Judgement, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sentences that are surely covered, and those that may be."""
    learned = model()
    sure = tuple(each.sentence for each in judgements if each.probability >= learned.sure)
    possible = (each for each in judgements if learned.possible <= each.probability < learned.sure)
    return sure, tuple(each.sentence for each in possible)
