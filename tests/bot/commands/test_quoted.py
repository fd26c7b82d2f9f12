"""``quoted``: whom the articles quote. The figures are those of a plain count over what `stet read --json` prints."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from adapters import json_contract
from bot import messages
from bot.command import ExtractStream, Library
from bot.commands.quoted import HEAD, quoted, rows
from bot.model import Listing, Message
from retrieval.archive.interface import Archive
from retrieval.model import Article
from tests.shelf import FIXTURES, readings as read, service
from tests.stock import BRIDGE, FERRY, archive_of, expect, holdings

STALLS = (
    "Traders in Oxley want the market back. “It fed four streets,” Marta Lindqvist said. "
    "Officials said on Friday that the square was unsafe. “We have no plans,” an official said."
)
MARKET = Article(
    "market", STALLS, source="Daily Quill", published=date(2031, 6, 1), url="https://quill.example/local-news/market"
)
UNDATED = Article(id="undated", source="Daily Quill", text="“Nobody asked us,” Ada Venn said.")
HOLDINGS = holdings([FERRY, BRIDGE, MARKET, UNDATED])
SHELF = service(read(FIXTURES)).library
IN_BRIDGE, IN_MARKET = {"the council", "Tomas Brandt"}, {"an official", "Officials", "Marta Lindqvist"}


def _plain_count(archive: Archive) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for listed in archive.listed():
        article = json_contract.reading(archive.reading(listed.id))
        names = {" ".join(m["text"].split()): m["name"] for s in article["sentences"] for m in s["mentions"]}
        for sentence in article["sentences"]:
            said = sentence["attribution"]
            spoken = said and said["speaker"] and not sentence["boilerplate"]
            if spoken and said["voice"] in ("named", "unnamed", "media"):
                name = said["speaker"]
                called = names.get(name, name) if said["voice"] == "named" else name.lower()
                found[said["voice"], called, said["manner"]] += 1
    return found


def test_the_figures_are_those_of_a_plain_count() -> None:
    plain = _plain_count(SHELF.archive)
    head, *table = rows(SHELF, "")
    assert tuple(head) == HEAD
    counted: Counter[tuple[str, str, str]] = Counter()
    for name, voice, sentences, _, direct, paraphrased, *_ in table:
        called = str(name) if voice == "named" else str(name).lower()
        counted[str(voice), called, "quoted"] += int(str(direct))
        counted[str(voice), called, "paraphrased"] += int(str(paraphrased))
        assert int(str(sentences)) == int(str(direct)) + int(str(paraphrased))
    assert sum(plain.values()) > 100
    assert +counted == plain


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("", {"the coastguard", "Two passengers", "Norfar", *IN_BRIDGE, *IN_MARKET, "Ada Venn"}),
        ("outlet daily quill", {*IN_BRIDGE, *IN_MARKET, "Ada Venn"}),
        ("section local news", IN_MARKET),
        ("since 2031-05-10 until 2031-05", IN_BRIDGE),
        ("market since 2031", IN_MARKET),
    ],
)
def test_articles_are_chosen_by_topic_outlet_section_and_period(typed: str, names: set[str]) -> None:
    _, *table = rows(HOLDINGS, typed)
    assert {name for name, *_ in table} == names


def test_one_source_has_its_sentences_and_a_wrong_day_is_refused() -> None:
    assert isinstance(quoted(HOLDINGS, "since May"), Message)
    for typed in ("outlet The Quill", "bananas", "since 2031 until 2030", "by Marta Lindqvist outlet Echo"):
        assert quoted(HOLDINGS, typed) == Message(messages.NO_ARTICLE_COUNTED)
    assert quoted(Library(archive_of("A ferry sank off Sandholm.")), "ferry") == Message(messages.NOBODY_QUOTED)
    reply = expect(ExtractStream, quoted(HOLDINGS, "by Marta Lindqvist"))
    assert {extract.speaker for extract in reply.extracts} == {"Marta Lindqvist"}


def test_shares_and_the_error_of_speakers_stand_beside_the_figures() -> None:
    reply = expect(Listing, quoted(HOLDINGS, "market"))
    assert reply.title == "Whom 1 article quotes"
    assert any("By sources without a name: 2 of 3 sentences (67 %)." in line for line in reply.sections[0].lines)
    assert any("Readers judged" in line for line in reply.sections[0].lines)
    assert reply.sections[1].counts == (("Marta Lindqvist", 1, 1, 1, 0),)
