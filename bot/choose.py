"""Hits -> the few worth showing, in order; or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.asked import Asked
from bot.choice import Candidate, Choice, Chosen
from bot.confidence import SURE, confidence
from bot.credits import may_show
from bot.signals import weigh
from bot.standing import needs_before
from retrieval.search import Answering, Archive, Hit, Query

# All extracts of a reply together, in code points.
MOST = 1200
SHOWN = 3
# An extra extract is worth showing while it is this near the first.
NEAR = 0.42
# One that has this share of its words in common with another says the same.
ALIKE = 0.75


def choose(query: Query, hits: tuple[Hit, ...], archive: Archive) -> Choice:
    """Return what of ``hits`` answers ``query``."""
    asked = Asked.of(query, hits, archive)
    weighed = (weigh(hit, asked, archive) for hit in hits if may_show(hit.passage, query))
    candidates = tuple(sorted(weighed, key=lambda c: (-c.score, c.hit.article_id, c.hit.passage.sentence.index)))
    sure = confidence(candidates[0], asked, archive) if candidates else ()
    refusal = _refusal(sure)
    return Choice(
        query=query,
        chosen=() if refusal else tuple(_shown(candidates, query, archive)),
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


def _shown(candidates: tuple[Candidate, ...], query: Query, archive: Archive) -> Iterator[Chosen]:
    """Give the best, and up to two that add to it, as far as there is room; one too long for any reply takes none."""
    left = MOST
    taken: list[Hit] = []
    for hit in _in_order(candidates, query, archive):
        length = len(" ".join(hit.passage.sentence.span.of(archive.article(hit.article_id).text).split()))
        if left < length <= MOST or any(_alike(hit, other, archive) for other in taken):
            continue
        if length > MOST:  # the reply says that it is left out
            yield Chosen(hit.article_id, hit.passage, None)
            continue
        taken.append(hit)
        left -= length
        yield _chosen(hit, archive)
        if len(taken) == SHOWN:
            return


def _in_order(candidates: tuple[Candidate, ...], query: Query, archive: Archive) -> Iterable[Hit]:
    plausible = [c.hit for c in candidates if c.score >= NEAR * candidates[0].score]
    if query.answering[0] is Answering.VERIFICATION:
        return _caveats_first(plausible, archive)
    if Answering.COMPARISON in query.answering:
        return _each_article_first(plausible)
    return plausible


def _caveats_first(plausible: list[Hit], archive: Archive) -> Iterator[Hit]:
    """Give the caveat on the best hit that has one, if any has, and then the hits."""
    best = next((hit for hit in plausible if hit.passage.caveats and not hit.passage.is_caveat), None)
    if best is not None and plausible[0].passage.is_caveat is False:
        passages = archive.reading(best.article_id).passages
        yield from (Hit(best.article_id, passages[caveat.sentence], best.score) for caveat in best.passage.caveats)
    yield from plausible


def _each_article_first(plausible: list[Hit]) -> Iterator[Hit]:
    """Give the best of each article, and then the others: figures that differ stand in different articles."""
    firsts = {hit.article_id: hit for hit in reversed(plausible)}
    best = sorted(firsts.values(), key=plausible.index)
    yield from best
    yield from (hit for hit in plausible if hit not in best)


def _alike(hit: Hit, other: Hit, archive: Archive) -> bool:
    one, two = (frozenset(archive.searchable(h.article_id)[h.passage.sentence.index].own) for h in (hit, other))
    return hit == other or (bool(one) and len(one & two) >= ALIKE * len(one | two))


def _chosen(hit: Hit, archive: Archive) -> Chosen:
    passages = archive.reading(hit.article_id).passages
    index = hit.passage.sentence.index
    before = passages[index - 1] if index else None
    text = hit.passage.sentence.span.of(archive.article(hit.article_id).text)
    shown = before if before is not None and needs_before(text, hit.passage, before) else None
    return Chosen(hit.article_id, hit.passage, shown)
