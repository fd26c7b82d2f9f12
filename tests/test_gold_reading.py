"""What is read in the articles of ``tests/fixtures``, set against ``gold.toml``: floors, and promises about caveats.

The floors stand a little below what is measured. A caveat that is severed from its sentence, or borrowed by another,
breaks a promise: each that is known to be is named with its reason, and must be struck off once it is mended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from tests.gold import load_gold
from tests.read import Read, Verdict, Where
from tests.shelf import FIXTURES, readings

# The least share of the rows of gold that must be read rightly.
FLOORS = {
    Read.voices: 0.91,
    Read.speakers: 0.89,
    Read.denials: 0.99,
    Read.caveats: 0.75,
    Read.kinds: 0.85,
    Read.boilerplate: 0.85,
}

# By sentence: why it stands without the caveat that is due.
SEVERED: dict[Where, str] = {}
# By sentence: why it stands with a caveat that is not about it.
BORROWED: dict[Where, str] = {}

READ = tuple(
    Read(gold, reading)
    for gold in load_gold()
    for reading in readings(FIXTURES)
    if reading.article.path.endswith(f"/{gold.path.name}")
)


def _wrong(verdicts: Iterable[Verdict]) -> set[Where]:
    return {verdict.where for verdict in verdicts if not verdict.right}


def test_every_article_of_gold_is_read() -> None:
    """Otherwise the figures below would be about fewer."""
    assert [read.gold.path for read in READ] == [gold.path for gold in load_gold()]


@pytest.mark.parametrize(("judge", "floor"), FLOORS.items(), ids=[judge.__name__ for judge in FLOORS])
def test_most_of_it_is_read_rightly(judge: Callable[[Read], Iterable[Verdict]], floor: float) -> None:
    """A share of the rows of gold at least as large as the floor."""
    verdicts = [verdict for read in READ for verdict in judge(read)]
    wrong = _wrong(verdicts)
    assert len(verdicts) - len(wrong) >= floor * len(verdicts), (len(wrong), len(verdicts), sorted(wrong))


def test_no_caveat_is_severed_from_its_sentence() -> None:
    """But for those that are known to be."""
    assert _wrong(verdict for read in READ for verdict in read.covered()) == SEVERED.keys()


def test_no_sentence_borrows_a_caveat() -> None:
    """But for those that are known to."""
    assert _wrong(verdict for read in READ for verdict in read.uncovered()) == BORROWED.keys()


def test_what_only_looks_like_a_caveat_is_none() -> None:
    """A body that could not confirm something is no newsroom, and not every "could not" is about verifying."""
    assert _wrong(verdict for read in READ for verdict in read.not_caveats()) == set()
