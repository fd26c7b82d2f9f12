"""How often who speaks is told, over sentences that stand alone: a floor, since a trained model decides."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.retrieval.speech.test_attribution import read

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _shown(sentence: str) -> str | None:
    (found,) = read(sentence)
    shown = found.displayable if found else None
    return shown.speaker if shown else None


def test_most_who_speak_are_named_and_few_others() -> None:
    told: dict[str, str] = _TABLE["told"]
    shown = {sentence: _shown(sentence) for sentence in told}
    right = sum(shown[sentence] == speaker for sentence, speaker in told.items())
    wrong = [sentence for sentence, speaker in told.items() if shown[sentence] not in (None, speaker)]
    assert right / len(told) > 0.7
    assert len(wrong) / len(told) < 0.12, wrong


def test_few_speak_where_nobody_is_reported() -> None:
    named = [sentence for sentence in _TABLE["silent"] if _shown(sentence)]
    assert len(named) / len(_TABLE["silent"]) < 0.25, named
