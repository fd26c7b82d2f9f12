"""What a sentence rests on: its stems, its speaker's party, and who goes on from whom."""

from __future__ import annotations

import pytest

from retrieval.caveats.claim_status import ClaimStatus, families_in, stems
from retrieval.model import Voice


def status(speaker: str | None, index: int = 0) -> ClaimStatus:
    """Return a sentence at ``index`` that ``speaker`` says."""
    return ClaimStatus(
        index=index,
        text="The dam burst.",
        lower=("the", "dam", "burst", "."),
        voice=Voice.NAMED,
        speaker=speaker,
        quotation=None,
        is_claim=True,
        reports_speech=True,
        is_hearsay=False,
        denies=False,
        reacts=False,
        is_boilerplate=False,
        is_heading=False,
        holds_caveat=False,
        has_office=False,
        stems=frozenset(),
        families=frozenset(),
        paragraph=0,
    )


def test_words_are_compared_by_five_letters_and_names_by_four_too() -> None:
    assert stems("tortured and torture") == {"tortu"}
    assert stems("Iran and the Iranian dam") == {"iran", "irani"}
    assert stems("they said that boats were there before") == {"boats"}
    assert stems("cat mooring") == {"moori"}


@pytest.mark.parametrize("word", "said says told that with have been were from they them which would about".split())
def test_a_common_word_is_no_stem(word: str) -> None:
    assert stems(f"{word} boats") == {"boats"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ada Roe", "Ada Roe", True),
        ("Ada Roe", "Omar Diaz", False),
        ("The Marland ministry", "Marland officials", True),
        ("The Marland ministry", "Norland officials", False),
        ("The witnesses", "Two witnesses", True),
        ("The former resident", "Two residents", True),
        ("The other former witness", "Two witnesses", False),
        ("Some witnesses", "Two witnesses", False),
        ("The group", "Dock Watch", True),
        ("The big group", "Dock Watch", False),
        ("The pilot", "Dock Watch", False),
        (None, None, False),
    ],
)
def test_one_goes_on_from_another_who_is_the_same_or_of_the_same_party(
    one: str | None,
    other: str | None,
    same: bool,  # noqa: FBT001
) -> None:
    assert status(one, 1).goes_on_from(status(other)) is same


@pytest.mark.parametrize(("index", "same"), [(1, True), (2, True), (3, False)])
def test_the_group_is_one_named_within_two_sentences(index: int, same: bool) -> None:  # noqa: FBT001
    assert status("The group", index).goes_on_from(status("Dock Watch")) is same


@pytest.mark.parametrize(
    ("words", "families"),
    [(("videos",), {0}), (("a", "photo"), {1}), (("tweets",), {3}), (("letter", "clip"), {0, 4}), (("boat",), set())],
)
def test_a_thing_is_known_by_the_names_of_its_family(words: tuple[str, ...], families: set[int]) -> None:
    assert families_in(words) == families
