"""Who says each sentence, and by which rule: a text for each rule, and for what it must leave alone."""

from __future__ import annotations

import pytest

from retrieval.model import Passage, Reading
from tests.retrieval.told_readings import Told, told_in


def _speakers(reading: Reading) -> str:
    """Tell who speaks in each sentence of a reading: voice, speaker, rule, and what is denied by whom."""
    return "; ".join(_speaker(passage) for passage in reading.passages)


def _speaker(passage: Passage) -> str:
    told, denial = passage.attribution, passage.denial
    voice = f"{passage.voice} {passage.speaker or '-'} ({told.rule})" if told else "outlet"
    return f"{voice} denies {denial.of} as {denial.speaker}" if denial else voice


@pytest.mark.parametrize("told", told_in(__file__), ids=lambda told: told.says)
def test_speakers_are_told_by_the_rule_that_is_due(told: Told) -> None:
    """And by no other, in no sentence of the row."""
    assert told.otherwise(_speakers) == {}
