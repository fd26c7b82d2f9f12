"""Who speaks in which article is in ``readings/speakers.toml``; here is what a table can't say."""

from __future__ import annotations

import tomllib
from pathlib import Path

from retrieval.model import Article, Attribution, Manner, Span, Voice
from retrieval.pipeline import read_one

ALONE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _speaker(sentence: str) -> str | None:
    return read_one(Article("a", sentence)).passages[0].speaker


def test_most_who_speak_are_named_and_few_others() -> None:
    told: dict[str, str] = ALONE["told"]
    shown = {sentence: _speaker(sentence) for sentence in told}
    wrong = [sentence for sentence, speaker in told.items() if shown[sentence] not in (None, speaker)]
    assert sum(shown[sentence] == speaker for sentence, speaker in told.items()) / len(told) > 0.66
    assert len(wrong) / len(told) < 0.12, wrong


def test_few_speak_where_nobody_is_reported() -> None:
    named = [sentence for sentence in ALONE["silent"] if _speaker(sentence)]
    assert len(named) / len(ALONE["silent"]) < 0.25, named


def test_of_a_speaker_who_is_not_sure_nothing_is_shown_but_that_a_quotation_is_open() -> None:
    cue = Span(0, 4)
    likely = Attribution("Ann Lee", Voice.NAMED, Manner.QUOTED, cue, "rule", sure=False)
    assert likely.displayable == Attribution(None, Voice.UNRESOLVED, Manner.QUOTED, cue, "speaker not sure")
    assert Attribution("Ann Lee", Voice.NAMED, Manner.PARAPHRASED, cue, "rule", sure=False).displayable is None
    sure = Attribution("Ann Lee", Voice.NAMED, Manner.QUOTED, cue, "rule")
    assert sure.displayable is sure
