"""`python -m training.statements ARTICLES PAIRS`: rewritten sentences -> ``bot/commands/weights/statements*.toml``.

They say whether a sentence of a draft states the same as one of the archive, for caveats and denials that a draft
leaves out. ARTICLES is a file or folder of articles. A line of PAIRS is an object: ``draft``, the sentence as somebody
may rewrite it; ``article``, the id of its article; ``sentences``, the indexes of those that state the same (none for a
draft on something else). Every other sentence that the archive proposes for it is a wrong one.

Pairs of real copy stay outside the repository. After a change of encoder run this again, and see whether
``proof_claims.SURE`` still leaves other drafts alone.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from adapters.articles import open_service
from adapters.settings import load
from bot.command import Library
from bot.commands import proof_claims
from bot.commands.proof_draft import Draft
from training.fit import fit_logistic, write

WEIGHTS = Path(proof_claims.__file__).parent / "weights"
WORDS = ("shared", "own", "figures")
COMMENT = "Fitted by training/statements.py on pairs of a draft's sentence and an archive's."
Row = tuple[dict[str, float], bool]


def rows(library: Library, pairs: Path) -> Iterator[Row]:
    """Yield the features of each sentence that is proposed for a draft, and whether it states the same."""
    for line in pairs.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        right = {(pair["article"], index) for index in pair["sentences"]}
        for statement in Draft(library, pair["draft"]).statements:
            found = proof_claims.cosines(library.meaning, statement, statement.twins)
            for twin, cosine in zip(statement.twins, found, strict=True):
                yield dict(proof_claims.features(statement, twin, cosine)), twin.place in right


def fit(found: list[Row], names: tuple[str, ...], file: str) -> None:
    """Write the weights of these features, and print how many right and wrong ones pass the threshold."""
    features = np.array([[values[name] for name in names] for values, _ in found])
    right = np.array([is_right for _, is_right in found])
    intercept, weights = fit_logistic(features, right)
    write(WEIGHTS / file, COMMENT, intercept, names, weights)
    passed = 1 / (1 + np.exp(-(features @ weights + intercept))) >= proof_claims.SURE
    kept = f"{(passed & right).sum()} of {right.sum()} right, {(passed & ~right).sum()} of {(~right).sum()} wrong"
    print(f"{file}: {kept}")


def main(articles: str, pairs: Path) -> None:
    library = open_service(load({**os.environ, "STET_ARTICLES": articles}, Path("no .env"))).library
    found = list(rows(library, pairs))
    fit(found, WORDS, "statements.toml")
    if all("cosine" in values for values, _ in found):
        fit(found, (*WORDS, "cosine"), "statements-meaning.toml")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
