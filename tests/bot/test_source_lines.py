"""Who said it and where it stands, in a line."""

from dataclasses import replace
from datetime import date
from urllib.parse import unquote

import pytest

from bot import source_lines, verbatim
from bot.source_lines import link
from retrieval.model import Article, Voice
from tests.stock import holdings
from tests.support.tables import cases


@cases("speaker, said")
def test_who_saw_it_runs_on_in_the_sentence(speaker: str | None, said: str) -> None:
    extract = verbatim.extract(holdings().archive, "ferry.txt", 0)
    assert extract is not None
    assert source_lines.speaker(replace(extract, voice=Voice.OBSERVED, speaker=speaker)) == said


def test_what_is_not_known_of_an_article_is_said() -> None:
    stamp = "Page last updated at 10:20 GMT, Tuesday, 4 May 2010"
    text = f"{stamp} The old ferry sank off the island before anybody had woken up."
    archive = holdings([Article("a.txt", text)]).archive
    cited = verbatim.article(archive, "a.txt")
    assert cited is not None
    made_up = "“The old ferry sank off the island before anybody had woken …”"
    assert source_lines.source(cited) == f"Outlet not named · {made_up}"
    assert source_lines.titled(cited) == f"{made_up} · a.txt"
    assert source_lines.heading(archive.reading("a.txt")) == made_up


CITATION = verbatim.article(holdings().archive, "ferry.txt")
assert CITATION is not None


def test_the_parts_of_a_line_are_its_own_whatever_words_they_share() -> None:
    cited = replace(CITATION, title="May", source="May · Sun", corrected=date(2031, 5, 3), published=date(2031, 5, 2))
    parts = ("May · Sun", "corrected on 3 May 2031", "May", "2 May 2031")
    assert source_lines.parts(cited) == parts
    assert source_lines.source(cited) == " · ".join(parts)


def test_short_words_stand_in_the_link_whole() -> None:
    address = link(CITATION, "“Well-known, & true,” she said.")
    assert address.startswith("https://echo.example/ferry#:~:text=")
    directive = address.partition("text=")[2]
    assert not set("-,& “”") & set(directive)
    assert unquote(directive) == "“Well-known, & true,” she said."


@pytest.mark.parametrize(
    ("words", "parted"),
    [
        (["x" * 8] * 11 + ["y"], False),  # a hundred characters
        (["x" * 8] * 11 + ["yy"], True),
        (["x" * 20] * 10, False),  # the ends are all of them
        ([f"word{'x' * number}" for number in range(11)], True),
    ],
)
def test_long_words_are_named_by_their_ends(words: list[str], parted: bool) -> None:  # noqa: FBT001
    found = link(CITATION, " ".join(words)).partition("text=")[2].split(",")
    parts = [words[:5], words[-5:]] if parted else [words]
    assert [unquote(each).split() for each in found] == parts


def test_an_address_with_a_fragment_keeps_it() -> None:
    address = link(replace(CITATION, url="https://echo.example/live#entry-3"), "Yes.")
    assert address == "https://echo.example/live#entry-3:~:text=Yes."


@pytest.mark.parametrize("url", [None, "", "javascript:alert(1)", "file:///etc/hosts", "ferry.html"])
def test_what_no_browser_should_open_is_no_link(url: str | None) -> None:
    assert link(replace(CITATION, url=url), "Yes.") is None
