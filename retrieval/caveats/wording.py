"""Whether a sentence may hold a caveat, by its words and pairs of words alone: the model looks at no other sentence.

The weights are learned with the model (``training.caveats``). Of what a reader calls a caveat hardly any is missed; of
ordinary sentences a few in a hundred are let through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from zlib import crc32

import numpy as np
import numpy.typing as npt

BUCKETS = 1 << 16  # that words and pairs are hashed into
WEIGHTS = files("retrieval.models").joinpath("caveats", "words.npz")


def buckets(words: Sequence[str]) -> Iterator[int]:
    """Yield the buckets of a sentence's words, in lower case, and of pairs of them up to one word apart."""
    plain = ["0" if word.isdigit() else "'" if word in "'’" else word.replace("’", "'") for word in words]
    for i, word in enumerate(plain):
        yield crc32(word.encode("utf-8", "replace")) % BUCKETS
        for gap, after in enumerate(plain[i + 1 : i + 3]):
            yield crc32(f"{word}{' _'[gap]}{after}".encode("utf-8", "replace")) % BUCKETS


@cache
def _weights() -> tuple[npt.NDArray[np.int8], float]:
    with WEIGHTS.open("rb") as stream, np.load(stream) as stored:
        return stored["weights"], float(stored["least"])


def likeness(words: Sequence[str]) -> float:
    """Return how much a sentence's words are like a caveat's; 0 and more: the model should look at it."""
    weights, least = _weights()
    found = np.fromiter(set(buckets(words)), dtype=np.int64)
    return float(weights[found].sum(dtype=np.int64)) - least if found.size else -least
