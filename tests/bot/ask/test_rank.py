"""The order of candidates, with and without an encoder."""

from __future__ import annotations

import pytest

from bot.ask.choose import analyse, propose
from bot.ask.features import Asked
from bot.ask.model import Candidate
from bot.ask.rank import rank
from bot.command import Library
from bot.model import Question
from retrieval.archive.archive import open_archive
from retrieval.archive.interface import Archive
from retrieval.ingest import encode
from retrieval.model import Article
from retrieval.pipeline import read_separately
from retrieval.search import Meaning
from tests.encoders import Fixed
from tests.stock import archive_of

TWIN = "The lighthouse of Oxley burned. Keepers fled to the quay. A tram passed."
ARCHIVE = open_archive(read_separately([Article(name, TWIN) for name in ("b", "a")]))


def ranked(question: str, meaning: Meaning | None = None, archive: Archive = ARCHIVE) -> tuple[Candidate, ...]:
    analysis = analyse(Question(question), Library(archive, meaning))
    return rank(propose(analysis, archive), Asked.of(analysis, archive), archive, meaning)


def test_the_sentence_with_the_words_comes_first_and_ties_go_by_article_and_place() -> None:
    places = [candidate.place for candidate in ranked("lighthouse burned")]
    assert places == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]


def test_meaning_finds_what_words_do_not() -> None:
    assert ranked("lighthouse attendants ran away")[0].place == ("a", 0)
    assert ranked("lighthouse attendants ran away", Fixed("fled"))[0].place == ("a", 1)


def test_what_a_reader_takes_for_the_answer_comes_first() -> None:
    reader = Fixed("tram", odds=3.0)
    first = ranked("lighthouse burned", reader)[0]
    assert (first.place, dict(first.features)["reader"]) == (("a", 2), 3.0)
    assert reader.asked == ["lighthouse burned"]


def test_what_is_not_there_decides_nothing() -> None:
    for meaning in (Fixed("fled", blind=True), Fixed("fled", broken=True)):
        assert ranked("lighthouse burned", meaning) == ranked("lighthouse burned")
    assert not {"meaning", "reader"} & dict(ranked("lighthouse burned")[0].features).keys()


def test_meaning_proposes_what_shares_no_word_with_the_question() -> None:
    archive = open_archive(read_separately([Article("tram", "A tram passed."), Article("keeper", "Keepers fled.")]))
    meaning = Fixed("fled")
    assert ranked("attendants ran away", meaning, archive) == ()
    encode(archive, meaning, lambda: None)
    encoded = [*meaning.encoded]
    assert ranked("attendants ran away", meaning, archive)[0].place == ("keeper", 0)
    assert meaning.encoded == encoded


def test_a_sentence_without_vectors_is_encoded_alone_when_it_is_found() -> None:
    archive = archive_of(TWIN)
    meaning = Fixed("fled")
    values = dict(ranked("lighthouse", meaning, archive)[0].features)
    assert values["meaning"] == values["context"]
    assert sorted(meaning.encoded) == sorted(TWIN.replace(". ", ".\n").split("\n"))


def test_the_score_is_the_sum_of_its_parts() -> None:
    for meaning in (None, Fixed("fled")):
        for candidate in ranked("when did the lighthouse burn", meaning):
            assert candidate.score == pytest.approx(sum(value for _, value in candidate.parts))


def test_nothing_proposed_is_nothing_ranked() -> None:
    assert ranked("zeppelin", Fixed("x")) == ()
