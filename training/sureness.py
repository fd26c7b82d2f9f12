"""`python -m training.sureness SHARED`: annotated and judged sentences -> ``retrieval/speech/sureness.toml``.

``verdicts/speakers*.jsonl``, ``drawn_later.jsonl`` and ``other_outlets.jsonl`` hold, by place, who speaks in sentences
of real articles, or what readers who knew no rule thought of the speaker. The articles annotated for development count
as well. Half of the articles are learned from. What is printed is measured on the other half.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer

from retrieval.intake.articles import load_articles
from retrieval.lexicon.reporting_verbs import VERBS
from retrieval.logistic import Logistic
from retrieval.model import Article
from retrieval.models.source_model import SourceGuess, load_source_model
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.cues import Shape
from retrieval.speech.sources import likely_source
from retrieval.speech.sureness import QUOTED, SURE, WEIGHTS, signs
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from training.fit import fit_logistic, write

VERDICTS = Path(__file__).parent / "verdicts"
FILES = ("speakers", "speakers_shown", "speakers_fresh", "speakers_unseen", "drawn_later", "other_outlets")
CORPORA = ("corpus/news_2000.jsonl", "questions/newsqa/articles.jsonl", "questions/realtimeqa/articles.jsonl")
RIGHT = frozenset(("right", "part", "mangled"))  # what is said of a speaker
MISSED = frozenset(("missed", "wrong"))  # what is said of silence
MIN_OVERLAP = 8  # characters of an attribution's content in a sentence
NOT_VERBS = (":", "according", "statement", "remarks", "interview", "words")
PENALTY = 0.1
LEARNED = 0  # the half

Labels = Sequence[tuple[int, bool]]  # sentences, and whether the likely speaker of each is right


@dataclass(frozen=True, slots=True)
class Case:
    """The likely source of a sentence."""

    half: int
    features: dict[str, float]
    right: bool


def is_speech(attribution: dict[str, Any]) -> bool:
    """Return whether words are reported: of indirect ones, attitudes ("wants", "fears") are left out."""
    cue = " ".join(part["text"] for part in attribution["cue"]).lower()
    return attribution["quote_type"] != "indirect" or any(
        word in VERBS or word in NOT_VERBS for word in cue.replace(":", " : ").split()
    )


def cases(layout: Layout, guesses: Mapping[int, SourceGuess], labels: Labels) -> Iterator[Case]:
    """Yield the sentences with quoted words and a likely source that have a label."""
    half = int(sha256(layout.article.id.encode()).hexdigest(), 16) % 2
    for index, right in labels:
        found = likely_source(layout.tokens, guesses[index]) if index in guesses else None
        if found and found[1].kind in QUOTED:
            source, guess = found
            yield Case(half, signs(layout.tokens, layout.tokens.sentences[index], guess, source), right)


def annotated(layout: Layout, guesses: Mapping[int, SourceGuess], attributions: Sequence[dict[str, Any]]) -> Labels:
    """Compare the likely speakers with those annotated; "the mayor" that became a name can't be compared."""
    labels = []
    for index, speaker in _speakers(layout).items():
        span = layout.sentences[index].span

        def overlap(attribution: dict[str, Any], start: int = span.start, end: int = span.end) -> int:
            return sum(max(0, min(end, part["end"]) - max(start, part["start"])) for part in attribution["content"])

        best = max(filter(is_speech, attributions), key=overlap, default=None)
        if best is None or overlap(best) < MIN_OVERLAP:
            labels.append((index, False))
        elif best["source"]:
            name = " ".join(part["text"] for part in best["source"])
            found = likely_source(layout.tokens, guesses[index]) if index in guesses else None
            right = name.lower() in ("he", "she", "they", "it") or bool(_words(name) & _words(speaker))
            if right or (found and found[0].shape is Shape.NAME):
                labels.append((index, right))
    return labels


def judged(layout: Layout, rows: Sequence[dict[str, Any]]) -> Labels:
    """Return what readers thought of the likely speakers."""
    labels = []
    speakers = _speakers(layout)
    for row in rows:
        index = max((s.index for s in layout.sentences if s.span.start <= row["start"]), default=0)
        if index not in speakers or row["verdict"] == "open":
            continue
        if "manner" not in row:
            labels.append((index, row["verdict"] in (MISSED if row["kind"] == "silence" else RIGHT)))
        elif row["kind"] == "outlet":
            labels.append((index, False))
        elif row["speaker"]:
            name = layout.article.text[slice(*row["speaker"])]
            labels.append((index, bool(_words(name) & _words(speakers[index]))))
    return labels


def _speakers(layout: Layout) -> dict[int, str]:
    return {i: each.speaker for i, each in enumerate(attribute(layout)) if each and each.speaker}


def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"\w+", name) if len(word) > 2}  # noqa: PLR2004 - no initials


def read(article: Article) -> tuple[Layout, dict[int, SourceGuess]]:
    layout = lay_out(article, parse(article.text))
    layout = layout.with_names(find_names(layout))
    return layout, load_source_model().guesses(layout)


def all_cases(shared: Path) -> Iterator[Case]:
    for row in map(json.loads, (shared / "data" / "attributions_dev.jsonl").read_text(encoding="utf-8").splitlines()):
        layout, guesses = read(Article(row["id"], row["text"], source=row["publisher"]))
        yield from cases(layout, guesses, annotated(layout, guesses, row["attributions"]))
    rows = defaultdict(list)
    for file in FILES:
        for line in (VERDICTS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "manner" in row or row["kind"] in ("speaker", "candidate", "silence"):
                rows[row.get("article") or row["article_id"]].append(row)
    for article in load_articles([shared / "data" / corpus for corpus in CORPORA]).articles:
        if article.id in rows:
            layout, guesses = read(article)
            yield from cases(layout, guesses, judged(layout, rows[article.id]))


def learn(found: Sequence[Case]) -> Logistic:
    vectors = DictVectorizer(sparse=False)
    columns = vectors.fit_transform([case.features for case in found])
    intercept, weights = fit_logistic(columns, np.array([case.right for case in found]), PENALTY)
    return Logistic(intercept, dict(zip(vectors.feature_names_, map(float, weights), strict=True)))


def main(shared: Path) -> None:
    """Learn the weights, write them, and print what they are worth on the half that they were not learned on."""
    found = sorted(all_cases(shared), key=lambda case: case.half != LEARNED)
    model = learn([case for case in found if case.half == LEARNED])
    comment = "Written by `make weights` (training/sureness.py); what the features mean stands in sureness.py."
    names = [f'"{name}"' for name in model.weights]
    write(Path(str(WEIGHTS)), comment, model.intercept, names, np.array(list(model.weights.values())))
    kept = [case for case in found if case.half != LEARNED]
    shown = [case for case in kept if model.probability(case.features) >= SURE]
    right = sum(case.right for case in shown)
    sys.stdout.write(f"shown: {len(shown)} of {len(kept)}, right: {right}\n")
    sys.stdout.write(f"hidden, though right: {sum(case.right for case in kept) - right}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
