"""An article as it is drawn: its own words, who says them, and each caveat on exactly what it covers."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import html

from adapters.page.article_view import article_view
from adapters.page.rendering import file
from bot.escaping import escape_controls
from retrieval.model import Article, Caveat, CaveatKind, Reading
from retrieval.pipeline import read_all
from tests.adapters.page.articles import HOSTILE, MARKUP, TURNED
from tests.adapters.page.serving import covered, due, index, rows, squashed, words
from tests.shelf import FIXTURES, SEEDS, readings
from tests.stock import FERRY
from tests.support.program import Stet


def drawn(reading: Reading) -> html.HtmlElement:
    return html.document_fromstring(file([reading]))


def read(*articles: Article) -> tuple[Reading, ...]:
    return read_all(articles)


def doubtful() -> Reading:
    """Return an article whose caveat covers a sentence surely, one possibly; and with another on it as a whole."""
    (plain,) = read(replace(FERRY, id="doubtful.txt"))
    first, second, third, fourth, fifth, sixth = (replace(p, caveats=(), possible_caveats=()) for p in plain.passages)
    span = fifth.sentence.span
    caveat = Caveat(CaveatKind.OWN, 4, span, covers=(2,), possible=(1, 3))
    whole = Caveat(CaveatKind.STANDING, 0, first.sentence.span, covers=())
    maybe = (replace(second, possible_caveats=(caveat,)), replace(fourth, possible_caveats=(caveat,)))
    passages = (first, maybe[0], replace(third, caveats=(caveat,)), maybe[1], fifth, sixth)
    return replace(plain, passages=passages, caveats=(caveat, whole))


EVERY = [*readings(SEEDS), *readings(FIXTURES), *read(FERRY, *HOSTILE), doubtful()]


@pytest.mark.parametrize("reading", EVERY, ids=lambda reading: reading.article.id)
def test_the_page_has_the_articles_words_and_each_caveat_on_exactly_what_it_covers(reading: Reading) -> None:
    page = drawn(reading)
    sentences = [passage.sentence for passage in reading.passages]
    shown = [(index(row), words(row), "boilerplate" in row.get("class")) for row in rows(page)]
    assert shown == [
        (
            each.index,
            escape_controls(" ".join(each.span.of(reading.article.text).split())),
            each.boilerplate is not None,
        )
        for each in sentences
    ]
    assert len(page.xpath("//div[@class='row']")) == len({each.paragraph for each in sentences})
    assert covered(page) == due(reading)
    notices = page.xpath("//header/p[contains(@class, 'caveat')]/a/@href")
    assert notices == [f"#s{notice.sentence}" for notice in reading.notices]


def test_something_is_covered_surely_possibly_and_as_a_whole() -> None:
    marks = {sure for reading in EVERY for _, _, sure in due(reading)}
    assert marks == {True, False}
    assert any(reading.notices for reading in EVERY)


def test_a_caveat_on_consecutive_paragraphs_is_shown_once() -> None:
    text = (
        "“The hull was holed,” said Marta Lindqvist.\n\n“The pumps failed,” said Marta Lindqvist.\n\n"
        "Those accounts could not be independently verified."
    )
    (reading,) = read(Article("hull", text))
    first, second, third = (replace(p, caveats=(), possible_caveats=()) for p in reading.passages)
    caveat = Caveat(CaveatKind.OWN, 2, third.sentence.span, covers=(0, 1))
    covered_ones = (replace(first, caveats=(caveat,)), replace(second, caveats=(caveat,)))
    page = drawn(replace(reading, passages=(*covered_ones, third), caveats=(caveat,)))
    (note,) = page.xpath("//span[starts-with(@class, 'note ')]")
    assert squashed(note) == "Not verified, in the outlet’s words: " + words(rows(page)[2])
    assert [squashed(each) for each in page.xpath("//span[@class='who']")] == ["Marta Lindqvist"]


def test_nothing_of_a_hostile_article_is_markup() -> None:
    page = file(read(*HOSTILE))
    parsed = html.document_fromstring(page)
    assert parsed.xpath("//script | //img | //@onmouseover | //@onerror") == []
    assert {a.get("href")[0] for a in parsed.xpath("//a")} == {"#"}
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert "\\x202e" in squashed(rows(drawn(read(TURNED)[0]))[0])
    assert "<script>" in words(rows(drawn(read(MARKUP)[0]))[0])


def test_a_page_by_itself_loads_nothing() -> None:
    parsed = html.document_fromstring(file(read(FERRY)))
    (policy,) = parsed.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = parsed.xpath("//style")
    hashed = b64encode(sha256(style.text.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'"
    assert parsed.xpath("//@src | //link | //@style") == []
    assert "url(" not in style.text
    assert "@import" not in style.text


def test_several_articles_on_a_page_keep_their_places_apart() -> None:
    parsed = html.document_fromstring(file([*readings(SEEDS), *read(FERRY)]))
    places = parsed.xpath("//@id")
    assert len(places) == len(set(places))
    assert {address[1:] for address in parsed.xpath("//a/@href")} <= set(places)


def test_articles_can_be_written_to_a_page(stet: Stet, folder: Path, tmp_path: Path) -> None:
    status, out, _ = stet("read", folder, "--html", tmp_path / "page.html")
    assert (status, out) == (0, "")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert FERRY.text.split("\n")[0] in page
    status, _, err = stet("read", folder, "--html", tmp_path / "nowhere" / "page.html")
    assert status == 2
    assert "cannot be written" in err


def test_a_heading_is_always_there() -> None:
    untitled = Article(id="untitled.txt", text="The lock was opened on Monday, the keeper said.")
    assert article_view(read(untitled)[0]).title == "“The lock was opened on Monday, the keeper said.”"
