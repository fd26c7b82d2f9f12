"""Hits -> candidates, best first: a linear model over named features (``docs/theory/ranking.md``).

The features say how well a hit meets the words, the meaning and the type of answer of the question. Most go from 0 to
1. Their weights are learned (see ``training/ranking.py``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from bot.ask.answer_types import SentenceView, holds
from bot.ask.model import Analysis, AnswerType, Candidate
from retrieval import K1, Archive, Hit, Logistic, Meaning, Reading, Window, idf, read_table

COSINES = ("meaning", "context")  # of the question with the sentence alone, and in its context
FURTHER = (*COSINES, "reader")  # features that need an encoder and a reader
LONGEST = 1200  # code points of a sentence that are read: a longer one is never shown
_LATER = 0.6  # how much nearness to a second or third answer counts, compared with the first
_SAME_ARTICLE = 0.3  # nearness of every sentence in the article of the previous answer, whatever the distance
_ASKS = re.compile(r"\?\W*$")
_read_weights = cache(lambda name: Logistic(**read_table("bot.ask", f"weights/{name}.toml")))

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its words weighted by how rare they are in the archive.

    ``potential`` is the score of a sentence with every word of the question once, ``missing`` the share of it that no
    sentence can reach, since the words ``nowhere`` do not occur. ``terms`` are those of all words, ``words`` those of
    each with its weight.
    """

    analysis: Analysis
    potential: float
    missing: float
    nowhere: tuple[str, ...]
    terms: frozenset[str]
    words: tuple[tuple[frozenset[str], float], ...]

    @classmethod
    def of(cls, analysis: Analysis, archive: Archive) -> Asked:
        counts = archive.vocabulary().frequencies({name for _, terms in analysis.words for name, _ in terms})
        size = archive.vocabulary().size()
        worth = [_worth(terms, size, counts) for _, terms in analysis.words]
        every = sum(most for most, _ in worth)
        found = sum(reached for _, reached in worth)
        occurring = dict.fromkeys((word for word, _ in analysis.words), False)
        for (word, found_by), (_, reached) in zip(analysis.words, worth, strict=True):
            # the search looks at titles too; of shorthand, its meaning counts as well
            occurring[word] |= reached > 0 or bool(archive.search(replace(analysis.query, terms=found_by), 1))
        return cls(
            analysis,
            potential=(K1 + 1) * every or 1.0,
            missing=1 - found / every if every else 1.0,
            nowhere=tuple(word for word, occurs in occurring.items() if not occurs),
            terms=frozenset(name for _, terms in analysis.words for name, _ in terms),
            words=tuple(
                (frozenset(name for name, _ in terms), most)
                for (_, terms), (most, _) in zip(analysis.words, worth, strict=True)
            ),
        )


def _worth(terms: tuple[tuple[str, float], ...], size: int, counts: Mapping[str, int]) -> tuple[float, float]:
    """Return the weight of a word with these alternative ``terms``: at most, and by those of them that occur."""
    values = [(weight * idf(size, counts[name]), counts[name]) for name, weight in terms]
    return max(value for value, _ in values), max((value for value, frequency in values if frequency), default=0.0)


def text_of(hit: Hit, archive: Archive) -> str:
    return hit.passage.sentence.span.of(archive.article(hit.article_id).text)


def view(hit: Hit, asked: Asked, archive: Archive) -> SentenceView:
    return SentenceView(text_of(hit, archive)[:LONGEST], hit.passage, asked.terms)


def features(hits: Sequence[Hit], asked: Asked, archive: Archive) -> list[Features]:
    # a long question reaches higher scores without a better answer; the root takes half of that off
    scale = math.sqrt(asked.potential)
    return [
        {
            "sentence": hit.sentence / scale,
            "paragraph": hit.paragraph / scale,
            "article": hit.article / scale,
            "type": holds(asked.analysis.types[0], sentence),
            "near": _near(hit, asked.analysis),
            # news says first what matters most, and last who wrote it
            "lead": 0.0 if asked.analysis.query.boilerplate else 1 / (1 + hit.passage.sentence.index),
            "asks": float(is_question(sentence.text)),
        }
        for hit, sentence in ((hit, view(hit, asked, archive)) for hit in hits)
    ]


def is_question(text: str) -> bool:
    return _ASKS.search(text) is not None


def _near(hit: Hit, analysis: Analysis) -> float:
    """Return how near the hit is to the previous answers, 0 to 1; the first counts most."""
    near = 0.0
    for later, (article_id, index) in enumerate(analysis.near):
        distance = hit.passage.sentence.index - index
        # right after an answer is nearest; itself it is wanted only where the question is whether it was verified
        value = max(_SAME_ARTICLE, 1.1 - 0.1 * distance if distance > 0 else 0.7 + 0.1 * distance)
        if distance == 0:
            value = 0.9 if analysis.types[0] is AnswerType.VERIFICATION else 0.0
        if article_id == hit.article_id:
            near = max(near, value * (_LATER if later else 1.0))
    return near


def weights(model: str, known: Collection[str]) -> Logistic:
    """Return the learned weights of "ranking" or "confidence" for the features that are ``known``."""
    return _read_weights("-".join([model, *(name for name in ("meaning", "reader") if name in known)]))


def rank(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[Candidate, ...]:
    """Return ``hits`` as candidates, best first; ties by article and place."""
    found = for_reader(hits, asked, archive, meaning)
    if not (meaning and found and COSINES[0] in dict(found[0].features)):
        return found
    odds = read([candidate.hit for candidate in found], asked.analysis.wording, archive, meaning.read)
    if not odds:
        return for_reader(hits, asked, archive, None)
    read_ones = [{**dict(candidate.features), "reader": each} for candidate, each in zip(found, odds, strict=True)]
    return _in_order(_weighed([candidate.hit for candidate in found], read_ones), asked, archive)


def for_reader(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning | None) -> tuple[Candidate, ...]:
    """Return ``hits`` as candidates in the order in which the reader gets them: by words, and by meaning if it can."""
    values = features(hits, asked, archive)
    near = cosines(hits, asked, archive, meaning) if meaning and hits else ()
    if near:
        values = [{**each, **dict(zip(COSINES, two, strict=True))} for each, two in zip(values, near, strict=True)]
    return _in_order(_weighed(hits, values), asked, archive)


def _in_order(found: Iterable[Candidate], asked: Asked, archive: Archive) -> tuple[Candidate, ...]:
    """Return the best first, and before them those about what a follow-up names: "and Leeds?" asks for nothing else."""

    def order(each: Candidate) -> tuple[bool, float, str, int]:
        named = asked.analysis.named
        return bool(named) and not any(is_about(each, it, archive) for it in named), -each.score, *each.place

    return tuple(sorted(found, key=order))


def _weighed(hits: Sequence[Hit], rows: Sequence[Features]) -> list[Candidate]:
    model = weights("ranking", rows[0] if rows else ())
    return [Candidate(hit, model.score(v), model.parts(v), tuple(v.items())) for hit, v in zip(hits, rows, strict=True)]


def is_about(candidate: Candidate, spellings: tuple[frozenset[str], ...], archive: Archive) -> bool:
    """Return whether a sentence names an entity, by the terms of its spellings, or is said by it."""
    article_id, index = candidate.place
    terms = archive.searchable([article_id])[article_id][index].terms
    return any(spelt <= terms for spelt in spellings)


def cosines(hits: Sequence[Hit], asked: Asked, archive: Archive, meaning: Meaning) -> list[tuple[float, ...]]:
    """Return the cosines of each hit with the question; nothing without an encoder.

    Where the archive has none yet, and of boilerplate, the sentence alone is encoded now and stands in for its context.
    """
    from retrieval import compared  # noqa: PLC0415 - loads numpy

    if (question := asked.analysis.query.vector) is None:
        return []
    missing = [view(hit, asked, archive).text for hit in hits if not hit.cosines]
    codes = meaning.passages(missing) if missing else None
    if missing and codes is None:
        return []
    made = iter(() if codes is None else compared(question, codes))
    return [hit.cosines or (next(made),) * 2 for hit in hits]


# An article is cut into windows from its top, and those of the best hits are read, each as a whole: a sentence is
# scored with those around it, and these are read once for all.
WORDS = 90  # of a window
READ = 8  # windows of a question
Scores = Callable[[str, Sequence[Window]], Sequence[tuple[float, ...]] | None]
WindowPlace = tuple[str, tuple[int, ...]]  # the id of an article, the indexes of the sentences of a window
UNREAD = -7.0  # log-odds of what was not read: as low as the reader goes


def windows(reading: Reading) -> tuple[tuple[int, ...], ...]:
    """Return the windows of an article as indexes of sentences, without boilerplate."""
    found: list[list[int]] = []
    room = 0
    for passage in reading.passages:
        if passage.sentence.boilerplate:
            continue
        length = len(passage.sentence.span.of(reading.article.text).split())
        if not found or length > room:
            found.append([])
            room = WORDS
        found[-1].append(passage.sentence.index)
        room -= length
    return tuple(map(tuple, found))


def window(reading: Reading, indexes: Sequence[int]) -> Window:
    """Return a window with the article's head and the sentence before it."""
    article = reading.article
    texts = {
        index: " ".join(reading.passages[index].sentence.span.of(article.text).split())
        for index in {0, indexes[0] - 1, *indexes}
        if index >= 0
    }
    day = article.published.isoformat() if article.published else None
    title = article.title or (texts[0] if indexes[0] else None)
    return Window(
        head=" · ".join(filter(None, (article.source, day, title))),
        before=texts.get(indexes[0] - 1, ""),
        sentences=tuple(texts[index] for index in indexes),
    )


def window_places(hits: Iterable[Hit], archive: Archive, most: int = READ) -> tuple[WindowPlace, ...]:
    """Return the article and the sentences of the windows in which ``hits`` (best first) stand."""
    cut: dict[str, tuple[tuple[int, ...], ...]] = {}
    found: dict[WindowPlace, None] = {}
    for hit in hits:
        if len(found) >= most:
            break
        if hit.article_id not in cut:
            cut[hit.article_id] = windows(archive.reading(hit.article_id))
        index = hit.passage.sentence.index
        found |= {(hit.article_id, each): None for each in cut[hit.article_id] if index in each}
    return tuple(found)


def read(hits: Sequence[Hit], question: str, archive: Archive, scores: Scores) -> tuple[float, ...]:
    """Return the log-odds of each of ``hits`` (best first), ``UNREAD`` where it was not read; none without a reader."""
    given = window_places(hits, archive)
    found = scores(question, [window(archive.reading(name), indexes) for name, indexes in given])
    if found is None:
        return ()
    odds = {
        (name, index): score
        for (name, indexes), each in zip(given, found, strict=True)
        for index, score in zip(indexes, each, strict=True)
    }
    return tuple(odds.get(hit.place, UNREAD) for hit in hits)
