"""Features of a hit, worked out by hand over a small article."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bot.ask.choose import CANDIDATES
from bot.ask.model import Analysis, AnswerType
from bot.ask.rank import Asked, Features, features
from bot.ask.understand import understand
from bot.model import Question
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_separately
from retrieval.search import K1, idf
from tests.stock import archive_of

TEXT = (
    "The lighthouse burned on Monday. Nine keepers fled. The cause is not known.\n\n"
    "A tram hit a bus in Oxley. Nobody was hurt."
)
ARCHIVE = open_archive(read_separately([Article("coast", TEXT)]))
SIZE = 5


def analysis(question: str) -> Analysis:
    return understand(Question(question), ARCHIVE)


def by_sentence(asked: Analysis) -> dict[int, Features]:
    hits = ARCHIVE.search(asked.query, CANDIDATES)
    found = features(hits, Asked.of(asked, ARCHIVE), ARCHIVE)
    return {hit.passage.sentence.index: values for hit, values in zip(hits, found, strict=True)}


def test_the_potential_is_the_score_of_a_sentence_that_holds_every_word_and_what_is_nowhere_is_missing() -> None:
    asked = Asked.of(analysis("did the tram hit the lighthouse"), ARCHIVE)
    assert ARCHIVE.vocabulary().size() == SIZE
    assert asked.potential == pytest.approx((K1 + 1) * 3 * idf(SIZE, 1))
    assert (asked.missing, asked.nowhere) == (0.0, ())
    asked = Asked.of(analysis("did the zeppelin hit the tram"), ARCHIVE)
    known, unknown = 2 * idf(SIZE, 1), idf(SIZE, 0)
    assert asked.missing == pytest.approx(unknown / (known + unknown))
    assert asked.nowhere == ("zeppelin",)
    nothing = Asked.of(analysis("the of and"), ARCHIVE)
    assert (nothing.potential, nothing.missing, nothing.nowhere) == (1.0, 1.0, ())


def test_scores_are_taken_by_the_root_of_the_potential() -> None:
    asked = analysis("lighthouse burned")
    values = by_sentence(asked)
    hit = ARCHIVE.search(asked.query, 1)[0]
    scale = math.sqrt(Asked.of(asked, ARCHIVE).potential)
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
    asked = replace(analysis("lighthouse"), near=(("coast", 1),), types=(AnswerType.VERIFICATION,))
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
        asked = understand(Question("what did the fbi search"), archive)
        assert Asked.of(asked, archive).nowhere == nowhere


@pytest.mark.parametrize(
    ("place", "near"), [(0, 0.0), (1, 1.0), (2, 0.9), (8, 0.3), (9, 0.3), (-1, 0.6), (-3, 0.4), (-4, 0.3), (-9, 0.3)]
)
def test_nearness_falls_by_a_tenth_a_sentence_and_never_below_that_of_the_same_article(place: int, near: float) -> None:
    archive = archive_of(" ".join(f"The lighthouse burned on day {n}." for n in range(30)))
    asked = replace(understand(Question("lighthouse"), archive), near=(("a", 12),))
    (hit,) = (hit for hit in archive.search(asked.query, 30) if hit.passage.sentence.index == 12 + place)
    (first,) = features([hit], Asked.of(asked, archive), archive)
    (second,) = features([hit], Asked.of(replace(asked, near=(("b", 0), ("a", 12))), archive), archive)
    assert first["near"] == pytest.approx(near)
    assert second["near"] == pytest.approx(0.6 * near)


def test_a_sentence_that_asks_is_told_from_one_that_answers() -> None:
    text = "Did the lighthouse burn? The lighthouse burned. “Who burned the lighthouse?” The keeper asked who? Nobody."
    archive = archive_of(text)
    hits = archive.search(understand(Question("lighthouse burned"), archive).query, CANDIDATES)
    asked = Asked.of(understand(Question("lighthouse burned"), archive), archive)
    found = zip(hits, features(hits, asked, archive), strict=True)
    by_text = {hit.passage.sentence.span.of(text): values["asks"] for hit, values in found}
    assert by_text["The lighthouse burned."] == 0.0
    assert by_text["Did the lighthouse burn?"] == by_text["“Who burned the lighthouse?”"] == 1.0


@pytest.mark.parametrize(("at", "there"), [(1199, 1.0), (1200, -1.0)])
def test_a_sentence_is_read_as_far_as_it_could_be_shown(at: int, there: float) -> None:
    opening = "The lighthouse burned"
    text = f"{opening}{' and on'.ljust(at - len(opening) - 1, 'x')} 7 times"
    assert text[at] == "7"
    archive = archive_of(text)
    asked = understand(Question("how many lighthouse"), archive)
    (found,) = features(archive.search(asked.query, 1), Asked.of(asked, archive), archive)
    assert found["type"] == there
