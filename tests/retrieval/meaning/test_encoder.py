"""What an encoder is given, whatever a page holds."""

from __future__ import annotations

import pytest

from retrieval.meaning.encoder import encodable

HOSTILE = (
    "",
    "\0",
    "a\0b",
    "\ud800 half a character \udfff",
    "🚢" * 300,
    "e\u0301" * 400,
    "\u202eright to left\u202c שלום مرحبا",
    "\u200b\ufeff\u2028\u2029",
    "x" * 1_000_000,
    " " * 1_000_000,
    "query: passage: </s> <s> <pad> <mask>",
    "".join(map(chr, range(1, 0x300))),
)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_becomes_one_that_can_be_encoded(text: str) -> None:
    """Of bounded length, without a NUL or half a character; and what became so stays so."""
    given = encodable(text)
    assert len(given) <= 1_000
    assert "\0" not in given
    assert given.encode().decode() == given
    assert encodable(given) == given


def test_white_space_says_nothing() -> None:
    """A sentence broken across lines is the same sentence."""
    assert encodable(" The  ferry\n\tsank. ") == "The ferry sank."


def test_the_first_thousand_characters_are_encoded() -> None:
    """What is longer is a list or a table."""
    assert encodable("x" * 999 + "yz") == "x" * 999 + "y"
    assert encodable("x" * 999 + " z") == "x" * 999
