"""A file of golden questions -> scores on standard output, and the curve as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import leather

from adapters import json_contract
from bot.desk import Desk
from bot.errors import GoldenError
from bot.evaluation import golden
from bot.evaluation.evaluate import evaluate
from bot.evaluation.golden import Golden
from bot.evaluation.scores import Calibration, Miss, Point, Scores, Share

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


Object = dict[str, Any]


def figures(scores: Scores) -> Object:
    """Return what ``stet eval --json`` prints."""
    return {
        "questions": scores.questions,
        "answered": _share(scores.answered),
        "first": _share(scores.first),
        "within_three": _share(scores.within_three),
        "falsely_refused": _share(scores.refused),
        "sure": _share(scores.bands.sure),
        "right_when_sure": _share(scores.bands.right),
        "sure_though_unanswerable": _share(scores.bands.wrongly),
        "confidence_auc": scores.calibration.auc,
        "calibration_error": scores.calibration.error,
        "reliability": [{"told": each.told, "right": _share(each.right)} for each in scores.calibration.bins],
        "caveats_given": _share(scores.caveats),
        "caveats_borrowed": _share(scores.borrowed),
        "speakers_named": _share(scores.speakers),
        "extracts": scores.extracts,
        "misquotes": scores.misquotes,
        "uncited": scores.uncited,
        "misses": [_miss(miss) for miss in scores.misses],
        "now": _point(scores.now),
        "curve": [_point(point) for point in scores.curve],
    }


def _share(share: Share) -> list[int]:
    return [share.part, share.whole]


def _miss(miss: Miss) -> Object:
    return {"id": miss.id, "question": miss.question, "faults": list(miss.faults), "shown": miss.shown}


def _point(point: Point) -> Object:
    return {"threshold": point.threshold, "answered": _share(point.answered), "right": _share(point.right)}


WRONG = 2


class EvaluationError(click.ClickException):
    """Golden questions that cannot be asked, or a picture that cannot be drawn, in words."""

    exit_code = WRONG


def read(path: Path) -> tuple[Golden, ...]:
    """Return all questions of a file."""
    try:
        return golden.load(path)
    except GoldenError as error:
        raise EvaluationError(str(error)) from error


def show(desk: Desk, questions: tuple[Golden, ...], picture: Path | None, *, as_json: bool) -> None:
    """Print the scores of ``desk``: JSON on one line, or drawn for a person; the picture first, where it is wanted."""
    try:
        scores = evaluate(desk, questions)
    except GoldenError as error:
        raise EvaluationError(str(error)) from error
    if picture:
        _draw(scores, picture)
    if as_json:
        click.echo(json_contract.line(figures(scores)))
        return
    from adapters.evaluation.scores_table import draw  # noqa: PLC0415
    from adapters.terminal.stdout import put  # noqa: PLC0415 - rich is of no use to machines

    put(draw(scores))


def _draw(scores: Scores, picture: Path) -> None:
    from adapters.evaluation.evaluating import svg  # noqa: PLC0415 - drawn only where it is wanted

    try:
        picture.write_text(svg(scores), encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{picture} cannot be written: {error.strerror}.") from error
