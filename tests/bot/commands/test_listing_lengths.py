"""How much a listing shows, and that it says what it leaves out: unverified, disputed, sources and article."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from bot.command import Holdings
from bot.commands.sources import article, sources
from bot.commands.unverified import disputed, unverified
from bot.model import Listing, Message, Section
from retrieval.archive.archive import open_archive
from retrieval.model import Article
from retrieval.pipeline import read_all
from tests.stock import FERRY, expect, holdings

PEOPLE = (
    "Ada Roe, Omar Diaz, Ines Lund, Pavel Dorn, Marta Quist, Olaf Brandt, Viktor Halder, Rosa Vane, Karl Emmer, "
    "Ruth Okoye, Hugo Stahl, Lena Farr, Igor Pless"
).split(", ")


def sections(found: Listing | Message) -> tuple[Section, ...]:
    assert isinstance(found, Listing), found
    return found.sections


def under_caveat(claims: int) -> Holdings:
    (read,) = read_all([FERRY])
    caveat = replace(read.caveats[0], covers=tuple(range(claims)), possible=())
    passages = tuple(replace(p, caveats=(caveat,) * (i < claims)) for i, p in enumerate(read.passages))
    return Holdings(open_archive([replace(read, passages=passages, caveats=(caveat,))]))


@pytest.mark.parametrize(("claims", "lines"), [(3, ()), (4, ("Covers 4 sentences; the first are shown.",))])
def test_three_sentences_of_those_that_a_caveat_covers_are_shown(claims: int, lines: tuple[str, ...]) -> None:
    (section,) = sections(unverified(under_caveat(claims), ""))
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


def test_five_denials_are_shown() -> None:
    articles = [Article(f"{n}.txt", "Norfar denied that the harbour had burned.") for n in "abcdef"]
    assert len(sections(disputed(holdings(articles), "harbour"))) == 5


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


@pytest.mark.parametrize(("number", "compared"), [(2_000, True), (2_001, False)])
def test_two_thousand_articles_are_compared_with_each_other(number: int, compared: bool) -> None:  # noqa: FBT001
    one, filler = read_all([Article("one.txt", FERRY.text), Article("0.txt", "Trams ran.")])
    copies = [replace(one, article=replace(one.article, id=f"{n}.txt")) for n in ("one", "two")]
    fillers = [replace(filler, article=replace(filler.article, id=f"{n}.txt")) for n in range(number - 2)]
    found = sections(sources(Holdings(open_archive([*copies, *fillers])), ""))
    assert any(section.heading.startswith("One story") for section in found) is compared
