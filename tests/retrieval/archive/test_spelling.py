"""An unknown word -> the words of the articles that it may be meant for."""

from __future__ import annotations

import pytest

from retrieval.text.edit_distance import counted, spellings

HELD = {
    "quay": 9,
    "harbor": 3,
    "liner": 2,
    "miner": 5,
    "lighthous": 4,
    "captains": 1,
    "f16": 7,
    "minister": 9,
    "ministry": 4,
}


def _found(word: str, limit: int) -> tuple[str, ...]:
    return spellings(word, lambda length: {w: n for w, n in HELD.items() if len(w) == length and counted(w)}, limit)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("quey", ()),
        ("quays", ("quay",)),
        ("harbr", ("harbor",)),
        ("hrabor", ("harbor",)),
        ("hrabro", ()),
        ("captian", ()),
        ("captiain", ("captains",)),
        ("lihgthuos", ("lighthous",)),
        ("lihgthusoe", ()),
        ("finer", ("miner", "liner")),
        ("lines", ("liner",)),
        ("liner", ()),
        ("f1600", ()),
        ("ministery", ("ministry", "minister")),
        ("minyster", ("minister",)),
    ],
)
def test_a_slip_is_found_and_two_in_a_word_of_eight_letters(word: str, meant: tuple[str, ...]) -> None:
    """A word of four has too many neighbours, and one of seven may have one slip; the more frequent goes first."""
    assert _found(word, 5) == meant


def test_no_more_are_named_than_are_asked_for() -> None:
    assert _found("finer", 1) == ("miner",)
