"""`python -m training.denials`: the denials written for the tests -> ``retrieval/speech/denied.toml``.

There is little copy of this kind, so that it is all our own: see ``tests/retrieval/denial_passages.py``.
What is printed is measured on passages that were not trained on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from retrieval.model import Article
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.denial_features import ENOUGH, WEIGHTS
from retrieval.speech.denials import weighed
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.denial_passages import PASSAGES
from training.fit import write

STRENGTH = 1.0  # the inverse of the penalty on weights
Example = tuple[str, int, dict[str, float], bool]  # passage, sentence, features, whether it is denied


def main(to: Path = Path(str(WEIGHTS))) -> None:
    """Learn the weights, print how many denials are paired rightly, and write them."""
    examples = tuple(_examples())
    right = sum(_paired(examples, name) for name in PASSAGES)
    sys.stdout.write(f"denials paired rightly, held out: {right}/{len(PASSAGES)}\n")
    vectors, regression = fit(examples)
    comment = "Written by `make weights` (training/denials.py); what the features mean stands in denial_features.py."
    names = [f'"{name}"' for name in vectors.feature_names_]
    write(to, comment, float(regression.intercept_[0]), names, regression.coef_[0])


def _examples() -> Iterator[Example]:
    for name, passage in PASSAGES.items():
        lines = dedent(passage).strip("\n").splitlines()
        layout = lay_out(article := Article(name, " ".join(line[2:] for line in lines)), parse(article.text))
        layout = layout.with_names(find_names(layout))
        at = next(i for i, line in enumerate(lines) if line[0] == "=")
        if len(layout.sentences) != len(lines):
            raise ValueError(f"a sentence a line is wanted in {name!r}")
        for i, features in weighed(layout, attribute(layout), at):
            yield name, i, features, lines[i][0] == "+"


def fit(examples: Sequence[Example]) -> tuple[DictVectorizer, LogisticRegression]:
    """Return what turns features into columns, and the regression on them."""
    vectors = DictVectorizer(sparse=False)
    columns = vectors.fit_transform([features for _, _, features, _ in examples])
    return vectors, LogisticRegression(C=STRENGTH, max_iter=5000).fit(columns, [denied for *_, denied in examples])


def _paired(examples: Sequence[Example], name: str) -> bool:
    """Return whether the denial of a passage is paired rightly by what the other passages teach."""
    vectors, regression = fit([each for each in examples if each[0] != name])
    mine = [each for each in examples if each[0] == name]
    scores = regression.predict_proba(vectors.transform([features for _, _, features, _ in mine]))[:, 1]
    best = int(np.argmax(scores))
    if scores[best] < ENOUGH:
        return not any(denied for *_, denied in mine)
    return mine[best][3]


if __name__ == "__main__":
    main()
