"""How sure it is that the best candidate answers at all: not answering is a decision of its own."""

from __future__ import annotations

import math

from bot.asked import Asked
from bot.choice import Candidate
from bot.signals import signals
from retrieval.search import Archive

# What each signal adds; the sum is near 1 where a sentence holds every word of the question.
TRUSTED = {
    "own": 1.0,
    "context": 1.0,
    "article": 0.5,
    "kind": 0.1,
    "unmet": -0.4,
    "unnamed": -0.4,
    "unknown": -0.08,
    "dense": 0.75,
    "leaning": 0.45,
    "credit": 0.5,
    "chance": -0.03,
}
# Below this nothing is shown.
SURE = 0.72
# The more sentences there are, the more often one of them has a question's words by chance; so the sum is held against
# an archive of this many, and no further than to this many.
USUAL, MOST = 200, 3000

# What a name that is missing beside the sentence counts for where the article has it.
_SOMEWHERE = 0.7


def confidence(best: Candidate, asked: Asked, archive: Archive) -> tuple[tuple[str, float], ...]:
    """Return the parts of the confidence in ``best``, already weighed: they add up to it."""
    every = _every(best, archive)
    values = signals(best.hit, asked, archive) | {"article": _in_article(best, asked, archive, every)}
    values["unnamed"] *= _SOMEWHERE if _is_named(asked, every) else 1.0
    values["leaning"] = float(bool(asked.query.near))
    values["unknown"] = float(asked.unknown)
    values["chance"] = math.log(min(max(archive.size(), 1), MOST) / USUAL)
    return tuple((name, weight * values[name]) for name, weight in TRUSTED.items() if values[name])


def _every(best: Candidate, archive: Archive) -> dict[str, float]:
    """Return the terms of the article, names and speakers included."""
    sentences = archive.searchable(best.hit.article_id)
    return dict.fromkeys((name for s in sentences for name in (*s.own, *s.speaker, *s.around)), 1.0)


def _is_named(asked: Asked, every: dict[str, float]) -> bool:
    """Tell whether every name asked about stands somewhere in the article."""
    return all(c.met(every) for c in asked.named)


def _in_article(best: Candidate, asked: Asked, archive: Archive, every: dict[str, float]) -> float:
    """Return the share of the question that is met in the article and not in the sentence."""
    here = archive.searchable(best.hit.article_id)[best.hit.passage.sentence.index]
    held = dict.fromkeys((*here.own, *here.speaker, *here.around), 1.0)
    total = sum(c.weight for c in asked.concepts)
    return sum(c.weight * (c.met(every) - c.met(held)) for c in asked.concepts) / total if total else 0.0
