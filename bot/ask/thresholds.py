"""How sure a reply must be to be shown, and to be shown as an answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Band(StrEnum):
    SURE = "sure"  # an answer
    UNSURE = "unsure"  # the closest matches, marked as unsure
    NOTHING = "nothing"  # nothing is shown


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The confidence from which a reply is a sure answer, and from which anything is shown.

    The others are multiples of ``shown``, for questions that differ from most.
    """

    sure: float = 0.8
    shown: float = 0.1
    asking_on: float = 0.3  # a follow-up: its words say less, so its confidence is lower
    lacking: float = 2.5  # some word of the question is in no article
    foreign: float = 10.0  # none of its words is in any article
    personal: float = 6.0  # it is about the person who asks

    def band(self, confidence: float, share: float = 1.0) -> Band:
        """Return the band of a confidence; ``share`` is one of the multiples of ``shown``."""
        if confidence < min(self.shown * share, self.sure):
            return Band.NOTHING
        return Band.SURE if confidence >= self.sure else Band.UNSURE


DEFAULT = Thresholds()
