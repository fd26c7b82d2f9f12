"""A hit -> its features: how well it meets the words, the meaning and the type of answer of the question.

Every feature has a name, and most go from 0 to 1. Their weights are learned (see ``training/ranking.py``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.ask.answer_types import SentenceView, holds
from bot.ask.model import Analysis, AnswerType
from retrieval import K1, Archive, Hit, idf

LONGEST = 1200  # code points of a sentence that are read: a longer one is never shown
_LATER = 0.6  # how much nearness to a second or third answer counts, compared with the first
_SAME_ARTICLE = 0.3  # nearness of every sentence in the article of the previous answer, whatever the distance
_ASKS = re.compile(r"\?\W*$")

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
