"""A file of golden questions -> scores on standard output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from adapters import json_contract
from bot.errors import GoldenError
from bot.evaluation import golden
from bot.evaluation.evaluate import evaluate
from bot.evaluation.golden import Golden
from bot.evaluation.scores import Miss, Point, Scores, Share
from bot.service import QuestionService

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
    """Golden questions that cannot be asked, in words."""

    exit_code = WRONG


def read(path: Path) -> tuple[Golden, ...]:
    """Return all questions of a file."""
    try:
        return golden.load(path)
    except GoldenError as error:
        raise EvaluationError(str(error)) from error


def show(service: QuestionService, questions: tuple[Golden, ...], *, as_json: bool) -> None:
    """Print the scores of ``service``: JSON on one line, or drawn for a person."""
    try:
        scores = evaluate(service, questions)
    except GoldenError as error:
        raise EvaluationError(str(error)) from error
    if as_json:
        click.echo(json_contract.line(figures(scores)))
        return
    from adapters.evaluation.scores_table import draw  # noqa: PLC0415
    from adapters.terminal.stdout import put  # noqa: PLC0415 - rich is of no use to machines

    put(draw(scores))
