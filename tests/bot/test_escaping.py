"""What would be obeyed is shown as its code."""

import unicodedata

import pytest

from bot.escaping import escape_controls, escape_line

TURNS = frozenset("LRE RLE LRO RLO PDF LRI RLI FSI PDI".split())


def test_the_characters_shown_as_codes_are_those_of_unicodes_own_tables() -> None:
    every = {chr(number) for number in range(0x20000)} - {"\n"}
    obeyed = {c for c in every if unicodedata.category(c) in ("Cc", "Cs") or unicodedata.bidirectional(c) in TURNS}
    harmless = "".join(sorted(every - obeyed))
    assert escape_controls(harmless) == harmless
    assert all(escape_controls(c) != c for c in obeyed)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb\x07", r"a\x1b[2Jb\x07"),
        ("\u202e2031 yaM 9", r"\x202e2031 yaM 9"),
        ("half \ud800", r"half \xd800"),
        ("two\nlines", "two\nlines"),
        ("مرحبا \u200fשלום", "مرحبا \u200fשלום"),
    ],
)
def test_a_text_keeps_its_words_and_its_lines(text: str, shown: str) -> None:
    assert escape_controls(text) == shown


@pytest.mark.parametrize("end", ["\n", "\r", "\u2028", "\u2029", "\x85", "\x0b"])
def test_a_line_cannot_be_broken(end: str) -> None:
    assert escape_line(f"a{end}stet: all is well").splitlines() == [rf"a\x{ord(end):02x}stet: all is well"]
