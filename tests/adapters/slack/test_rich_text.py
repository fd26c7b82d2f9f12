"""The pieces of Block Kit: what is literal, what leads somewhere, what is cut."""

from __future__ import annotations

import pytest

from adapters.chat.parts import shorten
from adapters.slack.rich_text import escape, linked, plain, unescape


@pytest.mark.parametrize("text", ["a & b", "&amp;", "<!here>", "a > b", "&lt;&gt;&amp;lt;"])
def test_escaping_is_undone_exactly(text: str) -> None:
    assert unescape(escape(text)) == text


def test_what_is_the_bots_own_is_cut_with_a_mark() -> None:
    assert shorten("a word too many", 10) == "a word to…"
    assert shorten("a word", 10) == "a word"
    assert plain("x" * 80)["text"] == "x" * 74 + "…"


@pytest.mark.parametrize(
    "url", [None, "", "javascript:alert(1)", "https://a b", "https://a|b", "https://a/" + "x" * 3000]
)
def test_only_an_address_that_can_be_followed_is_a_link(url: str | None) -> None:
    assert linked("here", url) == {"type": "text", "text": "here"}
    assert linked("here", "https://a.example/b?c&d")["type"] == "link"
