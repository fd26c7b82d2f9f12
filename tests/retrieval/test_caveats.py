"""Finding the outlet's caveats, and whose inability they speak of."""

from __future__ import annotations

import pytest

from retrieval.annotate import read_one
from retrieval.model import Article
from tests.retrieval.caveat_sentences import CAVEATS, NO_CAVEATS


@pytest.mark.parametrize("sentence", CAVEATS)
def test_an_outlets_inability_is_found_in_any_wording(sentence: str) -> None:
    """Each of these sentences holds a caveat of the outlet, and its words stand where they are said to."""
    reading = read_one(Article("a", sentence))
    (caveat,) = reading.caveats
    assert reading.passages[caveat.sentence].sentence.span.contains(caveat.span)


@pytest.mark.parametrize("sentence", NO_CAVEATS)
def test_what_somebody_else_could_not_confirm_is_no_caveat(sentence: str) -> None:
    """None of these is the outlet's inability to stand something up."""
    assert read_one(Article("a", sentence)).caveats == ()
