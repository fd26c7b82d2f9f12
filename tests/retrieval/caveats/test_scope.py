"""Which sentences a caveat covers."""

from __future__ import annotations

from textwrap import dedent

import pytest

from retrieval.annotate import read_one
from retrieval.model import Article, Passage, Reading
from tests.retrieval.caveat_passages import PASSAGES


def _lines(passage: str) -> list[str]:
    return dedent(passage).strip("\n").splitlines()


def _read(lines: list[str]) -> Reading:
    text = "".join(f"{line[2:]} " if line else "\n\n" for line in lines)
    return read_one(Article("a", text.replace(" \n", "\n").strip()))


def _holding(reading: Reading, words: str) -> list[Passage]:
    """Return the passages that together hold ``words``."""
    start = reading.article.text.index(words)
    found = [p for p in reading.passages if start <= p.sentence.span.start < start + len(words)]
    assert found, words
    return found


@pytest.mark.parametrize("name", PASSAGES)
def test_a_caveat_covers_what_an_editor_says_it_covers(name: str) -> None:
    """No sentence in a caveat's scope is severed from it, and none outside borrows it."""
    lines = _lines(PASSAGES[name])
    reading = _read(lines)
    for line in filter(None, lines):
        for passage in _holding(reading, line[2:]):
            assert line[0] == "=" or bool(passage.caveats) is (line[0] == "+"), line
            assert line[0] != "=" or passage.is_caveat, line


@pytest.mark.parametrize("name", PASSAGES)
def test_a_caveat_covers_sentences_in_order_and_each_once(name: str) -> None:
    """The indexes covered are sorted, without repetition, and of this article."""
    reading = _read(_lines(PASSAGES[name]))
    for caveat in reading.caveats:
        assert list(caveat.covers) == sorted(set(caveat.covers))
        assert set(caveat.covers) <= set(range(len(reading.passages)))


def test_a_caveat_that_cannot_be_pinned_is_a_notice_on_the_article() -> None:
    """Where nothing before speaks of what could not be confirmed, no sentence is covered."""
    text = "The museum opened in 1904. It holds coins. CNN could not confirm the details of the sisters' departure."
    reading = read_one(Article("a", text))
    assert reading.notices == reading.caveats
    assert reading.caveats[0].verifier == "CNN"


def test_reporting_restrictions_in_general_are_a_notice() -> None:
    """A standing caveat is on the article, never on the sentence before."""
    text = "The army said two bridges fell. Journalists are barred from the area, so reports often cannot be verified."
    (caveat,) = read_one(Article("a", text)).notices
    assert caveat.kind == "standing"
