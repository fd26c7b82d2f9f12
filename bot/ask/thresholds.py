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

    The others are multiples of ``shown``, for questions that differ from most: one that asks on (its words say less,
    so its confidence is lower), one with a word that no article has, one with no other, and one about the asker.
    """

    sure: float = 0.8
    shown: float = 0.1
    asking_on: float = 0.3
    lacking: float = 2.5
    foreign: float = 10.0
    personal: float = 6.0

    def band(self, confidence: float, share: float = 1.0) -> Band:
        """Return the band of a confidence; ``share`` is one of the multiples of ``shown``."""
        if confidence < min(self.shown * share, self.sure):
            return Band.NOTHING
        return Band.SURE if confidence >= self.sure else Band.UNSURE


DEFAULT = Thresholds()
