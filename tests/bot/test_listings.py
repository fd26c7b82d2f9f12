"""Unverified, disputed, sources and article: views of what was read."""

import time
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot import messages
from bot.command import Library
from bot.commands.listings import sources, unverified
from bot.model import Listing, Message, Section
from retrieval.archive.archive import PersistentArchive, open_archive
from retrieval.model import Article
from retrieval.pipeline import read_one
from tests.retrieval.archive.test_near_duplicates import REORDERED, WIRE, reading
from tests.stock import FERRY, caveated, expect, holdings


def test_unverified_tells_apart_what_a_caveat_covers_and_what_it_may() -> None:
    read = read_one(FERRY)
    (covered, *possible_ones) = read.caveats[0].covers
    held = Library(open_archive([caveated(read, [covered], possible_ones)]))
    (sure,) = sections(unverified(held, ""))
    assert [extract.index for extract in sure.extracts] == [covered]
    assert sure.lines == (messages.also_may_cover(messages.count(len(possible_ones), "more sentence")),)
    sure, possible = sections(unverified(held, "wheel teacher"))
    assert possible.heading.startswith("May also cover")
    assert [extract.index for extract in possible.extracts] == [2]
    assert not any(extract.caveats for extract in possible.extracts)
    assert sure.lines == (messages.also_may_cover(messages.count(len(possible_ones) - 1, "more sentence")),)


def test_what_a_caveat_may_cover_is_shown_where_nothing_is_sure() -> None:
    held = Library(open_archive([caveated(read_one(FERRY))]))
    assert [section.lines for section in sections(unverified(held, ""))] == [(messages.WHOLE_ARTICLE,)]
    held = Library(open_archive([caveated(read_one(FERRY), possible=range(4))]))
    own, possible = sections(unverified(held, ""))
    assert own.lines == ()  # it can't cover both the whole article and only some of its sentences
    assert possible.heading.startswith("May cover")
    assert [extract.index for extract in possible.extracts] == [0, 1, 2]
    assert possible.lines == (messages.may_cover(4),)


def test_what_could_not_be_read_is_listed_below_the_sources() -> None:
    held = Library(holdings().archive, left_out=(("/srv/desk/broken.txt", "It is empty."),))
    *_, last = sections(sources(held, ""))
    assert (last.heading, last.lines) == ("Skipped because they could not be read", ("broken.txt: It is empty.",))


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


def test_copies_of_one_story_are_shown_with_the_caveat_that_one_lost() -> None:
    archive = open_archive([reading("wire.txt", WIRE), reading("reordered.txt", REORDERED)])
    section = sections(sources(Library(archive), ""))[-1]
    assert section.heading == "One story in 2 articles"
    assert "[!] reordered.txt dropped the caveat that wire.txt carries:" in section.lines
    assert [extract.text for extract in section.extracts] == ["Their accounts could not be independently verified."]


def sections(found: Listing | Message) -> tuple[Section, ...]:
    return expect(Listing, found).sections


@pytest.mark.parametrize(("claims", "lines"), [(3, ()), (4, ("Covers 4 sentences; the first are shown.",))])
def test_three_sentences_of_those_that_a_caveat_covers_are_shown(claims: int, lines: tuple[str, ...]) -> None:
    (section,) = sections(unverified(Library(open_archive([caveated(read_one(FERRY), range(claims))])), ""))
    assert len(section.extracts) == 3
    assert section.lines == lines


@pytest.mark.parametrize(("number", "compared"), [(4, True), (5, False)])
def test_only_so_many_articles_are_compared(number: int, *, compared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.listings.COMPARED", 4)
    copies = [Article(f"{name}.txt", FERRY.text) for name in ("one", "two")]
    fillers = [Article(f"{n}.txt", f"Tram {n} ran.") for n in range(number - 2)]
    found = sections(sources(holdings([*copies, *fillers]), ""))
    assert any(section.heading.startswith("One story") for section in found) is compared
