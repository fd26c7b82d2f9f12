"""Who is said to speak, and the cue that tells: what the rules of speech hand to one another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from retrieval.model import Mention

# How surely a cue is the sentence's own: its main clause, a clause beside it, or none of its own at all.
MAIN, ASIDE, BELOW = 2, 1, 0


class Shape(Enum):
    """How a source is given."""

    NAME = auto()
    PHRASE = auto()
    PRONOUN = auto()


@dataclass(frozen=True, slots=True)
class Source:
    """Who is said to speak: tokens ``first`` to ``last`` (inclusive), ``head`` its chief word in lower case.

    ``mention`` is there for a name only.
    """

    shape: Shape
    first: int
    last: int
    head: str
    mention: Mention | None = None


@dataclass(frozen=True, slots=True)
class Speech:
    """That a sentence tells of speech: the tokens ``cue`` to ``last`` are the cue, ``source`` who speaks.

    Without a source it is hearsay ("is believed to"). ``observed`` where the source saw and does not speak.
    ``rank`` orders the cues of one sentence; ``rule`` found it; ``lemma`` is the verb's. It is ``sure`` where
    whoever it tells of can be shown.
    """

    source: Source | None
    cue: int
    last: int
    rank: int
    rule: str
    lemma: str = ""
    observed: bool = False
    sure: bool = True
