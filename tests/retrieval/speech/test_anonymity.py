from __future__ import annotations

import pytest

from retrieval.model import Article, Attribution, Manner, Voice
from retrieval.speech.anonymity import with_anonymity
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


def reasons(text: str, *speakers: str | None, voice: Voice = Voice.UNNAMED) -> list[str | None]:
    """Return the reason for anonymity of each sentence, whose speakers are those given."""
    layout = lay_out(Article("a", text), parse(text))
    attributions = {
        i: Attribution(name, voice, Manner.PARAPHRASED, None) for i, name in enumerate(speakers) if name is not None
    }
    found = with_anonymity(layout, attributions)
    spans = [found[i].anonymity if i in found else None for i in range(len(layout.sentences))]
    return [span.of(text) if span else None for span in spans]


@pytest.mark.parametrize(
    "reason",
    [
        "spoke on condition of anonymity because talks went on",
        "spoke on the condition of anonymity to discuss the plan",
        "asked not to be named for fear of reprisals",
        "asked not to be identified discussing the pier",
        "was not authorized to speak publicly about the pier",
        "was granted anonymity, citing threats to his family",
        "declined to be named",
        "requested anonymity",
        "spoke anonymously",
        "did not want to be identified",
    ],
)
def test_the_reason_is_quoted_to_the_end_of_its_clause(reason: str) -> None:
    assert reasons(f"The pier will close, said an official who {reason}.", "an official") == [reason]


def test_a_reason_in_a_sentence_of_its_own_belongs_to_the_unnamed_source_beside_it() -> None:
    text = "An official said the pier will close. The official spoke on condition of anonymity. The boats were out."
    reason = "spoke on condition of anonymity"
    assert reasons(text, "An official") == [reason, None, None]
    assert reasons(text, "An official", None, "An official") == [reason, None, reason]


def test_a_source_that_is_named_has_no_reason() -> None:
    text = "Ann Lee said the pier will close. She spoke on condition of anonymity."
    assert reasons(text, "Ann Lee", voice=Voice.NAMED) == [None, None]


@pytest.mark.parametrize(
    "sentence",
    ["An anonymous letter said the pier will close.", "Officials said they were not authorised to close it."],
)
def test_other_words_of_anonymity_are_no_reason(sentence: str) -> None:
    assert reasons(sentence, "officials") == [None]
