"""A file of golden questions -> scores on standard output, and the curve as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from adapters import machine
from adapters.evaluation.scores_json import figures
from bot.desk import Desk
from bot.errors import GoldenError
from bot.evaluation import golden
from bot.evaluation.evaluate import evaluate
from bot.evaluation.golden import Golden
from bot.evaluation.scores import Scores

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
        click.echo(machine.line(figures(scores)))
        return
    from adapters.evaluation.scores_table import draw  # noqa: PLC0415
    from adapters.terminal.stdout import put  # noqa: PLC0415 - rich is of no use to machines

    put(draw(scores))


def _draw(scores: Scores, picture: Path) -> None:
    from adapters.evaluation.curve import svg  # noqa: PLC0415 - drawn only where it is wanted

    try:
        picture.write_text(svg(scores), encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{picture} cannot be written: {error.strerror}.") from error
