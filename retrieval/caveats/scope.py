"""A caveat and the sentences near it -> those it surely covers and those it may, by scores from named features.

The theory: ``docs/theory/scope.md``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.caveats.scope_features import FARTHEST, CaveatContext, features
from retrieval.logistic import Logistic, read_logistic
from retrieval.model import Judgement

JUDGED = 20_000  # sentences of an article, each as often as a caveat is near: some two seconds
WEIGHTS = files(__package__) / "scope.toml"


@dataclass(frozen=True, slots=True)
class ScopeModel:
    """The weights; a sentence is covered from ``sure`` on, possibly from ``possible`` on (probabilities)."""

    logistic: Logistic
    sure: float
    possible: float


@cache
def load_model() -> ScopeModel:
    with_caveat = tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))
    return ScopeModel(read_logistic(WEIGHTS), with_caveat["sure"], with_caveat["possible"])


def eligible(context: CaveatContext, i: int) -> bool:
    """Return whether a caveat can be about sentence ``i``: no boilerplate, no denial, nothing a reporter saw."""
    status = context.ground[i]
    denies = status.denies and not context.object.sides
    return i != context.at and not (status.is_boilerplate or status.is_observed or denies)


def reach(caveats: int) -> int:
    """Return how many sentences on either side are judged, in an article with so many caveats.

    Nobody writes hundreds. Where they do, each has fewer sentences to itself, and in the longest article that
    is taken every sentence is, on average, still within reach of one.
    """
    return max(1, min(FARTHEST, JUDGED // (2 * max(caveats, 1))))


def judge_sentences(context: CaveatContext, farthest: int = FARTHEST) -> tuple[Judgement, ...]:
    """Judge each sentence within reach that the caveat can be about, in order."""
    weights = load_model().logistic
    near = range(max(0, context.at - farthest), min(len(context.ground), context.at + farthest + 1))
    found = ((i, features(context, i)) for i in near if eligible(context, i))
    return tuple(Judgement(i, weights.probability(seen), weights.parts(seen), lacks_fact(seen)) for i, seen in found)


def lacks_fact(seen: Iterable[str]) -> bool:
    """Return whether a sentence has no word of the fact that could not be verified: of 424 such, 29 are covered."""
    return any(feature.startswith("no word of the fact") for feature in seen)


def bands(judgements: tuple[Judgement, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the indexes of the sentences that are surely covered, and of those that may be.

    A sentence that lacks the fact may be, and never is surely.
    """
    learned = load_model()
    near = [each for each in judgements if each.probability >= learned.possible]
    sure = tuple(each.sentence for each in near if each.probability >= learned.sure and not each.lacks_fact)
    return sure, tuple(each.sentence for each in near if each.sentence not in sure)
