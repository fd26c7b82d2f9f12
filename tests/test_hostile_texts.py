"""Hostile texts take seconds, whatever they repeat: proofed, verified and read."""

from __future__ import annotations

import time

import pytest

from bot.command import Library
from bot.commands.proof import proof
from bot.commands.verify import check
from bot.errors import DraftError
from retrieval import MESSAGE, Article, open_archive, read_one

LENGTH, ARTICLE = 100_000, 40_000  # characters
PROOF, VERIFY, READ = 4.5, 0.8, 4.8  # seconds of CPU; proofing 33,000 sentences "A." takes 2.7
UNITS = (
    " ¦\t¦\n¦\xa0¦a¦A¦0¦.¦-¦—¦“¦”¦\"¦'¦’¦(¦[¦<¦&¦|¦*¦_¦/¦a ¦A ¦a. ¦A. ¦“ ¦“a b c d e” ¦a\n¦\n\n¦ \n¦> ¦- ¦[[¦[a](¦"
    "0 ¦0.¦£1 ¦‘a ¦a's ¦Ann Bell ¦he said ¦not ¦could not be verified ¦“a,” he said. ¦AAA MORE "
    "¦said ¦, said¦he, ¦Lee and ¦unverified ¦no confirmation ¦not verified, "
).split("¦")


@pytest.fixture(scope="module")
def holdings() -> Library:
    read_one(Article("warm", "Ann Bell said the bridge would close."))
    return Library(open_archive([read_one(Article("a", "“The bridge will close for good in May,” Ann Bell said."))]))


def run(unit: str, length: int) -> str:
    return "x" + (unit * length)[: length - 2] + "x"


@pytest.mark.rest
@pytest.mark.parametrize("unit", UNITS)
def test_a_hostile_text_takes_linear_time(unit: str, holdings: Library) -> None:
    start = time.process_time()
    try:
        proof(holdings, run(unit, LENGTH))
    except DraftError as error:
        assert "quotations" in str(error)  # noqa: PT017 - others may be proofed
    proofed = time.process_time()
    check(holdings, run(unit, MESSAGE))
    verified = time.process_time()
    read_one(Article("a", run(unit, ARTICLE)))
    assert proofed - start <= PROOF
    assert verified - proofed <= VERIFY
    assert time.process_time() - verified <= READ
