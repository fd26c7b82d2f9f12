"""How far confidences can be relied on, worked out by hand."""

from __future__ import annotations

import pytest

from bot.evaluation.evaluate import calibration
from bot.evaluation.scores import Bin, Share


def test_confidences_that_part_right_from_wrong_have_an_auc_of_one() -> None:
    assert calibration([(0.9, True), (0.6, True), (0.5, False)]).auc == 1.0
    assert calibration([(0.1, True), (0.6, False), (0.5, False)]).auc == 0.0
    assert calibration([(0.4, True), (0.4, False)]).auc == 0.5


def test_the_auc_is_the_share_of_pairs_in_order() -> None:
    assert calibration([(0.9, True), (0.3, True), (0.4, False), (0.3, False)]).auc == pytest.approx(2.5 / 4)


def test_the_error_is_weighed_by_what_each_tenth_holds() -> None:
    found = calibration([(0.21, True), (0.29, False), (1.0, False)])
    assert found.bins == (Bin(0.25, Share(1, 2)), Bin(1.0, Share(0, 1)))
    assert found.error == pytest.approx(0.5)


def test_a_whole_confidence_belongs_to_the_last_tenth() -> None:
    assert len(calibration([(1.0, True), (0.95, True)]).bins) == 1


@pytest.mark.parametrize("judged", [[], [(0.5, True)], [(0.5, False), (0.7, False)]])
def test_without_right_and_wrong_there_is_nothing_to_tell_apart(judged: list[tuple[float, bool]]) -> None:
    assert calibration(judged).auc is None
    assert (calibration(judged).error is None) is (not judged)
