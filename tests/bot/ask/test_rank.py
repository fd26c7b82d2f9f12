"""The order of candidates, with and without an encoder; and what is read with a question: windows, each once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from bot.ask.choose import analyse, propose
from bot.ask.model import Candidate
from bot.ask.rank import READ, UNREAD, WORDS, Asked, rank, read, window, windows
from bot.command import Library
from bot.model import Question
from retrieval.archive.archive import open_archive
from retrieval.archive.interface import Archive
from retrieval.ingest import encode
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from retrieval.search import Hit, Meaning, Window
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


FERRY = "The ferry Odette ran aground off Lisewood on Monday. Lifeboats took 48 passengers ashore."
LATER = " ".join(f"The mayor of Lisewood spoke of pier number {number} at some length." for number in range(80))
ARTICLE = Article("ferry", f"{FERRY} {LATER}", title="Aground", source="The Courier", published=date(2026, 3, 2))
READING = read_one(ARTICLE)
HELD = open_archive(read_separately([ARTICLE]))


def hits(*indexes: int) -> list[Hit]:
    return [Hit(ARTICLE.id, HELD.reading(ARTICLE.id).passages[index], 1.0) for index in indexes]


def test_every_sentence_of_the_report_is_in_one_window() -> None:
    cut = windows(READING)
    assert [index for indexes in cut for index in indexes] == list(range(len(READING.passages)))
    texts = [[READING.passages[index].sentence.span.of(ARTICLE.text) for index in indexes] for indexes in cut]
    assert all(len(" ".join(each).split()) <= WORDS for each in texts)
    advertised = read_one(Article("ad", f"{FERRY}\n\nSign up for our newsletter\n\nThe captain was questioned."))
    kept = {index for indexes in windows(advertised) for index in indexes}
    assert {p.sentence.index for p in advertised.passages if not p.sentence.boilerplate} == kept
    assert len(kept) < len(advertised.passages)


def test_a_window_has_its_articles_head_and_the_sentence_before() -> None:
    first, second = (window(READING, indexes) for indexes in windows(READING)[:2])
    assert (first.head, first.before) == ("The Courier · 2026-03-02 · Aground", "")
    assert second.before == first.sentences[-1]
    bare = read_one(Article("bare", ARTICLE.text))
    assert [window(bare, indexes).head for indexes in windows(bare)[:2]] == ["", first.sentences[0]]


def test_each_hit_has_the_odds_of_its_place_and_what_is_not_read_has_none() -> None:
    asked: list[tuple[str, int]] = []

    def scores(question: str, some: Sequence[Window]) -> list[tuple[float, ...]]:
        asked.append((question, len(some)))
        return [tuple(float(len(text)) for text in each.sentences) for each in some]

    lengths = [len(passage.sentence.span.of(ARTICLE.text)) for passage in READING.passages]
    assert read(hits(1, 0), "how many", HELD, scores) == (lengths[1], lengths[0])
    firsts = [indexes[0] for indexes in windows(READING)]
    assert len(firsts) > READ
    unread = [UNREAD] * (len(firsts) - READ)
    assert read(hits(*firsts), "how many", HELD, scores)[READ - 1 :] == (lengths[firsts[READ - 1]], *unread)
    assert asked == [("how many", 1), ("how many", READ)]


def test_without_a_reader_there_are_no_odds() -> None:
    assert read(hits(0), "how many", HELD, lambda _question, _windows: None) == ()
