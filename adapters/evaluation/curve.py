"""Scores -> risk against coverage, and reliability, side by side as an SVG picture."""

from __future__ import annotations

import leather

from bot.evaluation.scores import Calibration, Point, Scores, Share

WHOLE = (0, 100)  # per cent
NOTHING = (0, 0)


def svg(scores: Scores) -> str:
    """Return the picture: risk and coverage on the left, reliability on the right."""
    grid = leather.Grid()
    grid.add_many([_risk_coverage(scores), _reliability(scores.calibration)])
    return str(grid.to_svg())


def _risk_coverage(scores: Scores) -> leather.Chart:
    """Draw the surest answers on the left, every question answered on the right."""
    chart = _chart(_title(scores.curve), "questions answered, %", "answers wrong, %")
    chart.add_line([_place(point) for point in scores.curve] or [NOTHING], name="as the confidence asked for falls")
    chart.add_dots([_place(scores.now)], name=f"as it is set, {scores.now.threshold:.2f}")
    return chart


def _reliability(calibration: Calibration) -> leather.Chart:
    """Draw how often replies were right against how sure they were; what is well calibrated lies on the diagonal."""
    chart = _chart("Reliability: right as often as it is sure", "confidence told, %", "replies right, %")
    chart.add_line([NOTHING, (WHOLE[1], WHOLE[1])], name="as it should be")
    told = [(round(100 * each.told, 1), _percent(each.right)) for each in calibration.bins]
    chart.add_dots(told or [NOTHING], name="as it is, in ten bins")
    return chart


def _chart(title: str, across: str, up: str) -> leather.Chart:
    chart = leather.Chart(title)
    chart.add_x_scale(*WHOLE)
    chart.add_y_scale(*WHOLE)
    chart.add_x_axis(name=across)
    chart.add_y_axis(name=up)
    return chart


def _title(points: tuple[Point, ...]) -> str:
    if not points:
        return "Nothing could be answered"
    return f"Risk and coverage, from a confidence of {points[0].threshold:.2f} (left) to {points[-1].threshold:.2f}"


def _place(point: Point) -> tuple[float, float]:
    return _percent(point.answered), round(100 - _percent(point.right), 1) if point.right.whole else 0.0


def _percent(share: Share) -> float:
    return round(100 * (share.value or 0.0), 1)
