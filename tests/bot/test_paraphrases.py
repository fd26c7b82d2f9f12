"""What people ask with, and what articles are written with."""

from __future__ import annotations

from importlib.resources import files

import pytest
from bot.nations import nation
from bot.paraphrases import paraphrases

from retrieval.archive.terms import term


@pytest.mark.parametrize(
    ("asked", "written"),
    [("corpses", "bodies"), ("cops", "police"), ("kids", "children"), ("mum", "mother"), ("quit", "resigned")],
)
def test_a_paraphrase_is_found_both_ways(asked: str, written: str) -> None:
    """In whatever form the words are."""
    assert term(written) in paraphrases(term(asked))
    assert term(asked) in paraphrases(term(written))


def test_a_word_without_a_paraphrase_has_none() -> None:
    """Nor is a word a paraphrase of itself."""
    assert paraphrases("sandholm") == ()
    assert "kill" not in paraphrases("kill")


def test_every_group_joins_at_least_two_terms() -> None:
    """A group of one says nothing."""
    for line in files("bot").joinpath("paraphrases.txt").read_text(encoding="utf-8").splitlines():
        assert len({term(word) for word in line.split()}) > 1, line


@pytest.mark.parametrize(
    ("asked", "written", "how"),
    [
        ("turkish", "turkey", 0.85),
        ("britain", "british", 0.85),
        ("moscow", "russian", 0.4),
        ("dutch", "netherlands", 0.85),
    ],
)
def test_a_country_is_its_people_and_in_part_its_capital(asked: str, written: str, how: float) -> None:
    """A country's seat stands for its government, and is still another place."""
    assert dict(nation(term(asked)))[term(written)] == how


def test_what_is_no_country_stands_for_none() -> None:
    """A word of any other kind."""
    assert nation("ferri") == ()
