"""A hit -> its features: how far the question's words, meaning and type of answer are met by it.

Every feature has a name, and most go from 0 to 1. What each is worth is learned (see ``training/ranking.py``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.ask.answer_types import View, holds
from bot.ask.model import Analysis
from bot.ask.question_types import AnswerType
from retrieval import K1, Hit, idf

if TYPE_CHECKING:
    from retrieval import Archive


# Longer sentences are never shown, and need not be read to their end.
LONGEST = 1200
# What nearness to a second or third answer counts for beside that to the first.
_LATER = 0.6
# What a sentence shares with the answer before by standing in its article, whatever the distance.
_SAME_ARTICLE = 0.3

# A headline or a reader's question repeats the words of the asker's, and answers nothing.
_ASKS = re.compile(r"\?\W*$")

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is the same for every hit of a question.

    ``potential`` is the score of a sentence that holds every word of the question once, ``missing`` the share of it
    that no sentence can reach, since the words occur nowhere; ``nowhere`` are those words, as asked. ``terms`` are the
    terms of all words, ``words`` those of each with what it is worth, and ``size`` how many sentences are held.
    """

    analysis: Analysis
    potential: float
    missing: float
    nowhere: tuple[str, ...]
    terms: frozenset[str]
    words: tuple[tuple[frozenset[str], float], ...]
    size: int

    @classmethod
    def of(cls, analysis: Analysis, archive: Archive) -> Asked:
        """Return the question with its words weighed by how rare they are in ``archive``."""
        counts = archive.vocabulary().frequencies({name for _, terms in analysis.words for name, _ in terms})
        size = archive.vocabulary().size()
        worth = [_worth(terms, size, counts) for _, terms in analysis.words]
        every = sum(most for most, _ in worth)
        found = sum(reached for _, reached in worth)
        return cls(
            analysis,
            potential=(K1 + 1) * every or 1.0,
            missing=1 - found / every if every else 1.0,
            nowhere=_nowhere(analysis, worth),
            terms=frozenset(name for _, terms in analysis.words for name, _ in terms),
            words=tuple(
                (frozenset(name for name, _ in terms), most)
                for (_, terms), (most, _) in zip(analysis.words, worth, strict=True)
            ),
            size=size,
        )


def _worth(terms: tuple[tuple[str, float], ...], size: int, counts: Mapping[str, int]) -> tuple[float, float]:
    """Return what a word is worth that is found by ``terms``: at most, and by those of them that occur."""
    each = [(weight * idf(size, counts[name]), counts[name]) for name, weight in terms]
    return max(value for value, _ in each), max((value for value, frequency in each if frequency), default=0.0)


def _nowhere(analysis: Analysis, worth: Sequence[tuple[float, float]]) -> tuple[str, ...]:
    """Return the asker's words of which nothing occurs: of shorthand, neither itself nor what it stands for."""
    found = {word: False for word, _ in analysis.words}
    for (word, _), (_, reached) in zip(analysis.words, worth, strict=True):
        found[word] |= reached > 0
    return tuple(word for word, occurs in found.items() if not occurs)


def features(hits: Sequence[Hit], asked: Asked, archive: Archive) -> list[Features]:
    """Return the features of each hit that words give."""
    return [_features(hit, asked, archive) for hit in hits]


def _features(hit: Hit, asked: Asked, archive: Archive) -> Features:
    text = hit.passage.sentence.span.of(archive.article(hit.article_id).text)
    view = View(text[:LONGEST], hit.passage, asked.terms)
    # a long question reaches higher scores, and is no better answered for that; half of that is taken off
    scale = math.sqrt(asked.potential)
    return {
        "sentence": hit.sentence / scale,
        "paragraph": hit.paragraph / scale,
        "article": hit.article / scale,
        "type": holds(asked.analysis.types[0], view),
        "near": _near(hit, asked.analysis),
        # news says first what matters most, and last who wrote it
        "lead": 0.0 if asked.analysis.query.boilerplate else 1 / (1 + hit.passage.sentence.index),
        "asks": float(_ASKS.search(text) is not None),
    }


def _near(hit: Hit, analysis: Analysis) -> float:
    """Return how near the hit stands to what was answered before, 0 to 1; the first answer counts most."""
    index = hit.passage.sentence.index
    return max(
        (
            _nearness(index - place, analysis) * (_LATER if later else 1.0)
            for later, (article_id, place) in enumerate(analysis.near)
            if article_id == hit.article_id
        ),
        default=0.0,
    )


def _nearness(distance: int, analysis: Analysis) -> float:
    if distance > 0:  # what comes after an answer is nearest
        return max(_SAME_ARTICLE, 1.1 - 0.1 * distance)
    if distance < 0:
        return max(_SAME_ARTICLE, 0.7 + 0.1 * distance)
    # the answer itself was shown, unless it is asked whether it was verified
    return 0.9 if analysis.types[0] is AnswerType.VERIFICATION else 0.0
