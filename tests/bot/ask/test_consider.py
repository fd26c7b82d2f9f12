"""Question -> choice, over invented articles: the whole way, with real readings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from bot.ask.choose import analyse, choose_answer, propose
from bot.ask.model import Band, Choice, Thresholds
from bot.command import Library
from bot.model import Question
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from tests.stock import archive_of
from tests.support.tables import cases

SINKING = (
    "A ferry with 212 people on board sank off Sandholm on Friday after striking a rock, the coastguard said.\n\n"
    "At least 14 passengers drowned, according to Harbour Master Ines Roe, 51.\n\n"
    "“Nobody was at the wheel,” said Marta Lindqvist, a teacher from Lisbon. "
    "“We shouted and nobody came.” "
    "The accounts could not be independently verified.\n\n"
    "The shipping line, Norfar, denied that the bridge had been empty. "
    "It said the captain had served for 20 years.\n\n"
    "Prime Minister Olaf Brandt visited the port on Saturday and promised an inquiry. "
    "He said the old ferries would be scrapped because they were unsafe.\n\n"
    "Reporting by Ana Vell in Sandholm."
)
FERRY = Article(
    "ferry", SINKING, title="Ferry sinks off Sandholm", source="The Sandholm Echo", published=date(2031, 5, 9)
)
KNOWN = (
    "Norfar said 198 people had been on board the ferry when it sank on Friday. "
    "Rescuers found 17 bodies near the rocks. "
    "Foreign Minister Pavel Dorn thanked the fishermen of Sandholm. "
    "The company was founded in 1974 and runs nine ships."
)
QUILL = Article("quill", KNOWN, title="Norfar ferry: what is known", source="Daily Quill", published=date(2031, 5, 10))
ARCHIVE = open_archive(read_separately([FERRY, QUILL]))
ASKING = Library(ARCHIVE)


def shown(choice: Choice) -> list[str]:
    return [" ".join(c.passage.sentence.span.of(ARCHIVE.article(c.article_id).text).split()) for c in choice.chosen]


def ask(question: str, previous: str | None = None) -> list[str]:
    return shown(choose_answer(Question(question, previous=previous), ASKING))


@cases("question, answer")
def test_the_sentence_that_answers_comes_first(question: str, answer: str) -> None:
    assert answer in ask(question)[0]


@pytest.mark.parametrize(
    ("question", "answer"), [("pm on the old ferries", "scrapped"), ("who wrote the sandholm story", "Ana Vell")]
)
def test_the_sentence_that_answers_is_among_the_three(question: str, answer: str) -> None:
    first = choose_answer(Question(question), ASKING).candidates[:3]
    assert any(answer in c.hit.passage.sentence.span.of(ARCHIVE.article(c.hit.article_id).text) for c in first)


OFF_TOPIC = ("who won the cup final", "weather in patagonia tomorrow", "recipe for fish soup", "", "???", "the")
NEAR_MISSES = (
    "what did macdougal say about the crown jewels",
    "who is norfars solicitor",
    "which bank lent the company the money",
)


@pytest.mark.parametrize("question", [*OFF_TOPIC, *NEAR_MISSES])
def test_what_the_articles_do_not_know_is_not_surely_answered(question: str) -> None:
    choice = choose_answer(Question(question), ASKING)
    assert choice.band is not Band.ANSWER
    assert question in NEAR_MISSES or (choice.band, choice.chosen) == (Band.NONE, ())


def test_what_was_looked_for_and_not_found_is_said_in_the_askers_words() -> None:
    choice = choose_answer(Question("quote from macdougal about the ferry pls"), ASKING)
    assert "macdougal" in choice.looked_for
    assert choice.not_found == ("macdougal",)


@cases("previous, question, answer")
def test_a_follow_up_leans_on_the_question_before(previous: str, question: str, answer: str) -> None:
    assert any(answer in text for text in ask(question, previous))


@pytest.mark.parametrize("question", ["when was the company founded", "how many bodies did rescuers find"])
def test_a_question_that_stands_alone_is_not_bent(question: str) -> None:
    assert ask(question, "who is marta lindqvist")[0] == ask(question)[0]


@pytest.mark.parametrize(
    "question", ["ferry " * 300, "1 , " * 400, "“" * 2000, "ferry\x00 \u202egnissim", "how many " * 200]
)
def test_a_hostile_question_has_an_ordinary_answer(question: str) -> None:
    assert len(choose_answer(Question(question), ASKING).analysis.words) <= 40


@pytest.mark.parametrize("name", ["pavel dorn", "dorn", "brandt"])
def test_a_follow_up_that_names_somebody_else_is_answered_with_them(name: str) -> None:
    before = "what did marta lindqvist say of the wheel"
    assert "Marta Lindqvist" in ask(before)[0]
    assert name.rsplit(maxsplit=1)[-1] in ask(f"and {name}?", before)[0].lower()
    assert name.rsplit(maxsplit=1)[-1] in ask(f"what about {name}", before)[0].lower()


def after(question: str, near: tuple[str, int]) -> list[tuple[str, int]]:
    analysis = replace(analyse(Question(question), ASKING), near=(near,))
    return [(hit.article_id, hit.passage.sentence.index) for hit in propose(analysis, ARCHIVE)]


def test_the_sentences_around_an_answer_are_proposed_whatever_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    assert after("zeppelin", ("quill", 1)) == [("quill", index) for index in range(4)]
    assert after("zeppelin bodies", ("quill", 0)).count(("quill", 1)) == 1
    monkeypatch.setattr("bot.ask.choose.AROUND", 1)
    assert after("zeppelin", ("quill", 1)) == [("quill", index) for index in range(3)]


def test_a_credit_after_an_answer_is_proposed_where_it_is_asked_for() -> None:
    last = len(ARCHIVE.reading("ferry").passages) - 1
    assert ARCHIVE.reading("ferry").passages[last].sentence.boilerplate is not None
    assert ("ferry", last) not in after("zeppelin", ("ferry", last - 1))
    assert ("ferry", last) in after("who wrote the zeppelin story", ("ferry", last - 1))


def test_the_archive_proposes_thirty() -> None:
    archive = archive_of(" ".join(f"The ferry sank on day {n}." for n in range(60)))
    assert len(propose(analyse(Question("ferry"), Library(archive)), archive)) == 30


@pytest.mark.parametrize("threshold", [0.0, 1.1])
def test_what_was_too_unsure_to_be_shown_still_says_where_to_look(threshold: float) -> None:
    asking = Library(ARCHIVE, thresholds=Thresholds(threshold, threshold))
    before = "did the echo stand up what lindqvist said about the wheel"
    choice = choose_answer(Question(before), asking)
    ranked = tuple(candidate.place for candidate in choice.candidates[:3])
    shown = tuple((chosen.article_id, chosen.passage.sentence.index) for chosen in choice.chosen)
    assert (shown == ()) is bool(threshold)
    assert shown != ranked
    assert analyse(Question("and when?", previous=before), asking).near == (shown or ranked)
