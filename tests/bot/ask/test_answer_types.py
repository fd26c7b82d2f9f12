"""Does a sentence hold the type of answer that is asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ask.answer_types import SentenceView, holds
from bot.ask.question_types import AnswerType
from retrieval.model import Article, Denial
from retrieval.pipeline import read_all
from retrieval.text.terms import terms


def held(kind: AnswerType, text: str, question: str = "") -> float:
    (reading,) = read_all([Article("a", text)])
    return holds(kind, SentenceView(text, reading.passages[0], frozenset(terms(question))))


@pytest.mark.parametrize(
    ("kind", "there", "lacking"),
    [
        (AnswerType.NUMBER, "Rescuers found 17 bodies.", "Rescuers found the bodies."),
        (AnswerType.NUMBER, "A dozen ships left.", "The ships left."),
        (AnswerType.AGE, "Ines Roe, 51, left.", "Ines Roe left with 51 others."),
        (AnswerType.AGE, "The girl is nine years of age.", "The girl is in year nine."),
        (AnswerType.MONEY, "It cost $4 million.", "It cost four lives."),
        (AnswerType.MONEY, "Turnout fell to 41 percent.", "Turnout fell to a low."),
        (AnswerType.DURATION, "He was held for three weeks.", "He was held by three guards."),
        (AnswerType.DATE, "It sank on Friday.", "It sank quickly."),
        (AnswerType.DATE, "It was built in 1974.", "It was built by 1,974 men."),
        (AnswerType.PERSON, "Harbour master Ines Roe resigned.", "The harbour master resigned."),
        (AnswerType.PLACE, "It sank off Lisbon.", "It sank quickly."),
        (AnswerType.NAME, "The line is owned by Norfar Shipping Ltd.", "The line is owned by its staff."),
        (AnswerType.REASON, "It closed because of the storm.", "It closed in the storm."),
        (AnswerType.QUOTATION, "“Nobody steered,” said Ines Roe.", "Nobody steered."),
        (AnswerType.DENIAL, "The owner denied it.", "The owner paid for it."),
    ],
)
def test_what_is_there_counts_for_more_than_what_is_lacking(kind: AnswerType, there: str, lacking: str) -> None:
    assert held(kind, there) == 1.0
    assert held(kind, lacking) < 1.0


def test_a_name_in_the_question_is_no_answer_to_it() -> None:
    text = "Ines Roe was praised in Lisbon."
    assert held(AnswerType.PERSON, text, "who praised ines roe") == -1.0
    assert held(AnswerType.PERSON, text, "who was praised") == 1.0


def test_a_number_in_a_name_counts_nothing() -> None:
    assert held(AnswerType.NUMBER, "COP27 opened.") == -1.0
    assert held(AnswerType.NUMBER, "COP27 opened on day 27.") == 1.0
    assert held(AnswerType.NUMBER, "Flight MH-370 vanished.") == -1.0
    assert held(AnswerType.NUMBER, "Flight MH-370 vanished with 239 on board.") == 1.0


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
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


def test_a_role_is_the_answer_to_who_somebody_is() -> None:
    assert held(AnswerType.DEFINITION, "Mayor Ada Roe resigned.", "who is ada roe") == 1.0
    assert held(AnswerType.DEFINITION, "Mayor Ada Roe resigned.", "who is omar diaz") == 0.0


def test_a_place_that_is_asked_about_is_no_answer_but_may_hold_one() -> None:
    assert held(AnswerType.PLACE, "It sank in Lisbon.", "where in lisbon did it sink") == 0.0
    assert held(AnswerType.PLACE, "Lisbon mourns.", "where in lisbon did it sink") == -1.0


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
        (
            AnswerType.NUMBER,
            "It took {} there.",
            """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
            seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds
            thousand thousands million millions billion billions dozen dozens half quarter third several none once
            twice 7 3.5""",
            "boats few",
        ),
        (
            AnswerType.DATE,
            "It sank {} there.",
            """Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May_9 June July
            August September October November December Jan._9 Feb._9 Aug._9 Sept._9 Oct._9 Nov._9 Dec._9 yesterday
            today tomorrow tonight last_week next_month this_year last_night this_morning last_summer last_spring
            last_autumn last_winter last_fall noon midnight two_hours_ago three_days_later a_week_before
            five_months_after ten_years_earlier 1999 2022 1500 6_p.m 6:30_am""",
            "quickly 1499 2100 five_boats_later weeks May",
        ),
        (
            AnswerType.REASON,
            "It sank {} it.",
            """because due_to caused cause causing owing_to thanks_to resulted_from in_order_to so_that reason reasons
            led_to leading_to prompted prompts sparked triggered blaming amid aimed in_response for_fear since
            to_protect to_prevent to_ensure to_avoid to_help to_allow to_make to_meet to_give to_stop to_reduce
            to_improve to_keep""",
            "near to_leave result",
        ),
        (
            AnswerType.DENIAL,
            "The owner {} it.",
            """denies denied denying denial rejected rejects dismissed dismisses refuted disputed untrue false faked
            baseless unfounded no_evidence no_truth no_involvement not_true never""",
            "paid not no_money",
        ),
        (
            AnswerType.MONEY,
            "It took {} there.",
            "$5 £5 €5 ¥5 5% 5_percent 5_per_cent 5_dollars 5_pounds 5_euros 90_cents 5_tons 5_tonnes 5_million_dollars",
            "5 percentage",
        ),
        (
            AnswerType.DURATION,
            "It took {} there.",
            """5_seconds 5_minutes 5_hours 5_days 5_nights 5_weeks 5_months 5_years 5_decades 5_centuries 5_miles
            5_kilometres 5_meters 5_metres 5_feet a_foot 5_inches 5_acres 5_pounds 5_kilos 5_tons 80_mph 5_km 5_mm
            5_cm 5_knots 5_degrees 5_storeys 5_stories few_hours many_days an_hour""",
            "5_boats hours_of",
        ),
        (AnswerType.AGE, "The girl {} left.", "aged_9 is_9 was_9 turned_9 turns_9 9-year-old (19)", "had_9 is_in_9"),
    ],
)
def test_every_word_of_an_answer_is_known(kind: AnswerType, sentence: str, words: str, others: str) -> None:
    assert [word for word in words.split() if held(kind, sentence.format(word.replace("_", " "))) < 1.0] == []
    assert [word for word in others.split() if held(kind, sentence.format(word.replace("_", " "))) == 1.0] == []


@pytest.mark.parametrize("word", "in at near outside behind inside under along across around from to off".split())
def test_a_capital_behind_a_preposition_of_place_may_be_one(word: str) -> None:
    assert held(AnswerType.PLACE, f"It sank {word} the Lisbon quay.", "where in lisbon") == 0.0
    assert held(AnswerType.PLACE, f"It sank {word} the quay.", "where in lisbon") == -1.0
    assert held(AnswerType.PLACE, "It sank by the Lisbon quay.", "where in lisbon") == -1.0


def test_a_sentence_in_the_middle_of_a_quotation_is_one() -> None:
    text = "“We shouted. Nobody came. The sea was dark,” said Ines Roe."
    (reading,) = read_all([Article("a", text)])
    middle = reading.passages[1]
    assert holds(AnswerType.QUOTATION, SentenceView("Nobody came.", middle, frozenset())) == 1.0
