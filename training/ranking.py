"""Learn how candidates are ranked and how sure a reply is, from the development questions.

Prints, for each set, what weights learned on the others give; then writes those learned on all.
Run as ``python -m training.ranking SHARED``; with ``--words``, only what is used without an encoder is learned.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from bot.ask.confidence import SHOWN, confidence_features
from bot.ask.model import Candidate
from bot.ask.rank import FURTHER, cosines
from bot.ask.reading import read
from retrieval.cache.digest_store import DigestStore, vectors_path
from retrieval.meaning.cross_encoder import CrossEncoder
from retrieval.meaning.e5 import E5
from retrieval.meaning.similarity import Similarity
from training.fit import Matrix, Ranked, fit_logistic, fit_ranking, write
from training.questions import Example, asking, examples, sets

WEIGHTS = Path(__file__).resolve().parent.parent / "bot" / "ask" / "weights"
WORDS = ("sentence", "paragraph", "article", "type", "near", "lead", "asks")
MOST = 300  # questions of one set that are asked, however many it has: sets differ more than questions
# Sets of the same articles, or of the same making: what is learned on one is not new to the other.
SISTERS = ({"reports", "own seeds"}, {"squad2", "squad1_train"})
# Nothing is learned from it: many articles and the words of askers, it says what the weights are worth in a newsroom.
MEASURED = {"newsroom"}
# The reader learned from them, and would seem to be worth more than it is.
SEEN = {"by reading, half 0", "newsqa", "squad2", "squad1_train"}
# Its unanswerable questions are made to look answerable, which nobody's in a newsroom are.
ADVERSARIAL = {"squad2", "squad1_train"}
COMMENT = "Learned by `make weights`; not to be edited by hand."

Held = TypeVar("Held")
Sets = Mapping[str, Sequence[Example]]


def main() -> None:
    """Learn, cross-validate and write both kinds of weights, with an encoder and by words alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--words", action="store_true", help="only what is used without a reader")
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="the folder that the weights are written to")
    parser.add_argument("--vectors", type=Path, default=vectors_path(), help="where sentences' vectors are kept")
    given = parser.parse_args()
    held = {each.name: tuple(examples(each, asking(each), MOST)) for each in sets(given.shared)}
    stage = _learn(held, WORDS, given.to)
    if given.words:
        return
    reader, encoder = CrossEncoder(), Similarity(E5(), DigestStore(given.vectors))
    new = {name: found for name, found in held.items() if name not in SEEN}
    known = {name: tuple(_read(each, stage, reader, encoder) for each in found) for name, found in new.items()}
    for names in ((*WORDS, "reader"), (*WORDS, *FURTHER)):
        _learn({name: tuple(_known(each, names) for each in found) for name, found in known.items()}, names, given.to)


def _known(example: Example, names: Sequence[str]) -> Example:
    """Return ``example`` with these features alone."""
    return replace(example, features=[{name: values[name] for name in names} for values in example.features])


def _read(example: Example, weights: Matrix, reader: CrossEncoder, encoder: Similarity) -> Example:
    """Return ``example`` with what reader and encoder make of it, read in the order that these weights give."""
    if not example.hits:
        return example
    order = np.argsort(-(_matrix(example, WORDS) @ weights), kind="stable")
    hits, asked = [example.hits[i] for i in order], example.asked.analysis
    odds = dict(zip(order, read(hits, asked.wording, example.archive, reader.scores), strict=True))
    near = cosines(example.hits, asked.text, example.archive, encoder.similarities)
    further = ({"meaning": cosine, "reader": odds[i]} for i, cosine in enumerate(near))
    return replace(example, features=[{**v, **f} for v, f in zip(example.features, further, strict=True)])


def _learn(held: Sets, names: tuple[str, ...], to: Path) -> Matrix:
    """Learn from all sets, print what it is worth on each, write the weights, and return those of the ranking."""
    variant = "".join(f"-{name}" for name in names[len(WORDS) :])
    apart = {name: _ranking(_others(held, name), names) for name in held}
    ranked = {name: [_order(each, names, apart[name]) for each in found] for name, found in held.items()}
    judged = {name: _judged(held[name], ranked[name]) for name in held}
    for name, found in held.items():
        _print(name, found, ranked[name], judged, variant.lstrip("-") or "words")
    weights = _ranking(_others(held, ""), names)
    write(to / f"ranking{variant}.toml", COMMENT, 0.0, names, weights)
    # of orders learned elsewhere: of its own, a set would be too sure
    intercept, learned = _confidence(_others(judged, ""))
    write(to / f"confidence{variant}.toml", COMMENT, intercept, _names(judged), learned)
    return weights


def _others(held: Mapping[str, Held], name: str) -> Mapping[str, Held]:
    """Return the sets to learn from that have nothing to do with the one of that name."""
    related = {name, *MEASURED}.union(*(group for group in SISTERS if name in group))
    return {other: found for other, found in held.items() if other not in related}


def _ranking(held: Sets, names: tuple[str, ...]) -> Matrix:
    taught = [each for found in held.values() for each in found if any(each.right)]
    return fit_ranking([Ranked(_matrix(each, names), np.array(each.right)) for each in taught])


def _matrix(example: Example, names: Sequence[str]) -> Matrix:
    return np.array([[values[name] for name in names] for values in example.features])


def _order(example: Example, names: Sequence[str], weights: Matrix) -> list[tuple[Candidate, bool]]:
    """Return the candidates of a question as these weights rank them, each with whether it is right."""
    if not example.hits:
        return []
    scores = _matrix(example, names) @ weights
    found = [
        (Candidate(hit, float(score), (), tuple(values.items())), right)
        for hit, score, values, right in zip(example.hits, scores, example.features, example.right, strict=True)
    ]
    return sorted(found, key=lambda each: (-each[0].score, *each[0].place))


Judged = tuple[list[dict[str, float]], NDArray[np.bool_]]


def _judged(found: Sequence[Example], ranked: Sequence[list[tuple[Candidate, bool]]]) -> Judged:
    """Return what the confidence in each reply rests on, and whether one of the first three is right."""
    pairs = [(each, order) for each, order in zip(found, ranked, strict=True) if order]
    values = [
        confidence_features([candidate for candidate, _ in order], each.asked, each.archive) for each, order in pairs
    ]
    return values, np.array([any(right for _, right in order[:SHOWN]) for _, order in pairs])


def _names(judged: Mapping[str, Judged]) -> tuple[str, ...]:
    return tuple(next(iter(judged.values()))[0][0])


def _confidence(judged: Mapping[str, Judged]) -> tuple[float, Matrix]:
    names = _names(judged)
    taught = [each for name, each in judged.items() if name not in ADVERSARIAL]
    features = np.vstack([_table(values, names) for values, _ in taught])
    right = np.concatenate([found for _, found in taught])
    # each set counts alike, however many questions it has: sets differ more than questions
    counts = np.concatenate([np.full(len(found), len(right) / len(taught) / len(found)) for _, found in taught])
    return fit_logistic(features, right, counts=counts)


def _table(values: Iterable[dict[str, float]], names: Sequence[str]) -> Matrix:
    return np.array([[each[name] for name in names] for each in values])


def _print(
    name: str,
    found: Sequence[Example],
    ranked: Sequence[list[tuple[Candidate, bool]]],
    judged: Mapping[str, Judged],
    weights_name: str,
) -> None:
    """Print what weights learned on the other sets give on the one of that name."""
    answerable = [order for each, order in zip(found, ranked, strict=True) if each.answerable]
    first = np.mean([bool(order) and order[0][1] for order in answerable])
    within = np.mean([any(right for _, right in order[:SHOWN]) for order in answerable])
    intercept, weights = _confidence(_others(judged, name))
    values, right = judged[name]
    sure = np.exp(-np.logaddexp(0.0, -(intercept + _table(values, _names(judged)) @ weights)))
    auc = roc_auc_score(right, sure) if right.any() and not right.all() else float("nan")
    error = abs(float(sure.mean() - right.mean()))
    reached = f"first {first:.3f}, within three {within:.3f}"
    print(f"{name} by {weights_name}: {reached}, confidence AUC {auc:.3f}, off by {error:.3f}")


if __name__ == "__main__":
    main()
