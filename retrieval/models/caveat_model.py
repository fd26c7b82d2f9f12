"""The model that reads the outlet's own caveats: a small transformer over windows of an article, on onnxruntime.

What it is, what it learned from and how good it is: ``caveats/README.md``; ``training.caveats`` makes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from retrieval.models.loading import CLS, DIGITS, SEP, open_model
from retrieval.models.source_model import softmax
from retrieval.models.source_windows import MAX_TOKENS, Line

CAVEAT_MARK = 3  # "[unused2]": before the sentence that is looked at as a caveat
# The model's classes in its order, before one that says whether the sentence is worth a note at least.
CLASSES = ("none", "own", "relayed", "inline", "partial", "standing", "epithet", "judgement", "verified")
CAVEATS = CLASSES[1:6]


@dataclass(frozen=True, slots=True)
class CaveatGuess:
    """What the model makes of a sentence looked at as a caveat.

    ``probability`` is that of its being an outlet's caveat, ``kind`` the likeliest of ``CAVEATS``. ``covers`` are
    sentences near it, each with the probability that it asserts what could not be verified.
    """

    kind: str
    probability: float
    covers: tuple[tuple[int, float], ...]


class CaveatModel:
    """The model, loaded. Safe to call from several threads."""

    def __init__(self) -> None:
        # one thread: articles are read on all cores already
        self.tokenizer, self._session = open_model("caveats/caveats.onnx", threads=1)

    def guess(self, lines: Sequence[Line], at: int, *, most: int = MAX_TOKENS) -> CaveatGuess:
        """Look at ``lines[at]`` as a caveat, among the sentences around it that fit into ``most`` tokens."""
        window = _around(lines, at, most)
        ids, quoted, marks = [CLS], [0], []
        for i in window:
            marks.append(len(ids))
            ids += (CAVEAT_MARK, *lines[i].ids[1:]) if i == at else lines[i].ids
            quoted += lines[i].quoted
        inputs = {
            "input_ids": np.array([[*ids, SEP]], dtype=np.int64),
            "token_type_ids": np.array([[*quoted, 0]], dtype=np.int64),
            "marks": np.array([marks], dtype=np.int64),
            "at": np.array([at - window.start], dtype=np.int64),
        }
        kinds, covers = self._session.run(["kinds", "covers"], inputs)
        shares = softmax(kinds[0, : len(CLASSES)])[1 : 1 + len(CAVEATS)]
        probabilities = np.reciprocal(1 + np.exp(-covers[0]))
        covered = [(lines[i].sentence, round(float(p), DIGITS)) for i, p in zip(window, probabilities, strict=True)]
        return CaveatGuess(CAVEATS[int(shares.argmax())], round(float(shares.sum()), DIGITS), tuple(covered))


def _around(lines: Sequence[Line], at: int, most: int) -> range:
    """Return the lines around one that fit, as many before it as behind it where there are enough."""
    start, stop, used = at, at + 1, 2 + len(lines[at].ids)
    grown = True
    while grown:
        grown = False
        for i in (start - 1, stop):
            if 0 <= i < len(lines) and used + len(lines[i].ids) <= most:
                used += len(lines[i].ids)
                start, stop, grown = min(start, i), max(stop, i + 1), True
    return range(start, stop)


load_caveat_model = cache(CaveatModel)
