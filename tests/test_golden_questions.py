"""The golden questions, asked: floors that only rise, and promises that hold in every single reply.

The floors stand a little below what is measured, so that one question more or less is no alarm.
A known miss is named with its reason; one that is no longer missed must be struck off, so that it stays so.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.evaluate import score
from bot.scores import Fault, Scores, Share
from tests.shelf import FIXTURES, SEEDS, Shelf, marks


@dataclass(frozen=True, slots=True)
class Floors:
    """The least that must be reached; ``refused`` is the most that may be."""

    first: float
    within_three: float
    refused: float
    silence: float
    speakers: float


SHELVES = {"seeds": SEEDS, "fixtures": FIXTURES}
FLOORS = {
    "seeds": Floors(first=0.83, within_three=0.89, refused=0.08, silence=0.72, speakers=0.96),
    "fixtures": Floors(first=0.87, within_three=0.93, refused=0.07, silence=0.70, speakers=0.96),
}

# Of the right sentences that no caveat is about, those on which one is put all the same: the judgement is right of
# most, not of all.
MOST_BORROWED = {"seeds": 0.0, "fixtures": 0.05}


@pytest.fixture(params=SHELVES)
def name(request: pytest.FixtureRequest) -> str:
    """Return the name of each shelf in turn."""
    return str(request.param)


@pytest.fixture
def scores(name: str) -> Scores:
    """Return how the golden questions of a shelf are answered."""
    return score(marks(SHELVES[name]))


def _missed(shelf: Shelf, fault: Fault) -> set[str]:
    return {each.golden.id for each in marks(shelf) if fault in each.faults}


def _reaches(share: Share, floor: float) -> bool:
    assert share.value is not None
    return share.value >= floor


def test_most_questions_are_answered_rightly(name: str, scores: Scores) -> None:
    """With the right sentence first, or among the three."""
    assert _reaches(scores.first, FLOORS[name].first), scores.first
    assert _reaches(scores.within_three, FLOORS[name].within_three), scores.within_three


def test_what_the_articles_do_not_say_is_mostly_told_from_what_they_do(name: str, scores: Scores) -> None:
    """And few questions are refused that could be answered."""
    assert scores.silence.f1 is not None
    assert scores.silence.f1 >= FLOORS[name].silence, scores.silence
    assert not _reaches(scores.refused, FLOORS[name].refused), scores.refused


def test_who_says_it_is_shown(name: str, scores: Scores) -> None:
    """With nearly every right sentence that somebody says."""
    assert _reaches(scores.speakers, FLOORS[name].speakers), scores.speakers


def test_nothing_is_misquoted_and_nothing_uncited(scores: Scores) -> None:
    """Sentences, caveats, denials and notices are what stands at the place cited."""
    assert scores.extracts
    assert (scores.misquotes, scores.uncited) == (0, 0)


def test_a_caveat_that_is_due_is_shown(name: str) -> None:
    """With every right sentence, on it or below the reply."""
    assert _missed(SHELVES[name], Fault.SEVERED) == set()


def test_hardly_any_caveat_is_borrowed(name: str) -> None:
    """A right sentence that has none is shown with none."""
    spared = [mark for mark in marks(SHELVES[name]) if mark.bare is not None]
    assert len(_missed(SHELVES[name], Fault.BORROWED)) <= MOST_BORROWED[name] * len(spared)
