"""What is read in the articles of ``tests/fixtures``, set against ``gold.toml``: floors, and promises about caveats.

The floors stand a little below what is measured. A sentence that is bare of the caveat that is due, neither on it nor
beside it, breaks a promise.
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
    Read.covered: 0.85,
    Read.uncovered: 0.97,
    Read.caveats: 0.75,
    Read.kinds: 0.85,
    Read.boilerplate: 0.85,
}

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


def test_no_sentence_is_bare_of_the_caveat_that_is_due() -> None:
    """The caveat is on it, or is told as one that may be about it."""
    assert _wrong(verdict for read in READ for verdict in read.never_bare()) == set()


def test_what_only_looks_like_a_caveat_is_none() -> None:
    """A body that could not confirm something is no newsroom, and not every "could not" is about verifying."""
    assert _wrong(verdict for read in READ for verdict in read.not_caveats()) == set()
