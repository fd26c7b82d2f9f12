"""Which sentences a caveat covers: over our own passages, whose lines are marked by an editor.

How caveats are worded and what they cover is in ``readings/caveats.toml``; here is what a table can't say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from retrieval.caveats.scope import FARTHEST, JUDGED, bands, load_model, reach
from retrieval.intake.articles import load_articles
from retrieval.logistic import sigmoid
from retrieval.model import Article, Judgement, Passage, Reading
from retrieval.pipeline import read_one
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


@pytest.mark.parametrize(
    ("source", "verifier"),
    [
        ("BBC News", "BBC"),
        ("NPR Online News", "NPR"),
        ("The Harbour Lantern", "Harbour Lantern"),
        ("Lantern (translated copy)", "Lantern"),
    ],
)
def test_an_outlet_is_known_by_the_source_of_the_article(source: str, verifier: str) -> None:
    (caveat,) = read_one(Article("a", f"The {verifier} could not verify the claim.", source=source)).caveats
    assert (caveat.kind, caveat.verifier) == ("own", verifier)


@pytest.mark.parametrize("caveats", [1, 250, 500, 2_000])
def test_the_more_caveats_the_nearer_is_what_each_is_held_against(caveats: int) -> None:
    looked_at = 2 * reach(caveats)
    assert looked_at * caveats <= JUDGED
    assert reach(caveats) == FARTHEST or caveats > 250


def test_an_article_of_caveats_is_read_in_proportion() -> None:
    reading = read_one(Article("a", "The claims could not be independently verified. " * 500))
    assert sum(len(caveat.judgements) for caveat in reading.caveats) <= JUDGED
    assert all(passage.is_caveat for passage in reading.passages)
