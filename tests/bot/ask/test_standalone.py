"""Whether a sentence can be understood alone."""

from __future__ import annotations

import pytest

from bot.ask.standalone import needs_before
from retrieval.model import Article
from retrieval.pipeline import read_all

LEANING = (
    "They had left the bridge by then.",
    "It also lost a lifeboat.",
    "But nobody came.",
    "About 12 were still on deck.",
    "Another was never found.",
)
STANDING = (
    "The ferry ran aground on Friday.",
    "Ines Roe asked for an inquiry.",
    "Twelve people were rescued by fishermen.",
)


@pytest.mark.parametrize(("sentence", "leans"), [*((s, True) for s in LEANING), *((s, False) for s in STANDING)])
def test_a_sentence_that_begins_with_a_pronoun_leans_on_the_one_before(sentence: str, leans: bool) -> None:  # noqa: FBT001
    """So does one that goes on where the other stopped."""
    text = f"The ship struck a rock off Lisbon. {sentence}"
    (reading,) = read_all([Article("a", text)])
    before, passage = reading.passages[0], reading.passages[-1]
    assert needs_before(passage.sentence.span.of(text), passage, before) is leans


def test_a_speaker_who_is_known_stands_for_his_pronoun() -> None:
    """The speaker is shown beside the sentence, so that "he said" is understood."""
    text = "Tomas Brandt opened the bridge. He said it would last a century."
    (reading,) = read_all([Article("a", text)])
    before, passage = reading.passages
    assert passage.speaker == "Tomas Brandt"
    assert not needs_before(passage.sentence.span.of(text), passage, before)


def test_boilerplate_explains_nothing() -> None:
    """A heading is not shown as what came before."""
    text = "ADVERTISEMENT\n\nIt sank within the hour."
    (reading,) = read_all([Article("a", text)])
    before, passage = reading.passages
    assert before.sentence.boilerplate is not None
    assert not needs_before("It sank within the hour.", passage, before)
