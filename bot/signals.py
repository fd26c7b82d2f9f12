"""A hit -> its signals: how far the question's words, names and kind of answer are met by it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bot.answers import View, holds
from bot.asked import Asked, Concept
from bot.choice import Candidate
from retrieval.archive.terms import terms
from retrieval.search import Answering, Archive, Hit, Query, Searchable

# How well a word of the question is met by where it stands: in the sentence itself it counts whole.
SPEAKER = 0.95
AROUND = 0.9
BEFORE = 0.45
AFTER = 0.2
ARTICLE = 0.3
# What nearness to a second or third answer counts for beside that to the first.
LATER = 0.6

# What each signal adds to the score at most.
SCORED = {
    "own": 1.0,
    "context": 0.8,
    "bm25": 0.3,
    "pairs": 0.1,
    "kind": 0.2,
    "speaker": 0.3,
    "near": 0.6,
    "caveat": 0.2,
    "dense": 0.05,
    "unnamed": -0.1,
    "credit": 0.4,
}
# Longer sentences are never shown, and need not be read to their end.
LONGEST = 1200
LONGEST_TERMS = 200


def weigh(hit: Hit, asked: Asked, archive: Archive) -> Candidate:
    """Return ``hit`` with its signals."""
    values = signals(hit, asked, archive)
    parts = tuple((name, weight * values[name]) for name, weight in SCORED.items() if values[name])
    return Candidate(hit, sum(value for _, value in parts), parts)


def signals(hit: Hit, asked: Asked, archive: Archive) -> dict[str, float]:
    """Return each signal by name, most of them from 0 to 1."""
    sentences = archive.searchable(hit.article_id)
    here = sentences[hit.passage.sentence.index]
    article = archive.article(hit.article_id)
    held, nearby = _held(here), _nearby(hit, sentences, terms(f"{article.source or ''} {article.title or ''}"))
    own = {c: c.met(held) for c in asked.concepts}
    full = {c: max(met, c.met(nearby)) for c, met in own.items()}
    share = _share(asked.concepts, own)
    view = _view(hit.passage.sentence.span.of(article.text)[:LONGEST], hit, asked, sentences)
    kinds = tuple(holds(kind, view) for kind in asked.query.answering)
    return {
        "own": share,
        "context": _share(asked.concepts, full) - share,
        "bm25": hit.score / asked.best,
        "pairs": _pairs(asked, here.own),
        "kind": kinds[0] + sum(kinds[1:]) / 2,
        "unmet": max(0.0, -kinds[0]),
        "speaker": _speaker(asked, here),
        "near": _near(hit, asked),
        "caveat": _caveat(hit, asked.query),
        "credit": float(hit.passage.sentence.boilerplate is not None),
        "dense": _dense(asked, here.own),
        "unnamed": 1 - min(1.0, 2 * _share(asked.named, full)) if asked.named else 0.0,
    }


def _view(text: str, hit: Hit, asked: Asked, sentences: tuple[Searchable, ...]) -> View:
    index = hit.passage.sentence.index
    here = sentences[index]
    named = frozenset(name for c in asked.named for name, _ in c.terms)
    return View(
        text=text,
        passage=hit.passage,
        own=here.own,
        question=asked.query.text,
        counted=asked.counted,
        asked=asked.every,
        named=named,
        role=asked.role,
        held=frozenset((*here.own, *here.speaker, *here.around)),
        is_first=Answering.DEFINITION in asked.query.answering and _is_first(named, sentences, index),
    )


def _is_first(named: frozenset[str], sentences: tuple[Searchable, ...], index: int) -> bool:
    """Tell whether the sentence is the first of the article that has all or most of the name."""
    here = len(named.intersection(sentences[index].own))
    return here > 0 and not any(len(named.intersection(s.own)) >= here for s in sentences[:index])


def _share(concepts: Sequence[Concept], met: dict[Concept, float]) -> float:
    """Return the share of ``concepts`` that is met, each with its weight."""
    total = sum(c.weight for c in concepts)
    return sum(c.weight * met[c] for c in concepts) / total if total else 0.0


def _held(here: Searchable) -> dict[str, float]:
    """Return the sentence's terms, each with what it counts for."""
    return dict.fromkeys(here.around, AROUND) | dict.fromkeys(here.speaker, SPEAKER) | dict.fromkeys(here.own, 1.0)


def _nearby(hit: Hit, sentences: tuple[Searchable, ...], head: tuple[str, ...]) -> dict[str, float]:
    """Return the terms around the sentence: after it, over the article (``head``), before it; the last counts most."""
    index = hit.passage.sentence.index
    after = sentences[index + 1].own if index + 1 < len(sentences) else ()
    before = (*sentences[index - 1].own, *sentences[index - 1].speaker) if index else ()
    return dict.fromkeys(after, AFTER) | dict.fromkeys(head, ARTICLE) | dict.fromkeys(before, BEFORE)


def _pairs(asked: Asked, own: tuple[str, ...], reach: int = 3) -> float:
    """Return the share of the question's neighbouring words that stand near each other in the sentence."""
    places = [[i for i, name in enumerate(own[:LONGEST_TERMS]) if name in names] for names in asked.content]
    pairs = list(pairwise(places))
    near = sum(any(0 < abs(i - j) <= reach for i in left for j in right) for left, right in pairs)
    return near / len(pairs) if pairs else 0.0


def _speaker(asked: Asked, here: Searchable) -> float:
    """Return 1 where the sentence is said by whom it should be, less than 0 where nobody says it."""
    if not asked.speakers:
        return 0.0
    held = dict.fromkeys((*here.speaker, *here.own), 1.0)
    said_by = _share(asked.speakers, {c: c.met(held) for c in asked.speakers})
    return said_by if here.speaker or said_by else -0.3


def _near(hit: Hit, asked: Asked) -> float:
    """Return how near the hit stands to what was answered before, 0 to 1; the first answer counts most."""
    index = hit.passage.sentence.index
    return max(
        (
            _nearness(index - place, asked) * (LATER if later else 1.0)
            for later, (article_id, place) in enumerate(asked.query.near)
            if article_id == hit.article_id
        ),
        default=0.0,
    )


def _nearness(distance: int, asked: Asked) -> float:
    # what comes after an answer is nearest; the answer itself is asked about, unless the question adds to it
    if distance == 0:
        return 0.0 if asked.adds and asked.query.answering[0] is not Answering.VERIFICATION else 0.9
    return max(0.3, 1.1 - 0.1 * distance) if distance > 0 else max(0.3, 0.7 + 0.1 * distance)


def _caveat(hit: Hit, query: Query) -> float:
    """Return whether a caveat answers, where one is asked for."""
    if query.answering[0] is not Answering.VERIFICATION:
        return -0.5 if hit.passage.is_caveat else 0.0
    return 1.0 if hit.passage.is_caveat else 0.5 if hit.passage.caveats else 0.0


def _dense(asked: Asked, own: tuple[str, ...]) -> float:
    return sum(name in asked.every for name in own) / len(own) if own else 0.0
