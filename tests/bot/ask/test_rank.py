"""The order of candidates, with and without an encoder."""

from __future__ import annotations

import pytest

from bot.ask.choose import propose
from bot.ask.features import Asked
from bot.ask.model import Candidate
from bot.ask.rank import cosines, rank
from bot.ask.understand import understand
from bot.model import Question
from retrieval.archive.archive import Archive, open_archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from retrieval.search import Meaning
from tests.encoders import Fixed

TWIN = "The lighthouse of Oxley burned. Keepers fled to the quay. A tram passed."
ARCHIVE = open_archive(read_separately([Article(name, TWIN) for name in ("b", "a")]))
ANALYSIS = understand(Question("lighthouse"), ARCHIVE)
HITS = propose(ANALYSIS, ARCHIVE)


def ranked(question: str, meaning: Meaning | None = None, archive: Archive = ARCHIVE) -> tuple[Candidate, ...]:
    """Return the candidates for ``question``, best first."""
    analysis = understand(Question(question), archive)
    return rank(propose(analysis, archive), Asked.of(analysis, archive), archive, meaning)


def test_the_sentence_with_the_words_comes_first_and_ties_go_by_article_and_place() -> None:
    """Two articles that say the same are in the order of their ids, whichever was loaded first."""
    places = [candidate.place for candidate in ranked("lighthouse burned")]
    assert places == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]


def test_meaning_finds_what_words_do_not() -> None:
    """A sentence of other words, in the article that the words lead to, goes before one of the words alone."""
    assert ranked("lighthouse attendants ran away")[0].place == ("a", 0)
    assert ranked("lighthouse attendants ran away", Fixed("fled"))[0].place == ("a", 1)


def test_what_a_reader_takes_for_the_answer_comes_first() -> None:
    """By weights that know of it, with an encoder and without."""
    for broken in (True, False):
        reader = Fixed("tram", odds=3.0, broken=broken)
        first = ranked("lighthouse burned", reader)[0]
        assert (first.place, dict(first.features)["reader"]) == (("a", 2), 3.0)
        assert reader.asked == ["lighthouse burned"]


def test_what_is_not_there_decides_nothing() -> None:
    """Features, scores and order are those by words alone, or with the reader: by weights that know no more."""
    assert ranked("lighthouse burned", Fixed("fled", blind=True)) == ranked("lighthouse burned")
    assert not {"meaning", "reader"} & dict(ranked("lighthouse burned")[0].features).keys()
    assert "meaning" not in dict(ranked("lighthouse burned", Fixed("fled", broken=True))[0].features)


def test_the_last_bits_of_a_cosine_change_nothing() -> None:
    assert ranked("lighthouse", Fixed("fled", 0.90000001)) == ranked("lighthouse", Fixed("fled", 0.9))
    assert sorted({*cosines(HITS, "lighthouse", ARCHIVE, Fixed("fled", 0.123456).similarities)}) == [0.1235, 0.7]


def test_without_hits_or_an_encoder_there_are_no_cosines() -> None:
    assert cosines((), "lighthouse", ARCHIVE, Fixed("fled").similarities) == ()
    assert cosines(HITS, "lighthouse", ARCHIVE, Fixed("fled", broken=True).similarities) == ()


def test_the_score_is_the_sum_of_its_parts() -> None:
    """With an encoder as without one."""
    for meaning in (None, Fixed("fled")):
        for candidate in ranked("when did the lighthouse burn", meaning):
            assert candidate.score == pytest.approx(sum(value for _, value in candidate.parts))


def test_nothing_proposed_is_nothing_ranked() -> None:
    assert ranked("zeppelin", Fixed("x")) == ()
