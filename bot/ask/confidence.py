"""How probable it is that a right sentence is among the first three: a logistic model over named features.

Refusing belongs to what the archive lacks, and doubt, said in words, to what it may hold: so there are two thresholds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bot.ask.features import Asked, Features
from bot.ask.model import Candidate

SHOWN = 3


def confidence_features(candidates: Sequence[Candidate], asked: Asked) -> Features:
    """Return what the confidence rests on; ``candidates`` best first."""
    best = [dict(candidate.features) for candidate in candidates[:SHOWN]]
    scale = math.sqrt(asked.potential)
    found = {
        "sentence": max(values["sentence"] for values in best) / scale,
        "article": max(values["article"] for values in best) / scale,
        "type": best[0]["type"],
        "margin": _margin(candidates),
        "agreement": _agreement(candidates),
        "missing": asked.missing,
        "words": math.log1p(len(asked.analysis.words)),
    }
    for name in ("meaning", "reader"):
        if name in best[0]:
            found[name] = max(values[name] for values in best)
    return found


def _margin(candidates: Sequence[Candidate]) -> float:
    """Return the share of the first three among all candidates, as the ranking sees it, 0 to 1."""
    odds = [math.exp(candidate.score - candidates[0].score) for candidate in candidates]
    return sum(odds[:SHOWN]) / sum(odds)


def _agreement(candidates: Sequence[Candidate]) -> float:
    """Return the share of the first five that stand in one article."""
    articles = Counter(candidate.hit.article_id for candidate in candidates[:5])
    return max(articles.values()) / min(5, len(candidates))
