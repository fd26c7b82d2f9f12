"""How sure a reply is, what is done with it, and what speaks against a sentence that has the words asked for."""

import math

import pytest

from bot.ask.choose import analyse, choose_answer
from bot.ask.confidence import confidence_features
from bot.ask.model import Band, Candidate, Choice, Thresholds
from bot.ask.rank import Asked, weights
from bot.command import Library
from bot.model import Answer, Question
from bot.service import QuestionService
from retrieval.search import Hit
from tests.encoders import Fixed
from tests.stock import archive_of, expect, holdings
from tests.support.tables import cases

ASKING = holdings()


def test_what_the_archive_lacks_lowers_the_confidence() -> None:
    met, less = (
        choose_answer(Question(f"who was at the wheel{more}"), ASKING).confidence
        for more in ("", " of the zeppelin over patagonia")
    )
    assert met > less


def considered(text: str, asking: Library = ASKING) -> tuple[Choice, dict[str, float]]:
    choice = choose_answer(Question(text), asking)
    asked = Asked.of(analyse(Question(text), asking), asking.archive)
    return choice, confidence_features(choice.candidates, asked, asking.archive)


def test_the_parts_add_up_to_the_log_odds_and_every_feature_has_a_weight() -> None:
    choice, values = considered("who was at the wheel")
    model = weights("confidence", ())
    assert sum(value for _, value in choice.parts) == pytest.approx(model.score(values))
    assert choice.confidence == model.probability(values)
    assert values.keys() == model.weights.keys()
    further = {"meaning", "context", "reader"}
    assert values.keys() | further == weights("confidence", further).weights.keys()
    assert dict(choice.candidates[0].features).keys() == weights("ranking", ()).weights.keys()


def test_a_single_candidate_has_the_whole_margin_and_agrees_with_itself() -> None:
    choice, values = considered("lighthouse", Library(archive_of("The lighthouse burned.")))
    assert (len(choice.candidates), values["margin"], values["agreement"]) == (1, 1.0, 1.0)


@pytest.mark.parametrize("question", ["", "the of and", "zeppelin", "?" * 500])
def test_without_a_candidate_there_is_no_confidence(question: str) -> None:
    choice = choose_answer(Question(question), Library(ASKING.archive, thresholds=Thresholds(0.0, 0.0)))
    assert (choice.confidence, choice.parts, choice.chosen) == (0.0, (), ())


def candidate(article_id: str, score: float, **values: float) -> Candidate:
    own = {"sentence": 0.0, "article": 0.0, "type": 0.0} | values
    return Candidate(Hit(article_id, LETTERS.reading(article_id).passages[0], 0.0), score, features=tuple(own.items()))


def values(*candidates: Candidate) -> dict[str, float]:
    return confidence_features(candidates, ASKED, LETTERS)


LETTERS = archive_of(*(f"The ferry {each} sank. Its wheel was lost. Nobody was hurt." for each in "abcde"))
ASKED = Asked.of(analyse(Question("ferry wheel zeppelin"), ASKING), ASKING.archive)


def test_the_margin_is_the_share_of_the_first_three() -> None:
    high, low = candidate("a", 2.0), candidate("a", 1.0)
    assert values(*[low] * 3)["margin"] == 1.0
    assert values(*[low] * 4)["margin"] == pytest.approx(3 / 4)
    assert values(*[high] * 3, *[low] * 3)["margin"] == pytest.approx(math.e / (math.e + 1))


def test_the_agreement_is_the_share_of_the_first_five_in_one_article() -> None:
    letters = [candidate(name, 1.0) for name in "aabbbc"]
    assert values(*letters[:2])["agreement"] == 1.0
    assert values(*letters[:3])["agreement"] == pytest.approx(2 / 3)
    assert values(*letters)["agreement"] == pytest.approx(3 / 5)
    assert values(*letters[::-1])["agreement"] == pytest.approx(3 / 5)
    assert values(*[candidate(name, 1.0) for name in "abcdee"])["agreement"] == pytest.approx(1 / 5)


def test_what_is_not_told_around_the_best_is_elsewhere() -> None:
    near = values(candidate("a", 1.0))["other_article"]
    worth = [worth for _, worth in ASKED.words]
    assert near == pytest.approx(worth[2] / sum(worth))


def test_the_best_of_the_first_three_is_weighed_and_the_type_of_the_first() -> None:
    found = values(
        candidate("a", 4.0, sentence=1.0, article=5.0, type=-1.0, meaning=0.2),
        candidate("a", 3.0, sentence=2.0, article=1.0, type=1.0, meaning=0.8),
        candidate("a", 2.0, sentence=1.5, article=1.0, type=1.0, meaning=0.3),
        candidate("a", 1.0, sentence=9.0, article=9.0, type=1.0, meaning=0.9),
    )
    scale = math.sqrt(ASKED.potential)
    assert found["sentence"] == pytest.approx(2.0 / scale)
    assert (found["type"], found["meaning"]) == (-1.0, 0.8)
    assert found["words"] == pytest.approx(math.log(4))


def test_the_bands_are_those_that_were_measured() -> None:
    measured = [Thresholds().band(confidence) for confidence in (0.8, 0.799, 0.45, 0.449, 0.08, 0.079)]
    assert measured == [band for band in Band for _ in range(2)][1:-1]


def test_what_speaks_against_an_answer_lowers_the_confidence() -> None:
    for further in ({}, {"meaning": 0.4, "context": 0.3, "reader": 1.0}):
        model = weights("confidence", values(candidate("a", 1.0, **further)))
        against = {name for name, weight in model.weights.items() if weight < 0}
        assert against <= {"nowhere", "not_told", "other_article", "personal", "words"}
        assert "size" not in model.weights


TEXTS = {
    "run": "The tram to Oxley left the rails on the bridge. The tram was going at 70 mph, the inspector said. "
    "On the bridge the limit for a tram is 30 mph. The tram is 40 feet long.",
    "flood": "A flood drowned 12 people in Varde, said Ada Roe. The mayor wept. | "
    "The mayor of Oxley, Ivo Kern, opened a bridge.",
    "expelled": "The nations of the union have expelled 200 diplomats since Monday. "
    "Norway has expelled nine of the diplomats. Denmark recalled its ambassador.",
    "keeper": "The keeper of Oxley has left. His successor in Oxley is Ann Lee.",
}


@cases("texts, asked, best, band", Band)
def test_what_has_the_words_and_the_type_may_not_be_the_answer(texts: str, asked: str, best: str, band: Band) -> None:
    archive = archive_of(*texts.format(**TEXTS).split(" | "))
    library = Library(archive, Fixed(best, odds=6.0), thresholds=Thresholds(0.0, 0.0))
    before, _, question = asked.rpartition(" | ")
    assert choose_answer(Question(question, before or None), library).band is band


def test_of_two_figures_of_one_unit_none_is_sure_and_both_are_shown() -> None:
    text = "The fire at the mill killed 9 people. Later the mayor spoke of 14 people. Trams stopped for 3 hours."
    reader = Fixed("people", odds=6.0)
    library = Library(archive_of(text), reader, thresholds=Thresholds(0.0, 0.0))
    question = Question("how many people did the fire at the mill kill, according to the mayor", brief=True)
    assert choose_answer(question, library).band is Band.PROBABLY
    reply = expect(Answer, QuestionService(library).answer(question))
    assert ["9" in reply.extracts[0].text, "14" in reply.extracts[1].text] in ([True, True], [False, False])
    assert not any(extract.answer for extract in reply.extracts)
    alone = Library(archive_of(text.replace("14 people", "14 mills")), reader, thresholds=Thresholds(0.0, 0.0))
    assert choose_answer(question, alone).band is Band.ANSWER
