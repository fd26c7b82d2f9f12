"""Search terms, where several threads ask for them at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from retrieval.text.terms import term

ENDINGS = ("ations", "fulness", "ingly", "ements", "ously", "izers")


@pytest.fixture
def _hasty() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_hasty")
def test_threads_get_the_same_stems_as_one_alone() -> None:
    """Questions are answered in threads, and the same word is the same term in all of them."""
    made = [f"{stem}{vowel}r{ending}" for stem in ("gl", "pr", "st", "tr") for vowel in "aeiou" for ending in ENDINGS]
    term.cache_clear()
    alone = [term(word) for word in made]
    for _ in range(20):
        term.cache_clear()
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(term, made * 4)) == alone * 4
