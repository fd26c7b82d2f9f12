"""What speaks against a sentence that has the words and the type of answer."""

from __future__ import annotations

import pytest

from bot.ask.choose import choose_answer
from bot.ask.model import Band, Choice, Thresholds
from bot.command import Library
from bot.model import Answer, Question
from bot.service import QuestionService
from tests.encoders import Fixed
from tests.stock import archive_of

RUN = (
    "The tram to Oxley left the rails on the bridge. The tram was going at 70 mph, the inspector said. "
    "On the bridge the limit for a tram is 30 mph. The tram is 40 feet long."
)


def asked(question: str, best: str, *texts: str) -> Choice:
    library = Library(archive_of(*texts), Fixed(best, odds=6.0), thresholds=Thresholds(0.0, 0.0))
    return choose_answer(Question(question), library)


@pytest.mark.parametrize(
    ("question", "best", "band"),
    [
        ("how fast was the tram going on the bridge", "30 mph", Band.CLOSEST),
        ("what is the limit for a tram, how fast may it go", "30 mph", Band.ANSWER),
        ("how many feet long is the tram", "40 feet", Band.ANSWER),
    ],
)
def test_a_limit_is_no_speed_unless_the_limit_is_asked_for(question: str, best: str, band: Band) -> None:
    assert asked(question, best, RUN).band is band


@pytest.mark.parametrize(
    ("sentence", "band"),
    [
        ("Nine people were killed in the fire.", Band.ANSWER),
        ("Nine people were injured in the fire.", Band.CLOSEST),
        ("Nine people were killed and four injured in the fire.", Band.ANSWER),
        ("The forecast is of nine people dead in the fire.", Band.CLOSEST),
    ],
)
def test_the_hurt_are_not_the_dead(sentence: str, band: Band) -> None:
    assert asked("how many people were killed in the fire", "people", sentence).band is band


def test_of_two_figures_of_one_unit_none_is_sure_and_both_are_shown() -> None:
    text = "The fire at the mill killed 9 people. Later the mayor spoke of 14 people. Trams stopped for 3 hours."
    reader = Fixed("people", odds=6.0)
    library = Library(archive_of(text), reader, thresholds=Thresholds(0.0, 0.0))
    question = Question("how many people did the fire at the mill kill, according to the mayor", brief=True)
    assert choose_answer(question, library).band is Band.PROBABLY
    reply = QuestionService(library).answer(question)
    assert isinstance(reply, Answer)
    assert ["9" in reply.extracts[0].text, "14" in reply.extracts[1].text] in ([True, True], [False, False])
    assert not any(extract.answer for extract in reply.extracts)
    alone = Library(archive_of(text.replace("14 people", "14 mills")), reader, thresholds=Thresholds(0.0, 0.0))
    assert choose_answer(question, alone).band is Band.ANSWER


ELSEWHERE = "A flood drowned 12 people in Varde, said Ada Roe. The mayor wept."
OXLEY = "The mayor of Oxley, Ivo Kern, opened a bridge."


@pytest.mark.parametrize(
    ("question", "band"),
    [
        ("how many people drowned in the flood in Varde", Band.ANSWER),
        ("how many people drowned in the flood in Oxley", Band.CLOSEST),
        ("how many people drowned in the flood in Irpin", Band.CLOSEST),
        ("how many people drowned in the flood in irpin", Band.CLOSEST),
        ("how many people drowned in the flood in Irpin, said Ada Roe", Band.CLOSEST),
        ("how many people drowned in the flood, said ivo kern", Band.CLOSEST),
    ],
)
def test_the_place_and_the_people_asked_for_count_as_much_as_the_event(question: str, band: Band) -> None:
    assert asked(question, "drowned", ELSEWHERE, OXLEY).band is band
