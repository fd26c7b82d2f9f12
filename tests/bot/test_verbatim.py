"""What is quoted is what stands there."""

import ast
import logging
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from bot import verbatim
from bot.model import NoticeReason
from retrieval.archive.archive import open_archive
from retrieval.archive.interface import Archive
from retrieval.model import Article, Boilerplate, Caveat, CaveatKind, Passage, Reading, Sentence, Span
from retrieval.pipeline import read_one
from tests.stock import FERRY, caveated, holdings
from tests.support.tables import cases

PROJECT = Path(verbatim.__file__).parents[1]
SEALED = {"Extract", "Citation", "QuotedCaveat", "Notice"}


def reading(text: str, *places: tuple[int, int]) -> Reading:
    sentences = (Sentence("a", i, Span(*place), 0) for i, place in enumerate(places))
    return Reading(Article("a", text), tuple(Passage(sentence) for sentence in sentences))


@given(st.text(st.characters(codec=None), min_size=1), st.data())
def test_an_extract_is_the_text_at_its_place_with_white_space_collapsed(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    extract = verbatim.extract(open_archive([reading(text, (start, end))]), "a", 0)
    assert extract.text == " ".join(text[start:end].split())
    assert (extract.citation.span.start, extract.citation.span.end) == (start, end)


def test_an_article_changed_behind_the_index_disappears_and_is_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = holdings().archive
    monkeypatch.setattr(archive, "article", lambda _: replace(FERRY, text=FERRY.text.replace("212", "213")))
    with caplog.at_level(logging.WARNING):
        assert verbatim.extract(archive, "ferry.txt", 0) is None
        assert verbatim.article(archive, "ferry.txt") is None
    assert "its text has changed since it was read" in caplog.text


@pytest.mark.parametrize(("article_id", "index"), [("nowhere.txt", 0), ("ferry.txt", 999), ("ferry.txt", -1)])
def test_what_is_not_there_is_not_quoted(article_id: str, index: int) -> None:
    assert verbatim.extract(holdings().archive, article_id, index) is None


WEATHER = "It rained. She fled. Nobody could verify that. She hid."
SPANS = ((0, 10), (11, 20), (21, 46), (47, 55))


def weather(covers: tuple[int, ...], possible: tuple[int, ...] = ()) -> Archive:
    """Return an archive of ``WEATHER``, whose third sentence is a caveat on these."""
    caveat = Caveat(CaveatKind.OWN, 2, Span(21, 41), covers, "The Echo", possible=possible)
    read = reading(WEATHER, *SPANS)
    return open_archive([caveated(replace(read, caveats=(caveat,)), covers, possible)])


def test_a_sentence_under_a_caveat_carries_the_whole_sentence_that_holds_it() -> None:
    (quoted,) = verbatim.extract(weather((0,)), "a", 0).caveats
    assert (quoted.text, quoted.verifier) == ("Nobody could verify that.", "The Echo")
    assert quoted.citation.span.of(WEATHER) == quoted.text


def test_a_caveat_that_may_cover_a_sentence_travels_with_it_as_a_notice() -> None:
    archive = weather((3,), (1,))
    bare, noted = verbatim.extract(archive, "a", 0), verbatim.extract(archive, "a", 1, before=True)
    assert (bare.notices, noted.caveats) == ((), ())
    (notice,) = noted.notices
    assert (notice.text, notice.why) == ("Nobody could verify that.", NoticeReason.POSSIBLE)
    assert notice.citation.span == Span(*SPANS[2])


def test_a_caveat_that_surely_covers_no_sentence_is_told_of_every_one() -> None:
    archive = weather((), (1,))
    for index in (0, 1):
        (notice,) = verbatim.extract(archive, "a", index).notices
        assert (notice.text, notice.why) == ("Nobody could verify that.", NoticeReason.ARTICLE)


def test_what_officials_have_not_confirmed_is_told_beside_what_it_may_be_about() -> None:
    first = "The bridge at Oxley fell on Friday and killed three people, the Gazette reported."
    said = "Harbour officials have not confirmed the report."
    archive = open_archive([read_one(Article("a", f"{first}\n\n{said}\n\nFishing is the main trade there."))])
    extracts = [verbatim.extract(archive, "a", index) for index in (0, 2)]
    told = [[(n.text, n.why) for n in extract.notices] for extract in extracts if extract]
    assert told == [[(said, NoticeReason.POSSIBLE)], []]


def test_the_sentence_before_comes_inside() -> None:
    archive = open_archive([reading("One. Two.", (0, 4), (5, 9))])
    second, first = verbatim.extract(archive, "a", 1, before=True), verbatim.extract(archive, "a", 0, before=True)
    assert second.before.text == "One."
    assert first.before is None


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("word " * 40, "word " * 11 + "word …"),
        ("x" * 29 + " " + "y" * 30, "x" * 29 + " " + "y" * 30),
        ("x" * 29 + " " + "y" * 31, "x" * 29 + " …"),
        ("x" * 60 + " y", "x" * 60 + " …"),
        ("x" * 30 + " , " + "y" * 30, "x" * 30 + " …"),
        ("x" * 30 + " " * 205 + "y" * 5, "x" * 30 + " yyyyy"),
    ],
)
def test_an_opening_replaces_a_missing_title_and_has_sixty_characters_at_most(text: str, opening: str) -> None:
    citation = verbatim.article(open_archive([reading(text, (0, len(text)))]), "a")
    assert (citation.title, citation.opening) == (None, opening)


@cases("first, opening")
def test_an_opening_goes_on_after_a_word_or_two(first: str, opening: str) -> None:
    text = f"{first}\n\nWe were there,” said Ines Lund."
    citation = verbatim.article(open_archive([reading(text, (0, len(first)), (len(first) + 2, len(text)))]), "a")
    assert citation.opening == opening


def test_an_opening_is_taken_from_the_report() -> None:
    text = "Updated at 10:20 on Friday. A diver at work. The ferry sank."
    furniture = reading(text, (0, 27), (28, 44), (45, 60))
    marked = [replace(p, sentence=replace(p.sentence, boilerplate=Boilerplate.CAPTION)) for p in furniture.passages]
    assert verbatim.opening(replace(furniture, passages=(*marked[:2], furniture.passages[2]))) == "The ferry sank."
    assert verbatim.opening(replace(furniture, passages=tuple(marked))) == text


@pytest.mark.parametrize("package", ["retrieval", "bot", "adapters"])
def test_nobody_else_makes_what_is_sealed(package: str) -> None:
    for path in sorted((PROJECT / package).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.name == "verbatim.py" or not any(f"{name}(" in text for name in SEALED):
            continue
        calls = [n.func for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call)]
        names = {f.id if isinstance(f, ast.Name) else f.attr for f in calls if isinstance(f, ast.Name | ast.Attribute)}
        assert not names & SEALED, path.name


@cases("text, speaker")
def test_a_sentence_of_two_speakers_is_signed_by_neither(text: str, speaker: str | None) -> None:
    held = holdings([replace(FERRY, text=text)])
    extract = verbatim.extract(held.archive, FERRY.id, 0)
    assert extract
    assert extract.speaker == speaker


def test_a_sentence_is_found_by_its_version_and_by_where_it_begins() -> None:
    held = holdings()
    article = held.archive.reading(FERRY.id).article
    for passage in held.archive.reading(FERRY.id).passages:
        found = verbatim.as_shown(held.archive, FERRY.id, article.digest, passage.sentence.span.start)
        assert (found.index, found.citation.superseded) == (passage.sentence.index, False)
        assert verbatim.as_shown(held.archive, FERRY.id, article.digest, passage.sentence.span.start + 1) is None
