"""Discord's markdown: what is shown is an article's words, whatever marks are in them."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings

from adapters.discord.markdown import escape, linked, quotation
from bot.escaping import escape_controls
from tests.adapters.replies import texts


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


@given(text=texts)
@settings(deadline=None)
def test_unescaping_a_quotation_gives_the_words_back(text: str) -> None:
    assert _unescaped(escape(text)) == escape_controls(text)
    assert _unescaped(quotation(text).removeprefix("> ")) == escape_controls(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5 * 3 * 2", r"5 \* 3 \* 2"),
        ("the_river_rose", r"the\_river\_rose"),
        ("see https://example.org/a_b for more", "see https://example.org/a_b for more"),
        ("<@123> and <@&4>", r"\<@123> and \<@&4>"),
        ("# heading", r"\# heading"),
        ("- item", r"\- item"),
        ("> quoted", r"\> quoted"),
        ("“[He] left,” she said", "“[He] left,” she said"),
        ("[a](b)", r"\[a](b)"),
        ("a < b - c", "a < b - c"),
        ("C:\\news", r"C:\\news"),
        ("line\n# two", "line\n\\# two"),
    ],
)
def test_marks_are_escaped_and_nothing_else(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_the_words_that_answer_are_emphasised_where_they_stand() -> None:
    assert quotation("“", "40 <", " counted") == "> “**40 <** counted"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://example.org/a b(c)", r"[\[Live\] River \*rises\*](<https://example.org/a%20b%28c%29>)"),
        ("javascript:alert(1)", r"[Live] River \*rises\*"),
        ("http://[broken", r"[Live] River \*rises\*"),
        (None, r"[Live] River \*rises\*"),
    ],
)
def test_only_an_address_that_a_browser_opens_becomes_a_link(address: str | None, shown: str) -> None:
    assert linked("[Live] River *rises*", address) == shown


def test_brackets_without_end_are_escaped_in_no_time() -> None:
    """Forty thousand of them took seconds, in which nobody was answered."""
    began = time.process_time()
    assert escape("[" * 40_000) == "[" * 40_000
    assert time.process_time() - began < 1
