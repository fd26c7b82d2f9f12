"""How probable it is that a right sentence is among the first three: a logistic model over named features.

The thresholds below which nothing is shown, or the reply says that it is unsure, are in ``model.py``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bot.ask.features import Asked, Features
from bot.ask.follow_up import is_personal
from bot.ask.model import Candidate
from bot.ask.rank import FURTHER, weights
from retrieval import Archive, Logistic, terms

SHOWN = 3
AROUND = 2  # sentences before the best, and after it


def confidence_features(candidates: Sequence[Candidate], asked: Asked, archive: Archive) -> Features:
    best = [dict(candidate.features) for candidate in candidates[:SHOWN]]
    scale = math.sqrt(asked.potential)
    articles = Counter(candidate.hit.article_id for candidate in candidates[:5])
    odds = [math.exp(candidate.score - candidates[0].score) for candidate in candidates]
    known = {
        "sentence": max(values["sentence"] for values in best) / scale,
        "type": best[0]["type"],
        # the share of the first three among all candidates, by the odds of the ranking
        "margin": sum(odds[:SHOWN]) / sum(odds),
        # the share of the first five that are from one article
        "agreement": max(articles.values()) / articles.total(),
        "words": math.log1p(len(asked.analysis.words)),
        # another year, another town, another person of the name
        "other_article": _not_around(candidates[0], asked, archive),
        "not_told": _not_around(candidates[0], asked, archive, title=True),
        "nowhere": len(asked.nowhere) / max(1, len(asked.analysis.words)),
        "personal": float(is_personal(asked.analysis.text)),
    }
    for name in FURTHER:
        if name in best[0]:
            known[name] = max(values[name] for values in best)
    return known


def confidence(values: Features) -> tuple[float, Logistic]:
    """Return how probable it is that one of the first three is right, and the model that says so."""
    model = weights("confidence", values)
    return model.probability(values), model


def _not_around(best: Candidate, asked: Asked, archive: Archive, *, title: bool = False) -> float:
    """Return the share of the question, by weight, that no sentence around the best has, 0 to 1; nor the ``title``."""
    article_id, index = best.place
    around = archive.searchable(article_id)[max(0, index - AROUND) : index + AROUND + 1]
    terms_around = {term for each in around for term in (*each.own, *each.around, *each.speaker)}
    if title:
        terms_around |= set(terms(archive.article(article_id).title or ""))
    every = sum(worth for _, worth in asked.words)
    return sum(worth for found_by, worth in asked.words if not found_by & terms_around) / every if every else 0.0
