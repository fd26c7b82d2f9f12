"""Learn how sure a reply is: ``python -m training.confidence SHARED ARCHIVES``.

The same questions, none that the reader learned from, are asked of nested archives, from 5 articles to 2,500, beside
questions that no article is about (``off_topic.txt``, and those of other sets). Every weight has the sign that its
feature means; what would need another sign is 0. Prints, for each archive, what weights learned on the other articles'
questions reach; then writes the weights learned on all. The order of the candidates is what ``training.ranking`` made
of it before.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from bot.ask.choose import analyse, propose
from bot.ask.confidence import SHOWN, confidence_features
from bot.ask.model import DEFAULT
from bot.ask.rank import Asked, Features, rank
from bot.command import Library
from bot.model import Question
from retrieval.models.on_demand import MeaningOnDemand
from training.fit import Matrix, part, write
from training.questions import QuestionSet, Row, about, answers, asking, nested, off_topic, sets, some
from training.ranking import COMMENT, LEARNED, arguments

# questions of a set that are asked, and of those off topic
MOST, FEW = 150, 25
READ_OFF_TOPIC = 2  # quarters of the questions off topic that the reader learned from
ELSEWHERE = ("newsqa", "squad2", "realtimeqa")  # their questions are asked of the articles of the sets above
FOLDS, PENALTY = 5, 0.5
# The weight of a question that no article answers, with models and by words alone: more are asked than in a newsroom.
UNANSWERABLE, BY_WORDS = 0.5, 0.2
SIGNS = {
    "sentence": 1,
    "type": 1,
    "margin": 1,
    "agreement": 1,
    "nowhere": -1,
    "not_told": -1,
    "other_article": -1,
    "personal": -1,
    "words": 0,
}
READ = {"meaning": 1, "context": 1, "reader": 1}  # with an encoder and a reader


@dataclass(frozen=True, slots=True)
class Judged:
    """A reply: its features, whether one of the first three is right, and the first; the ``fold`` is its article's."""

    features: Features
    right: bool
    first: bool
    answerable: bool
    fold: int


def main() -> None:
    given = arguments(__doc__)
    asked = [*(each for each in sets(given.shared) if each.name in LEARNED), *nested(given.shared)]
    for variant, signs in (("-meaning-reader", SIGNS | READ), ("", SIGNS)):
        work = [(given.shared, each, given.archives, bool(variant)) for each in asked]
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            judged = dict(zip((each.name for each in asked), pool.map(_judge, work), strict=True))
        _report(judged, signs)
        intercept, weights = _fit(list(chain.from_iterable(judged.values())), signs)
        write(given.to / f"confidence{variant}.toml", COMMENT, intercept, tuple(signs), weights)


def _judge(work: tuple[Path, QuestionSet, Path, bool]) -> list[Judged]:
    shared, of, archives, with_models = work
    library = asking(of, archives, MeaningOnDemand() if with_models else None)
    others = [[{"question": row["question"]} for row in s.kept_back()] for s in sets(shared) if s.name in ELSEWHERE]
    foreign = (off_topic(READ_OFF_TOPIC), *others)
    rows = [*some(of.kept_back(), MOST), *chain.from_iterable(some(each, FEW) for each in foreign)]
    return list(_judged(rows, of, library))


def _judged(rows: Sequence[Row], of: QuestionSet, library: Library) -> Iterator[Judged]:
    for row in rows:
        analysis = analyse(Question(row["question"], previous=row.get("previous")), library)
        asked = Asked.of(analysis, library.archive)
        candidates = rank(propose(analysis, library.archive), asked, library.archive, library.meaning)
        if not candidates:
            continue
        wanted = of.wanted(row) if "answers" in row else []
        shown = [(library.archive.article(each.hit.article_id), each.hit.passage) for each in candidates[:SHOWN]]
        right = [answers(article, passage.sentence.span.of(article.text), wanted) for article, passage in shown]
        fold = part(about(row), FOLDS)
        yield Judged(confidence_features(candidates, asked, library.archive), any(right), right[0], bool(wanted), fold)


def _fit(judged: Sequence[Judged], signs: dict[str, int]) -> tuple[float, Matrix]:
    """Return intercept and weights of a logistic regression, each weight of its sign."""
    features = np.array([[each.features[name] for name in signs] for each in judged])
    right = np.array([float(each.right) for each in judged])
    unanswerable = UNANSWERABLE if "reader" in signs else BY_WORDS
    counts = np.array([1.0 if each.answerable else unanswerable for each in judged])
    middle, scale = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled = (features - middle) / scale

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        odds = weights[0] + scaled @ weights[1:]
        error = counts * (1 / (1 + np.exp(-odds)) - right)
        total = np.sum(counts * (np.logaddexp(0.0, odds) - right * odds)) + PENALTY * weights[1:] @ weights[1:]
        return float(total), np.concatenate(([error.sum()], scaled.T @ error + 2 * PENALTY * weights[1:]))

    limits = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
    bounds = [(None, None), *(limits[sign] for sign in signs.values())]
    found = minimize(loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds).x
    weights: Matrix = found[1:] / scale
    return float(found[0] - weights @ middle), weights


def _report(judged: dict[str, list[Judged]], signs: dict[str, int]) -> None:
    """Print for each archive what is reached by weights that were learned on other articles' questions."""
    every = list(chain.from_iterable(judged.values()))
    models = [_fit([each for each in every if each.fold != fold], signs) for fold in range(FOLDS)]

    def sure(each: Judged) -> float:
        intercept, weights = models[each.fold]
        return 1 / (1 + np.exp(-intercept - sum(w * each.features[n] for n, w in zip(signs, weights, strict=True))))

    for name, replies in judged.items():
        p, right = np.array([sure(each) for each in replies]), np.array([each.right for each in replies])
        can = np.array([each.answerable for each in replies])
        first = np.array([each.first for each in replies])
        answer, maybe, none = p >= DEFAULT.sure, (p >= DEFAULT.probably) & (p < DEFAULT.sure), p < DEFAULT.shown
        print(
            f"{name}: {can.sum()} answerable, {(~can).sum()} not; first {first[can].mean():.3f}, three"
            f" {right[can].mean():.3f}; AUC {roc_auc_score(right, p):.3f}, calibration error {_error(p, right):.3f};"
            f" answers {answer[can].mean():.3f}, right {_mean(right[answer & can])}, not answerable"
            f" {answer[~can].mean():.3f}; probably {maybe[can].mean():.3f}, first right {_mean(first[maybe & can])},"
            f" not answerable {maybe[~can].mean():.3f}; silent {none[can].mean():.3f}, not answerable"
            f" {none[~can].mean():.3f}; right firsts under a warning {_mean((~(answer | maybe))[first & can])}",
            flush=True,
        )


def _mean(values: Matrix) -> str:
    return f"{values.mean():.3f} ({len(values)})" if len(values) else "-"


def _error(p: Matrix, right: Matrix, bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width."""
    places = np.minimum((p * bins).astype(int), bins - 1)
    parts = (abs(p[places == b].sum() - right[places == b].sum()) for b in range(bins))
    return float(sum(parts) / len(p))


if __name__ == "__main__":
    main()
