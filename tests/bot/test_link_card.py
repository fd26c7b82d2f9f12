"""Addresses that people post: the article that is meant, in its newest version, with all its caveats."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.command import Library
from bot.link_card import CAVEATS, LONGEST, is_within, link_card
from retrieval.archive.archive import PersistentArchive
from retrieval.pipeline import read_one
from retrieval.search import Scope
from tests.stock import BRIDGE, FERRY, holdings
from tests.support.tables import cases

ADDRESS = "https://echo.example/ferry"


@pytest.mark.parametrize(
    "posted", [ADDRESS, f"{ADDRESS}/", f"{ADDRESS}#photo", f"{ADDRESS}?utm_source=mail", f"{ADDRESS}/?a=b#c"]
)
def test_an_article_is_found_however_its_address_was_shared(posted: str) -> None:
    found = link_card(holdings(), posted)
    caveat = "The outlet could not verify: “The accounts could not be independently verified.”"
    assert (found.title, found.sections[0].lines) == (FERRY.title, ("The Sandholm Echo · 9 May 2031", caveat))


@pytest.mark.parametrize(
    "posted", ["", "https://echo.example/", "https://echo.example/ferry2", "https://[broken", "bridge.txt"]
)
def test_what_is_no_articles_address_finds_none(posted: str) -> None:
    assert link_card(holdings((FERRY, BRIDGE)), posted) is None


def test_a_query_that_is_the_articles_own_tells_it_from_others() -> None:
    other = replace(FERRY, id="other.txt", title="Other", url=f"{ADDRESS}?page=2", text="The quay is closed.")
    over = holdings((FERRY, other))
    found = (link_card(over, ADDRESS + query) for query in ("?page=2", "?page=2#end", "?page=3"))
    titles = [each.title for each in found if each]
    assert titles == ["Other", "Other", FERRY.title]


def test_the_newest_version_is_told_with_its_day(tmp_path: Path) -> None:
    now = datetime(2031, 5, 12, 8, tzinfo=UTC).timestamp()
    archive = PersistentArchive(tmp_path / "archive.sqlite", now=lambda: now)
    archive.add([read_one(FERRY)])
    first, _, rest = FERRY.text.partition("The accounts could not be independently verified.\n\n")
    archive.add([read_one(replace(FERRY, text=first + rest))])
    [section] = link_card(Library(archive), ADDRESS).sections
    assert section.lines == ("The Sandholm Echo · 9 May 2031", "Changed since publication: version 2, of 12 May 2031")
    archive.remove(FERRY.id)
    assert link_card(Library(archive), ADDRESS) is None
    archive.add([read_one(replace(FERRY, embargo=datetime(2031, 6, 1, tzinfo=UTC)))])
    assert link_card(Library(archive), ADDRESS) is None
    archive.close()


def test_what_is_not_seen_from_a_channel_is_not_told_there() -> None:
    of_another = Scope(frozenset({"Daily Quill"}))
    of_later = Scope(since=date(2031, 5, 10))
    of_that_day = Scope(frozenset({"The Sandholm Echo"}), date(2031, 5, 9))
    found = [link_card(holdings().within(scope), ADDRESS) is not None for scope in (of_another, of_later, of_that_day)]
    assert found == [False, False, True]


def test_no_caveat_is_cut_and_none_is_passed_over() -> None:
    claims = [f"Witness {name} said the pier was empty." for name in ("Ada", "Bea", "Cleo", "Dora")]
    doubt = "That claim of {} could not be independently verified."
    text = "\n\n".join(f"{claim} {doubt.format(number)}" for number, claim in enumerate(claims))
    long = f"The count of {'very ' * (LONGEST // 5)}many boats could not be independently verified."
    article = replace(FERRY, text=f"{long}\n\n{text}")
    caveats = {each.sentence for each in read_one(article).caveats}
    lines = link_card(holdings((article,)), ADDRESS).sections[0].lines
    assert len(caveats) > CAVEATS
    told = [line for line in lines if line.startswith("The outlet could not verify")]
    assert len(told) == CAVEATS
    assert lines[-1] == f"… and {len(caveats) - CAVEATS} more caveats."
    assert not any("very very" in line for line in lines)


@cases("address, within")
def test_a_domain_has_its_own_parts_and_nothing_else(address: str, *, within: bool) -> None:
    assert is_within(address, ("Post.example",)) is within
