"""The nouns of choosing: what was considered, what is shown, and why nothing is."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.model import Passage
from retrieval.search import Hit, Query


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hit in the second stage; ``parts`` are its signals by name, already weighed: they add up to ``score``."""

    hit: Hit
    score: float
    parts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """A passage to show; ``before`` is the one ahead of it, where it cannot be understood alone."""

    article_id: str
    passage: Passage
    before: Passage | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What is shown, best first (at most three); none of it where nothing answers.

    ``candidates`` are all that were considered, best first; ``refusal`` names the rule by which nothing is shown.
    ``confidence`` holds what the decision to show anything rests on, by name, already weighed.
    ``looked_for`` are the asker's words and names, ``not_found`` those of them that occur nowhere.
    """

    query: Query
    chosen: tuple[Chosen, ...]
    candidates: tuple[Candidate, ...]
    looked_for: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()
    refusal: str = ""
    confidence: tuple[tuple[str, float], ...] = ()
