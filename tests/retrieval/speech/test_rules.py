"""Who says each sentence, and by which rule: a text for each rule, and for what it must leave alone."""

from __future__ import annotations

import pytest

from retrieval.model import Attribution, Denial, Reading
from retrieval.names.mentions import find_names
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.reading_table import Row, rows_beside


def _speakers(reading: Reading) -> str:
    """Return who likely speaks in each sentence of an article: voice, speaker, rule, and who denies."""
    layout = lay_out(reading.article, parse(reading.article.text))
    layout = layout.with_names(find_names(layout))
    attributions = attribute(layout)
    return "; ".join(map(_speaker, attributions, find_denials(layout, attributions)))


def _speaker(said: Attribution | None, denial: Denial | None) -> str:
    voice = f"{said.voice} {said.speaker or '-'} ({said.rule})" if said else "outlet"
    return f"{voice} denied by {denial.speaker}" if denial else voice


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row.says)
def test_speakers_are_told_by_the_rule_that_is_due(row: Row) -> None:
    assert row.differences(_speakers) == {}
