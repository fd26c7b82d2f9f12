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
_LEAST, _MOST = 0.1, 0.5  # of the object, from which on a sentence may be what is denied, and likely is
_NEAR = 2  # sentences back that a denial with no word in common is about
# That force was used, and that somebody was harmed: guns are denied where shells are told of.
_FORCE = re.compile(
    r"\b(?:kill|di(?:e[ds]?|ed)\b|dead\b|death|wound|injur|hurt|hit\b|hitting|struck|strik|shell|shot|shoot|fir(?:e[ds]?|ing)\b"
    r"|gun|bomb|rocket|missile|drone|mortar|mine[ds]?\b|mining|attack|massacre|execut|beat|burn|destroy|explo|rounds)",
    re.IGNORECASE,
)
_ALLEGING = re.compile(r"\b(?:accus|alleg|blam|claim|charg|suspic|suspect|indict|assert|critici)\w*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence as it is looked at: its words, its topic (their beginnings), and whether somebody says it."""

    index: int
    text: str
    topic: frozenset[str]
    said: bool


@dataclass(frozen=True, slots=True)
class Denying:
    """A denial as it is looked at.

    ``party`` are the beginnings of the denier's name, ``object`` those of what is denied: none where it only points
    ("the claims", "it"). ``aside`` where the sentence is about something else before it. ``rarity`` tells how much a
    word says in this article: 0 where every sentence holds it, up to 1.
    """

    line: Line
    party: frozenset[str]
    object: frozenset[str]
    aside: bool
    rarity: dict[str, float]


@cache
def model() -> Logistic:
    """Return the judgement as it was learned."""
    return read_logistic(WEIGHTS)


def features(denial: Denying, other: Line) -> dict[str, float] | None:
    """Return what speaks for and against ``other`` being what is denied; none where it cannot be.

    A denial that only points ("denied the claims", "denied it") means what stands just before it; one that says itself
    what is denied means a sentence with words of it, or one that tells of force where the use of force is denied.
    """
    away = denial.line.index - other.index
    told = denial.object - denial.party
    weight = sum(denial.rarity.get(word, 1.0) for word in told)
    share = sum(denial.rarity.get(word, 1.0) for word in told & other.topic) / weight if weight else 0.0
    force = _FORCE.search(other.text) is not None and _FORCE.search(denial.line.text) is not None
    if away > _NEAR if not told else share < _LEAST and not force:
        return None
    return {name: float(value) for name, value in _signals(denial, other, share, force=force) if value}


def _signals(denial: Denying, other: Line, share: float, *, force: bool) -> Iterator[tuple[str, float]]:
    away = denial.line.index - other.index
    told = denial.object - denial.party
    alleges = _ALLEGING.search(other.text) is not None
    accuses = ACCUSING.search(other.text) is not None
    kind = "tells" if told else "points"
    yield kind, True
    yield f"{kind}: just before", away == 1
    yield f"{kind}: far", math.log(away)
    yield f"{kind}: somebody says it", other.said
    yield f"{kind}: alleges", alleges
    yield f"{kind}: accuses", accuses
    yield f"{kind}: denied aside", denial.aside
    yield "nothing is claimed", not (other.said or alleges or accuses)
    yield "names the denier", not other.topic.isdisjoint(denial.party)
    yield "share of the object", share
    yield "most of the object", share >= _MOST
    yield "words around it", min(3, len((denial.line.topic & other.topic) - denial.party - told))
    yield "force denied", force
