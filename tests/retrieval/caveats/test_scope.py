"""Which sentences a caveat covers."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import pytest

from retrieval.caveats.scope import bands, load_model
from retrieval.intake.articles import load_articles
from retrieval.logistic import sigmoid
from retrieval.model import Article, Judgement, Passage, Reading
from retrieval.pipeline import read_one
from tests.retrieval.caveat_passages import PASSAGES
from tests.shared import shared


def _lines(passage: str) -> list[str]:
    return dedent(passage).strip("\n").splitlines()


def _read(lines: list[str]) -> Reading:
    text = "".join(f"{line[2:]} " if line else "\n\n" for line in lines)
    return read_one(Article("a", text.replace(" \n", "\n").strip()))


def _holding(reading: Reading, words: str) -> list[Passage]:
    """Return the passages that together hold ``words``."""
    start = reading.article.text.index(words)
    found = [p for p in reading.passages if start <= p.sentence.span.start < start + len(words)]
    assert found, words
    return found


LEAST = 0.8  # of the sentences due, those on which the caveat surely is
MOST = 0.06  # of the others, those on which it is put all the same


def _marked(name: str) -> Iterator[tuple[str, Passage]]:
    """Give the passages with the mark of their line."""
    lines = _lines(PASSAGES[name])
    reading = _read(lines)
    for line in filter(None, lines):
        yield from ((line, passage) for passage in _holding(reading, line[2:]))


@pytest.mark.parametrize("name", PASSAGES)
def test_a_sentence_that_a_caveat_is_about_is_never_bare(name: str) -> None:
    for line, passage in _marked(name):
        assert line[0] != "+" or passage.caveats or passage.possible_caveats, line
        assert line[0] != "=" or passage.is_caveat, line


def test_hardly_any_sentence_borrows_a_caveat() -> None:
    spared = [passage for name in PASSAGES for line, passage in _marked(name) if line[0] == "-"]
    assert sum(bool(passage.caveats) for passage in spared) <= MOST * len(spared)


def test_most_caveats_stand_on_the_sentences_they_are_about() -> None:
    due = [passage for name in PASSAGES for line, passage in _marked(name) if line[0] == "+"]
    assert sum(bool(passage.caveats) for passage in due) >= LEAST * len(due)


@pytest.mark.parametrize("name", PASSAGES)
def test_a_caveat_covers_sentences_in_order_and_each_once(name: str) -> None:
    reading = _read(_lines(PASSAGES[name]))
    for caveat in reading.caveats:
        for band in (caveat.covers, caveat.possible):
            assert list(band) == sorted(set(band))
            assert set(band) <= set(range(len(reading.passages)))
        assert set(caveat.covers).isdisjoint(caveat.possible)


@pytest.mark.parametrize("name", PASSAGES)
def test_every_judgement_is_the_sum_of_its_parts(name: str) -> None:
    for caveat in _read(_lines(PASSAGES[name])).caveats:
        for judgement in caveat.judgements:
            score = load_model().logistic.intercept + sum(value for _, value in judgement.parts)
            assert judgement.probability == pytest.approx(sigmoid(score))


def test_what_a_reporter_saw_is_never_covered() -> None:
    text = "The army said 40 men had fled. Reporters for AFP saw nine men by the road. The toll could not be verified."
    (caveat,) = read_one(Article("a", text)).caveats
    assert 1 not in {*caveat.covers, *caveat.possible, *(judgement.sentence for judgement in caveat.judgements)}


def test_what_was_reported_and_conceded_in_one_sentence_is_meant_alone() -> None:
    one, told = "Ada Roe said one man had died at the quay.", "Other deaths were reported in Oxley"
    (caveat,) = read_one(Article("a", f"{one} {told}, although these have not been confirmed.")).caveats
    assert caveat.covers == (1,)
    (caveat,) = read_one(Article("a", f"{one} The claim has not been confirmed.")).caveats
    assert caveat.covers == (0,)


def test_a_caveat_that_cannot_be_pinned_is_a_notice_on_the_article() -> None:
    reading = read_one(Article("a", "CNN could not confirm the details of the sisters' departure."))
    assert reading.notices == reading.caveats
    assert reading.caveats[0].verifier == "CNN"


def test_reporting_restrictions_in_general_may_mean_what_others_say() -> None:
    text = "The army said two bridges fell. Journalists are barred from the area, so reports often cannot be verified."
    (caveat,) = read_one(Article("a", text)).caveats
    assert (caveat.kind, caveat.covers, caveat.possible) == ("standing", (), (0,))


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
    found = {
        reading.article.id[:3]: tuple(p.sentence.span.start for p in reading.passages if p.caveats)
        for reading in readings
    }
    assert found == COVERED
