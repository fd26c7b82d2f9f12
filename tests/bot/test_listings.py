"""Unverified, disputed, sources and article: views of what was read."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot import messages
from bot.command import Library
from bot.commands.sources import article, sources
from bot.commands.unverified import disputed, unverified
from bot.model import Listing, Message, Section
from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.retrieval.archive.test_near_duplicates import REORDERED, WIRE, reading
from tests.stock import BRIDGE, FERRY, archive_of, caveated, expect, holdings

HOLDINGS = holdings()


def words(section: Section) -> str:
    return " ".join([section.heading, *section.lines, *(extract.text for extract in section.extracts)])


def test_unverified_shows_the_accounts_with_their_caveat() -> None:
    section, *others = sections(unverified(HOLDINGS, ""))
    assert any("Nobody was at the wheel" in extract.text for extract in section.extracts)
    for extract in section.extracts:
        assert [c.text for c in extract.caveats] == ["The accounts could not be independently verified."]
    assert all(other.heading.startswith("May also cover") for other in others)


def test_unverified_tells_apart_what_a_caveat_covers_and_what_it_may() -> None:
    read = read_one(FERRY)
    (covered, *possible_ones) = read.caveats[0].covers
    held = Library(open_archive([caveated(read, [covered], possible_ones)]))
    (sure,) = sections(unverified(held, ""))
    assert [extract.index for extract in sure.extracts] == [covered]
    assert sure.lines == (messages.also_may_cover(len(possible_ones)),)
    sure, possible = sections(unverified(held, "wheel teacher"))
    assert possible.heading.startswith("May also cover")
    assert [extract.index for extract in possible.extracts] == [2]
    assert not any(extract.caveats for extract in possible.extracts)
    assert sure.lines == (messages.also_may_cover(len(possible_ones) - 1),)


def test_what_a_caveat_may_cover_is_shown_where_nothing_is_sure() -> None:
    held = Library(open_archive([caveated(read_one(FERRY), possible=range(4))]))
    whole, possible = sections(unverified(held, ""))
    assert whole.lines == (messages.WHOLE_ARTICLE,)
    assert [extract.index for extract in possible.extracts] == [0, 1, 2]
    assert possible.lines == (messages.covers(4, surely=False),)


def test_a_word_on_a_thing_is_not_said_to_cover_the_article() -> None:
    text = "The mayor left on Friday. The sharing of unverified information is a threat. It rained."
    held = Library(archive_of(text))
    (only,) = sections(unverified(held, ""))
    assert ([extract.index for extract in only.extracts], only.lines) == ([1], ())


def test_unverified_can_be_narrowed_down() -> None:
    assert sections(unverified(HOLDINGS, "wheel"))
    found = expect(Message, unverified(HOLDINGS, "bridge repairs"))
    assert "That doesn't mean anything was verified." in found.text


def test_disputed_puts_the_denial_beside_the_claim() -> None:
    shown = [extract.text for extract in expect(Listing, disputed(HOLDINGS, "bridge")).extracts]
    assert "The shipping line, Norfar, denied that the bridge had been empty." in shown


SHELLED = "At least 14 people were killed when shells hit the market, doctors said."
STRUCK = "Nineteen people died when shells struck the market, the mayor said."
GUNS = "The army denied that its guns had fired."


def market() -> Library:
    first = type(FERRY)("first.txt", f"{SHELLED} {GUNS}")
    second = type(FERRY)("second.txt", f"{STRUCK} The market sells fish.")
    return holdings([first, second])


def test_a_denial_is_found_by_its_own_words_and_stands_alone() -> None:
    (section,) = sections(disputed(market(), "guns"))
    assert (section.heading, [extract.text for extract in section.extracts]) == ("Denied", [GUNS])
    assert isinstance(disputed(market(), "market"), Message)


def test_disputed_needs_words_shows_five_denials_and_says_when_there_is_nothing() -> None:
    articles = [Article(f"{n}.txt", "Norfar denied that the harbour had burned.") for n in "abcdef"]
    assert len(sections(disputed(holdings(articles), "harbour"))) == 5
    for argument in ("", "chess olympiad"):
        assert isinstance(disputed(HOLDINGS, argument), Message)


def test_sources_are_listed_by_outlet() -> None:
    held = Library(HOLDINGS.archive, left_out=(("/srv/desk/broken.txt", "It is empty."),))
    found = sections(sources(held, ""))
    assert [section.heading for section in found] == [
        "Daily Quill: 1 article, 10 May 2031",
        "The Sandholm Echo: 1 article, 9 May 2031",
        "Skipped because they could not be read",
    ]
    assert found[-1].lines == ("broken.txt: It is empty.",)


def test_sources_of_an_archive_that_grows_are_told_with_their_silence(tmp_path: Path) -> None:
    week_ago = time.time() - 7 * 86_400
    archive = PersistentArchive(tmp_path / "archive.sqlite", now=lambda: week_ago)
    later = replace(FERRY, id="later.txt", published=date(2031, 5, 11), text="The ferry is afloat again.")
    undated = replace(FERRY, id="undated.txt", published=None, source="The Tollen Post")
    archive.add([read_one(each) for each in (FERRY, later, undated)])
    echo, post, *_ = sections(sources(Library(archive), ""))
    assert echo.heading == "The Sandholm Echo: 2 articles, 9 May 2031 to 11 May 2031, silent for 0 days"
    assert post.heading == "The Tollen Post: 1 article"
    archive.add([read_one(replace(FERRY, id="old.txt", published=date(2001, 1, 1), source="The Old Bell"))])
    [old] = [s for s in sections(sources(Library(archive), "")) if s.heading.startswith("The Old Bell")]
    days = (datetime.now(UTC).date() - date(2001, 1, 1)).days
    assert old.heading == f"The Old Bell: 1 article, 1 January 2001, silent for {days:,} days"
    assert "silent" not in sections(sources(Library(archive), "afloat"))[0].heading
    archive.close()


def test_a_source_that_has_just_come_is_not_called_silent(tmp_path: Path) -> None:
    archive = PersistentArchive(tmp_path / "archive.sqlite")
    archive.add([read_one(replace(FERRY, published=date(2001, 1, 1)))])
    assert "silent" not in sections(sources(Library(archive), ""))[0].heading
    archive.close()


def test_sources_on_some_words() -> None:
    (section,) = sections(sources(HOLDINGS, "bridge repairs council"))[:1]
    assert "bridge.txt" in words(section)
    assert isinstance(sources(HOLDINGS, "chess olympiad"), Message)


def test_copies_of_one_story_are_shown_with_the_caveat_that_one_lost() -> None:
    archive = open_archive([reading("wire.txt", WIRE), reading("reordered.txt", REORDERED)])
    section = sections(sources(Library(archive), ""))[-1]
    assert section.heading == "One story in 2 articles"
    assert "[!] reordered.txt dropped the caveat that wire.txt carries:" in section.lines
    assert [extract.text for extract in section.extracts] == ["Their accounts could not be independently verified."]


def test_an_article_at_a_glance() -> None:
    shown = " ".join(map(words, sections(article(HOLDINGS, "ferry.txt"))))
    for expected in ("The Sandholm Echo", "https://echo.example/ferry", "Marta Lindqvist", "ran aground", "verified"):
        assert expected in shown


def test_an_article_may_be_named_by_how_its_id_begins() -> None:
    assert article(HOLDINGS, "bridge") == article(HOLDINGS, BRIDGE.id)


PEOPLE = (
    "Ada Roe, Omar Diaz, Ines Lund, Pavel Dorn, Marta Quist, Olaf Brandt, Viktor Halder, Rosa Vane, Karl Emmer, "
    "Ruth Okoye, Hugo Stahl, Lena Farr, Igor Pless"
).split(", ")


def sections(found: Listing | Message) -> tuple[Section, ...]:
    assert isinstance(found, Listing), found
    return found.sections


@pytest.mark.parametrize(("claims", "lines"), [(3, ()), (4, ("Covers 4 sentences; the first are shown.",))])
def test_three_sentences_of_those_that_a_caveat_covers_are_shown(claims: int, lines: tuple[str, ...]) -> None:
    (section,) = sections(unverified(Library(open_archive([caveated(read_one(FERRY), range(claims))])), ""))
    assert len(section.extracts) == 3
    assert section.lines == lines


@pytest.mark.parametrize(
    ("number", "rest"), [(8, ()), (9, ("… and 1 more caveat.",)), (10, ("… and 2 more caveats.",))]
)
def test_eight_caveats_are_shown(number: int, rest: tuple[str, ...]) -> None:
    articles = [replace(FERRY, id=f"{n}.txt") for n in range(number)]
    shown = sections(unverified(holdings(articles), ""))
    assert len({extract.citation.article_id for section in shown for extract in section.extracts}) == 8
    assert (shown[-1].lines if shown[-1].heading == "" else ()) == rest


@pytest.mark.parametrize(("number", "more"), [(5, ()), (6, ("… and 1 more article.",))])
def test_five_articles_of_an_outlet_are_named_newest_first(number: int, more: tuple[str, ...]) -> None:
    dated = [
        Article(f"{n}.txt", f"A tram {n}{n} hit bus {n}.", source="Daily Quill", published=date(2031, 5, n))
        for n in range(1, number)
    ]
    undated = Article("undated.txt", "Nobody steered the lost ferry.", source="Daily Quill")
    (section, *_) = sections(sources(holdings([undated, *dated]), ""))
    ids = [line.rpartition(" · ")[2] for line in section.lines[:5]]
    assert ids == [*(f"{n}.txt" for n in range(number - 1, 0, -1)), "undated.txt"][:5]
    assert section.lines[5:] == more


def test_an_article_begins_with_its_first_three_sentences() -> None:
    text = "ADVERTISEMENT\n\nA tram ran. A bus ran. A ferry ran. A train ran."
    (_, begins) = sections(article(holdings([Article("a.txt", text)]), "a.txt"))
    assert [extract.text for extract in begins.extracts] == ["A tram ran.", "A bus ran.", "A ferry ran."]


@pytest.mark.parametrize(("number", "ending"), [(12, "Lena Farr."), (13, "Lena Farr ….")])
def test_twelve_of_the_names_in_an_article_are_listed(number: int, ending: str) -> None:
    text = " ".join(f"{name} left." for name in PEOPLE[:number])
    (facts, *_) = sections(article(holdings([Article("a.txt", text)]), "a.txt"))
    assert facts.lines[-1].endswith(ending)


def test_three_articles_are_named_for_one_that_is_not_there() -> None:
    articles = [Article(f"ferry{n}.txt", "A ferry sank.") for n in range(5)]
    found = expect(Message, article(holdings(articles), "fery.txt"))
    assert found.text.count("ferry") == 3
    assert article(HOLDINGS, "") == Message("Give the id of an article. /sources lists them.")


@pytest.mark.parametrize(("number", "compared"), [(4, True), (5, False)])
def test_only_so_many_articles_are_compared_with_each_other(
    number: int, *, compared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.commands.sources.COMPARED", 4)
    copies = [Article(f"{name}.txt", FERRY.text) for name in ("one", "two")]
    fillers = [Article(f"{n}.txt", f"Tram {n} ran.") for n in range(number - 2)]
    found = sections(sources(holdings([*copies, *fillers]), ""))
    assert any(section.heading.startswith("One story") for section in found) is compared
