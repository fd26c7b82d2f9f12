"""Whether a sentence can be understood alone."""

from __future__ import annotations

import pytest

from bot.ask.choose import needs_before
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
    text = f"The ship struck a rock off Lisbon. {sentence}"
    (reading,) = read_all([Article("a", text)])
    before, passage = reading.passages[0], reading.passages[-1]
    assert needs_before(passage.sentence.span.of(text), passage, before) is leans


@pytest.mark.parametrize(
    ("sentence", "leans"),
    [
        *((f"{word} sank at once.", True) for word in "He She They His_boats Her_boats Their_boats".split()),
        *((f"{word} sank at once.", True) for word in "It Its_boats This That These Those Such Both Another".split()),
        *((f"{word} sank at once.", True) for word in "Other Others One Some Most All None Neither".split()),
        *((f"{word} boats sank.", True) for word in "But And So Yet However Instead Also Then Still".split()),
        *((f"{word} boats sank.", True) for word in "Meanwhile Nor Or".split()),
        *((f"{word} 12 were saved.", True) for word in "About Around Nearly Almost Only At_least".split()),
        *((f"About 12 {verb} boats.", True) for verb in "were was had have are".split()),
        ("Himself, the keeper sank.", False),
        ("Butter sank at once.", False),
        ("Itself a boat, the ferry sank.", False),
        ("About 12 boats were saved.", False),
        ("Over 12 were saved.", False),
        ("“They sank at once.", True),
    ],
)
def test_every_opening_that_leans_is_known(sentence: str, leans: bool) -> None:  # noqa: FBT001
    text = f"Ships struck a rock off Lisbon. {sentence.replace('_', ' ')}"
    (reading,) = read_all([Article("a", text)])
    before, passage = reading.passages
    assert needs_before(passage.sentence.span.of(text), passage, before) is leans


@pytest.mark.parametrize(("sentence", "leans"), [("He praised Ada Roe.", False), ("It praised Ada Roe.", True)])
def test_a_name_makes_up_for_a_pronoun_for_somebody_only(sentence: str, leans: bool) -> None:  # noqa: FBT001
    text = f"Ships struck a rock. {sentence}"
    (reading,) = read_all([Article("a", text)])
    assert needs_before(sentence, reading.passages[1], reading.passages[0]) is leans


def test_a_speaker_who_is_known_stands_for_his_pronoun() -> None:
    text = "Tomas Brandt opened the bridge. He said it would last a century."
    (reading,) = read_all([Article("a", text)])
    before, passage = reading.passages
    assert passage.speaker == "Tomas Brandt"
    assert not needs_before(passage.sentence.span.of(text), passage, before)


def test_boilerplate_explains_nothing() -> None:
    text = "ADVERTISEMENT\n\nIt sank within the hour."
    (reading,) = read_all([Article("a", text)])
    before, passage = reading.passages
    assert before.sentence.boilerplate is not None
    assert not needs_before("It sank within the hour.", passage, before)
