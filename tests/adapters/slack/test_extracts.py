"""The lines of an extract: the words, who says them, the caveat, and where they stand."""

from __future__ import annotations

from dataclasses import replace

from adapters.chat.parts import extract_lines
from adapters.discord.markdown import quotation
from adapters.slack.blocks import DrawnLine, draw_line
from bot.model import Extract
from retrieval.model import Span, Voice
from tests.adapters.replies import CITATION, EXTRACT

CITED = "The Quay · Ferry aground off the northern pier · 4 March 2025 https://quay.example/ferry?a=1&b=2"
UNVERIFIED = "⚠️ Not verified"
CAVEATED = "In the outlet's words: “The Quay could not verify the count.”"


def drawn(extract: Extract) -> list[DrawnLine]:
    """Return an extract's lines as Slack is given them."""
    return list(map(draw_line, extract_lines([(0, extract)])))


def drawn_source(extract: Extract) -> DrawnLine:
    return drawn(extract)[-1]


def test_the_sentence_before_keeps_its_own_caveat() -> None:
    before = replace(EXTRACT, text="“We counted them,” she said.", index=11)
    assert [text for _, text in drawn(replace(EXTRACT, before=before))] == [
        "Before it:",
        UNVERIFIED,
        "“We counted them,” she said.",
        "— Ida Roth",
        CAVEATED,
        UNVERIFIED,
        EXTRACT.text,
        "— Ida Roth",
        CAVEATED,
        CITED,
    ]


def test_the_outlets_own_words_have_no_speaker() -> None:
    own = replace(EXTRACT, voice=Voice.OUTLET, speaker=None, caveats=())
    assert [text for _, text in drawn(own)] == [EXTRACT.text, CITED]


def test_the_words_that_answer_are_emphasised_where_they_stand() -> None:
    start = EXTRACT.text.index("Forty")
    output = replace(EXTRACT, answer=Span(start, start + 5))
    quoted, text = next(each for each in drawn(output) if each[1] == EXTRACT.text)
    leaves = quoted["elements"]
    assert [leaf["text"] for leaf in leaves if leaf.get("style") == {"bold": True}] == ["Forty"]
    assert "".join(leaf["text"] for leaf in leaves) == text
    assert quotation("“", "40 <", " counted") == "> “**40 <** counted"


def test_an_address_that_no_browser_can_open_is_no_link() -> None:
    _, text = drawn_source(replace(EXTRACT, citation=replace(CITATION, url="https://[")))
    assert text == CITED.rpartition(" ")[0]


def test_the_source_is_one_small_line_with_its_links() -> None:
    block, text = drawn_source(replace(EXTRACT, page="http://127.0.0.1:1/a?b&c"))
    assert [element["text"].rpartition("|")[2] for element in block["elements"]] == [
        CITED.rpartition(" ")[0] + ">",
        "In the article>",
    ]
    assert block["type"] == "context"
    assert block["elements"][1]["text"].startswith("<http://127.0.0.1:1/a?b&amp;c|")
    assert text == f"{CITED}\nIn the article http://127.0.0.1:1/a?b&c"
    for title in ("Tug *sinks*", "A :boat: aground", "One|two"):
        block, text = drawn_source(replace(EXTRACT, citation=replace(CITATION, title=title)))
        assert block["type"] == "rich_text_section"
        assert title in block["elements"][0]["text"]
        assert title in text
