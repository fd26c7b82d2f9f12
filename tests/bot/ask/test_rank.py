"""Features of a hit, the order of candidates by them, and the windows that are read with a question."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from bot.ask.choose import CANDIDATES, analyse, propose
from bot.ask.model import Analysis, AnswerType, Candidate
from bot.ask.rank import READ, UNREAD, WORDS, Asked, Features, features, rank, read, window, windows
from bot.ask.understand import understand
from bot.command import Library
from bot.model import Question
from retrieval.archive.archive import open_archive
from retrieval.archive.interface import Archive
from retrieval.ingest import encode
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from retrieval.search import K1, Hit, Meaning, Window, idf
from tests.encoders import Fixed
from tests.stock import archive_of

COAST = archive_of(
    "The lighthouse burned on Monday. Nine keepers fled. The cause is not known.\n\n"
    "A tram hit a bus in Oxley. Nobody was hurt."
)
SIZE = 5


def analysis(question: str, archive: Archive = COAST) -> Analysis:
    return understand(Question(question), archive)


def by_sentence(asked: Analysis, archive: Archive = COAST) -> dict[int, Features]:
    hits = archive.search(asked.query, CANDIDATES)
    found = features(hits, Asked.of(asked, archive), archive)
    return {hit.passage.sentence.index: values for hit, values in zip(hits, found, strict=True)}


def test_the_potential_is_the_score_of_a_sentence_that_holds_every_word_and_what_is_nowhere_is_missing() -> None:
    asked = Asked.of(analysis("did the tram hit the lighthouse"), COAST)
    assert COAST.vocabulary().size() == SIZE
    assert asked.potential == pytest.approx((K1 + 1) * 3 * idf(SIZE, 1))
    assert (asked.missing, asked.nowhere) == (0.0, ())
    asked = Asked.of(analysis("did the zeppelin hit the tram"), COAST)
    known, unknown = 2 * idf(SIZE, 1), idf(SIZE, 0)
    assert asked.missing == pytest.approx(unknown / (known + unknown))
    assert asked.nowhere == ("zeppelin",)
    nothing = Asked.of(analysis("the of and"), COAST)
    assert (nothing.potential, nothing.missing, nothing.nowhere) == (1.0, 1.0, ())


def test_scores_are_taken_by_the_root_of_the_potential() -> None:
    asked = analysis("lighthouse burned")
    values = by_sentence(asked)
    hit = COAST.search(asked.query, 1)[0]
    scale = math.sqrt(Asked.of(asked, COAST).potential)
    for name in ("sentence", "paragraph", "article"):
        assert values[0][name] == pytest.approx(getattr(hit, name) / scale)
    assert values[0]["sentence"] > values[1]["sentence"] == 0.0
    assert values[0]["paragraph"] == values[1]["paragraph"] > values[3]["paragraph"] == 0.0
    assert values[0]["article"] == values[3]["article"] > 0.0


def test_the_type_of_answer_is_looked_for() -> None:
    counted = by_sentence(analysis("how many keepers of the lighthouse"))
    assert (counted[1]["type"], counted[0]["type"]) == (1.0, -1.0)
    dated = by_sentence(analysis("when did the lighthouse burn"))
    assert (dated[0]["type"], dated[1]["type"]) == (1.0, -1.0)


def test_the_answer_before_is_near_where_it_is_asked_whether_it_was_verified() -> None:
    asked = replace(analysis("lighthouse"), near=(("a", 1),), types=(AnswerType.VERIFICATION,))
    assert by_sentence(asked)[1]["near"] == 0.9


def test_what_an_article_says_first_leads() -> None:
    found = by_sentence(analysis("lighthouse"))
    assert [found[index]["lead"] for index in range(4)] == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])
    credit = by_sentence(analysis("who wrote the lighthouse story"))
    assert {values["lead"] for values in credit.values()} == {0.0}


def test_shorthand_is_nowhere_only_where_neither_it_nor_its_long_form_is() -> None:
    short = archive_of("The FBI searched the harbour office.")
    long = archive_of("The Federal Bureau of Investigation searched the office.")
    neither = archive_of("The harbour office was searched.")
    for archive, nowhere in ((short, ()), (long, ()), (neither, ("fbi",))):
        assert Asked.of(analysis("what did the fbi search", archive), archive).nowhere == nowhere


DAYS = archive_of(" ".join(f"The lighthouse burned on day {n}." for n in range(30)))


@pytest.mark.parametrize(
    ("place", "near"), [(0, 0.0), (1, 1.0), (2, 0.9), (8, 0.3), (9, 0.3), (-1, 0.6), (-3, 0.4), (-4, 0.3), (-9, 0.3)]
)
def test_nearness_falls_by_a_tenth_a_sentence_and_never_below_that_of_the_same_article(place: int, near: float) -> None:
    for answers, share in (((("a", 12),), 1.0), ((("b", 0), ("a", 12)), 0.6)):
        found = by_sentence(replace(analysis("lighthouse", DAYS), near=answers), DAYS)
        assert found[12 + place]["near"] == pytest.approx(share * near)


def test_a_sentence_that_asks_is_told_from_one_that_answers() -> None:
    text = "Did the lighthouse burn? The lighthouse burned. “Who burned the lighthouse?” The keeper asked who? Nobody."
    archive = archive_of(text)
    found = by_sentence(analysis("lighthouse burned", archive), archive)
    assert [found[index]["asks"] for index in range(3)] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(("at", "there"), [(1199, 1.0), (1200, -1.0)])
def test_a_sentence_is_read_as_far_as_it_could_be_shown(at: int, there: float) -> None:
    opening = "The lighthouse burned"
    text = f"{opening}{' and on'.ljust(at - len(opening) - 1, 'x')} 7 times"
    assert text[at] == "7"
    archive = archive_of(text)
    assert by_sentence(analysis("how many lighthouse", archive), archive)[0]["type"] == there


TWIN = "The lighthouse of Oxley burned. Keepers fled to the quay. A tram passed."
TWINS = open_archive(read_separately([Article(name, TWIN) for name in ("b", "a")]))


def ranked(question: str, meaning: Meaning | None = None, archive: Archive = TWINS) -> tuple[Candidate, ...]:
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
