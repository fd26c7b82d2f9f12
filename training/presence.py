"""Learn whether anything in the archive is near a question: ``python -m training.presence SHARED ARCHIVES``.

Right replies to the development questions, against those to questions asked of articles that they are not about:
``off_topic.txt``, and other sets' questions. Every weight has the sign that its feature means; what would need another
sign is 0.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from bot.ask.choose import analyse, propose
from bot.ask.confidence import SHOWN, confidence_features
from bot.ask.features import Asked, Features
from bot.ask.rank import rank
from bot.command import Library
from bot.model import Question
from retrieval.models.on_demand import MeaningOnDemand
from training.fit import Matrix, write
from training.questions import QuestionSet, Row, answers, asking, sets
from training.ranking import COMMENT, WEIGHTS

ABOUT = {"newsroom_2", "wikinews", "reports", "own seeds", "own fixtures"}
ELSEWHERE = {"newsqa", "squad2", "realtimeqa"}  # their questions are asked of the articles of the sets above
MOST = 150  # questions of a set
FEW = 30  # of each set, and of those off topic, that are asked of another set's articles
OFF_TOPIC = Path(__file__).resolve().parent / "off_topic.txt"
SIGNS = {
    "sentence": 1,
    "margin": 1,
    "nowhere": -1,
    "words": 0,
    "extent": -1,
    "meaning": 1,
    "reader": 1,
    "not_told": -1,
    "personal": -1,
}
PENALTY = 0.5

Judged = tuple[Features, bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("archives", type=Path, help="a folder for archives of the sets' articles")
    given = parser.parse_args()
    every = {each.name: each for each in sets(given.shared)}
    models, chance = MeaningOnDemand(), random.Random(1)  # noqa: S311 - a draw that can be drawn again
    foreign = [{"question": line} for line in OFF_TOPIC.read_text(encoding="utf-8").splitlines()]
    strange = {name: [{"question": row["question"]} for row in every[name].rows()] for name in ELSEWHERE & every.keys()}
    judged: list[Judged] = []
    for name in sorted(ABOUT & every.keys()):
        context = asking(every[name], given.archives, models)
        rows = every[name].rows()
        found = [*_judged(chance.sample(rows, min(MOST, len(rows))), every[name], context)]
        for others in (foreign, *strange.values()):
            found += _judged(chance.sample(others, min(FEW, len(others))), every[name], context)
        print(f"{name}: {len(found)} replies, {sum(right for _, right in found)} of them right", flush=True)
        judged += found
    features = np.array([[values[name] for name in SIGNS] for values, _ in judged])
    intercept, learned = _fit(features, np.array([float(right) for _, right in judged]))
    write(WEIGHTS / "presence.toml", COMMENT, intercept, tuple(SIGNS), learned)


def _judged(rows: list[Row], of: QuestionSet, context: Library) -> Iterator[Judged]:
    """Yield the features of each reply, and whether one of the first three is right."""
    for row in rows:
        analysis = analyse(Question(row["question"], previous=row.get("previous")), context)
        asked = Asked.of(analysis, context.archive)
        candidates = rank(propose(analysis, context.archive), asked, context.archive, context.meaning)
        if not candidates:
            continue
        wanted = of.wanted(row) if "answers" in row else []
        articles = [(context.archive.article(each.hit.article_id), each.hit.passage) for each in candidates[:SHOWN]]
        right = any(answers(article, passage.sentence.span.of(article.text), wanted) for article, passage in articles)
        yield confidence_features(candidates, asked, context.archive), right


def _fit(features: Matrix, right: Matrix) -> tuple[float, Matrix]:
    """Return intercept and weights of a logistic regression, each weight of its sign."""
    middle, scale = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled = (features - middle) / scale

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        odds = weights[0] + scaled @ weights[1:]
        error = 1 / (1 + np.exp(-odds)) - right
        total = np.sum(np.logaddexp(0.0, odds) - right * odds) + PENALTY * weights[1:] @ weights[1:]
        return float(total), np.concatenate(([error.sum()], scaled.T @ error + 2 * PENALTY * weights[1:]))

    limits = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
    bounds = [(None, None), *(limits[sign] for sign in SIGNS.values())]
    found = minimize(loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds).x
    weights: Matrix = found[1:] / scale
    return float(found[0] - weights @ middle), weights


if __name__ == "__main__":
    main()
