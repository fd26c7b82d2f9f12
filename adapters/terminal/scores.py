"""The scores of ``stet eval``: as JSON, and drawn for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from adapters.terminal.text import plain
from bot.evaluation.evaluate import Bin, Miss, Scores, Share, ThresholdScore, tenths


def figures(scores: Scores) -> dict[str, Any]:
    """Return what ``stet eval --json`` prints. A share is [part, whole]."""
    return {
        "questions": scores.questions,
        "answered": _pair(scores.answered),
        "first": _pair(scores.first),
        "within_three": _pair(scores.within_three),
        "falsely_refused": _pair(scores.refused),
        "sure": _pair(scores.bands.sure),
        "right_when_sure": _pair(scores.bands.right),
        "sure_though_unanswerable": _pair(scores.bands.wrongly),
        "confidence_auc": scores.calibration.auc,
        "calibration_error": scores.calibration.error,
        "reliability": [{"told": each.confidence, "right": _pair(each.right)} for each in scores.calibration.bins],
        "caveats_given": _pair(scores.caveats),
        "caveats_borrowed": _pair(scores.borrowed),
        "speakers_named": _pair(scores.speakers),
        "extracts": scores.extracts,
        "misquotes": scores.misquotes,
        "uncited": scores.uncited,
        "misses": [
            {"id": miss.id, "question": miss.question, "faults": list(miss.faults), "shown": miss.shown}
            for miss in scores.misses
        ],
        "now": _point_figures(scores.now),
        "curve": [_point_figures(point) for point in scores.curve],
    }


def _pair(share: Share) -> list[int]:
    return [share.part, share.whole]


def _point_figures(point: ThresholdScore) -> dict[str, Any]:
    return {"threshold": point.threshold, "answered": _pair(point.answered), "right": _pair(point.right)}


def draw(scores: Scores) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", style="bold")
    table.add_column(style="dim")
    for row in _rows(scores):
        table.add_row(*row)
    return Group(table, *_misses(scores.misses), *_reliability(scores.calibration.bins), *_curve(scores))


def _rows(scores: Scores) -> Iterator[tuple[str, str, str]]:
    yield "questions", str(scores.questions), ""
    yield _share("answered", scores.answered, "that the articles answer")
    yield _share("right sentence first", scores.first, "of those")
    yield _share("right sentence in the first three", scores.within_three, "of those")
    yield _share("wrongly refused", scores.refused, "of those")
    yield _share("answered with confidence", scores.bands.sure, "of those")
    yield _share("right when confident", scores.bands.right, "confident answers, in the first three")
    yield _share("confident though unanswerable", scores.bands.wrongly, "questions that the articles don't answer")
    yield "confidence, AUC", _figure(scores.calibration.auc), "how often a right reply is surer than a wrong one"
    yield "calibration error", _figure(scores.calibration.error), "how far the confidence is off, in ten bins"
    yield _share("caveat given", scores.caveats, "where it is due")
    yield _share("caveat borrowed", scores.borrowed, "where none may be")
    yield _share("speaker named", scores.speakers, "where the file names one")
    yield "misquotes", str(scores.misquotes), f"in {scores.extracts} sentences shown, with their caveats and context"
    yield "uncited", str(scores.uncited), ""


def _share(name: str, share: Share, of: str) -> tuple[str, str, str]:
    return name, _percent(share.value), f"{share.part} of {share.whole} {of}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _misses(misses: Sequence[Miss]) -> Iterator[RenderableType]:
    if misses:
        yield Text()
        yield plain("Misses", "underline")
    for miss in misses:
        yield plain(f"{', '.join(miss.faults)}: {miss.id}: {miss.question}")
        yield plain(f"    {miss.shown or 'nothing was shown'}", "dim")


def _reliability(bins: Sequence[Bin]) -> Iterator[RenderableType]:
    if bins:
        table = _columns("confidence", "right", "replies")
        for each in bins:
            table.add_row(_percent(each.confidence), _percent(each.right.value), str(each.right.whole))
        yield from (Text(), plain("Reliability: confidence against how often it was right", "underline"), table)


def _curve(scores: Scores) -> Iterator[RenderableType]:
    if scores.curve:
        table = _columns("shown from a confidence of", "questions answered", "answers right")
        table.add_column(style="dim")
        for point in tenths(scores.curve):
            table.add_row(*_point(point))
        table.add_row()
        table.add_row(*_point(scores.now), "today's setting")
        yield from (Text(), plain("Questions answered against answers right", "underline"), table)


def _columns(*names: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        table.add_column(name, justify="right")
    return table


def _point(point: ThresholdScore) -> tuple[str, str, str]:
    return f"{point.threshold:.2f}", _percent(point.answered.value), _percent(point.right.value)
