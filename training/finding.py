"""`python -m training.finding SHARED`: labelled sentences -> ``finding.toml`` and ``inside.toml``.

Two logistic regressions on what ``retrieval.caveats.candidates`` sees of words that may be a caveat: is it an outlet's
caveat, and is it about its own sentence? Of a sentence with several candidates, the one that a first round finds
likeliest is taken for the caveat. Printed figures are of articles that were not trained on.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from textwrap import dedent

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from retrieval.caveats.candidates import candidates
from retrieval.caveats.detection import FINDING, INSIDE
from retrieval.logistic import sigmoid
from retrieval.model import Article
from retrieval.press.outlets import press_of
from tests.retrieval.caveat_passages import PASSAGES
from tests.retrieval.caveat_sentences import CAVEATS, NO_CAVEATS, OWN_SENTENCE, REACHES
from training.windows import annotate, places, windows

STRENGTH = 0.5  # the inverse of the penalty on weights
RAREST = 6  # sentences in which a feature is seen; one of fewer is left out
FOLDS = 8
OURS = 2.0  # what counts a sentence of our own: it is short, and says nothing else
SOFT = 0.5  # what counts of a sentence that is no caveat, and that an editor would still want told
# Probabilities. Held out, of what is put on sentences in the training windows from SURE on, .02 is none (.55: .04).
FOUND, EPITHET, SURE, INSIDE_FROM = 0.35, 0.65, 0.8, 0.65
Features = dict[str, float]
Model = tuple[DictVectorizer, LogisticRegression]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, what is seen of its candidates, and what was read: ``inside`` is None where nobody said."""

    set: str
    group: str
    text: str
    seen: tuple[Features, ...]
    is_caveat: bool
    inside: bool | None = None
    weight: float = 1.0


def main(shared: Path, finding: Path = Path(str(FINDING)), inside: Path = Path(str(INSIDE))) -> None:
    """Learn the weights, write them, and print what they are worth."""
    cases = [case for case in (*_windows(shared), *_sentences(shared), *_own_copy()) if case.seen]
    _report("caveat", cases, _held_out(cases, fit), [case.is_caveat for case in cases], FOUND)
    _write(finding, fit(cases), found=FOUND, epithet=EPITHET, sure=SURE)
    judged = [case for case in cases if case.inside is not None]
    _report("inside", judged, _held_out(judged, fit_inside), [bool(case.inside) for case in judged], INSIDE_FROM)
    _write(inside, fit_inside(judged), inside=INSIDE_FROM)


def _windows(shared: Path) -> Iterator[Case]:
    for window in windows(shared):
        if window.kind == "judgement":
            continue  # the outlet's own verdict: neither
        seen = _seen(window.article, window.sentences[window.at])
        counted = window.is_real or window.kind == "epithet"
        inside = None if not counted or window.at in window.border else window.at in window.covers
        weight = SOFT if (window.soft or window.kind == "epithet") and not window.is_real else 1.0
        name = window.article.id[0]
        yield Case(name, window.group, window.sentences[window.at], seen, window.is_real, inside, weight)


def _sentences(shared: Path) -> Iterator[Case]:
    for line in (shared / "data" / "caveats_dev.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = " ".join(filter(None, (row.get("context_before"), row["text"], row.get("context_after"))))
        article = Article(row["id"], text, source=row.get("outlet") or None)
        yield Case("c", row.get("url") or row["id"], row["text"], _seen(article, row["text"]), row["label"] == "caveat")


def _own_copy() -> Iterator[Case]:
    for is_caveat, sentences in ((True, CAVEATS), (False, NO_CAVEATS)):
        for text in sentences:
            yield Case("own", text, text, _seen(Article("a", text), text), is_caveat, None, OURS)
    for text, is_caveat in REACHES:
        yield Case("own", text, text, _seen(Article("a", text, source="The Courier"), text), is_caveat, None, OURS)
    for text, is_inside in OWN_SENTENCE:
        yield Case("own", text, text, _seen(Article("a", text), text), is_caveat=True, inside=is_inside, weight=OURS)
    for name, passage in PASSAGES.items():
        lines = [line for line in dedent(passage).strip("\n").splitlines() if line]
        article = Article("a", " ".join(line[2:] for line in lines))
        seen = [(line, _seen(article, line[2:])) for line in lines if line[0] in "+="]
        yield from (Case("own", name, line, each, True, line[0] == "+", OURS) for line, each in seen if each)  # noqa: FBT003


def _seen(article: Article, wanted: str) -> tuple[Features, ...]:
    it = annotate(article)
    press = press_of(article)
    return tuple(
        found.features
        for i in places(map(it.layout.text, it.layout.sentences), wanted)
        for found in candidates(it.layout, it.layout.sentences[i], press, it.attributions[i])
    )


def fit(cases: Sequence[Case]) -> Model:
    model = _fit([(seen, case.is_caveat, case.weight) for case in cases for seen in case.seen])
    likeliest = [
        (seen, case.is_caveat, case.weight)
        for case in cases
        for seen in ([case.seen[int(np.argmax(_scores(model, case)))]] if case.is_caveat else case.seen)
    ]
    return _fit(likeliest)


def fit_inside(cases: Sequence[Case]) -> Model:
    return _fit([(case.seen[0], bool(case.inside), case.weight) for case in cases])


def _fit(rows: Sequence[tuple[Features, bool, float]]) -> Model:
    times = Counter(name for seen, _, _ in rows for name in seen)
    vectors = DictVectorizer(sparse=False)
    columns = vectors.fit_transform([{k: v for k, v in seen.items() if times[k] >= RAREST} for seen, _, _ in rows])
    regression = LogisticRegression(C=STRENGTH, max_iter=5000)
    return vectors, regression.fit(columns, [right for _, right, _ in rows], sample_weight=[each[2] for each in rows])


def _scores(model: Model, case: Case) -> NDArray[np.float64]:
    found: NDArray[np.float64] = model[1].decision_function(model[0].transform(case.seen))
    return found


def _held_out(cases: Sequence[Case], learn: Callable[[Sequence[Case]], Model]) -> list[float]:
    """Return for each case its log-odds by weights that were learned without its article."""
    fold = [int(sha256(case.group.encode()).hexdigest(), 16) % FOLDS for case in cases]
    scores = [0.0] * len(cases)
    for number in range(FOLDS):
        model = learn([case for case, at in zip(cases, fold, strict=True) if at != number])
        for i in (i for i, at in enumerate(fold) if at == number):
            scores[i] = float(_scores(model, cases[i]).max())
    return scores


def _report(name: str, cases: Sequence[Case], scores: list[float], right: Sequence[bool], threshold: float) -> None:
    every = list(zip(cases, scores, right, strict=True))
    for each in dict.fromkeys(case.set for case in cases):
        mine = [(sigmoid(score), yes) for case, score, yes in every if case.set == each and case.weight != SOFT]
        found = [p >= threshold for p, yes in mine if yes]
        false = [p >= threshold for p, yes in mine if not yes]
        sys.stdout.write(f"{name} {each}: {sum(found)} of {len(found)} found, {sum(false)} of {len(false)} false\n")


def _write(to: Path, model: Model, **thresholds: float) -> None:
    """Write the weights, the strongest first."""
    vectors, regression = model
    weights = zip(vectors.feature_names_, regression.coef_[0], strict=True)
    ordered = sorted(((round(float(w), 2), name) for name, w in weights), key=lambda each: (-abs(each[0]), each[1]))
    lines = [
        "# Written by `make weights` (training/finding.py); what the features mean stands in candidates.py.",
        *(f"{name} = {value}" for name, value in thresholds.items()),
        f"intercept = {regression.intercept_[0]:.2f}",
        "",
        "[weights]",
        *(f"{json.dumps(name, ensure_ascii=False)} = {weight}" for weight, name in ordered if weight),
    ]
    to.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
