"""Nothing that was changed is exact: no figure by another spelling, no words that an ellipsis turns round."""

from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from adapters import json_contract
from bot.commands.alignment import Word, quote_words
from bot.commands.proof import proof
from bot.commands.verify import check
from bot.model import Change, Check, Listing, QuotationLiberty, Verdict
from retrieval import Article, Query
from tests.stock import expect, holdings
from tests.support.nightly import examples
from tests.support.tables import cases, rows

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


def verify(quote: str, *texts: str) -> Check:
    return expect(Check, check(holdings([Article(f"{n}.txt", each) for n, each in enumerate(texts)]), quote))


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
    assert verify(SLOT.format(pasted), f"{SLOT.format(published)}.").verdict is Verdict.EXACT


@pytest.mark.parametrize(
    ("pasted", "published", "removed", "added"),
    [
        ("£15m", "£1.5m", "1.5m", "15m"),
        ("106", "10⁶", "10⁶", "106"),
        ("£5m", "-£5m", "-", ""),
        (">£5", "<£5", "<", ">"),
        ("1:2", "1/2", "/", ":"),
    ],
)
def test_what_was_done_to_a_figure_is_named(pasted: str, published: str, removed: str, added: str) -> None:
    changes = verify(SLOT.format(pasted), f"{SLOT.format(published)}.").matches[0].difference
    assert [words for change, words in changes if change is Change.REMOVED] == [removed]
    assert [words for change, words in changes if change is Change.ADDED] == [added][: len(added)]


REFUSED = "We {} attack the harbour that night, and the crews slept, Olof Brandt said"


@cases("left_out, verdict", Verdict)
def test_an_ellipsis_leaves_out_plain_words_only(left_out: str, verdict: Verdict) -> None:
    published = f"“{REFUSED.format(left_out)}.”"
    found = verify(f"“{REFUSED.format('…')}”", published)
    assert found.verdict is verdict
    assert (QuotationLiberty.OMISSION in found.freedoms) is (verdict is Verdict.EXACT)
    words = [words for match in found.matches for change, words in match.difference if change is Change.REMOVED]
    assert left_out.rstrip(",") in words


@cases("between, verdict", Verdict)
def test_an_ellipsis_over_sentences_and_over_who_says_them(between: str, verdict: Verdict) -> None:
    end = "the old men will row the boats home"
    found = verify(f"We will sail … {end}", f"“We will sail{between} {end}.”")
    assert found.verdict is verdict


@pytest.mark.parametrize(("bracketed", "verdict"), [("they decided to", Verdict.ALTERED), ("they all", Verdict.EXACT)])
def test_square_brackets_replace_no_refusal(bracketed: str, verdict: Verdict) -> None:
    published = "we refused to" if verdict is Verdict.ALTERED else "we men"
    quote = f"That night [{bracketed}] attack the harbour again"
    assert verify(quote, f"“That night {published} attack the harbour again.”").verdict is verdict


@cases("quote, text")
def test_a_bracket_without_its_other_half_does_no_harm(quote: str, text: str) -> None:
    words = " ".join(text.partition("]" if "]" in text else "will")[2].split()[:4])
    assert verify(quote, text).verdict is Verdict.ALTERED
    found = proof(holdings([Article("a.txt", text)]), f"{quote}, he said. He wrote “{words}” too.")
    assert [each.check.verdict for each in found.findings if each.check] == [Verdict.ALTERED, Verdict.EXACT]


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


@cases("pasted, published, verdict, freedoms", QuotationLiberty, Verdict)
def test_marks_that_strike_out_or_turn_are_a_difference(
    pasted: str, published: str, verdict: Verdict, freedoms: tuple[QuotationLiberty, ...]
) -> None:
    line = "The men of the harbour do {} leave their boats"
    found = verify(line.format(pasted), f"{line.format(published)}.")
    assert (found.verdict, found.freedoms) == (verdict, freedoms)


def test_a_mark_of_direction_is_visible_in_the_difference() -> None:
    found = verify("We saw \u202e12\u202c boats there", "We saw 12 boats there.")
    assert (Change.ADDED, "‹U+202E›") in found.matches[0].difference
    assert verify("“We saw 12 boats there” — \u202e", "We saw 12 boats there.").verdict is Verdict.PARTIAL


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
