"""How probable it is that a right sentence is among the first three: logistic models over named features.

The thresholds below which nothing is shown, or the reply says that it is unsure, are in ``thresholds.py``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bot.ask.answer_types import holds_new
from bot.ask.features import Asked, Features, view
from bot.ask.follow_up import is_personal
from bot.ask.model import Candidate
from bot.ask.rank import FURTHER, weights
from retrieval import Archive, Logistic, terms

SHOWN = 3
AROUND = 2  # sentences before the best, and after it
PRESENCE = ("nowhere", "not_told", "personal", "extent")  # features of the model of that name alone
SMALLEST, LARGEST = 150, 100_000  # sentences of the archives that the weights were learned on
PRESENT = 14_000  # the same for ``presence``, most of whose examples are of small archives


def confidence_features(candidates: Sequence[Candidate], asked: Asked, archive: Archive) -> Features:
    best = [dict(candidate.features) for candidate in candidates[:SHOWN]]
    scale = math.sqrt(asked.potential)
    articles = Counter(candidate.hit.article_id for candidate in candidates[:5])
    odds = [math.exp(candidate.score - candidates[0].score) for candidate in candidates]
    known = {
        "sentence": max(values["sentence"] for values in best) / scale,
        "article": max(values["article"] for values in best) / scale,
        "type": best[0]["type"],
        # the share of the first three among all candidates, by the odds of the ranking
        "margin": sum(odds[:SHOWN]) / sum(odds),
        # the share of the first five that are from one article
        "agreement": max(articles.values()) / articles.total(),
        "missing": asked.missing,
        "words": math.log1p(len(asked.analysis.words)),
        # another year, another town, another person of the name
        "other_article": _not_around(candidates[0], asked, archive),
        # a larger archive has more that is similar to what was asked for
        "size": math.log(min(max(asked.size, SMALLEST), LARGEST)),
    }
    if "reader" in best[0]:  # near misses have everything but the kind of answer that is asked for
        known["new"] = holds_new(asked.analysis.types[0], view(candidates[0].hit, asked, archive))
        known["nowhere"] = len(asked.nowhere) / max(1, len(asked.analysis.words))
        known["not_told"] = _not_around(candidates[0], asked, archive, title=True)
        known["extent"] = math.log(min(max(asked.size, SMALLEST), PRESENT))
        known["personal"] = float(is_personal(asked.analysis.text))
    for name in FURTHER:
        if name in best[0]:
            known[name] = max(values[name] for values in best)
    return known


def confidence(values: Features) -> tuple[float, Logistic]:
    """Return how probable it is that one of the first three is right, and the model that says so.

    With a reader there are two, and the less sure one counts: what it learned from many questions that a newsroom asks
    its own articles (``confidence``), and from those and as many that no article is about (``presence``).
    """
    models = [weights("confidence", values), *([weights("presence", ())] if "reader" in values else [])]
    return min(((model.probability(values), model) for model in models), key=lambda each: each[0])


def _not_around(best: Candidate, asked: Asked, archive: Archive, *, title: bool = False) -> float:
    """Return the share of the question, by weight, that no sentence around the best has, 0 to 1; nor the ``title``."""
    article_id, index = best.place
    around = archive.searchable(article_id)[max(0, index - AROUND) : index + AROUND + 1]
    terms_around = {term for each in around for term in (*each.own, *each.around, *each.speaker)}
    if title:
        terms_around |= set(terms(archive.article(article_id).title or ""))
    every = sum(worth for _, worth in asked.words)
    return sum(worth for found_by, worth in asked.words if not found_by & terms_around) / every if every else 0.0
