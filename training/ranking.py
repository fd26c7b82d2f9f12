"""Learn how candidates are ranked, from the development questions.

Prints what is reached on each set, each question ranked by weights learned on other articles; then writes the weights
learned on all. Run as ``python -m training.ranking SHARED ARCHIVES``: articles are read into archives in that folder,
and their vectors made, once.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bot.ask.confidence import SHOWN
from bot.ask.rank import COSINES, cosines, read
from retrieval.models.on_demand import MeaningOnDemand
from training.fit import Matrix, Ranked, fit_ranking, part, write
from training.questions import Example, QuestionSet, asking, examples, sets

WEIGHTS = Path(__file__).resolve().parent.parent / "bot" / "ask" / "weights"
WORDS = ("sentence", "paragraph", "article", "type", "near", "lead", "asks")
NEAR = (*WORDS, *COSINES)
MOST = {"newsroom_2": 1500, "newsroom_3": 1500}  # questions of a set that are asked, however many it has
FEW = 300  # of another set
FOLDS = 8
# Of these the reader learned from no question that is asked here; of the second ones from all or half.
LEARNED = {"newsroom_2", "newsroom_3", "by reading, half 2", "wikinews", "reports", "own seeds", "own fixtures"}
PUBLIC = {"multirc", "realtimeqa", "newsqa"}  # other people's questions; they count half
COMMENT = "Learned by `make weights`; not to be edited by hand."

Sets = Mapping[str, Sequence[Example]]


def main() -> None:
    given = arguments(__doc__)
    wanted = [each for each in sets(given.shared) if each.name in LEARNED | PUBLIC | {"newsroom"}]
    models = MeaningOnDemand()
    by_words = {each.name: _examples(each, given.archives, None) for each in wanted}
    _learn(by_words, WORDS, given.to)
    near = {each.name: _examples(each, given.archives, models) for each in wanted}
    near = {name: [_compared(each, models) for each in found] for name, found in near.items()}
    stages = _learn(near, NEAR, given.to)
    known = {
        name: [_read(each, weights, models) for each, weights in zip(found, stages[name], strict=True)]
        for name, found in near.items()
    }
    _learn(known, (*NEAR, "reader"), given.to)


def arguments(description: str | None) -> argparse.Namespace:
    """Return what is given to a script that learns from questions asked of archives."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("shared", type=Path)
    parser.add_argument("archives", type=Path, help="a folder for archives of the sets' articles")
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="the folder that the weights are written to")
    given = parser.parse_args()
    given.archives.mkdir(parents=True, exist_ok=True)
    return given


def _examples(of: QuestionSet, archives: Path, models: MeaningOnDemand | None) -> list[Example]:
    return list(examples(of, asking(of, archives, models), MOST.get(of.name, FEW)))


def _compared(example: Example, models: MeaningOnDemand) -> Example:
    near = cosines(example.hits, example.asked, example.archive, models)
    further = (dict(zip(COSINES, each, strict=True)) for each in near)
    return replace(example, features=[{**v, **f} for v, f in zip(example.features, further, strict=True)])


def _read(example: Example, weights: Matrix, models: MeaningOnDemand) -> Example:
    """Return ``example`` with what the reader makes of it, read in the order that these weights give."""
    if not example.hits:
        return example
    order = np.argsort(-(_matrix(example, NEAR) @ weights), kind="stable")
    hits = [example.hits[i] for i in order]
    found = read(hits, example.asked.analysis.wording, example.archive, models.read)
    odds = dict(zip(order, found, strict=True))
    return replace(example, features=[{**v, "reader": odds[i]} for i, v in enumerate(example.features)])


def _learn(known: Sets, names: tuple[str, ...], to: Path) -> dict[str, list[Matrix]]:
    """Learn, print what it is worth on each set, and write the weights.

    Returns for each question the weights of the ranking that were learned on other articles.
    """
    variant = "-".join(["", *(name for name in ("meaning", "reader") if name in names)])
    held_out = {name: list(_held_out(known, name, lambda sets: _ranking(sets, names))) for name in known}
    write(to / f"ranking{variant}.toml", COMMENT, 0.0, names, _ranking(known, names))
    for name, found in known.items():
        answerable = [pair for pair in zip(found, held_out[name], strict=True) if pair[0].answerable]
        reached = _reached([_order(each, names, weights) for each, weights in answerable])
        print(f"{name}{variant or '-words'}: {reached}", flush=True)
    return held_out


def _held_out(known: Sets, name: str, learn: Callable[[Sets], Matrix]) -> Iterator[Matrix]:
    """Yield for each example of a set the weights that were learned without its articles' fold."""
    folds = [part(each.article, FOLDS) for each in known[name]]
    kept = {
        fold: learn({of: [each for each in found if part(each.article, FOLDS) != fold] for of, found in known.items()})
        for fold in set(folds)
    }
    yield from (kept[fold] for fold in folds)


def _ranking(known: Sets, names: Sequence[str]) -> Matrix:
    taught = [(each, name in PUBLIC) for name in sorted((LEARNED | PUBLIC) & known.keys()) for each in known[name]]
    return fit_ranking(
        [
            Ranked(_matrix(each, names), np.array(each.right), 0.5 if public else 1.0)
            for each, public in taught
            if any(each.right)
        ]
    )


def _matrix(example: Example, names: Sequence[str]) -> Matrix:
    return np.array([[values[name] for name in names] for values in example.features])


def _order(example: Example, names: Sequence[str], weights: Matrix) -> list[bool]:
    """Return of each candidate, best first, whether it is right."""
    scores = _matrix(example, names) @ weights if example.hits else ()
    found = zip(scores, example.hits, example.right, strict=True)
    return [right for _, hit, right in sorted(found, key=lambda each: (-each[0], *each[1].place))]


def _reached(orders: Sequence[Sequence[bool]]) -> str:
    first, within, pool = (np.mean([any(order[:most]) for order in orders]) for most in (1, SHOWN, None))
    return f"first {first:.3f}, within three {within:.3f}, among all {pool:.3f}"


if __name__ == "__main__":
    main()
