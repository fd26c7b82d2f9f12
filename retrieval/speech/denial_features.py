"""A denial beside a sentence -> named features: whether it is what is denied; the weights are in ``denied.toml``.

They are learned by `make weights` (``training/denials.py``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from retrieval.logistic import Logistic, read_logistic
from retrieval.speech.denial_patterns import ACCUSING

WEIGHTS = files("retrieval.speech") / "denied.toml"
ENOUGH = 0.4  # the probability from which a sentence is taken for the one denied
_NEAR = 2  # sentences back that a denial with no word in common is about
_MOST = 3  # words in common from which on more tell nothing
# That force was used, and that somebody was harmed: guns are denied where shells are told of.
_FORCE = re.compile(
    r"\b(?:kill|di(?:e[ds]?|ed)\b|dead\b|death|wound|injur|hurt|hit\b|hitting|struck|strik|shell|shot|shoot|fir(?:e[ds]?|ing)\b"
    r"|gun|bomb|rocket|missile|drone|mortar|mine[ds]?\b|mining|attack|massacre|execut|beat|burn|destroy|explo|rounds)",
    re.IGNORECASE,
)
_OF_IT = re.compile(
    r"\bden(?:y|ies|ied|ying)\s+(?:it|this|that|them|(?:the|these|those|any|all|such)\s+(?:\w+\s+)?"
    r"(?:allegations?|accusations?|claims?|charges?|reports?)|any\s+\w+|wrongdoing|responsib\w+|involve\w+)\s*(?:[.,;]|$|for\b|in\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence as it is looked at: its words, its topic (their beginnings), and whether somebody says it."""

    index: int
    text: str
    topic: frozenset[str]
    said: bool


@cache
def model() -> Logistic:
    """Return the judgement as it was learned."""
    return read_logistic(WEIGHTS)


def probability(denial: Line, other: Line, party: frozenset[str]) -> float:
    """Return how probable it is that ``denial``, by ``party`` (the beginnings of its name), denies ``other``."""
    return model().probability(features(denial, other, party))


def features(denial: Line, other: Line, party: frozenset[str]) -> dict[str, float]:
    """Return what speaks for and against ``other`` being what is denied."""
    return {name: float(value) for name, value in _signals(denial, other, party) if value}


def _signals(denial: Line, other: Line, party: frozenset[str]) -> Iterator[tuple[str, float]]:
    away = denial.index - other.index
    common = len((denial.topic & other.topic) - party)
    yield "words in common", min(_MOST, common)
    yield "names the denier", not other.topic.isdisjoint(party)
    yield "somebody says it", other.said
    yield "accuses", ACCUSING.search(other.text) is not None
    force = _FORCE.search(other.text) is not None
    yield "force", force
    answered = force and _FORCE.search(denial.text) is not None
    yield "force denied", answered
    yield "force denied, near before", answered and 0 < away <= _NEAR
    yield "near before", 0 < away <= _NEAR
    yield "far", math.log(abs(away))
    yield "behind the denial", away < 0
    yield "denied by a pointer, near before", 0 < away <= _NEAR and _OF_IT.search(denial.text) is not None
