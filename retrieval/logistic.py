"""A logistic model over named features.

The models are trained by `make weights` (see ``training/``), and are small TOML files; here they are only applied.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Logistic:
    """``1 / (1 + exp(-intercept - sum of weight * value))``; a missing feature counts as 0.

    Its file has the ``intercept``, and a table ``weights`` of feature -> weight: ``Logistic(**read_table(…))``.
    """

    intercept: float
    weights: Mapping[str, float]

    def parts(self, features: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
        """Return what each feature adds to the score, in the order of the weights, zeros left out."""
        parts = ((name, weight * features.get(name, 0.0)) for name, weight in self.weights.items())
        return tuple([(name, value) for name, value in parts if value])

    def score(self, features: Mapping[str, float]) -> float:
        """Return the log-odds."""
        known = self.weights
        # summed exactly, so that the order of the features cannot show in the last bit
        return math.fsum([self.intercept, *(known[name] * value for name, value in features.items() if name in known)])

    def probability(self, features: Mapping[str, float]) -> float:
        return _sigmoid(self.score(features))


def _sigmoid(score: float) -> float:
    """Turn log-odds of any size into a probability."""
    if score < 0:
        odds = math.exp(score)
        return odds / (1 + odds)
    return 1 / (1 + math.exp(-score))
