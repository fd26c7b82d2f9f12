"""The golden questions, asked, and articles, read: floors that only rise, and promises that hold in every single one.

Questions are asked by words alone and with the encoder, and each way has its own floors. What is read in the articles
of ``tests/fixtures`` is set against ``gold.toml``. The floors stand a question or a row below what is measured: one
more or less is no alarm, and two are.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from bot.evaluation.evaluate import AnswerFault, score
from tests.shelf import ENCODER, FIXTURES, SEEDS, WORDS, Shelf, grades, readings
from tests.support.gold import Read, load_gold

SHELVES = {"seeds": SEEDS, "fixtures": FIXTURES}
FIGURES = "first within_three falsely_refused right_when_sure sure_though_unanswerable speakers_named".split()
MOST = ("falsely_refused", "sure_though_unanswerable")  # of which the floor is the most that may be
FLOORS = {
    ("seeds", WORDS): (0.69, 0.81, 0.06, 0.92, 0.22, 0.83),
    ("seeds", ENCODER): (0.79, 0.88, 0.09, 0.92, 0.29, 0.83),
    ("fixtures", WORDS): (0.88, 0.98, 0.02, 0.91, 0.36, 0.93),
    ("fixtures", ENCODER): (0.88, 0.98, 0.02, 0.90, 0.42, 0.93),
}
EACH = pytest.mark.parametrize(("name", "by"), [pytest.param(*asked, marks=pytest.mark.rest) for asked in FLOORS])

# Of the right sentences that no caveat is about, those on which one is put all the same: the judgement is right of
# most, not of all.
MOST_BORROWED = {"seeds": 0.0, "fixtures": 0.05}


def _missed(shelf: Shelf, by: str, fault: AnswerFault) -> set[str]:
    return {each.golden.id for each in grades(shelf, by) if fault in each.faults}


@EACH
@pytest.mark.parametrize("figure", FIGURES)
def test_of_the_replies_as_many_are_right_as_the_floor_says(name: str, by: str, figure: str) -> None:
    share, floor = score(grades(SHELVES[name], by)).shares[figure], FLOORS[name, by][FIGURES.index(figure)]
    assert share.value is not None
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


# -- readings ----------------------------------------------------------------------------------------------------------

# The rows of gold that may be misread: one more than are.
MOST_WRONG = {Read.voices: 31, Read.speakers: 30, Read.denials: 1, Read.covered: 8, Read.uncovered: 6}
MOST_WRONG |= {Read.caveats: 2, Read.kinds: 1, Read.boilerplate: 1}

READINGS = {Path(reading.article.path).name: reading for reading in readings(FIXTURES)}
READ = tuple(Read(gold, READINGS[gold.path.name]) for gold in load_gold())


def _wrong(judge: Callable[[Read], Iterable[str]]) -> set[tuple[str, str]]:
    """Return the article's file and the words of each row of gold that is misread."""
    return {(read.gold.path.name, words) for read in READ for words in judge(read)}


@pytest.mark.parametrize(("judge", "most"), MOST_WRONG.items(), ids=[judge.__name__ for judge in MOST_WRONG])
def test_most_of_it_is_read_rightly(judge: Callable[[Read], Iterable[str]], most: int) -> None:
    wrong = _wrong(judge)
    assert len(wrong) <= most, sorted(wrong)


def test_no_sentence_is_bare_of_the_caveat_that_is_due_and_what_only_looks_like_one_is_none() -> None:
    """A body that could not confirm something is no newsroom, and not every "could not" is about verifying."""
    assert _wrong(Read.never_bare) == set()
    assert _wrong(Read.not_caveats) == set()
