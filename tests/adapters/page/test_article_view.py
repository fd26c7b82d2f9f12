"""An article as it is drawn: its words, who says them, each caveat on exactly what it covers; its earlier versions."""

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import html

from adapters.page.addresses import EVERYTHING, article_path, article_scope, version
from adapters.page.article_view import VersionChange, article_view, changes, words as article_words
from adapters.page.rendering import file
from bot.command import Library
from bot.escaping import escape_controls
from bot.service import QuestionService
from bot.verbatim import collapse
from retrieval.model import Article, Caveat, CaveatKind, Reading
from retrieval.pipeline import read_all, read_one
from tests.adapters.page import articles
from tests.adapters.page.articles import FIRST, HOSTILE, SECOND, THIRD, VERSIONS, archive_of, corrected
from tests.adapters.page.serving import PASSES, browser, covered, due, index, parsed, rows, squashed, words
from tests.shelf import FIXTURES, SEEDS, readings
from tests.stock import FERRY, caveated
from tests.support.program import Stet
from tests.support.tables import cases


def drawn(reading: Reading) -> html.HtmlElement:
    return html.document_fromstring(file([reading]))


def doubtful() -> Reading:
    """Return an article whose caveat covers a sentence surely, two possibly; and with another on it as a whole."""
    reading = caveated(read_one(replace(FERRY, id="doubtful.txt")), covers=(2,), possible=(1, 3))
    whole = Caveat(CaveatKind.STANDING, 0, reading.passages[0].sentence.span, covers=())
    return replace(reading, caveats=(*reading.caveats, whole))


EVERY = [*readings(SEEDS), *readings(FIXTURES), *read_all((FERRY, *HOSTILE)), doubtful()]


@pytest.mark.parametrize("reading", EVERY, ids=lambda reading: reading.article.id)
def test_the_page_has_the_articles_words_and_each_caveat_on_exactly_what_it_covers(reading: Reading) -> None:
    page = drawn(reading)
    sentences = [passage.sentence for passage in reading.passages]
    shown = [(index(row), words(row), "boilerplate" in row.get("class")) for row in rows(page)]
    assert shown == [
        (each.index, escape_controls(" ".join(each.span.of(reading.article.text).split())), bool(each.boilerplate))
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
    page = drawn(caveated(read_one(Article("hull", text)), covers=(0, 1)))
    (note,) = page.xpath("//span[starts-with(@class, 'note ')]")
    assert squashed(note) == "Not verified, in the outlet’s words: " + words(rows(page)[2])
    assert [squashed(each) for each in page.xpath("//span[@class='who']")] == ["Marta Lindqvist"]


def test_nothing_of_a_hostile_article_is_markup() -> None:
    page = file(read_all(HOSTILE))
    parsed = html.document_fromstring(page)
    assert parsed.xpath("//script | //img | //@onmouseover | //@onerror") == []
    assert {a.get("href")[0] for a in parsed.xpath("//a")} == {"#"}
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert "\\x202e" in squashed(rows(drawn(read_one(articles.TURNED)))[0])
    assert "<script>" in words(rows(drawn(read_one(articles.MARKUP)))[0])


def test_a_page_by_itself_loads_nothing() -> None:
    parsed = html.document_fromstring(file([read_one(FERRY)]))
    (policy,) = parsed.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = parsed.xpath("//style")
    hashed = b64encode(sha256(style.text.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'"
    assert parsed.xpath("//@src | //link | //@style") == []
    assert "url(" not in style.text
    assert "@import" not in style.text


def test_several_articles_on_a_page_keep_their_places_apart() -> None:
    parsed = html.document_fromstring(file([*readings(SEEDS), read_one(FERRY)]))
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
    assert article_view(read_one(untitled)).title == "“The lock was opened on Monday, the keeper said.”"


# -- its versions: earlier ones can be opened, and changes are shown ---------------------------------------------------


PATHS = [article_path(article.id, article.digest) for article in VERSIONS]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[QuestionService]:
    with corrected(tmp_path) as made:
        yield made


def pass_for(article: Article) -> dict[str, str]:
    return {"pass": PASSES.issue(article_scope(article.id, version(article.digest)))}


def compared(page: html.HtmlElement) -> list[tuple[str, str]]:
    labels = page.xpath("//div[@class='change']/p[@class='label']")
    return [(squashed(label.xpath("./a")[0]), squashed(label.getnext())) for label in labels]


async def test_each_version_shows_what_it_showed_and_lists_all_with_their_days(service: QuestionService) -> None:
    async with browser(service) as client:
        pages = [parsed(await client.get(path)) for path in PATHS]
    for article, page, path in zip(VERSIONS, pages, PATHS, strict=True):
        sentences = [collapse(p.sentence.span.of(article.text)) for p in read_one(article).passages]
        assert [words(row) for row in rows(page)] == sentences
        listed = page.xpath("//section[@class='versions']//a")
        assert [squashed(a) for a in listed] == ["11 May 2031", "10 May 2031", "9 May 2031"]
        assert [a.get("href") for a in listed] == PATHS[::-1]
        assert [a.get("href") for a in listed if a.get("aria-current") == "page"] == [path]
    shown = [[squashed(line) for line in page.xpath("//p[@class='superseded']/strong")] for page in pages]
    assert shown == [["Superseded on 10 May 2031."], ["Superseded on 11 May 2031."], []]
    for page in pages[:2]:
        assert page.xpath("//p[@class='superseded']/a[1]/@href") == [PATHS[2]]


async def test_changes_are_shown_sentence_by_sentence(service: QuestionService) -> None:
    async with browser(service) as client:
        first, second, third = [parsed(await client.get(path)) for path in PATHS]
    since_second = [
        ("Was, sentence 1", "“Nobody was at the wheel,” said Marta Lindqvist, 34, a teacher."),
        ("Now, sentence 1", "“A boy was at the wheel,” said Marta Lindqvist, 34, a teacher."),
        ("Was, sentence 4", "Divers will go down on Monday."),
        ("Now, sentence 4", "The harbour stays closed."),
        ("Now, sentence 5", "The <b>tug</b> arrived at dawn."),
    ]
    assert compared(second) == compared(third) == since_second
    assert compared(first) == [
        ("Was, sentence 0", "A ferry with 212 people on board ran aground off Sandholm on Friday."),
        ("Now, sentence 0", "A ferry with 214 people on board ran aground off Sandholm on Friday."),
        *since_second,
    ]
    above = [[squashed(each) for each in page.xpath("//p[@class='swapped']")] for page in (first, second, third)]
    once = ["Changed by 11 May 2031: “Nobody → “A boy"]
    assert above == [["Changed by 11 May 2031: 212 → 214; “Nobody → “A boy"], once, once]
    assert [squashed(mark) for mark in first.xpath("//div[@class='change']//del | //div[@class='change']//ins")][
        :4
    ] == ["212", "214", "“Nobody", "“A boy"]
    assert "Was" not in [squashed(mark) for mark in first.xpath("//del | //ins")]


async def test_a_changed_sentence_keeps_its_speaker_and_its_caveat(service: QuestionService) -> None:
    async with browser(service) as client:
        page = parsed(await client.get(PATHS[2]))
    was, now = page.xpath("//div[@class='change'][1]/p[@class='label']")
    for label, path in ((was, PATHS[1]), (now, PATHS[2])):
        assert "Marta Lindqvist" in squashed(label)
        assert label.xpath("./a/@href") == [f"{path}#s1"]
        caveat = label.xpath("./following-sibling::p[contains(@class, 'caveat sure')]")[0]
        assert caveat.xpath("./a/@href") == [f"{path}#s2"]
        assert squashed(caveat.xpath("./q")[0]) == "The account could not be independently verified."


def texts_of(change: VersionChange) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of a change, those of either version, as their pieces have them."""
    sides = (change.before, change.after)
    return tuple(tuple(" ".join(words for words, _ in line.pieces) for line in side) for side in sides)


@cases("before, after, due")
def test_changes_are_whole_sentences_of_their_versions(before: str, after: str, due: tuple[object, ...]) -> None:
    one, other = (read_one(Article("a", text)) for text in (before, after))
    compared = list(changes(one, other))
    assert tuple(map(texts_of, compared)) == due
    assert all(is_changed for change in compared for side in change for line in side for _, is_changed in line.pieces)


def test_every_word_of_both_versions_is_in_the_comparison_or_in_both() -> None:
    readings = read_all([*(replace(article, id=f"{n}") for n, article in enumerate((*VERSIONS, *HOSTILE)))])
    for one in readings:
        for other in readings:
            found = [texts_of(change) for change in changes(one, other)]
            removed = [sentence for before, _ in found for sentence in before]
            added = [sentence for _, after in found for sentence in after]
            assert left(one, removed) == left(other, added)


def left(reading: Reading, taken: list[str]) -> list[str]:
    kept = [article_words(reading, passage.sentence.span) for passage in reading.passages]
    for sentence in taken:
        kept.remove(sentence)
    return sorted(kept)


async def test_a_link_to_an_old_version_still_opens_it(service: QuestionService) -> None:
    given = pass_for(FIRST)
    async with browser(service, PASSES) as client:
        page = parsed(await client.get(PATHS[0], params=given))
        newest = page.xpath("//p[@class='superseded']/a[1]/@href")[0]
        assert newest.startswith(PATHS[2])
        assert newest.partition("pass=")[2].partition(".")[0] == given["pass"].partition(".")[0]
        assert "A boy was at the wheel" in parsed(await client.get(newest)).text_content()
        copied = await client.get(page.xpath("//a[@class='copy']/@href")[0])
        assert copied.text.startswith("A ferry with 212 people on board")
        assert "superseded" in copied.text
        assert (await client.get(PATHS[1], params=given)).status_code == 403


async def test_a_new_version_shows_on_cached_pages_and_a_removed_article_is_gone_in_every_version(
    tmp_path: Path,
) -> None:
    with archive_of(VERSIONS[:1], tmp_path) as (archive, days):
        async with browser(QuestionService(Library(archive))) as client:
            assert not parsed(await client.get(PATHS[0])).xpath("//p[@class='superseded'] | //section")
            for days.passed, version in enumerate(VERSIONS[1:], 1):
                archive.add([read_one(version)])
                assert parsed(await client.get(PATHS[0])).xpath("//p[@class='superseded']")
            assert [(await client.get(path)).status_code for path in PATHS] == [200] * 3
            archive.remove(FIRST.id)
            assert [(await client.get(path)).status_code for path in PATHS] == [410] * 3


async def test_a_version_under_an_embargo_is_not_to_be_seen_before_its_time(tmp_path: Path) -> None:
    held_back = replace(THIRD, embargo=articles.MORNING + timedelta(days=30))
    with archive_of((FIRST, SECOND, held_back), tmp_path) as (archive, days):
        async with browser(QuestionService(Library(archive)), PASSES) as client:
            everything = {"pass": PASSES.issue(EVERYTHING)}
            assert (await client.get(PATHS[2], params=everything)).status_code == 410
            page = parsed(await client.get(PATHS[1], params=everything))
            assert not page.xpath("//p[@class='superseded']")
            assert "A boy was at the wheel" not in page.text_content()
            assert PATHS[2] not in " ".join(page.xpath("//a/@href"))
            days.passed = 31
            archive.publish_due()
            page = parsed(await client.get(PATHS[1], params=everything))
            assert squashed(page.xpath("//p[@class='superseded']/strong")[0]) == "Superseded on 8 June 2031."


async def test_a_version_of_another_source_is_not_seen_by_a_link_to_this_one(tmp_path: Path) -> None:
    moved = replace(THIRD, source="The Farrowgate Chronicle")
    with corrected(tmp_path, (FIRST, SECOND, moved)) as service:
        async with browser(service, PASSES) as client:
            page = parsed(await client.get(PATHS[1], params=pass_for(SECOND)))
            assert squashed(page.xpath("//p[@class='superseded']")[0]) == "Superseded on 11 May 2031."
            assert "A boy was at the wheel" not in page.text_content()
            assert len(page.xpath("//section[@class='versions']//a")) == 2
            whole = parsed(await client.get(PATHS[1], params={"pass": PASSES.issue(EVERYTHING)}))
            assert "A boy was at the wheel" in whole.text_content()
