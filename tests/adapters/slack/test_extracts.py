"""The lines of an extract: the words, who says them, the caveat, and where they stand."""

from __future__ import annotations

from dataclasses import replace

from adapters.slack.extracts import cited, extract_lines
from retrieval.model import Voice
from tests.adapters.slack.replies import CITATION, EXTRACT

CITED = "The Quay · Ferry aground off the northern pier · 4 March 2025 https://quay.example/ferry?a=1&b=2"
CAVEATED = "[!] NOT VERIFIED, in the outlet's words: “The Quay could not verify the count.”"


def test_the_sentence_before_keeps_its_own_caveat() -> None:
    """Each of two quotations has its own name and caveat."""
    before = replace(EXTRACT, text="“We counted them,” she said.", index=11)
    assert [text for _, text in extract_lines(replace(EXTRACT, before=before))] == [
        "Before it:",
        "“We counted them,” she said.",
        "— Ida Roth",
        CAVEATED,
        EXTRACT.text,
        "— Ida Roth",
        CAVEATED,
        CITED,
    ]


def test_the_outlets_own_words_have_no_speaker() -> None:
    """Nobody is named where nobody speaks."""
    own = replace(EXTRACT, voice=Voice.OUTLET, speaker=None)
    assert next(extract_lines(own))[1] == EXTRACT.text


def test_an_address_that_no_browser_can_open_is_no_link() -> None:
    """The source is named all the same."""
    _, text = cited(replace(CITATION, url="https://["), "words")
    assert text == CITED.rpartition(" ")[0]
