"""Scores -> text for a person: a table, the misses, reliability and the curve as numbers. Draws; prints nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adapters.terminal.text import plain
from bot.evaluation.scores import Bin, Miss, Point, Scores, Share, tenths


def draw(scores: Scores) -> RenderableType:
    """Return the scores as a terminal shows them."""
    return Group(_table(scores), *_misses(scores.misses), *_reliability(scores.calibration.bins), *_curve(scores))


def _table(scores: Scores) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", style="bold")
    table.add_column(style="dim")
    for row in _rows(scores):
        table.add_row(*row)
    return table


def _rows(scores: Scores) -> Iterator[tuple[str, str, str]]:
    yield "questions", str(scores.questions), ""
    yield _share("answered", scores.answered, "of those that the articles answer")
    yield _share("right sentence first", scores.first, "of those")
    yield _share("right sentence within three", scores.within_three, "of those")
    yield _share("falsely refused", scores.refused, "of those")
    yield _share("answered surely", scores.bands.sure, "of those")
    yield _share("right when sure", scores.bands.right, "of all sure answers, within three")
    yield _share("sure though unanswerable", scores.bands.wrongly, "of the questions that the articles do not answer")
    yield "confidence, AUC", _figure(scores.calibration.auc), "how often a right reply is surer than a wrong one"
    yield "calibration error", _figure(scores.calibration.error), "how far the confidence is off, in ten bins"
    yield _share("caveat given", scores.caveats, "where it is due")
    yield _share("caveat borrowed", scores.borrowed, "where none may be")
    yield _share("speaker named", scores.speakers, "where the file names one")
    yield "misquotes", str(scores.misquotes), f"in {scores.extracts} sentences shown and what travels with them"
    yield "uncited", str(scores.uncited), ""


def _share(name: str, share: Share, of: str) -> tuple[str, str, str]:
    return name, _percent(share.value), f"{share.part} of {share.whole} {of}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _misses(misses: Sequence[Miss]) -> Iterator[RenderableType]:
    if not misses:
        return
    yield Text()
    yield plain("Misses", "underline")
    for miss in misses:
        yield plain(f"{', '.join(miss.faults)}: {miss.id}: {miss.question}")
        yield plain(f"    {miss.shown or 'nothing was shown'}", "dim")


def _reliability(bins: Sequence[Bin]) -> Iterator[RenderableType]:
    if not bins:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("confidence told", "right", "replies"):
        table.add_column(column, justify="right")
    for each in bins:
        table.add_row(_percent(each.told), _percent(each.right.value), str(each.right.whole))
    yield Text()
    yield plain("Reliability: how sure against how often right", "underline")
    yield table


def _curve(scores: Scores) -> Iterator[RenderableType]:
    if not scores.curve:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("shown from a confidence of", "questions answered", "answers right"):
        table.add_column(column, justify="right")
    table.add_column(style="dim")
    for point in tenths(scores.curve):
        table.add_row(*_point(point))
    table.add_row()
    table.add_row(*_point(scores.now), "as it is set")
    yield Text()
    yield plain("Answers given against answers right", "underline")
    yield table


def _point(point: Point) -> tuple[str, str, str]:
    return f"{point.threshold:.2f}", _percent(point.answered.value), _percent(point.right.value)
