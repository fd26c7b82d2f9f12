"""The golden questions, asked: floors that only rise, and promises that hold in every single reply.

They are asked by words alone and with the encoder, and each way has its own floors.
The floors stand a question below what is measured: one more or less is no alarm, and two are.
A known miss is named with its reason; one that is no longer missed must be struck off, so that it stays so.
"""

from __future__ import annotations

import pytest

from bot.evaluation.evaluate import AnswerFault, score
from tests.shelf import ENCODER, FIXTURES, SEEDS, WORDS, Shelf, grades

pytestmark = pytest.mark.rest


SHELVES = {"seeds": SEEDS, "fixtures": FIXTURES}
FIGURES = ("first", "within_three", "refused", "right", "wrongly", "speakers")
MOST = ("refused", "wrongly")  # of which the floor is the most that may be; wrongly is sure though unanswerable
FLOORS = {
    ("seeds", WORDS): (0.69, 0.81, 0.06, 0.92, 0.22, 0.83),
    ("seeds", ENCODER): (0.79, 0.88, 0.09, 0.92, 0.29, 0.83),
    ("fixtures", WORDS): (0.88, 0.98, 0.02, 0.91, 0.36, 0.93),
    ("fixtures", ENCODER): (0.88, 0.98, 0.02, 0.90, 0.42, 0.93),
}
EACH = pytest.mark.parametrize(("name", "by"), FLOORS)

# Of the right sentences that no caveat is about, those on which one is put all the same: the judgement is right of
# most, not of all.
MOST_BORROWED = {"seeds": 0.0, "fixtures": 0.05}


def _missed(shelf: Shelf, by: str, fault: AnswerFault) -> set[str]:
    return {each.golden.id for each in grades(shelf, by) if fault in each.faults}


@EACH
@pytest.mark.parametrize("figure", FIGURES)
def test_of_the_replies_as_many_are_right_as_the_floor_says(name: str, by: str, figure: str) -> None:
    share, floor = getattr(score(grades(SHELVES[name], by)), figure), FLOORS[name, by][FIGURES.index(figure)]
    assert (share.value >= floor) is (figure not in MOST), share


@EACH
def test_nothing_is_misquoted_and_nothing_uncited(name: str, by: str) -> None:
    scores = score(grades(SHELVES[name], by))
    assert scores.extracts
    assert (scores.misquotes, scores.uncited) == (0, 0)


@EACH
def test_a_caveat_that_is_due_is_shown_and_hardly_any_is_borrowed(name: str, by: str) -> None:
    assert _missed(SHELVES[name], by, AnswerFault.SEVERED) == set()
    spared = [grade for grade in grades(SHELVES[name], by) if grade.bare is not None]
    assert len(_missed(SHELVES[name], by, AnswerFault.BORROWED)) <= MOST_BORROWED[name] * len(spared)
