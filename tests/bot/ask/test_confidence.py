"""How sure a reply is, and what is done with it."""

from __future__ import annotations

import pytest

from bot.ask.confidence import confidence_features
from bot.ask.consider import consider, understood
from bot.ask.features import Asked
from bot.ask.model import Asking, Band, Thresholds
from bot.ask.rank import weights
from bot.model import Question
from retrieval.model import Article
from tests.stock import desk

ASKING = Asking(desk().holdings.archive)


@pytest.mark.parametrize(
    ("confidence", "band"),
    [(1.0, Band.SURE), (0.8, Band.SURE), (0.79, Band.UNSURE), (0.2, Band.UNSURE), (0.19, Band.NOTHING)],
)
def test_a_threshold_belongs_to_the_better_band(confidence: float, band: Band) -> None:
    """From it on, not only above it."""
    assert Thresholds(sure=0.8, shown=0.2).band(confidence) is band


def test_what_the_archive_lacks_lowers_the_confidence() -> None:
    """A question of which every word is met is surer than one whose rare words are not."""
    met = consider(Question("who was at the wheel"), ASKING).confidence
    lacking = consider(Question("who was at the wheel of the zeppelin over patagonia"), ASKING).confidence
    assert met > lacking


def test_the_parts_add_up_to_the_log_odds() -> None:
    """So that ``--explain`` tells the truth."""
    choice = consider(Question("who was at the wheel"), ASKING)
    model = weights("confidence-words")
    asked = Asked.of(understood(Question("who was at the wheel"), ASKING), ASKING.archive)
    values = confidence_features(choice.candidates, asked)
    assert sum(value for _, value in choice.parts) == pytest.approx(model.score(values))
    assert choice.confidence == model.probability(values)


def test_every_feature_has_a_weight_and_every_weight_a_feature() -> None:
    """A feature that nobody weighs, or a weight that nothing feeds, is a mistake."""
    choice = consider(Question("who was at the wheel"), ASKING)
    asked = Asked.of(understood(Question("who was at the wheel"), ASKING), ASKING.archive)
    names = confidence_features(choice.candidates, asked).keys()
    assert names == dict(weights("confidence-words").weights).keys()
    assert names | {"meaning"} == dict(weights("confidence").weights).keys()
    assert dict(choice.candidates[0].features).keys() == dict(weights("ranking-words").weights).keys()


def test_the_bands_are_what_the_reply_says() -> None:
    """Nothing is shown below the lower threshold, and all else is told apart by ``sure``."""
    question = Question("who was at the wheel")
    for sure, shown, band in ((0.0, 0.0, Band.SURE), (1.1, 0.0, Band.UNSURE), (1.1, 1.1, Band.NOTHING)):
        choice = consider(question, Asking(ASKING.archive, thresholds=Thresholds(sure, shown)))
        assert choice.band is band
        assert bool(choice.chosen) is (band is not Band.NOTHING)


def test_a_single_candidate_has_the_whole_margin_and_agrees_with_itself() -> None:
    """So that a small archive is no edge."""
    archive = desk([Article("a", "The lighthouse burned.")]).holdings.archive
    asking = Asking(archive)
    choice = consider(Question("lighthouse"), asking)
    values = confidence_features(choice.candidates, Asked.of(understood(Question("lighthouse"), asking), archive))
    assert (len(choice.candidates), values["margin"], values["agreement"]) == (1, 1.0, 1.0)


@pytest.mark.parametrize("question", ["", "the of and", "zeppelin", "?" * 500])
def test_without_a_candidate_there_is_no_confidence(question: str) -> None:
    """And nothing is shown, whatever the threshold."""
    choice = consider(Question(question), Asking(ASKING.archive, thresholds=Thresholds(0.0, 0.0)))
    assert (choice.confidence, choice.parts, choice.chosen) == (0.0, (), ())


@pytest.mark.parametrize("question", ["ferry " * 300, "who was at the wheel " * 50, "a b c d e f g h i j k l m n o p"])
def test_a_confidence_is_a_probability_whatever_is_asked(question: str) -> None:
    """Never below nothing, never above certainty."""
    assert 0.0 <= consider(Question(question), ASKING).confidence <= 1.0
