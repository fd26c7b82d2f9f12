"""Does a sentence hold the type of answer that is asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ask.answer_types import SentenceView, answer_span, holds
from bot.ask.model import Analysis
from bot.ask.question_types import AnswerType, types_of
from retrieval.model import Article, Denial
from retrieval.pipeline import read_all, read_one
from retrieval.search import Query
from retrieval.text.terms import terms, words


def held(kind: AnswerType, text: str, question: str = "") -> float:
    (reading,) = read_all([Article("a", text)])
    return holds(kind, SentenceView(text, reading.passages[0], frozenset(terms(question))))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (AnswerType.AGE, "Ines Roe, 51, left.", 1.0),
        (AnswerType.AGE, "Ines Roe left with 51 others.", -1.0),
        (AnswerType.PERSON, "Harbour master Ines Roe resigned.", 1.0),
        (AnswerType.PERSON, "The harbour master resigned.", -1.0),
        (AnswerType.PLACE, "It sank off Lisbon.", 1.0),
        (AnswerType.NAME, "The line is owned by Norfar Shipping Ltd.", 1.0),
        (AnswerType.NAME, "The line is owned by its staff.", -1.0),
        (AnswerType.QUOTATION, "“Nobody steered,” said Ines Roe.", 1.0),
        (AnswerType.PERSON, "“Nobody steered,” officials said.", 0.3),
        (AnswerType.PERSON, "The Harbour Board paid.", 0.0),
        (AnswerType.PERSON, "It sank off Lisbon.", -1.0),
        (AnswerType.QUOTATION, "Ines Roe said that nobody steered.", 0.5),
        (AnswerType.QUOTATION, "Nobody steered.", -0.5),
        (AnswerType.DENIAL, "The owner paid.", -0.2),
        (AnswerType.DENIAL, "“We did not do it,” Ines Roe said, calling the report baseless.", 1.0),
        (AnswerType.VERIFICATION, "The claim could not be verified.", 1.0),
        (AnswerType.VERIFICATION, "The owner paid.", 0.0),
        (AnswerType.DEFINITION, "The quay is a wall.", 0.5),
        (AnswerType.DEFINITION, "It fell.", 0.0),
        (AnswerType.MONEY, "It cost 4 lives.", 0.5),
        (AnswerType.MONEY, "It cost lives.", -1.5),
        (AnswerType.DURATION, "He held 3 guards.", 0.5),
        (AnswerType.DURATION, "He held guards.", -1.5),
        (AnswerType.PLACE, "It sank.", -1.0),
        (AnswerType.REASON, "It sank.", 0.0),
        (AnswerType.NAME, "It sank.", -1.0),
        (AnswerType.ANY, "It sank.", 0.0),
    ],
)
def test_what_half_holds_an_answer_is_worth_a_half(kind: AnswerType, text: str, value: float) -> None:
    assert held(kind, text) == value


@pytest.mark.parametrize(
    ("kind", "text", "question", "value"),
    [
        (AnswerType.PERSON, "Ines Roe was praised in Lisbon.", "who praised ines roe", -1.0),
        (AnswerType.PERSON, "Ines Roe was praised in Lisbon.", "who was praised", 1.0),
        (AnswerType.DEFINITION, "Mayor Ada Roe resigned.", "who is ada roe", 1.0),
        (AnswerType.DEFINITION, "Mayor Ada Roe resigned.", "who is omar diaz", 0.0),
        (AnswerType.PLACE, "It sank in Lisbon.", "where in lisbon did it sink", 0.0),
        (AnswerType.PLACE, "Lisbon mourns.", "where in lisbon did it sink", -1.0),
        (AnswerType.PLACE, "It sank off the Lisbon quay.", "where in lisbon", 0.0),
        (AnswerType.PLACE, "It sank by the Lisbon quay.", "where in lisbon", -1.0),
        # a number in a name counts nothing
        (AnswerType.NUMBER, "COP27 opened.", "", -1.0),
        (AnswerType.NUMBER, "COP27 opened on day 27.", "", 1.0),
        (AnswerType.NUMBER, "Flight MH-370 vanished.", "", -1.0),
        (AnswerType.NUMBER, "Flight MH-370 vanished with 239 on board.", "", 1.0),
    ],
)
def test_what_is_asked_about_is_no_answer(kind: AnswerType, text: str, question: str, value: float) -> None:
    assert held(kind, text, question) == value


def test_a_denial_and_a_caveat_are_known_by_what_was_read() -> None:
    text = "“The cliff was blown up,” said Ada Roe. The claim could not be verified. Trams ran late."
    (reading,) = read_all([Article("a", text)])
    claim, caveat, trams = (SentenceView("It fell.", passage, frozenset()) for passage in reading.passages)
    assert [holds(AnswerType.VERIFICATION, view) for view in (claim, caveat, trams)] == [0.6, 1.0, 0.0]
    denying = replace(trams, passage=replace(trams.passage, denial=Denial("Omar Diaz")))
    assert [holds(AnswerType.DENIAL, view) for view in (trams, denying)] == [-0.2, 1.0]


@pytest.mark.parametrize(
    ("kind", "sentence", "words", "others"),
    [
        (AnswerType.NUMBER, "It took {} there.", "one ninety hundreds dozen several twice 7 3.5", "boats few"),
        (
            AnswerType.DATE,
            "It sank {} there.",
            """Monday May_9 Sept._9 tonight last_week this_morning last_fall noon two_hours_ago ten_years_earlier 1500
            2022 6_p.m 6:30_am""",
            "quickly 1499 2100 five_boats_later weeks May",
        ),
        (
            AnswerType.REASON,
            "It sank {} it.",
            "because due_to resulted_from in_order_to led_to prompts amid to_keep",
            "near to_leave result",
        ),
        (AnswerType.DENIAL, "The owner {} it.", "denies denial rejected no_truth not_true never", "paid not no_money"),
        (AnswerType.MONEY, "It took {} there.", "$5 ¥5 5% 5_per_cent 90_cents 5_million_dollars", "5 percentage"),
        (
            AnswerType.DURATION,
            "It took {} there.",
            "5_seconds 5_centuries 5_kilometres a_foot 80_mph 5_stories few_hours an_hour",
            "5_boats hours_of",
        ),
        (
            AnswerType.AGE,
            "The girl {} left.",
            "aged_9 is_nine_years_of_age is_9 turns_9 9-year-old (19)",
            "had_9 is_in_9",
        ),
    ],
)
def test_a_word_of_each_kind_of_answer_is_known(kind: AnswerType, sentence: str, words: str, others: str) -> None:
    assert [word for word in words.split() if held(kind, sentence.format(word.replace("_", " "))) < 1.0] == []
    assert [word for word in others.split() if held(kind, sentence.format(word.replace("_", " "))) == 1.0] == []


def test_a_sentence_in_the_middle_of_a_quotation_is_one() -> None:
    text = "“We shouted. Nobody came. The sea was dark,” said Ines Roe."
    (reading,) = read_all([Article("a", text)])
    middle = reading.passages[1]
    assert holds(AnswerType.QUOTATION, SentenceView("Nobody came.", middle, frozenset())) == 1.0


def told(question: str, text: str) -> str:
    (passage,) = read_one(Article("a", text)).passages
    span = answer_span(Analysis(question, Query(), types=types_of(words(question))), text, passage.mentions)
    return span.of(text) if span else ""


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("how many were hurt", "At least 48 passengers were hurt.", "48"),
        ("how many were hurt", "Nearly two hundred people were hurt.", "two hundred"),
        ("how many ferries were hit", "In 2014, 3 gales hit 12 ferries.", "12"),
        ("what percentage of voters stayed at home", "Some 41 per cent stayed at home on 3 May.", "41 per cent"),
        ("how much did the quay cost", "The quay cost $4.5 million to build in 1998.", "$4.5 million"),
        ("how long was the captain held", "The captain was held for three to four weeks.", "three to four weeks"),
        ("how high was the wave", "The wave was 12 feet high.", "12 feet"),
        ("how old is ines roe", "Ines Roe, 51, resigned on Friday.", "51"),
        ("when did the ferry sink", "The ferry sank on Friday, 9 May 2031.", "Friday, 9 May 2031"),
        ("when did it sink", "It sank two days later.", "two days later"),
    ],
)
def test_what_one_thing_can_be_is_told(question: str, text: str, answer: str) -> None:
    assert told(question, text) == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("how many were hurt", "Of 48 passengers 12 were hurt."),  # which of the two is for the reader to see
        ("how many were hurt", "The passengers were hurt."),
        ("how many were hurt", "Passengers were hurt on 9 May 2031."),
        ("how many were hurt", "Three weeks passed."),
        ("how many were hurt", "Ines Roe, 51, was hurt."),
        ("why were 48 hurt", "The 48 were hurt because it rained."),
        ("did 48 people get hurt", "The papers said 48 people were hurt."),
        ("how much did the quay cost", "The quay cost 12 people their work."),
        ("how long did it take", "It went down in 150 feet of water."),
        ("when did it sink", "It sank days later."),
        ("what did he say when it sank", "“We lost her,” he said on Friday."),
        ("who sank it", "Ines Roe sank it."),  # names are not told
    ],
)
def test_what_several_things_can_be_is_not(question: str, text: str) -> None:
    assert not told(question, text)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how many were on the ferry", AnswerType.NUMBER),
        ("how old is the mayor", AnswerType.AGE),
        ("how much will the bridge cost", AnswerType.MONEY),
        ("how long was the dam shut", AnswerType.DURATION),
        ("which minister opened the bridge", AnswerType.NAME),
        ("who shut the dam", AnswerType.PERSON),
        ("where did the storm land", AnswerType.PLACE),
        ("when does the bridge open", AnswerType.DATE),
        ("need a quote from the harbour master", AnswerType.QUOTATION),
        ("what did the coach say about the transfer", AnswerType.QUOTATION),
        ("why was the vote put off", AnswerType.REASON),
        ("does the firm deny it", AnswerType.DENIAL),
        ("does the owner admit the leak", AnswerType.DENIAL),
        ("can we run it as fact", AnswerType.VERIFICATION),
        ("is that confirmed", AnswerType.VERIFICATION),
        ("what could not be verified", AnswerType.VERIFICATION),
        ("is the ferry story safe to run", AnswerType.VERIFICATION),
        ("do the papers contradict each other", AnswerType.COMPARISON),
        ("who is ines roe", AnswerType.DEFINITION),
        ("what is the wcu", AnswerType.DEFINITION),
        ("what is the name of the ship", AnswerType.NAME),
        ("ferry", AnswerType.ANY),
    ],
)
def test_the_type_is_read_from_the_words(question: str, kind: AnswerType) -> None:
    assert types_of(words(question))[0] is kind


@pytest.mark.parametrize(
    ("question", "kind", "none"),
    [
        ("how many flu cases were confirmed", AnswerType.NUMBER, AnswerType.VERIFICATION),
        ("who was checked at the border", AnswerType.PERSON, AnswerType.VERIFICATION),
        ("price of solid gold", AnswerType.MONEY, AnswerType.VERIFICATION),
        ("who will run with the mayor", AnswerType.PERSON, AnswerType.VERIFICATION),
        ("who took the blame", AnswerType.PERSON, AnswerType.DENIAL),
        ("what quotas did the ministers agree on", AnswerType.COMPARISON, AnswerType.QUOTATION),
        ("who is ines roe", AnswerType.DEFINITION, AnswerType.NUMBER),
    ],
)
def test_a_word_does_not_decide_where_the_question_word_does(question: str, kind: AnswerType, none: AnswerType) -> None:
    found = types_of(words(question))
    assert found[0] is kind
    assert none not in found
