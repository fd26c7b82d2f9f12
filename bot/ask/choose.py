"""Candidates -> the few worth showing, in order, and how sure that is.

Question -> choice: understood, searched, ranked, chosen; the question before it first, silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.ask.confidence import SHOWN, confidence_features
from bot.ask.features import Asked
from bot.ask.follow_up import Earlier, is_bare
from bot.ask.model import Analysis, Band, Candidate, Choice, Chosen, SearchContext
from bot.ask.question_types import AnswerType
from bot.ask.rank import rank, weights
from bot.ask.understand import understand
from bot.model import Question
from retrieval import Hit, Passage, Voice, is_region, terms

if TYPE_CHECKING:
    from retrieval import Archive


Place = tuple[str, int]  # the id of an article, the index of a sentence

# All extracts of a reply together, in code points.
MOST = 1200
# One that has this share of its words in common with another says the same.
ALIKE = 0.75
# A share of what is asked for, by worth: where no article has so much of it, nothing is sure.
NOWHERE = 0.5
_WORD = re.compile(r"\w+")
# Log-odds: what is so much less likely an answer than the best does not stand below it, where that is sure.
ADDS = -4.0


def choose(asked: Asked, candidates: tuple[Candidate, ...], asking: SearchContext) -> Choice:
    """Return what of ``candidates`` (best first) is shown for a question."""
    values = confidence_features(candidates, asked, asking.archive) if candidates else {}
    model = weights("confidence", values)
    confidence = model.probability(values) if candidates else 0.0
    band = asking.thresholds.band(confidence)
    # what adds no word asks about what was shown: another sentence is not surely its answer
    if band is Band.SURE and (asked.missing > NOWHERE or is_bare(asked.analysis.text) or _is_of_nowhere(asked)):
        band = Band.UNSURE
    return Choice(
        analysis=asked.analysis,
        chosen=() if band is Band.NOTHING else _shown(_adding(candidates, asked, band), asked, asking.archive),
        candidates=candidates,
        band=band,
        confidence=confidence,
        parts=(("base", model.intercept), *model.parts(values)) if candidates else (),
        looked_for=tuple(dict.fromkeys(word for word, _ in asked.analysis.words)),
        not_found=asked.nowhere,
    )


def _is_of_nowhere(asked: Asked) -> bool:
    """Return whether no article has what is asked about: a part of the world, or a word behind "about"."""
    about = _WORD.findall(asked.analysis.text.lower().partition(" about ")[2])
    return any(is_region(word.title()) or word in about for word in asked.nowhere)


def _adding(candidates: tuple[Candidate, ...], asked: Asked, band: Band) -> tuple[Candidate, ...]:
    """Return ``candidates`` without those that add nothing to a sure answer, as the reader sees it."""
    if band is not Band.SURE or AnswerType.COMPARISON in asked.analysis.types:
        return candidates
    odds = [dict(each.features).get("reader", 0.0) for each in candidates]
    return tuple(each for each, its in zip(candidates, odds, strict=True) if its >= odds[0] + ADDS)


def _shown(candidates: tuple[Candidate, ...], asked: Asked, archive: Archive) -> tuple[Chosen, ...]:
    """Return the best three that differ, as far as there is room; one too long for any reply takes none."""
    left = MOST
    chosen: list[Chosen] = []
    taken: list[Hit] = []
    shown: set[Place] = set()  # with what stands above another
    for hit in (part for each in _in_order(candidates, asked, archive) for part in _whole(each, archive)):
        length = len(" ".join(hit.passage.sentence.span.of(archive.article(hit.article_id).text).split()))
        if left < length <= MOST or _place(hit) in shown or any(alike(hit, other, archive) for other in taken):
            continue
        if length > MOST:  # the reply says that it is left out
            chosen.append(Chosen(hit.article_id, hit.passage, digest=hit.digest))
            continue
        before = _before(hit, archive)
        places = [(other.article_id, other.passage) for other in chosen]
        above = places.index((hit.article_id, before)) + 1 if before and (hit.article_id, before) in places else 0
        # what leans on a sentence that is shown comes right after it
        found = Chosen(hit.article_id, hit.passage, None if above else before, hit.digest)
        chosen.insert(above or len(chosen), found)
        taken.append(hit)
        left -= length
        shown |= {_place(hit)} | ({(hit.article_id, before.sentence.index)} if before else set())
        if len(taken) == SHOWN:
            break
    return tuple(chosen)


def _place(hit: Hit) -> Place:
    return hit.article_id, hit.passage.sentence.index


def _whole(hit: Hit, archive: Archive) -> Iterator[Hit]:
    """Yield a hit, and the sentences with which its quotation goes on: nobody prints half of what was said."""
    yield hit
    for passage in _quotation(hit, archive):
        if passage.sentence.index > hit.passage.sentence.index:
            yield Hit(hit.article_id, passage, hit.score, digest=hit.digest)


def _quotation(hit: Hit, archive: Archive) -> tuple[Passage, ...]:
    """Return all sentences of the quotation that a hit is of; of a speech, none."""
    number = hit.passage.sentence.quotation
    if number is None:
        return ()
    same = tuple(p for p in archive.reading(hit.article_id).passages if p.sentence.quotation == number)
    return same if len(same) <= SHOWN else ()


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
            Hit(best.article_id, passages[caveat.sentence], best.score, digest=best.digest)
            for caveat in (*best.passage.caveats, *best.passage.possible_caveats)
        )
    yield from hits


def _each_article_first(hits: list[Hit]) -> Iterator[Hit]:
    """Yield the best of each article, and then the others: figures that differ stand in different articles."""
    firsts = {hit.article_id: hit for hit in reversed(hits)}
    best = sorted(firsts.values(), key=hits.index)
    yield from best
    yield from hits  # what was taken is passed over as it comes again


def alike(hit: Hit, other: Hit, archive: Archive) -> bool:
    """Return whether two sentences say the same, as far as their words tell; a figure is a word among many."""
    one, two = (frozenset(terms(h.passage.sentence.span.of(archive.article(h.article_id).text))) for h in (hit, other))
    same = (hit.article_id, hit.passage) == (other.article_id, other.passage)
    return same or (bool(one) and len(one & two) >= ALIKE * len(one | two))


def _before(hit: Hit, archive: Archive) -> Passage | None:
    """Return the sentence before a hit, where it leans on that, or goes on with its quotation."""
    index = hit.passage.sentence.index
    before = archive.reading(hit.article_id).passages[index - 1] if index else None
    text = hit.passage.sentence.span.of(archive.article(hit.article_id).text)
    leans = before and (before in _quotation(hit, archive) or needs_before(text, hit.passage, before))
    return before if leans else None


# Words for somebody or something that the sentence does not name.
_SOMEBODY = re.compile(r"\W*(?:he|she|they|his|her|their|him|them)\b", re.IGNORECASE)
_SOMETHING = re.compile(
    r"\W*(?:it|its|this|that|these|those|such|both|another|others?|one|some|most|all|none|neither)\b", re.IGNORECASE
)
_OPENED = re.compile(r"\W*(?:but|and|so|yet|however|instead|also|then|still|meanwhile|nor|or)\b,?\s", re.IGNORECASE)
_COUNTED = re.compile(
    r"\W*(?:about|around|some|nearly|almost|only|at least|another)\s\d[\d,.]*\s(?:were|was|had|have|are)\b",
    re.IGNORECASE,
)


def needs_before(text: str, passage: Passage, before: Passage) -> bool:
    """Return whether ``passage`` (its ``text``) leans on the sentence ``before`` it.

    One whose speaker is known and is all that its "he" stands for is understood: the speaker is shown beside it.
    """
    if before.sentence.boilerplate is not None:
        return False
    if passage.mentions and not _SOMETHING.match(text):
        return False
    if _SOMEBODY.match(text):
        return passage.voice is not Voice.NAMED or passage.sentence.quotation is not None
    return bool(_SOMETHING.match(text) or _OPENED.match(text) or _COUNTED.match(text))


# What the archive proposes: with 60 the answer is there no more often.
CANDIDATES = 30
# How many sentences after an answer a follow-up may mean.
AFTER = 2


def choose_answer(question: Question, asking: SearchContext) -> Choice:
    """Return what to show for ``question``."""
    archive = asking.archive
    analysis = understood(question, asking)
    asked = Asked.of(analysis, archive)
    candidates = rank(propose(analysis, archive), asked, archive, asking.meaning)
    return choose(asked, candidates, asking)


def understood(question: Question, asking: SearchContext) -> Analysis:
    """Return what ``question`` asks for, after the one before it."""
    return understand(question, asking.archive, asking.shorthand, _earlier(question, asking))


def propose(analysis: Analysis, archive: Archive) -> tuple[Hit, ...]:
    """Return what the archive proposes, and what stands right after the answer before."""
    hits = archive.search(analysis.query, CANDIDATES)
    return (*hits, *_after(analysis, hits, archive))


def _after(analysis: Analysis, hits: tuple[Hit, ...], archive: Archive) -> Iterator[Hit]:
    """Yield what stands right after the answer before, whether it shares a word with the follow-up or not."""
    found = {(hit.article_id, hit.passage.sentence.index) for hit in hits}
    for article_id, place in analysis.near[:1]:
        reading = archive.reading(article_id)
        for passage in reading.passages[place : place + AFTER + 1]:
            kind = passage.sentence.boilerplate
            if (article_id, passage.sentence.index) not in found and (not kind or kind in analysis.query.boilerplate):
                yield Hit(article_id, passage, 0.0, digest=reading.article.digest)


def _earlier(question: Question, asking: SearchContext) -> Earlier | None:
    if not question.previous:
        return None
    before = choose_answer(replace(question, text=question.previous, previous=None), asking)
    # what was too unsure to be shown still says where the next question is likely to look
    likely = (Chosen(c.hit.article_id, c.hit.passage, digest=c.hit.digest) for c in before.candidates[:SHOWN])
    return Earlier(before.analysis, before.chosen or tuple(likely))
