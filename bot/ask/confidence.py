"""How probable it is that a right sentence is among the first three: a logistic model over named features.

Refusing belongs to what the archive lacks, and doubt, said in words, to what it may hold: so there are two thresholds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.ask.features import Asked, Features
from bot.ask.model import Candidate
from bot.ask.rank import FURTHER

if TYPE_CHECKING:
    from retrieval import Archive


SHOWN = 3
AROUND = 2  # sentences before the best, and after it
SMALLEST, LARGEST = 150, 100_000  # sentences held: of archives beyond either nothing was learned


def confidence_features(candidates: Sequence[Candidate], asked: Asked, archive: Archive) -> Features:
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
        # what is nowhere near the best: another year, another town, another bearer of the name
        "elsewhere": _elsewhere(candidates[0], asked, archive),
        # the more is held, the more there is that is like what was asked for and is not it
        "size": math.log(min(max(asked.size, SMALLEST), LARGEST)),
    }
    for name in FURTHER:
        if name in best[0]:
            found[name] = max(values[name] for values in best)
    return found


def _elsewhere(best: Candidate, asked: Asked, archive: Archive) -> float:
    """Return the share of what is asked for, by worth, that no sentence around the best has, 0 to 1."""
    article_id, index = best.place
    around = archive.searchable(article_id)[max(0, index - AROUND) : index + AROUND + 1]
    held = {term for each in around for term in (*each.own, *each.around, *each.speaker)}
    every = sum(worth for _, worth in asked.words)
    return sum(worth for terms, worth in asked.words if not terms & held) / every if every else 0.0


def _margin(candidates: Sequence[Candidate]) -> float:
    """Return the share of the first three among all candidates, as the ranking sees it, 0 to 1."""
    odds = [math.exp(candidate.score - candidates[0].score) for candidate in candidates]
    return sum(odds[:SHOWN]) / sum(odds)


def _agreement(candidates: Sequence[Candidate]) -> float:
    """Return the share of the first five that stand in one article."""
    articles = Counter(candidate.hit.article_id for candidate in candidates[:5])
    return max(articles.values()) / min(5, len(candidates))
