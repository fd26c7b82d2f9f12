"""The nouns of scoring: what became of golden questions, in numbers. Frozen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What can be wrong with the reply to a golden question."""

    REFUSED = "refused"  # the articles say it, and nothing is shown
    MISSED = "missed"  # something is shown, and no right sentence is among it
    LATE = "late"  # the right sentence is not the first
    ANSWERED = "answered"  # the articles do not say it, and what is shown is called an answer
    SEVERED = "severed"  # the caveat that is due is not shown with the right sentence
    BORROWED = "borrowed"  # a caveat is shown with the right sentence, which has none
    UNNAMED = "unnamed"  # who says the right sentence is not shown
    MISQUOTED = "misquoted"  # what is shown is not what stands at the cited place
    UNCITED = "uncited"  # the article cited is not held


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """Return the share, 0 to 1; None of nothing."""
        return self.part / self.whole if self.whole else None


@dataclass(frozen=True, slots=True)
class Bands:
    """How well it is told what is surely an answer; what is said in doubt is never wrong.

    ``sure``: of the questions that the articles answer, those answered surely; ``right``: of all sure answers, those
    with a right sentence among them; ``wrongly``: of the questions that the articles do not answer, those answered
    surely.
    """

    sure: Share
    right: Share
    wrongly: Share


@dataclass(frozen=True, slots=True)
class Bin:
    """The replies whose confidence is in one tenth: ``told`` is their mean confidence, 0 to 1."""

    told: float
    right: Share


@dataclass(frozen=True, slots=True)
class Calibration:
    """Whether the confidence tells what is right from what is not, and is as high as it should be.

    ``auc`` is the share of pairs of a right and a wrong reply in which the right one is the surer, ties counting half;
    ``error`` how far the confidence is off, on average over the replies, in ten bins; both 0 to 1, and None where there
    is nothing to compare. ``bins`` are those that hold any reply, the least sure first.
    """

    auc: float | None
    error: float | None
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class Miss:
    """A question whose reply is at fault; ``shown`` are the words shown first, empty where nothing is."""

    id: str
    question: str
    faults: tuple[Fault, ...]
    shown: str


@dataclass(frozen=True, slots=True)
class Point:
    """Were answers given from this confidence on: the share of questions answered, and of answers right.

    Right is one with a right sentence among its first three, as the confidence has it.
    """

    threshold: float
    answered: Share
    right: Share


def tenths(points: Sequence[Point]) -> Iterator[Point]:
    """Yield the first point of each further tenth of the questions answered, and the last point."""
    reached = 0
    for point in points:
        tenth = 10 * point.answered.part // point.answered.whole
        if tenth > reached or point is points[-1]:
            yield point
        reached = tenth


@dataclass(frozen=True, slots=True)
class Scores:
    """What became of a file of golden questions.

    ``answered`` (surely or in doubt) to ``refused`` are of the questions that the articles answer;
    ``caveats`` to ``speakers`` of those whose right sentence is shown and for which the file says what is due.
    ``extracts`` counts the sentences shown, ``misquotes`` and ``uncited`` what is quoted in any role.
    ``curve`` goes from the surest answer to the least sure; ``now`` is where the desk stands, as it is set.
    """

    questions: int
    answered: Share
    first: Share
    within_three: Share
    refused: Share
    bands: Bands
    calibration: Calibration
    caveats: Share
    borrowed: Share
    speakers: Share
    extracts: int
    misquotes: int
    uncited: int
    misses: tuple[Miss, ...]
    now: Point
    curve: tuple[Point, ...]
