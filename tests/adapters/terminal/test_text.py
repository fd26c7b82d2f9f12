"""Replies as a terminal shows them."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from adapters.terminal.text import VERDICTS, draw, has_hyperlinks, plain, plainly
from bot.model import Answer, Message
from bot.verdicts import Lead
from tests.support.replies import EXTRACT, KINDS
from tests.support.tables import cases


def printed(content: RenderableType, width: int = 100) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False, markup=False, emoji=False).print(content)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


@cases("text, shown")
def test_an_articles_words_are_data(text: str, shown: str) -> None:
    assert printed(draw(Message(text))) == printed(plain(text)) == shown


def test_an_address_cannot_end_its_own_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    hostile = replace(EXTRACT.citation, url="https://echo.example/\x1b\\\x1b]8;;https://evil.example\x07é")
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, _environ={})
    console.print(draw(Answer((replace(EXTRACT, citation=hostile),))))
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
    text = plainly(draw(KINDS["noticed"]))
    assert "[!] NOT VERIFIED" in text
    assert "\x1b" not in text


def test_every_verdict_has_its_colour() -> None:
    assert set(VERDICTS) == set(Lead)
    assert len(set(VERDICTS.values())) == len(Lead)
