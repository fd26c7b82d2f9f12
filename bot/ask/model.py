"""The nouns of asking: what a question asks for, what was considered, what is shown, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.ask.question_types import AnswerType
from retrieval import Hit, Meaning, Passage, Query

if TYPE_CHECKING:
    from retrieval import Archive


@dataclass(frozen=True, slots=True)
class Analysis:
    """A question understood.

    ``query`` is what the archive is asked. ``words`` pairs each content word of the asker with the terms it stands
    for, as (term, how well it does): what is reported as looked for. ``near`` are the places (article id, index of the
    sentence) that a follow-up leans on: what was answered before. ``named`` is whom and what the follow-up itself
    names, each by the terms of its spellings. ``wording`` is the question as typed, after the one before it.
    """

    text: str
    query: Query
    words: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()
    types: tuple[AnswerType, ...] = (AnswerType.ANY,)
    near: tuple[tuple[str, int], ...] = ()
    named: tuple[tuple[frozenset[str], ...], ...] = ()
    wording: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hit in the second stage; ``parts`` are its features by name, already weighed: they add up to ``score``."""

    hit: Hit
    score: float
    parts: tuple[tuple[str, float], ...] = ()
    features: tuple[tuple[str, float], ...] = ()

    @property
    def place(self) -> tuple[str, int]:
        """Its article's id, and the index of its sentence."""
        return self.hit.article_id, self.hit.passage.sentence.index


@dataclass(frozen=True, slots=True)
class Chosen:
    """A passage to show; ``before`` is the one ahead of it, where it cannot be understood alone.

    ``digest`` is that of the text in which it was found.
    """

    article_id: str
    passage: Passage
    before: Passage | None = None
    digest: str = ""


class Band(StrEnum):
    """What is done with a reply by its confidence."""

    SURE = "sure"  # an answer
    UNSURE = "unsure"  # the nearest sentences, and it is said that they may not answer
    NOTHING = "nothing"  # nothing is shown


@dataclass(frozen=True, slots=True)
class Choice:
    """What is shown, best first (at most three); nothing where the band is ``NOTHING``.

    ``candidates`` are all that were considered, best first. ``confidence`` is the probability, 0 to 1, that a right
    sentence is among the first three; ``parts`` are the log-odds of that, by name, already weighed.
    ``looked_for`` are the asker's words and names, ``not_found`` those of them that occur nowhere.
    """

    analysis: Analysis
    chosen: tuple[Chosen, ...]
    candidates: tuple[Candidate, ...]
    band: Band
    confidence: float
    parts: tuple[tuple[str, float], ...] = ()
    looked_for: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which confidence on a reply is an answer, and from which on anything is shown.

    The confidence is a probability: the least sure answer is right about as often as ``sure`` says, three times in
    four, and those above it more often. A right sentence that is kept back is lost, and one that is shown in doubt
    costs a glance, so only what is next to never right (``shown``) is kept back.
    """

    sure: float = 0.8
    shown: float = 0.03

    def band(self, confidence: float) -> Band:
        """Return what is done with a reply of this confidence."""
        return Band.SURE if confidence >= self.sure else Band.UNSURE if confidence >= self.shown else Band.NOTHING


DEFAULT = Thresholds()


@dataclass(frozen=True, slots=True)
class SearchContext:
    """What a question is asked of: the archive, an encoder if there is one, the newsroom's own shorthand."""

    archive: Archive
    meaning: Meaning | None = None
    shorthand: tuple[tuple[str, str], ...] = ()
    thresholds: Thresholds = DEFAULT
