"""Scores -> the curve of answers given against answers right, as an SVG picture."""

from __future__ import annotations

import leather

from bot.scores import Point, Scores, Share

WHOLE = (0, 100)  # per cent
NOTHING = (0, 0)


def svg(scores: Scores) -> str:
    """Return the picture: the surest answers on the left, every question answered on the right."""
    chart = leather.Chart(_title(scores.curve))
    chart.add_x_scale(*WHOLE)
    chart.add_y_scale(*WHOLE)
    chart.add_x_axis(name="questions answered, %")
    chart.add_y_axis(name="answers right, %")
    chart.add_line([_place(point) for point in scores.curve] or [NOTHING], name="as the confidence asked for falls")
    chart.add_dots([_place(scores.now)], name=f"as it is set, {scores.now.threshold:.2f}")
    return str(chart.to_svg())


def _title(points: tuple[Point, ...]) -> str:
    if not points:
        return "Nothing could be answered"
    return f"Answers right, shown from a confidence of {points[0].threshold:.2f} (left) to {points[-1].threshold:.2f}"


def _place(point: Point) -> tuple[float, float]:
    return _percent(point.answered), _percent(point.right)


def _percent(share: Share) -> float:
    return round(100 * (share.value or 0.0), 1)
