"""Notes of corrections are told from the report, and from news of corrections."""

from __future__ import annotations

import pytest

from retrieval.model import Article, Boilerplate
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse

HARBOUR = "The ferry sank in the harbour of Salem on Friday, and its crew swam to the quay."


def _kinds(text: str) -> list[tuple[str, Boilerplate | None]]:
    layout = lay_out(Article("a.txt", text), parse(text))
    return [(" ".join(layout.text(sentence).split()), sentence.boilerplate) for sentence in layout.sentences]


NOTES = """\
*Correction: an earlier version of this article said that Vane had won eight prizes.*
Correction (6 March 2025): The dam holds 40,000 litres, not 4,000.
CORRECTION — The mayor's name is Edda Marsh.
Clarification, March 6, 2025: the vote was advisory.
Corrections and clarifications: see below
This article was amended on 6 March 2025.
This story has been corrected to say that nine were hurt.
This article was updated to correct the age of the pilot.
• This article was amended on 6 March 2025 because an earlier version misspelt a name.
Editor's note: This story has been updated to correct the number of boats.
Editor’s note: An earlier version of this article misstated the toll.
An earlier version of this article quoted her as saying "I did".
A previous version of this story misstated the day.
The original version of this report gave the wrong age.
Because of an editing error, an article on Monday gave the wrong price.
Due to an editing error, we said ten.
Our earlier post said nine were missing.
An earlier report wrongly said that the bridge had fallen.
This article incorrectly stated that the bridge was shut.
A headline in an earlier version of this article misspelt his name.
We previously incorrectly said the firm was sold.
We apologise for the error.
We regret the error.
Retraction: the piece of 4 May is withdrawn.
"""
NO_NOTES = """\
An earlier version of the bill banned boats.
The committee's earlier report said nine were missing.
Prison officers said the correction of the figures would take days.
Correction in the markets goes on as shares fall
Corrections officers at the jail went on strike.
The market's correction: ten per cent in a week
"An earlier version of this story was false," the minister said.
The law was amended on Monday.
The story has been told many times.
This story was first published in May.
The article was written by two pupils.
The report was revised upwards by the ministry.
A previous version of the plan had two bridges.
The original report by the coroner said that he drowned.
The earlier update said the road was open, the police said.
Clarification of the rules will follow, the ministry said.
This report was ordered by the council.
The post was amended with new wood.
"""


def test_a_correction_note_is_told_from_news_of_corrections() -> None:
    def is_note(line: str) -> bool:
        kinds = [kind for _, kind in _kinds(f"{HARBOUR}\n\nIt was old.\n\n{line}")[2:]]
        return Boilerplate.CORRECTION in kinds and None not in kinds

    assert [line for line in NOTES.splitlines() if not is_note(line)] == []
    assert [line for line in NO_NOTES.splitlines() if is_note(line)] == []


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("Correction: The ferry cost £3m. An earlier version said “It cost £5m”.", []),
        ("Rain fell. This article was amended on Friday. It had given the wrong cost.", ["Rain fell."]),
        (
            "Our earlier post said nine were missing. That was wrong. Six are missing, the police said.",
            ["Six are missing, the police said."],
        ),
        ("Our earlier post said nine were missing. The police gave no figure.", ["The police gave no figure."]),
        ("“This article was amended,” she read. It rained.", ["“This article was amended,” she read.", "It rained."]),
    ],
)
def test_a_correction_note_goes_on_to_the_end_of_its_block(text: str, report: list[str]) -> None:
    assert [words for words, kind in _kinds(f"{HARBOUR}\n\n{text}\n\nIt was old.") if kind is None] == [
        HARBOUR,
        *report,
        "It was old.",
    ]
