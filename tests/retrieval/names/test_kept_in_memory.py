"""What is worked out once for each word, and how much of that is kept."""

from __future__ import annotations

import retrieval.names
from tests.retrieval.kept_in_memory import unbounded


def test_what_is_kept_of_words_has_an_end() -> None:
    """A bot that reads for months meets words without number."""
    assert unbounded(retrieval.names) == []
