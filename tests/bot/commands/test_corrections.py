"""``corrections``: which other articles still say what a new version of an article replaced."""

from dataclasses import replace
from datetime import date

import pytest

from bot.command import Library
from bot.commands.corrections import corrections, replacements
from bot.model import Listing, Message
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_one, read_separately
from tests.stock import BRIDGE, FERRY, expect

CELLARS = (
    "The flood in Oxley destroyed 340 houses along the northern canal, the fire brigade said. "
    "“We warned the council in spring,” Marta Lindqvist told the Quill. "
    "The shelter in Mill Lane is open at night."
)
FLOOD = Article("flood", CELLARS, title="Water in the cellars", source="Daily Quill", published=date(2031, 4, 1))
PRICES = "Prices rose again. In Oxley the flood destroyed 340 houses along the northern canal in April."
REPEAT = Article("repeat", PRICES, source="The Sandholm Echo", published=date(2031, 4, 20))
BOATS = "The council of Oxley counted 340 boats on the northern canal. The flood spared the market."
OTHER = Article("other", BOATS, source="The Sandholm Echo", published=date(2031, 4, 21))


def _corrected(old: str, new: str, *others: Article) -> Listing | Message:
    archive = open_archive(read_separately([FLOOD, FERRY, BRIDGE, *others]))
    assert old in FLOOD.text
    archive.add([read_one(replace(FLOOD, text=FLOOD.text.replace(old, new)))])
    return corrections(Library(archive), "")


def test_an_article_that_still_has_the_old_figure_is_listed_with_the_change() -> None:
    reply = expect(Listing, _corrected("340", "304", REPEAT, OTHER))
    [section] = reply.sections
    assert section.heading == "[-340-] [+304+]"
    assert [extract.citation.article_id for extract in section.extracts] == ["flood", "repeat"]
    assert "304 houses" in section.extracts[0].text


def test_an_article_that_repeats_it_twice_is_one_article() -> None:
    again = "The flood had destroyed 340 houses along the northern canal of Oxley."
    twice = replace(REPEAT, text=f"{REPEAT.text}\n\n{again}")
    [section] = expect(Listing, _corrected("340", "304", twice)).sections
    assert len(section.extracts) == 3
    assert "1 other article may need" in section.lines[0]


@pytest.mark.parametrize(
    ("old", "new", "others"),
    [
        ("340", "304", [OTHER]),
        ("340", "304", [replace(REPEAT, text=REPEAT.text.replace("340", "304"))]),
        ("340", "304", [replace(FLOOD, id="copy", source="The Sandholm Echo")]),
        ("open at night", "open all night", [REPEAT]),
        ("is open", "was open", [replace(REPEAT, text="The shelter in Mill Lane is open at night, said the council.")]),
    ],
)
def test_silence_where_nothing_else_has_the_old_version(old: str, new: str, others: list[Article]) -> None:
    assert isinstance(_corrected(old, new, *others), Message)


@pytest.mark.parametrize(
    ("old", "new"), [("340", "304"), ("Marta Lindqvist", "Marta Lindgren"), ("in spring", "in autumn")]
)
def test_figures_names_and_quoted_words_are_compared(old: str, new: str) -> None:
    changed = replace(FLOOD, text=FLOOD.text.replace(old, new))
    [found] = replacements(read_one(FLOOD), read_one(changed))
    assert found.old != found.new
    assert " ".join(found.new).rstrip(",”") in new
