"""`python -m training.scope SHARED`: the development passages -> ``retrieval/caveats/scope.toml``.

A logistic regression on named features. What is printed is measured on articles that were not trained on, in every
split: the thresholds are set by the same figures, and the weights written are trained on all of them.

Windows of real copy are learned from too: a half of those in ``caveat_windows_train.jsonl`` that was not learned from
is covered better by weights learned from the other half.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from retrieval.caveats.scope import WEIGHTS, lacks_fact
from training.fit import part
from training.passages import Row, Rows, labelled, own_copy, passages, windows

STRENGTH = 0.2  # the inverse of the penalty on weights
FOLDS = 8
SPLITS = 3  # ways of parting the articles, over which the figures are the mean
WRONGLY = 0.05  # of the sentences that must not be covered, those that the surer threshold lets by
NOTED = 0.94  # of the covered sentences, those that the lower threshold keeps
RAREST = 4  # rows in which a feature speaks; one of fewer is left out
Floats = NDArray[np.float64]


def main(shared: Path, to: Path = Path(str(WEIGHTS))) -> None:
    """Learn the weights, write them, and print what they are worth."""
    own, further = passages(shared), (*labelled(shared), *windows(shared), *own_copy())
    scores = np.mean([held_out(own.rows, further, split) for split in range(SPLITS)], axis=0)
    covered = np.array([row.covered for row in own.rows])
    sure = threshold(scores[~covered], 1 - WRONGLY)
    possible = threshold(scores[covered], 1 - NOTED)
    write(to, fit((*own.rows, *further)), sure, possible)
    report(own, scores, sure, possible)


def held_out(rows: Sequence[Row], further: Sequence[Row], split: int) -> Floats:
    """Return for each of ``rows`` the probability by weights that were learned without its article."""
    fold = [_fold(row.group, split) for row in rows]
    others = [_fold(row.group, split) for row in further]
    scores = np.zeros(len(rows))
    for number in range(FOLDS):
        train = [row for row, at in zip((*rows, *further), (*fold, *others), strict=True) if at != number]
        vectors, regression = fit(train)
        test = [i for i, at in enumerate(fold) if at == number]
        if not test:
            continue
        scores[test] = regression.predict_proba(vectors.transform([rows[i].features for i in test]))[:, 1]
    return scores


def _fold(group: str, split: int) -> int:
    return part(f"{split} {group}", FOLDS)


def fit(rows: Sequence[Row]) -> tuple[DictVectorizer, LogisticRegression]:
    """Return what turns features into columns, and the regression on them."""
    common = _common(rows)
    vectors = DictVectorizer(sparse=False)
    columns = vectors.fit_transform([{k: v for k, v in row.features.items() if k in common} for row in rows])
    regression = LogisticRegression(C=STRENGTH, max_iter=5000, tol=1e-6)
    return vectors, regression.fit(columns, [row.covered for row in rows], sample_weight=[row.weight for row in rows])


def _common(rows: Sequence[Row]) -> frozenset[str]:
    """Return the features that speak often enough to be learned from."""
    spoken = [name for row in rows for name in row.features]
    names, times = np.unique(spoken, return_counts=True)
    return frozenset(str(name) for name, count in zip(names, times, strict=True) if count >= RAREST)


def threshold(scores: Floats, share: float) -> float:
    """Return the score below which ``share`` of ``scores`` lie, to three places."""
    return round(float(np.quantile(scores, share)), 3)


def report(own: Rows, scores: Floats, sure: float, possible: float) -> None:
    """Print how the scores tell the covered sentences from the others, over all and by the kind of object."""
    rows = own.rows
    covered = np.array([row.covered for row in rows])
    surely = (scores >= sure) & ~np.array([lacks_fact(row.features) for row in rows])
    total = int(covered.sum()) + own.own + own.beyond
    say("auc", roc_auc_score(covered, scores))
    say("covered", (own.own + surely[covered].sum()) / total)
    say("wrongly covered", surely[~covered].mean())
    say("covered or noted", (own.own + (scores[covered] >= possible).sum()) / total)
    say("noted without need", ((scores >= possible) & ~surely)[~covered].mean())
    for kind in sorted({row.kind for row in rows}):
        mine = np.array([row.kind == kind for row in rows]) & covered
        sys.stdout.write(f"  {kind}: {surely[mine].sum()}/{mine.sum()}\n")


def say(name: str, figure: float) -> None:
    """Print one figure."""
    sys.stdout.write(f"{name} {figure:.3f}\n")


def write(to: Path, load_model: tuple[DictVectorizer, LogisticRegression], sure: float, possible: float) -> None:
    """Write the weights, the strongest first."""
    vectors, regression = load_model
    weights = zip(vectors.feature_names_, regression.coef_[0], strict=True)
    ordered = sorted(((round(float(w), 2), name) for name, w in weights), key=lambda each: (-abs(each[0]), each[1]))
    lines = [
        "# Written by `make weights` (training/scope.py); what the features mean stands in scope.py.",
        f"sure = {sure}",
        f"possible = {possible}",
        f"intercept = {regression.intercept_[0]:.2f}",
        "",
        "[weights]",
        *(f'"{name}" = {weight}' for weight, name in ordered if weight),
    ]
    to.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
