"""Scores -> the JSON of ``stet eval --json``: one object; a share is ``[part, whole]``."""

from __future__ import annotations

from typing import Any

from bot.evaluation.scores import Miss, Point, Scores, Share

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
