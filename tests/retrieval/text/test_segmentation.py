"""Where sentences end, and what is no part of the report, is in ``readings/sentences.toml``."""

from __future__ import annotations

from retrieval.model import Article, Boilerplate
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse


def _laid_out(text: str, title: str | None = None) -> Layout:
    return lay_out(Article("a.txt", text, title=title), parse(text))


def test_links_inside_a_sentence_are_read_by_no_stage() -> None:
    text = (
        "Sen. Ann Bell Ann Ruth BellDivers find the wreck? Mayor quits MORE (D-Mass.) said the ferry leaked. It rained."
    )
    layout = _laid_out(text)
    assert [layout.text(sentence) for sentence in layout.sentences] == [text.removesuffix(" It rained."), "It rained."]
    assert layout.tokens.words[:8] == ("Sen.", "Ann", "Bell", "(", "D", "-", "Mass.", ")")


def test_the_first_line_is_a_title_where_it_is_the_articles() -> None:
    text = "The ferry sank.\n\nIt lay off Port Ellis.\n\nNobody was hurt."
    layout = _laid_out(text, "The ferry  sank")
    assert [sentence.boilerplate for sentence in layout.sentences] == [Boilerplate.TITLE, None, None]
    assert [sentence.paragraph for sentence in layout.sentences] == [0, 1, 2]
    for title in ("The pier fell", None):
        assert _laid_out(text, title).sentences[0].boilerplate is None


def test_every_sentence_names_the_rule_that_made_it() -> None:
    layout = _laid_out("It sank.Nobody saw. Salem’s answer: The ferry was old.")
    assert [sentence.rule for sentence in layout.sentences] == ["glued stop", "stop", "heading", "end of block"]
