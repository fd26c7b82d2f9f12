"""The scores of golden questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class AnswerFault(StrEnum):
    REFUSED = "refused"  # the articles answer it, and nothing is shown
    MISSED = "missed"  # no right sentence is shown
    LATE = "late"  # the right sentence is not the first
    ANSWERED = "answered"  # the articles do not answer it, and a sure answer is shown
    SEVERED = "severed"  # the right sentence is shown without its caveat
    BORROWED = "borrowed"  # the right sentence has no caveat, and one is shown
    UNNAMED = "unnamed"  # the speaker of the right sentence is not shown
    MISQUOTED = "misquoted"  # the article has other words at the cited place
    UNCITED = "uncited"  # the article cited is not in the archive


@dataclass(frozen=True, slots=True)
class Share:
    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None of nothing."""
        return self.part / self.whole if self.whole else None


@dataclass(frozen=True, slots=True)
class Bands:
    """How good the sure answers are; an unsure answer is never wrong.

    ``sure``: of the questions that the articles answer, those with a sure answer; ``right``: of all sure answers, those
    with a right sentence; ``wrongly``: of the questions that the articles do not answer, those with a sure answer.
    """

    sure: Share
    right: Share
    wrongly: Share


@dataclass(frozen=True, slots=True)
class Bin:
    """The replies whose confidence is in one tenth; ``confidence`` is their mean, 0 to 1."""

    confidence: float
    right: Share


@dataclass(frozen=True, slots=True)
class Calibration:
    """``auc`` is the area under the ROC curve, ``error`` the expected calibration error over ten bins; both 0 to 1.

    They are None where there is nothing to compare. ``bins`` are those with replies, the least sure first.
    """

    auc: float | None
    error: float | None
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class Miss:
    """A question whose reply has faults; ``shown`` is the first sentence shown, or empty."""

    id: str
    question: str
    faults: tuple[AnswerFault, ...]
    shown: str


@dataclass(frozen=True, slots=True)
class ThresholdScore:
    """With this threshold for sure answers: the share of questions answered, and of answers with a right sentence."""

    threshold: float
    answered: Share
    right: Share


def tenths(points: Sequence[ThresholdScore]) -> Iterator[ThresholdScore]:
    """Yield the first point of each tenth of the questions answered, and the last point."""
    reached = 0
    for point in points:
        tenth = 10 * point.answered.part // point.answered.whole
        if tenth > reached or point is points[-1]:
            yield point
        reached = tenth


@dataclass(frozen=True, slots=True)
class Scores:
    """``answered`` (surely or not) to ``refused`` are of the questions that the articles answer.

    ``caveats`` to ``speakers`` are of those whose right sentence is shown and for which the file requires something.
    ``extracts`` counts the sentences shown, ``misquotes`` and ``uncited`` everything quoted.
    ``curve`` goes from the surest answer to the least sure; ``now`` is the point of the present threshold.
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
    now: ThresholdScore
    curve: tuple[ThresholdScore, ...]
