"""Which sentences a caveat covers: over our own passages, whose lines are marked by an editor; and what speaks for it.

How caveats are worded and what they cover is in ``readings/caveats.toml``; here is what that table can't say.
``test_scope.toml`` holds what speaks for and against a sentence being covered, to the letter: small passages as they
were read once and looked over. Of the first caveat of each it tells the ``object``, which is what could not be stood
up, the ``context`` in which that stands, and the ``features`` of the sentences by their places; one that no caveat can
be about has none. A feature without a number is 1, numbers have two decimals. A change that means to change a feature
changes the line with it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from retrieval.caveats import scope
from retrieval.caveats.detection import contexts
from retrieval.caveats.scope import FARTHEST, JUDGED, CaveatContext, bands, eligible, features, load_model, reach
from retrieval.intake.articles import load_articles
from retrieval.logistic import sigmoid
from retrieval.model import Article, Judgement, Passage, Reading
from retrieval.names.mentions import find_names
from retrieval.pipeline import read_one
from retrieval.speech.attribution import attribute
from retrieval.speech.denials import find_denials
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse
from tests.retrieval.passages import CAVEATS, text_of
from tests.shared import shared

LEAST = 0.8  # of the sentences due, those on which the caveat surely is
MOST = 0.07  # of the others, those on which it is put all the same


@cache
def _read(name: str) -> Reading:
    return read_one(Article("a", text_of(CAVEATS[name])))


def _marked(name: str) -> Iterator[tuple[str, Passage]]:
    """Give the passages with the mark of their line; a line may hold several."""
    reading = _read(name)
    for line in filter(None, CAVEATS[name]):
        start = reading.article.text.index(line[2:])
        held = [p for p in reading.passages if start <= p.sentence.span.start < start + len(line) - 2]
        assert held, line
        yield from ((line, passage) for passage in held)


@pytest.mark.parametrize("name", CAVEATS)
def test_a_sentence_that_a_caveat_is_about_is_never_bare(name: str) -> None:
    for line, passage in _marked(name):
        assert line[0] != "+" or passage.caveats or passage.possible_caveats, line
        assert line[0] != "=" or passage.is_caveat, line


def test_hardly_any_sentence_borrows_a_caveat() -> None:
    spared = [passage for name in CAVEATS for line, passage in _marked(name) if line[0] == "-"]
    assert sum(bool(passage.caveats) for passage in spared) <= MOST * len(spared)


def test_most_caveats_stand_on_the_sentences_they_are_about() -> None:
    due = [passage for name in CAVEATS for line, passage in _marked(name) if line[0] == "+"]
    assert sum(bool(passage.caveats) for passage in due) >= LEAST * len(due)


@pytest.mark.parametrize("name", CAVEATS)
def test_a_caveat_covers_each_sentence_once_and_every_judgement_is_the_sum_of_its_parts(name: str) -> None:
    reading = _read(name)
    for caveat in reading.caveats:
        for band in (caveat.covers, caveat.possible):
            assert list(band) == sorted(set(band))
            assert set(band) <= set(range(len(reading.passages)))
        assert set(caveat.covers).isdisjoint(caveat.possible)
        for judgement in caveat.judgements:
            score = load_model().logistic.intercept + sum(value for _, value in judgement.parts)
            assert judgement.probability == pytest.approx(sigmoid(score))


def test_a_band_begins_at_its_threshold() -> None:
    learned = load_model()
    assert 0 < learned.possible < learned.sure < 1
    probabilities = (learned.sure, learned.sure - 1e-9, learned.possible, learned.possible - 1e-9)
    judgements = tuple(Judgement(i, probability, ()) for i, probability in enumerate(probabilities))
    assert bands(judgements) == ((0,), (1, 2))


def test_no_sentence_is_judged_farther_away_than_forty() -> None:
    others = " ".join(f"Ada Roe said boat {n} had sunk." for n in range(50))
    (caveat,) = read_one(Article("a", f"{others} The claims could not be verified. {others}")).caveats
    assert [judgement.sentence for judgement in caveat.judgements] == [*range(10, 50), *range(51, 91)]


# Where the sentences begin that the caveats of the five reports cover; they cover no other.
COVERED = {"000": (749, 938, 1110, 1243, 1400), "001": (), "002": (), "003": (), "004": (17, 134, 620, 777)}


def test_the_five_reports_have_their_caveats_where_they_are_due() -> None:
    readings = [read_one(article) for article in load_articles([shared("seeds")]).articles]
    found = {r.article.id[:3]: tuple(p.sentence.span.start for p in r.passages if p.caveats) for r in readings}
    assert found == COVERED


def test_an_outlet_is_known_by_the_source_of_the_article() -> None:
    outlets = {"BBC News": "BBC", "NPR Online News": "NPR", "Lantern (translated copy)": "Lantern"}
    outlets |= {"The Harbour Lantern": "Harbour Lantern"}
    for source, verifier in outlets.items():
        (caveat,) = read_one(Article("a", f"The {verifier} could not verify the claim.", source=source)).caveats
        assert (caveat.kind, caveat.verifier) == ("own", verifier)


@pytest.mark.parametrize("caveats", [1, 250, 500, 2_000])
def test_the_more_caveats_the_nearer_is_what_each_is_held_against(caveats: int) -> None:
    looked_at = 2 * reach(caveats)
    assert looked_at * caveats <= JUDGED
    assert reach(caveats) == FARTHEST or caveats > 250


@pytest.mark.rest
def test_an_article_of_caveats_is_read_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "JUDGED", JUDGED // 10)
    reading = read_one(Article("a", "The claims could not be independently verified. " * 60))
    assert 0 < sum(len(caveat.judgements) for caveat in reading.caveats) <= JUDGED // 10
    assert all(passage.is_caveat for passage in reading.passages)


TABLE = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
CASES = [pytest.param(case, id=case.pop("name")) for case in tomllib.loads(TABLE)["passages"]]
FLAGS = ("often", "access_restricted", "past", "plural", "sides")


def context_of(text: str) -> CaveatContext:
    """Return the first caveat of ``text`` among its sentences."""
    layout = lay_out(Article("a", text, source="The Courier"), parse(text))
    layout = layout.with_names(find_names(layout))
    attributions = attribute(layout)
    return contexts(layout, attributions, find_denials(layout, attributions))[0][1]


def describe_object(context: CaveatContext) -> str:
    """Return what is known of the object: its kind, what is true of it, and whose it is."""
    known = context.object
    owner = [f"of {' '.join(sorted(known.owner))}"] if known.owner else []
    topic = [f"about {' '.join(sorted(known.topic))}"] if known.topic else []
    return ", ".join([known.kind, *(flag for flag in FLAGS if getattr(known, flag)), *owner, *topic])


def describe_context(context: CaveatContext) -> str:
    """Return what is known of the sentences around the caveat, by their places."""
    known = {"anchor": [] if context.anchor is None else [context.anchor.index], "side": sorted(context.side)}
    return ", ".join(f"{name} {' '.join(map(str, places))}" for name, places in known.items() if places)


def describe_features(context: CaveatContext) -> dict[str, str]:
    """Return the features of every sentence that a caveat can be about, by its place."""
    places = [place for place in range(len(context.ground)) if eligible(context, place)]
    return {
        str(place): "; ".join(
            name if value == 1 else f"{name} {value:.2f}" for name, value in features(context, place).items()
        )
        for place in places
    }


@pytest.mark.parametrize("case", CASES)
def test_what_could_not_be_stood_up_is_known_with_its_context_and_each_sentences_features(case: dict[str, Any]) -> None:
    context = context_of(case["text"])
    told = {"object": describe_object(context), "context": describe_context(context)}
    assert case == {"text": case["text"], "features": describe_features(context), **told}


def test_neither_side_is_nobodys_name() -> None:
    assert not context_of("The mayor said ten boats sank. Neither side's account could be verified.").object.owner
