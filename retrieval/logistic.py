"""A logistic model over named features, read from a small file that people can read too.

The models are trained by `make weights` (see ``training/``); here they are only applied.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable


@dataclass(frozen=True, slots=True)
class Logistic:
    """``sigmoid(intercept + sum of weight * value)``; a feature that is not given counts as 0."""

    intercept: float
    weights: Mapping[str, float]

    def parts(self, features: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
        """Return what each feature adds to the score, in the order of the weights, zeros left out."""
        added = [(name, weight * features[name]) for name, weight in self.weights.items() if name in features]
        return tuple([(name, value) for name, value in added if value])

    def score(self, features: Mapping[str, float]) -> float:
        """Return the log-odds."""
        known = self.weights
        # summed exactly, so that the order of the features cannot show in the last bit
        return math.fsum([self.intercept, *(known[name] * value for name, value in features.items() if name in known)])

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability, 0 to 1."""
        return sigmoid(self.score(features))


def sigmoid(score: float) -> float:
    """Return the probability of log-odds ``score``, whatever their size."""
    if score < 0:
        odds = math.exp(score)
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-score))


def read_logistic(file: Traversable) -> Logistic:
    """Return the model that a TOML file holds: ``intercept``, and a table ``weights`` of feature -> weight."""
    held = tomllib.loads(file.read_text(encoding="utf-8"))
    return Logistic(float(held["intercept"]), {name: float(value) for name, value in held["weights"].items()})
