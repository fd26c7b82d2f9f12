"""Quotations made of articles' sentences: none that was altered is exact, and all that were not are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from bot.command import Holdings
from bot.commands.pasted_quotes import check
from bot.model import Check, Listing, Verdict
from retrieval.archive.archive import open_archive
from retrieval.model import Article, Reading
from retrieval.pipeline import read_separately
from tests.bot.commands.quotation_cases import Maker
from tests.shelf import FIXTURES, SEEDS, readings

SHARED = os.environ.get("STET_TEST_SHARED", "")
SEED = 41


def verdicts(holdings: Holdings, text: str) -> tuple[Verdict, ...]:
    found = check(holdings, text)
    if isinstance(found, Listing):
        return tuple(section.check.verdict for section in found.sections if section.check)
    return (found.verdict,) if isinstance(found, Check) else ()


def share(holdings: Holdings, texts: Iterable[str], *right: Verdict) -> float:
    """Return the share of the texts on which every verdict is one of ``right``."""
    found = [set(verdicts(holdings, text)) <= set(right) for text in texts]
    return sum(found) / len(found)


def measured(every: tuple[Reading, ...], number: int) -> None:
    """Check the floors on the sentences of some articles."""
    holdings, made = Holdings(open_archive(every)), Maker(every, SEED)
    assert [text for text in made.altered(number) if {*verdicts(holdings, text)} == {Verdict.EXACT}] == []
    assert share(holdings, made.exact(number), Verdict.EXACT) >= 0.98
    assert share(holdings, islice(made.claimed(right=False), number), Verdict.MISATTRIBUTED) >= 0.95
    assert share(holdings, islice(made.claimed(right=True), number), Verdict.EXACT, Verdict.PARTIAL) >= 0.95


@pytest.mark.rest
def test_no_altered_quotation_of_our_own_articles_is_exact() -> None:
    measured((*readings(FIXTURES), *readings(SEEDS)), 20)


@pytest.mark.rest
@pytest.mark.skipif(not SHARED, reason="STET_TEST_SHARED is not set")
def test_no_altered_quotation_of_real_articles_is_exact() -> None:
    with (Path(SHARED) / "data" / "corpus" / "news_500.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][:100]
    measured(tuple(read_separately([Article(row["id"], row["text"]) for row in rows])), 50)


@pytest.mark.rest
def test_every_sentence_of_the_seeds_is_exact() -> None:
    every = readings(SEEDS)
    holdings = Holdings(open_archive(every))
    for reading in every:
        for passage in reading.passages:
            sentence = " ".join(passage.sentence.span.of(reading.article.text).split())
            if len(sentence.split()) > 3:
                assert verdicts(holdings, sentence) == (Verdict.EXACT,), sentence
