"""Who says each sentence, and by which rule: a text for each rule, and for what it must leave alone."""

from __future__ import annotations

import pytest

from retrieval.model import Attribution, Denial, Reading
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.told_readings import Told, told_in


def _speakers(reading: Reading) -> str:
    """Tell who likely speaks in each sentence of an article: voice, speaker, rule, and who denies."""
    layout = lay_out(reading.article, parse(reading.article.text))
    layout = layout.with_names(find_names(layout))
    attributions = attribute(layout)
    return "; ".join(map(_speaker, attributions, find_denials(layout, attributions)))


def _speaker(told: Attribution | None, denial: Denial | None) -> str:
    voice = f"{told.voice} {told.speaker or '-'} ({told.rule})" if told else "outlet"
    return f"{voice} denied by {denial.speaker}" if denial else voice


@pytest.mark.parametrize("told", told_in(__file__), ids=lambda told: told.says)
def test_speakers_are_told_by_the_rule_that_is_due(told: Told) -> None:
    """And by no other, in no sentence of the row."""
    assert told.otherwise(_speakers) == {}
