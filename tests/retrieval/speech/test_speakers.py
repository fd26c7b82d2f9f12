"""Who speaks in which article is in ``readings/speakers.toml``; here is what that table can't say.

A label, which is what is shown for a speaker, is a whole name, without title, dateline, clause or tokens of a corpus.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from retrieval.intake.articles import load_articles
from retrieval.model import Article, Attribution, Manner, Span, Voice
from retrieval.names.mentions import find_names
from retrieval.pipeline import read_one
from retrieval.speech.labels import Labels
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.shared import shared
from tests.shelf import read
from tests.support.nightly import examples
from tests.support.tables import cases

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


_FAULT = re.compile(
    r"\b(?:is|are|was|were|has|had|have|will|would|says?|said|told|denies|denied|accused)\b|-[LR]RB-|``|''|[()]|\n|"
    r"\s[’']s\b|^[A-Z]{3,} [A-Z][a-z]+ [A-Z]"
)

TEXT = (
    "Ada Tamm met Omar Ruiz and Liis Kask, the Harbour Fund of Norland and Velm Technologies. "
    "Robert Halm, a Nevada Democrat, met Gov. Jaan Roos, the mayor of Paldu, and former Secretary of State Ilse Vaher. "
    "Vera Halm, Grace Halm and the National Sea Rescue Service (NSRS) left. Tamm met the NSRS, Velm and Melika Orr. "
    "The Board of Lakes and Rivers shut it. Orvel, Orvel Sea Foods, Tarn and Tarn Pictures met Velm. "
    "Moll B. Karr and Otto K. Lind left. Denby's said no. Nobody left Denby's."
)


@cache
def _labels() -> Labels:
    layout = lay_out(Article("a", TEXT), parse(TEXT))
    return Labels(layout.with_names(find_names(layout)))


@cases("text, expected")
def test_a_label_is_a_noun_phrase_with_the_fullest_name(text: str, expected: str | None) -> None:
    assert _labels().of(text) == expected


@pytest.mark.rest
@pytest.mark.parametrize(
    ("corpus", "step"), [("news_2000.jsonl", examples(160, 80)), ("news_500.jsonl", examples(50, 25))]
)
def test_no_label_holds_a_verb_a_dateline_or_tokens(corpus: str, step: int) -> None:
    readings = [read(each) for each in load_articles([shared("data", "corpus", corpus)]).articles[::step]]
    labels = {p.speaker for reading in readings for p in reading.passages if p.speaker}
    faulty = sorted(label for label in labels if _FAULT.search(label))
    assert len(labels) > 50
    assert len(faulty) <= len(labels) * 0.01, faulty
