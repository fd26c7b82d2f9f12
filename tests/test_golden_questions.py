"""The golden questions, asked: floors that only rise, and promises that hold in every single reply.

They are asked by words alone and with the encoder, and each way has its own floors.
The floors stand a question below what is measured: one more or less is no alarm, and two are.
A known miss is named with its reason; one that is no longer missed must be struck off, so that it stays so.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.evaluation.evaluate import AnswerFault, Scores, Share, score
from tests.shelf import BOTH_WAYS, ENCODER, FIXTURES, SEEDS, WORDS, Shelf, grades

pytestmark = pytest.mark.rest


@dataclass(frozen=True, slots=True)
class Floors:
    """The least that must be reached; of ``refused`` and ``wrongly``, sure though unanswerable, the most that may."""

    first: float
    within_three: float
    refused: float
    right_when_sure: float
    wrongly: float
    speakers: float


SHELVES = {"seeds": SEEDS, "fixtures": FIXTURES}
FLOORS = {
    ("seeds", WORDS): Floors(
        first=0.69, within_three=0.81, refused=0.06, right_when_sure=0.92, wrongly=0.22, speakers=0.83
    ),
    ("seeds", ENCODER): Floors(
        first=0.79, within_three=0.88, refused=0.09, right_when_sure=0.92, wrongly=0.29, speakers=0.83
    ),
    ("fixtures", WORDS): Floors(
        first=0.88, within_three=0.98, refused=0.02, right_when_sure=0.91, wrongly=0.36, speakers=0.93
    ),
    ("fixtures", ENCODER): Floors(
        first=0.88, within_three=0.98, refused=0.02, right_when_sure=0.90, wrongly=0.42, speakers=0.93
    ),
}

# Of the right sentences that no caveat is about, those on which one is put all the same: the judgement is right of
# most, not of all.
MOST_BORROWED = {"seeds": 0.0, "fixtures": 0.05}


@pytest.fixture(params=SHELVES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=BOTH_WAYS)
def by(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def floors(name: str, by: str) -> Floors:
    return FLOORS[name, by]


@pytest.fixture
def scores(name: str, by: str) -> Scores:
    return score(grades(SHELVES[name], by))


def _missed(shelf: Shelf, by: str, fault: AnswerFault) -> set[str]:
    return {each.golden.id for each in grades(shelf, by) if fault in each.faults}


def _reaches(share: Share, floor: float) -> bool:
    assert share.value is not None
    return share.value >= floor


def test_most_questions_are_answered_rightly(floors: Floors, scores: Scores) -> None:
    assert _reaches(scores.first, floors.first), scores.first
    assert _reaches(scores.within_three, floors.within_three), scores.within_three


def test_few_questions_are_refused_that_could_be_answered(floors: Floors, scores: Scores) -> None:
    assert not _reaches(scores.refused, floors.refused), scores.refused


def test_what_is_called_an_answer_mostly_is_one(floors: Floors, scores: Scores) -> None:
    assert _reaches(scores.right, floors.right_when_sure), scores.right
    assert not _reaches(scores.wrongly, floors.wrongly), scores.wrongly


def test_who_says_it_is_shown(floors: Floors, scores: Scores) -> None:
    assert _reaches(scores.speakers, floors.speakers), scores.speakers


def test_nothing_is_misquoted_and_nothing_uncited(scores: Scores) -> None:
    assert scores.extracts
    assert (scores.misquotes, scores.uncited) == (0, 0)


def test_a_caveat_that_is_due_is_shown(name: str, by: str) -> None:
    assert _missed(SHELVES[name], by, AnswerFault.SEVERED) == set()


def test_hardly_any_caveat_is_borrowed(name: str, by: str) -> None:
    spared = [grade for grade in grades(SHELVES[name], by) if grade.bare is not None]
    assert len(_missed(SHELVES[name], by, AnswerFault.BORROWED)) <= MOST_BORROWED[name] * len(spared)
