"""What is read in the articles of ``tests/fixtures``, set against ``gold.toml``: floors, and promises about caveats.

The floors stand a row below what is measured. A sentence that is bare of the caveat that is due, neither on it nor
beside it, breaks a promise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.shelf import FIXTURES, readings
from tests.support.gold import Read, load_gold

# The rows of gold that may be misread: one more than are.
MOST_WRONG = {Read.voices: 31, Read.speakers: 30, Read.denials: 1, Read.covered: 8, Read.uncovered: 6}
MOST_WRONG |= {Read.caveats: 2, Read.kinds: 1, Read.boilerplate: 1}

READINGS = {Path(reading.article.path).name: reading for reading in readings(FIXTURES)}
READ = tuple(Read(gold, READINGS[gold.path.name]) for gold in load_gold())


def _wrong(judge: Callable[[Read], Iterable[str]]) -> set[tuple[str, str]]:
    """Return the article's file and the words of each row of gold that is misread."""
    return {(read.gold.path.name, words) for read in READ for words in judge(read)}


@pytest.mark.parametrize(("judge", "most"), MOST_WRONG.items(), ids=[judge.__name__ for judge in MOST_WRONG])
def test_most_of_it_is_read_rightly(judge: Callable[[Read], Iterable[str]], most: int) -> None:
    wrong = _wrong(judge)
    assert len(wrong) <= most, sorted(wrong)


def test_no_sentence_is_bare_of_the_caveat_that_is_due_and_what_only_looks_like_one_is_none() -> None:
    """A body that could not confirm something is no newsroom, and not every "could not" is about verifying."""
    assert _wrong(Read.never_bare) == set()
    assert _wrong(Read.not_caveats) == set()
