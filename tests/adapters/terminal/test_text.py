"""Replies as a terminal shows them, and an article as the bot reads it, set out for a person."""

import io
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from adapters.terminal.reports import draw_reading
from adapters.terminal.text import VERDICTS, Drawing, has_hyperlinks, plain, plainly
from bot.model import Answer, Message
from bot.verdicts import Lead
from retrieval.model import Article, Caveat, CaveatKind, Passage, Reading, Sentence, Span
from retrieval.pipeline import read_one
from tests.adapters.conftest import Stet
from tests.stock import FERRY, caveated
from tests.support.replies import EXTRACT, KINDS
from tests.support.tables import cases

WORDS_ALONE = partial(Console, highlight=False, markup=False, emoji=False)


def printed(content: RenderableType, width: int = 100, *, colour: bool = False) -> str:
    out = io.StringIO()
    console = WORDS_ALONE(file=out, width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(content)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


@cases("text, shown")
def test_an_articles_words_are_data(text: str, shown: str) -> None:
    assert printed(Drawing(Message(text))) == printed(plain(text)) == shown


def test_an_address_cannot_end_its_own_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    hostile = replace(EXTRACT.citation, url="https://echo.example/\x1b\\\x1b]8;;https://evil.example\x07é")
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, _environ={})
    console.print(Drawing(Answer((replace(EXTRACT, citation=hostile),))))
    (address,) = re.findall(r"\x1b\]8;id=\d+;(.+?)\x1b", out.getvalue())
    assert address.startswith("https://echo.example/%1B\\%1B]8;;https://evil.example%07%C3%A9#:~:text=")


@cases("given, able")
def test_titles_lead_to_addresses_where_the_terminal_keeps_them(
    given: dict[str, str], *, able: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.environ", given)
    assert has_hyperlinks(Console(force_terminal=True, _environ=given)) == able


def test_plain_output_has_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = plainly(Drawing(KINDS["noticed"]))
    assert "[!] NOT VERIFIED" in text
    assert "\x1b" not in text


def test_every_verdict_has_its_colour() -> None:
    assert set(VERDICTS) == set(Lead)
    assert len(set(VERDICTS.values())) == len(Lead)


def set_out(reading: Reading, *, explain: bool = False, colour: bool = False) -> str:
    return printed(draw_reading(reading, explain=explain), 300, colour=colour)


def test_speakers_stand_in_the_margin_caveats_on_what_they_cover_and_every_rule_is_named() -> None:
    shown = set_out(read_one(FERRY), explain=True)
    line = next(line for line in shown.splitlines() if "Nobody was at the wheel" in line)
    assert "Marta Lindqvist" in line.partition("“")[0]
    assert "[!4]" in line
    assert "[denies]" in next(line for line in shown.splitlines() if "Norfar, denied" in line)
    assert "[!4] “could not be independently verified” (own) covers sentences" in shown
    for rule in ("sentence: ", "voice: ", "name: Marta Lindqvist: PERSON, ", "caveat: own, "):
        assert rule in shown


@cases("text, shown")
def test_a_reading_shows(text: str, shown: str) -> None:
    assert re.search(shown, set_out(read_one(Article("a", text)), explain=True))


def test_a_notice_covers_the_article_as_a_whole() -> None:
    caveat = Caveat(CaveatKind.STANDING, 0, Span(0, 8), (), "The Echo", rule="standing")
    reading = Reading(Article("a", "It rains."), (Passage(Sentence("a", 0, Span(0, 9), 0)),), (caveat,))
    assert "(standing, by The Echo) covers the article as a whole. Rule: standing" in set_out(reading)


def test_names_are_underlined_and_control_characters_shown() -> None:
    shown = set_out(read_one(replace(FERRY, text=f"{FERRY.text} A bell\x07 rang.")), colour=True)
    assert "\x1b[4m" in shown
    assert "\\x07" in shown
    assert "\x07" not in shown


def test_possible_coverage_is_marked_differently() -> None:
    shown = set_out(caveated(read_one(FERRY), covers=(1,), possible=(0,)))
    assert "the coastguard said.  [?4]" in shown
    assert "before the ship struck the rocks.  [!4]" in shown
    assert "covers sentence 1, perhaps sentence 0. Rule: " in shown


def test_what_was_left_out_of_a_file_is_shown_and_neither_stored_nor_searched(stet: Stet, tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text("The flood killed 14[^1] men. ~~Zorvex~~ Royle said so.[^2]\n\nNobody knew.", encoding="utf-8")
    status, out, _ = stet("read", file)
    assert (status, "Left out, footnote mark: [^1] · [^2]\nLeft out, struck out: Zorvex" in out) == (0, True)
    assert json.loads(stet("read", file, "--json")[1])["left_out"] == [
        {"kind": "footnote_mark", "text": "[^1]"},
        {"kind": "footnote_mark", "text": "[^2]"},
        {"kind": "struck_out", "text": "Zorvex"},
    ]
    stet("add", file)
    assert "mine.md: Left out, struck out: Zorvex" in stet("check")[1]
    assert "Zorvex" not in stet("export")[1]
    assert "mine.md: Left out, footnote mark: [^1] · [^2]" in stet("check", STET_ARTICLES=file)[1]
