"""Quotations made of articles' sentences: none that was altered is exact, and all that were not are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from bot.command import Holdings
from bot.commands.pasted_quotes import check
from bot.model import Check, Listing, Verdict
from retrieval.archive.archive import open_archive
from retrieval.model import Article, Reading
from retrieval.pipeline import read_separately
from tests.bot.commands.quotation_cases import Case, Maker
from tests.shelf import FIXTURES, SEEDS, readings

SHARED = os.environ.get("STET_TEST_SHARED", "")
SEED = 41


def verdicts(holdings: Holdings, text: str) -> tuple[Verdict, ...]:
    found = check(holdings, text)
    if isinstance(found, Listing):
        return tuple(section.check.verdict for section in found.sections if section.check)
    return (found.verdict,) if isinstance(found, Check) else ()


def share(holdings: Holdings, cases: Iterable[Case], *right: Verdict) -> float:
    found = [set(verdicts(holdings, case.text)) <= set(right) for case in cases]
    return sum(found) / len(found)


def measured(every: tuple[Reading, ...], number: int) -> None:
    holdings, made = Holdings(open_archive(every)), Maker(every, SEED)
    exact = [case for case in made.altered(number) if {*verdicts(holdings, case.text)} == {Verdict.EXACT}]
    assert exact == []
    assert share(holdings, made.exact(number), Verdict.EXACT) >= 0.98
    assert share(holdings, made.claimed(number, right=False), Verdict.MISATTRIBUTED) >= 0.95
    assert share(holdings, made.claimed(number, right=True), Verdict.EXACT, Verdict.PARTIAL) >= 0.95


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
