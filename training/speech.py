"""`python -m training.speech SHARED`: attributions told and sentences judged -> ``retrieval/speech/speech.toml``.

``attributions_dev.jsonl`` tells who says what in 84 articles, by place: whatever else the cues of their sentences
tell is wrong. ``verdicts/speakers.jsonl`` beside this module holds readers' verdicts on sentences of the corpus, by
place and without a word of them, which the weights are learned on too. ``half`` tells which half of the articles a rule
was ever made from: of 0 alone. What is printed is measured on articles that were not trained on.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from retrieval.model import Article, Boilerplate, Sentence
from retrieval.names.mentions import find_names
from retrieval.press.outlets import press_of
from retrieval.speech.cue_matching import candidates
from retrieval.speech.cues import Shape, Speech
from retrieval.speech.speech_features import SURE, WEIGHTS, features
from retrieval.speech.syntax import parse_sentences, with_full_phrase
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from training.fit import write

STRENGTH = 0.2  # the inverse of the penalty on weights
FOLDS = 8
RAREST = 4  # candidates in which a feature speaks; one of fewer is left out
LEAST = 0.005  # a weight below tells nothing
_SHORT = 2  # letters of a word that two names may have in common by chance
# What a candidate counts for: of clean election copy, and of news judged by readers.
WEIGHT = {"annotated": 1.0, "judged": 4.0}
VERDICTS = Path(__file__).parent / "verdicts" / "speakers.jsonl"
_READ = (None, Boilerplate.HEADING, Boilerplate.TITLE)
Row = dict[str, Any]
Judge = Callable[[Layout, Sentence, Speech], bool | None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a cue may tell: its features, and whether it is so; of which ``copy`` it comes."""

    article: str
    features: dict[str, float]
    right: bool
    copy: str


def main(shared: Path) -> None:
    """Learn the weights, write them, and print what they are worth."""
    found = tuple(_all(shared))
    scores = held_out(found)
    for copy in WEIGHT:
        mine = np.array([each.copy == copy for each in found])
        _report(copy, np.array([each.right for each in found])[mine], scores[mine])
    vectors, regression = fit(found)
    comment = "Written by `make weights` (training/speech.py); what the features mean stands in speech_features.py."
    weights = regression.coef_[0]
    strong = [i for i in np.argsort(-np.abs(weights)) if abs(weights[i]) >= LEAST]
    names = [f'"{vectors.feature_names_[i]}"' for i in strong]
    write(Path(str(WEIGHTS)), comment, float(regression.intercept_[0]), names, weights[strong])


def _report(name: str, right: NDArray[np.bool_], scores: NDArray[np.float64]) -> None:
    told = scores >= SURE
    sys.stdout.write(
        f"{name}: {len(right)}, AUC {roc_auc_score(right, scores):.3f}; told {told.sum()}, wrong before "
        f"{(~right).mean():.3f}, after {(~right[told]).mean():.3f}, kept of the right {told[right].mean():.3f}\n"
    )


def held_out(found: Sequence[Candidate]) -> NDArray[np.float64]:
    """Return for each candidate the probability by weights that were learned without its article."""
    fold = np.array([int(sha256(each.article.encode()).hexdigest(), 16) % FOLDS for each in found])
    scores = np.zeros(len(found))
    for number in range(FOLDS):
        vectors, regression = fit([each for each, at in zip(found, fold, strict=True) if at != number])
        test = np.flatnonzero(fold == number)
        scores[test] = regression.predict_proba(vectors.transform([found[i].features for i in test]))[:, 1]
    return scores


def fit(found: Sequence[Candidate]) -> tuple[DictVectorizer, LogisticRegression]:
    """Return what turns features into columns, and the regression on them."""
    times = Counter(name for each in found for name in each.features)
    vectors = DictVectorizer(sparse=False)
    columns = vectors.fit_transform(
        [{name: value for name, value in each.features.items() if times[name] >= RAREST} for each in found]
    )
    weight = [WEIGHT[each.copy] for each in found]
    regression = LogisticRegression(C=STRENGTH, max_iter=5000)
    return vectors, regression.fit(columns, [each.right for each in found], sample_weight=weight)


def _all(shared: Path) -> Iterator[Candidate]:
    for row in _lines(shared / "data" / "attributions_dev.jsonl"):
        yield from _candidates(Article(row["id"], row["text"], source=row["publisher"]), _annotated(row), "annotated")
    verdicts: dict[str, list[Row]] = {}
    for row in _lines(VERDICTS):
        verdicts.setdefault(row["article"], []).append(row)
    for row in _lines(shared / "data" / "corpus" / "news_2000.jsonl"):
        if told := verdicts.get(row["id"]):
            article = Article(row["id"], row["text"], source=row.get("source"), title=row.get("title"))
            yield from _candidates(article, _judged(told), "judged")


def _lines(path: Path) -> Iterable[Row]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def _candidates(article: Article, judge: Judge, copy: str) -> Iterator[Candidate]:
    """Yield what the cues of an article may tell, where ``judge`` knows whether it is so."""
    layout = lay_out(article, parse(article.text))
    layout = layout.with_names(find_names(layout))
    tokens, press = layout.tokens, press_of(article)
    held = [
        (sentence, line, found)
        for sentence, line in zip(layout.sentences, tokens.sentences, strict=True)
        if sentence.boilerplate in _READ
        and (found := [each for each in candidates(tokens, line, press) if each.source and not each.observed])
        and any(judge(layout, sentence, each) is not None for each in found)
    ]
    trees = parse_sentences(tokens, [line for _, line, _ in held])
    for (sentence, line, found), tree in zip(held, trees, strict=True):
        for speech in (with_full_phrase(tokens, tree, each) for each in found):
            right = judge(layout, sentence, speech)
            if right is not None:
                yield Candidate(article.id, features(tokens, line, speech, tree), right, copy)


def _annotated(row: Row) -> Judge:
    """Return what judges by annotations: right is whom one names as the source of something in the sentence."""

    def judge(layout: Layout, sentence: Sentence, speech: Speech) -> bool | None:
        if speech.source is None:
            return None
        span = layout.tokens.span(speech.source.first, speech.source.last + 1)
        return any(
            _meet(place, span.start, span.end)
            for told in row["attributions"]
            if any(_meet(place, sentence.span.start, sentence.span.end) for place in told["content"] + told["cue"])
            for place in told["source"]
        )

    return judge


def _meet(place: Row, start: int, end: int) -> bool:
    return bool(place["start"] < end and start < place["end"])


def _judged(rows: Sequence[Row]) -> Judge:
    """Return what judges by readers' verdicts."""

    def judge(layout: Layout, sentence: Sentence, speech: Speech) -> bool | None:
        row = next((row for row in rows if _meet(row, sentence.span.start, sentence.span.end)), None)
        return _verdict(layout, row, speech) if row else None

    return judge


def _verdict(layout: Layout, row: Row, speech: Speech) -> bool | None:
    """Return whether the cue of the sentence judged tells right: it was judged itself, or another speaks than it says.

    Whom a pronoun means is another matter, and no verdict on its cue.
    """
    source, tokens = speech.source, layout.tokens
    if source is None or row["verdict"] == "open":
        return None
    told = row["kind"] not in ("outlet", "first")
    if not told or source.shape is Shape.PRONOUN or row["speaker"] is None:
        return False if not told else True if row["cue"] and row["cue"][0] == tokens.starts[speech.cue] else None
    speaker, spelt = layout.article.text[slice(*row["speaker"])], tokens.spelt(source.first, source.last + 1)
    if row["cue"] and row["cue"][0] == tokens.starts[speech.cue]:
        return row["verdict"] != "wrong" or spelt == speaker
    return bool(_words(spelt) & _words(speaker))


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > _SHORT}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
