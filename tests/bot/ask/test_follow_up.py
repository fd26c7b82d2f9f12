"""Whether a question leans on the one before, and what it takes from it."""

from __future__ import annotations

import pytest

from bot.ask.follow_up import Earlier, follow, leans, pronoun
from bot.ask.model import Analysis
from bot.ask.question_types import AnswerType
from bot.ask.understand import understand
from bot.model import Question
from retrieval.archive.opening import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_all
from retrieval.text.terms import words

ARCHIVE = open_archive(
    read_all(
        [
            Article(
                "a",
                "Mayor Ada Roe of Sandholm closed the lighthouse. Rescuers in Sandholm counted nine boats. "
                "In Oxley they counted four.",
            )
        ]
    )
)


@pytest.mark.parametrize(
    "question",
    [
        "and in oxley?",
        "what about the boats of the fishermen",
        "where was she born in the first place",
        "what did they count at the harbour",
        "is that verified by anybody",
        "how many?",
        "why",
    ],
)
def test_a_question_leans_by_how_it_opens_by_a_pronoun_or_by_saying_next_to_nothing(question: str) -> None:
    """What it leaves unsaid stands in the one before."""
    assert leans(words(question))


@pytest.mark.parametrize(
    "question",
    [
        "how many boats did the rescuers count",
        "is there a lighthouse in the harbour",
        "who said that the lighthouse would close",
        "did the mayor say why she closed the lighthouse",
        "lighthouse harbour boats",
    ],
)
def test_a_question_that_names_what_it_is_about_stands_alone(question: str) -> None:
    """A pronoun after a name is the name's; "is there" and "said that" are no pronouns."""
    assert not leans(words(question))


def test_the_first_pronoun_is_the_one_that_leans() -> None:
    """Unless something stands before it that it can mean."""
    assert pronoun(words("what did he say to them")) == "he"
    assert pronoun(words("what did the mayor say to them")) is None
    assert pronoun(()) is None


def asked(question: str) -> Analysis:
    """Return what ``question`` asks for by itself."""
    return understand(Question(question), ARCHIVE)


def followed(question: str, before: str) -> Analysis:
    """Return what ``question`` asks for after ``before``, to which nothing was found."""
    return follow(asked(question), Earlier(asked(before), ()), ARCHIVE)


def test_words_of_the_question_before_count_for_less_than_its_own() -> None:
    """The whole question is meant, with what is new in it; and more where it is meant than where a pronoun leans."""
    whole = dict(dict(followed("and boats?", "who closed the lighthouse").words)["lighthouse"])
    part = dict(dict(followed("is that verified", "who closed the lighthouse").words)["lighthouse"])
    assert 1.0 > whole["lighthous"] > part["lighthous"] > 0.0


def test_a_name_takes_the_place_of_one_of_its_kind() -> None:
    """Who asks "and in Oxley?" asks no more about Sandholm."""
    found = dict(followed("and in oxley?", "how many boats did rescuers count in sandholm").words)
    assert "sandholm" not in found
    assert {"oxley", "boats", "count"} <= found.keys()


def test_the_type_of_answer_is_taken_over_where_the_follow_up_has_none() -> None:
    """How many were counted there is still what is asked."""
    before = "how many boats did rescuers count in sandholm"
    assert AnswerType.NUMBER in followed("and in oxley?", before).types
    assert followed("and when in oxley?", before).types == (AnswerType.DATE,)


def test_she_is_the_person_asked_about_before() -> None:
    """By name, for less than if it had been typed."""
    weights = dict(followed("what did she close", "who is ada roe").words)
    assert 0 < dict(weights["roe"])["roe"] < 1


def test_a_question_that_stands_alone_is_unchanged() -> None:
    """To the last weight."""
    alone = asked("how many boats did the rescuers count")
    assert follow(alone, Earlier(asked("who is ada roe"), ()), ARCHIVE) == alone


@pytest.mark.parametrize(
    ("question", "name"), [("and in oxley?", "oxley"), ("and roe?", "roe"), ("what about ada", "ada")]
)
def test_whom_and_what_a_follow_up_names_it_is_about(question: str, name: str) -> None:
    """By any part of the name; what stands alone names nothing in this sense, however many names are in it."""
    (spellings,) = followed(question, "how many boats did rescuers count").named
    assert any(name in spelt for spelt in spellings)
    assert followed("and when?", "who closed the lighthouse").named == ()
    assert followed("how many boats did the rescuers in oxley count", "who is ada roe").named == ()
