"""Reading articles together: in their order, however the work is shared out."""

from __future__ import annotations

import pytest

from retrieval.annotate import MANY, read_all
from retrieval.errors import NoSuchModelError
from retrieval.model import Article

ARTICLES = tuple(
    Article(f"{number}.txt", f"Ines Moreau said on Monday that {number} boats had left the harbour. It rained.")
    for number in range(MANY)
)


def test_many_articles_are_read_as_few_are_and_in_their_order() -> None:
    """Every core there is reads; who read what cannot be seen, and each article is counted once."""
    counted: list[None] = []
    readings = read_all(ARTICLES, advance=lambda: counted.append(None))
    assert [reading.article for reading in readings] == list(ARTICLES)
    assert readings[:20] == read_all(ARTICLES[:20])
    assert readings[-20:] == read_all(ARTICLES[-20:])
    assert len(counted) == len(ARTICLES)


def test_what_fails_while_many_articles_are_read_is_told() -> None:
    """A pipeline that is not installed is named, whichever process missed it."""
    with pytest.raises(NoSuchModelError, match="no_such_pipeline"):
        read_all(ARTICLES, model="no_such_pipeline")
