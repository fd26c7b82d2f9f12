"""The words by which news copy says who speaks (``cues.toml``), and what the rules of speech pass to one another."""

from dataclasses import dataclass
from enum import Enum, auto

from retrieval.lexicon.word_classes import WordSets
from retrieval.model import Mention, Span
from retrieval.models.source_model import Places

cues = WordSets(__package__)


class Shape(Enum):
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
    """A cue for speech: the tokens ``cue`` to ``last``, with ``source`` as the speaker.

    Without a source it is hearsay ("is believed to"). ``observed`` where the source saw and does not speak.
    ``name`` is where the article names in full whom the source means, ``names`` are all whom it may mean.
    ``sourced`` and ``named`` are the probabilities of either place, ``likely`` is that of its being speech at all.
    ``rule`` found it.
    """

    source: Source | None
    cue: int
    last: int
    rule: str
    observed: bool = False
    name: Span | None = None
    names: Places = ()
    sourced: float = 1.0
    named: float = 0.0
    likely: float = 1.0
