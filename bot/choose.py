"""Hits -> the few worth showing, in order; or none."""

from __future__ import annotations

from bot.asked import Asked
from bot.choice import Candidate, Choice, Chosen
from bot.confidence import SURE, confidence
from bot.signals import weigh
from retrieval.model import Archive, Hit, Query

# All extracts of a reply together, in code points.
MOST = 1200
SHOWN = 3
# An extra extract is worth showing while it is this near the first.
NEAR = 0.5


def choose(query: Query, hits: tuple[Hit, ...], archive: Archive) -> Choice:
    """Return what of ``hits`` answers ``query``."""
    asked = Asked.of(query, hits, archive)
    candidates = tuple(
        sorted(
            (weigh(hit, asked, archive) for hit in hits if hit.passage.sentence.boilerplate is None),
            key=lambda c: (-c.score, c.hit.article_id, c.hit.passage.sentence.index),
        )
    )
    sure = confidence(candidates[0], asked, archive) if candidates else ()
    refusal = _refusal(sure)
    return Choice(
        query=query,
        chosen=() if refusal else _shown(candidates, archive),
        candidates=candidates,
        looked_for=tuple(dict.fromkeys(word for word, _ in query.words)),
        not_found=asked.missing,
        refusal=refusal,
        confidence=sure,
    )


def _refusal(sure: tuple[tuple[str, float], ...]) -> str:
    if not sure:
        return "no sentence shares a word"
    return "too little of the question is met" if sum(value for _, value in sure) < SURE else ""


def _shown(candidates: tuple[Candidate, ...], archive: Archive) -> tuple[Chosen, ...]:
    shown: list[Chosen] = []
    left = MOST
    for candidate in candidates:
        if len(shown) == SHOWN or candidate.score < NEAR * candidates[0].score:
            break
        text = candidate.hit.passage.sentence.span.of(archive.article(candidate.hit.article_id).text)
        if len(text) > left:
            continue
        left -= len(text)
        shown.append(Chosen(candidate.hit.article_id, candidate.hit.passage))
    return tuple(shown)
