"""Question -> analysis: what is looked for, in the words of the articles."""

from __future__ import annotations

import pytest

from bot.ask.model import Analysis
from bot.ask.understand import MOST, understand
from bot.model import Question
from retrieval.archive.opening import open_archive
from retrieval.model import Article, Boilerplate
from retrieval.pipeline import read_all
from retrieval.text.terms import terms

TEXT = (
    "The ferry to Lisbon sank before COP27 opened. Harbour master Ines Lindqvist asked for an inquiry. "
    "Fires burn in New York. F-16 jets flew over. Some wore T-shirts."
)
ARCHIVE = open_archive(read_all([Article("a", TEXT)]))


def asked(question: str) -> Analysis:
    """Return what ``question`` asks for of the text above."""
    return understand(Question(question), ARCHIVE)


def weights(question: str) -> dict[str, float]:
    """Return the terms that the archive is asked for, with their weights."""
    return dict(asked(question).query.terms)


def test_every_content_word_is_looked_for_once() -> None:
    """Without stop words, each with its own weight."""
    assert weights("was the ferry the ferry to lisbon") == {"ferri": 1.0, "lisbon": 1.0}


@pytest.mark.parametrize("question", ["what is lindqvist's age", "lindqvist age", "salary of lindqvist"])
def test_a_noun_that_names_the_type_of_answer_is_not_missed(question: str) -> None:
    """Where no article has it; a sentence that answers does not need it. One that articles have is looked for."""
    found = asked(question)
    assert [word for word, _ in found.words] == ["lindqvist"]
    assert [word for word, _ in asked("what is the length of the ferry").words] == ["length", "ferry"]
    held = open_archive(read_all([Article("a", "The reason for the delay is not known.")]))
    assert [word for word, _ in understand(Question("reason for the delay"), held).words] == ["reason", "delay"]


def test_a_misspelt_word_is_found_by_the_articles_own() -> None:
    """It counts for a little less, and is reported as it was typed."""
    assert 0 < weights("inqiry")[terms("inquiry")[0]] < 1
    assert weights("lindkvist")["lindqvist"] == 0.9
    assert asked("lindkvist").words[0][0] == "lindkvist"


def test_abbreviations_are_met_joined_and_split() -> None:
    """As articles write them, or as askers do."""
    assert "cop27" in weights("COP27")
    assert "cop27" in weights("cop 27")
    assert {"f", "16"} <= weights("F16").keys()
    assert {"york", "new"} <= weights("fires in NY").keys()


def test_furniture_counts_for_little_and_for_nothing_where_no_article_has_it() -> None:
    """A word about asking is not a word to find."""
    assert weights("need a quote on the ferry pls") == {"ferri": 1.0}
    assert weights("who asked about the ferry")["ferri"] == 1.0


def test_how_much_is_asked_for_is_no_word_to_find() -> None:
    """The measure behind "how" is in the type of answer."""
    assert weights("how many fires") == {"fire": 1.0}


def test_boilerplate_is_found_only_where_it_is_asked_for() -> None:
    """The credit, the by-line, the picture, the date."""
    assert asked("where did the ferry sink").query.boilerplate == frozenset()
    assert Boilerplate.BYLINE in asked("who wrote this").query.boilerplate
    assert Boilerplate.CAPTION in asked("any pics of the ferry").query.boilerplate


def test_a_question_without_end_is_cut() -> None:
    """Nobody asks with more words."""
    assert len(asked(" ".join(f"word{n}" for n in range(200))).words) <= MOST
