"""Examples -> weights: a linear ranking learned list by list, a logistic model, and the file that holds either."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

Matrix = NDArray[np.float64]

DIGITS = 3  # significant, of a weight: more would pretend to be known


@dataclass(frozen=True, slots=True)
class Ranked:
    """One list to rank: its features, shape (items, features), which items are right, and what the list counts."""

    features: Matrix
    right: NDArray[np.bool_]
    counts: float = 1.0


def fit_ranking(lists: Sequence[Ranked], penalty: float = 1.0) -> Matrix:
    """Return the weights under which the right items of each list are the likeliest (a conditional logit).

    Lists without a right item, or without a wrong one, teach nothing and are passed over.
    """
    taught = [each for each in lists if each.right.any() and not each.right.all()]
    scale = np.vstack([each.features for each in taught]).std(axis=0) + 1e-9
    scaled = [(each.features / scale, each.right, each.counts) for each in taught]

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        total, gradient = 0.5 * penalty * float(weights @ weights), penalty * weights
        for features, right, counts in scaled:
            scores = features @ weights
            odds = np.exp(scores - scores.max())
            hit = odds * right
            total -= counts * float(np.log(hit.sum() / odds.sum() + 1e-300))
            gradient = gradient - counts * features.T @ (hit / hit.sum() - odds / odds.sum())
        return total, gradient

    found: Matrix = minimize(loss, np.zeros(len(scale)), jac=True, method="L-BFGS-B").x / scale
    return found


def fit_logistic(
    features: Matrix, right: NDArray[np.bool_], c: float = 1.0, counts: Matrix | None = None
) -> tuple[float, Matrix]:
    """Return intercept and weights of a logistic regression over ``features``, scaled before the penalty.

    ``counts`` is what each row counts for, where not all count alike.
    """
    middle, scale = features.mean(axis=0), features.std(axis=0) + 1e-9
    model = LogisticRegression(C=c, max_iter=1000).fit((features - middle) / scale, right, sample_weight=counts)
    weights: Matrix = model.coef_[0] / scale
    return float(model.intercept_[0] - weights @ middle), weights


def part(name: str, of: int) -> int:
    """Return in which of so many parts, counted from 0, whatever has this name is learned from."""
    return int(drawn(name), 16) % of


def drawn(name: str) -> str:
    """Return a key by which names are sorted as if drawn at random, the same in every run."""
    return sha256(name.encode()).hexdigest()


def write(path: Path, comment: str, intercept: float, names: Sequence[str], weights: Iterable[float]) -> None:
    """Write a model as the file of a ``retrieval.logistic.Logistic``."""
    lines = [*(f"# {line}" for line in comment.splitlines()), "", f"intercept = {_rounded(intercept)}", "", "[weights]"]
    lines += [f"{name} = {_rounded(weight)}" for name, weight in zip(names, weights, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
