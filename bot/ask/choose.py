"""Candidates -> the few worth showing, in order, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.ask.confidence import SHOWN, confidence_features
from bot.ask.features import Asked
from bot.ask.follow_up import is_bare
from bot.ask.model import Asking, Band, Candidate, Choice, Chosen
from bot.ask.question_types import AnswerType
from bot.ask.rank import weights
from bot.ask.standalone import needs_before
from retrieval import Archive, Hit

# All extracts of a reply together, in code points.
MOST = 1200
# One that has this share of its words in common with another says the same.
ALIKE = 0.75
# A share of what is asked for, by worth: where no article has so much of it, nothing is sure.
NOWHERE = 0.5
# Log-odds: what is less likely an answer than one time in twenty does not stand below a sure one.
ADDS = -3.0


def choose(asked: Asked, candidates: tuple[Candidate, ...], asking: Asking) -> Choice:
    """Return what of ``candidates`` (best first) is shown for a question."""
    values = confidence_features(candidates, asked, asking.archive) if candidates else {}
    model = weights("confidence", values)
    confidence = model.probability(values) if candidates else 0.0
    band = asking.thresholds.band(confidence)
    # what adds no word asks about what was shown: another sentence is not surely its answer
    if band is Band.SURE and (asked.missing > NOWHERE or is_bare(asked.analysis.text)):
        band = Band.UNSURE
    return Choice(
        analysis=asked.analysis,
        chosen=() if band is Band.NOTHING else tuple(_shown(_adding(candidates, asked, band), asked, asking.archive)),
        candidates=candidates,
        band=band,
        confidence=confidence,
        parts=(("base", model.intercept), *model.parts(values)) if candidates else (),
        looked_for=tuple(dict.fromkeys(word for word, _ in asked.analysis.words)),
        not_found=asked.nowhere,
    )


def _adding(candidates: tuple[Candidate, ...], asked: Asked, band: Band) -> tuple[Candidate, ...]:
    """Return ``candidates`` without those that add nothing to a sure answer, as the reader sees it."""
    if band is not Band.SURE or AnswerType.COMPARISON in asked.analysis.types:
        return candidates
    others = (each for each in candidates[1:] if dict(each.features).get("reader", ADDS) >= ADDS)
    return (*candidates[:1], *others)


def _shown(candidates: tuple[Candidate, ...], asked: Asked, archive: Archive) -> Iterator[Chosen]:
    """Yield the best three that differ, as far as there is room; one too long for any reply takes none."""
    left = MOST
    taken: list[Hit] = []
    before: set[tuple[str, int] | None] = set()  # what stands above another already
    for hit in _in_order(candidates, asked, archive):
        length = len(" ".join(hit.passage.sentence.span.of(archive.article(hit.article_id).text).split()))
        if left < length <= MOST or _place(hit) in before or any(_alike(hit, other, archive) for other in taken):
            continue
        if length > MOST:  # the reply says that it is left out
            yield Chosen(hit.article_id, hit.passage, None)
            continue
        above = taken[-1] if taken else None
        taken.append(hit)
        left -= length
        chosen = _chosen(hit, above, archive)
        before |= {(hit.article_id, chosen.before.sentence.index)} if chosen.before else set()
        yield chosen
        if len(taken) == SHOWN:
            return


def _place(hit: Hit | None) -> tuple[str, int] | None:
    return (hit.article_id, hit.passage.sentence.index) if hit else None


def _in_order(candidates: tuple[Candidate, ...], asked: Asked, archive: Archive) -> Iterable[Hit]:
    hits = [candidate.hit for candidate in candidates]
    if asked.analysis.types[0] is AnswerType.VERIFICATION:
        return _caveats_first(hits, archive)
    if AnswerType.COMPARISON in asked.analysis.types:
        return _each_article_first(hits)
    return hits


def _caveats_first(hits: list[Hit], archive: Archive) -> Iterator[Hit]:
    """Yield the caveats on the best hit, if it has any, and then the hits."""
    best = hits[0]
    if not best.passage.is_caveat:
        passages = archive.reading(best.article_id).passages
        yield from (
            Hit(best.article_id, passages[caveat.sentence], best.score)
            for caveat in (*best.passage.caveats, *best.passage.possible_caveats)
        )
    yield from hits


def _each_article_first(hits: list[Hit]) -> Iterator[Hit]:
    """Yield the best of each article, and then the others: figures that differ stand in different articles."""
    firsts = {hit.article_id: hit for hit in reversed(hits)}
    best = sorted(firsts.values(), key=hits.index)
    yield from best
    yield from hits  # what was taken is passed over as it comes again


def _alike(hit: Hit, other: Hit, archive: Archive) -> bool:
    one, two = (frozenset(archive.searchable(h.article_id)[h.passage.sentence.index].own) for h in (hit, other))
    same = (hit.article_id, hit.passage) == (other.article_id, other.passage)
    return same or (bool(one) and len(one & two) >= ALIKE * len(one | two))


def _chosen(hit: Hit, above: Hit | None, archive: Archive) -> Chosen:
    """Return a hit with the sentence before it, where it leans on that and that is not shown right ``above`` it."""
    passages = archive.reading(hit.article_id).passages
    index = hit.passage.sentence.index
    before = passages[index - 1] if index and (hit.article_id, index - 1) != _place(above) else None
    text = hit.passage.sentence.span.of(archive.article(hit.article_id).text)
    shown = before if before is not None and needs_before(text, hit.passage, before) else None
    return Chosen(hit.article_id, hit.passage, shown)
