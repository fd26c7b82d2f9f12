"""What a question asks for, the candidates, what is shown, and how sure a reply must be for that."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval import Hit, Passage, Query


class AnswerType(StrEnum):
    ANY = "any"
    NUMBER = "number"
    AGE = "age"
    MONEY = "money"
    DURATION = "duration"
    PERSON = "person"
    NAME = "name"  # of a thing: a firm, a ship, a film
    PLACE = "place"
    DATE = "date"
    QUOTATION = "quotation"
    REASON = "reason"
    DEFINITION = "definition"
    DENIAL = "denial"
    VERIFICATION = "verification"
    COMPARISON = "comparison"


class Band(StrEnum):
    """How a reply is presented; the surest first."""

    ANSWER = "answer"
    PROBABLY = "probably"  # with that one word
    CLOSEST = "closest"  # the closest matches, under a warning
    NONE = "none"  # nothing is quoted


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The confidence from which a reply is a sure answer, from which anything is shown, and from which without warning.

    ``follow_up`` is the multiple of ``shown`` for a follow-up: its words say less, so its confidence is lower.
    """

    sure: float = 0.8
    shown: float = 0.08
    probably: float = 0.45
    follow_up: float = 0.3

    def band(self, confidence: float, share: float = 1.0) -> Band:
        """Return the band of a confidence; ``share`` is a multiple of ``shown``."""
        if confidence < min(self.shown * share, self.sure):
            return Band.NONE
        if confidence >= self.sure:
            return Band.ANSWER
        return Band.PROBABLY if confidence >= self.probably else Band.CLOSEST


DEFAULT = Thresholds()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a question asks for.

    ``words`` pairs each content word of the asker with its alternative terms and their weights. For a follow-up,
    ``near`` are the places (article id, index of the sentence) of the previous answer, and ``named`` the entities it
    names itself, each by the terms of its spellings. ``parties`` are those without which no sentence surely answers.
    ``wording`` is the question as typed, and what it leaves unsaid. ``read_as`` are the typing errors in it, each with
    the word it was read as; ``offered`` is the question with another word corrected, for the asker to ask, or empty.
    """

    text: str
    query: Query
    words: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()
    types: tuple[AnswerType, ...] = (AnswerType.ANY,)
    near: tuple[tuple[str, int], ...] = ()
    named: tuple[tuple[frozenset[str], ...], ...] = ()
    parties: tuple[tuple[frozenset[str], ...], ...] = ()
    wording: str = ""
    read_as: tuple[tuple[str, str], ...] = ()
    offered: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hit with its ``features``; ``parts`` are the same times their weights, and add up to ``score``."""

    hit: Hit
    score: float
    parts: tuple[tuple[str, float], ...] = ()
    features: tuple[tuple[str, float], ...] = ()

    @property
    def place(self) -> tuple[str, int]:
        return self.hit.place


@dataclass(frozen=True, slots=True)
class Chosen(Hit):
    """A hit to show; ``before`` is the passage ahead of it, where it cannot be understood without."""

    before: Passage | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What is ``chosen`` to be shown of all ``candidates``, both best first; nothing in the band ``NONE``.

    ``confidence`` is the probability, 0 to 1, that a right sentence is among the first three; ``parts`` are the terms
    of its log-odds. ``looked_for`` are the asker's words and names, ``not_found`` the names and nouns of them that do
    not occur. ``competing`` is the place of another figure that may be the one asked for: both are shown.
    """

    analysis: Analysis
    chosen: tuple[Chosen, ...]
    candidates: tuple[Candidate, ...]
    band: Band
    confidence: float
    parts: tuple[tuple[str, float], ...] = ()
    looked_for: tuple[str, ...] = ()
    not_found: tuple[str, ...] = ()
    competing: tuple[str, int] | None = None
