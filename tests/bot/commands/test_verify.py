"""Pasted messages: nothing that was changed is exact, and how many quotations, of what length, are checked.

``test_checks`` has the other rules, case by case.
"""

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from adapters import json_contract
from bot.commands.alignment import Word, quote_words
from bot.commands.proof import proof
from bot.commands.verify import MOST, check
from bot.model import Check, Listing, Message, Question, Verdict
from bot.service import QuestionService
from retrieval import QUESTION, Article, Query
from tests.stock import expect, holdings
from tests.support.nightly import examples
from tests.support.tables import articles, rows

QUAY = "The quay will stand for another hundred years"
HOLDINGS = holdings([articles(Path(__file__).with_name("checks") / "pasted.toml")["quay"]])


def test_many_quotations_are_counted() -> None:
    found = expect(Listing, check(HOLDINGS, " and ".join(f"“{QUAY} number {n}”" for n in range(MOST + 3))))
    assert found.sections[-1].lines[-1] == "… and 3 more quotations."


def test_a_long_message_is_looked_through_for_its_quotations() -> None:
    service = QuestionService(HOLDINGS)
    long = "We had a long talk about harbours. " * (QUESTION // 20)
    found = expect(Check, service.command("verify", f"{long} “{QUAY}” {long}", Question("")))
    assert found.verdict is Verdict.PARTIAL
    assert isinstance(service.answer(Question(f"verify {long} “{QUAY}”")), Check)
    assert isinstance(service.command("verify", long, Question("")), Message)


def test_a_message_may_have_forty_thousand_characters() -> None:
    service = QuestionService(HOLDINGS)
    fits = f"“{QUAY}”".ljust(40_000, ".")
    assert isinstance(service.command("verify", fits, Question("")), Check)
    assert isinstance(service.command("verify", f"{fits}.", Question("")), Message)


SLOT = "The council paid {} for the mast last summer"
FIGURES = {"marked": ("5", "1.5"), "currencies": ("5", "1.5", "15"), "others": ("",)}  # in the forms of each table
SPELLINGS = [
    *dict.fromkeys(
        form.format(figure)
        for table, figures in FIGURES.items()
        for form in rows(__file__, table)
        for figure in figures
    )
]
TWINS = [(one, other) for one, other, _ in rows(__file__, "twins")]


def test_no_two_spellings_of_a_figure_are_one_but_those_listed() -> None:
    assert len(SPELLINGS) >= 250
    forms = {each: quote_words(SLOT.format(each)) for each in (*SPELLINGS, *(each for pair in TWINS for each in pair))}
    same = {
        frozenset((one, other))
        for (one, words), (other, others) in combinations(forms.items(), 2)
        if len(words) == len(others) and all(map(Word.is_like, words, others))
    }
    listed = {frozenset(pair) for pair in TWINS}
    assert listed <= same
    of = {each: {other for pair in listed if each in pair for other in pair} for each in forms}
    assert [tuple(two) for two in same - listed if not frozenset.intersection(*map(frozenset, map(of.get, two)))] == []


@pytest.mark.rest
def test_no_spelling_of_a_figure_is_exact_where_the_articles_have_others() -> None:
    lines = [Article(f"{n}.txt", f"{SLOT.format(each)}.") for n, each in enumerate(SPELLINGS)]
    halves = [holdings(lines[half::2]) for half in (0, 1)]
    for number, spelling in [*enumerate(SPELLINGS)][:: examples(6, 1)]:
        own, others = halves[number % 2], halves[1 - number % 2]
        for form in ("{}", "“{}”"):
            quote = form.format(SLOT.format(spelling))
            assert expect(Check, check(own, quote)).verdict is Verdict.EXACT, spelling
            assert expect(Check, check(others, quote)).verdict is not Verdict.EXACT, spelling


@pytest.mark.parametrize(("pasted", "published"), TWINS + [pair[::-1] for pair in TWINS])
def test_twins_are_exact_either_way(pasted: str, published: str) -> None:
    held = holdings([Article("a.txt", f"{SLOT.format(published)}.")])
    assert expect(Check, check(held, SLOT.format(pasted))).verdict is Verdict.EXACT


def test_a_quotation_that_cannot_be_compared_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    held = holdings()
    search = held.archive.search

    def fail(query: Query, *args: object) -> object:
        if "zeppelin" in str(query) and query.boilerplate:  # no sentence of a draft by itself
            raise ValueError(query)
        return search(query, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(held.archive, "search", fail)
    text = "“Nobody was at the wheel,” she said. He said: “The zeppelin left at noon.”"
    for found in (proof(held, text).findings, expect(Listing, check(held, text)).sections):
        checks = [each.check for each in found if each.check]
        assert [each.verdict for each in checks] == [Verdict.EXACT, Verdict.UNCHECKED]
    alone = expect(Check, check(held, "the zeppelin left at noon"))
    assert alone.verdict is Verdict.UNCHECKED
    assert "failed to compare" in str(json_contract.reply(alone)["what"])


HELD = holdings()
PASTED = st.text(st.sampled_from("“”\"'—-: [].…~*>\n5.£"), max_size=6)


@given(
    before=PASTED,
    inner=PASTED,
    behind=st.sampled_from(("", " — Marta Lindqvist", ", she said.", " and so on")),
    after=PASTED,
)
def test_nothing_exact_has_words_that_were_not_compared(before: str, inner: str, behind: str, after: str) -> None:
    found = check(HELD, f"{before}Nobody was {inner}at the wheel{behind}{after}")
    for each in [found] if isinstance(found, Check) else [s.check for s in getattr(found, "sections", ()) if s.check]:
        assert each.verdict is not Verdict.EXACT or not each.not_compared
        assert each.verdict is not Verdict.EXACT or not any(map(str.isdigit, inner))
        assert each.verdict is not Verdict.EXACT or "5" not in each.quote
