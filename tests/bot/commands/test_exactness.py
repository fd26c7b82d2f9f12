"""Nothing that was changed is exact: no figure by another spelling, no words that an ellipsis turns round."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from adapters import json_contract
from bot.command import Library
from bot.commands.alignment import Word, quote_words
from bot.commands.proof import proof
from bot.commands.verify import check
from bot.model import Change, Check, Listing, QuotationLiberty, Verdict
from retrieval import Archive, Article, Query
from tests.stock import expect, holdings
from tests.support.tables import cases

SLOT = "The council paid {} for the mast last summer"
MARKED = (
    "{}; -{}; +{}; ±{}; ~{}; ≈{}; ≠{}; <{}; >{}; ≤{}; ≥{}; ={}; #{}; §{}; √{}; .{}; {}+; {}%; {}‰; {}°; {}′; {}″; "
    "{}℃; {}m; {}bn; {}k; {}pc; {}kg; {}x; {}½; {}¼; {}²; {}₂; {}st; {}th; {}'s; {}s; $-{}; $.{}; -$.{}; {}/7; "
    "{}:7; {}·7; {}-7; {}^7; {}×7; {}÷7; {}=7; {}<7; {}>7; {}≠7; {}→7; {}|7; {}*7; {}_7; {}.7; {},7; {} 7; {}7; "
    "7{}; {}/day; {}m.7; -{}%"
).split("; ")
CURRENCIES = ("£{}; $ {}; €{}; -£{}; £-{}; <£{}; >£{}; ~£{}; £.{}; £{}m; £{}bn; £{}k; -£{}m; £{}-7m").split("; ")
TIMES = (
    "11:15; 111:5; 5mm; 50mm; 5.0mm; 1.15.5; 11.15am; 101.5am; 24/7; 247; 24-7; 24:7; 3rd; 33rd; 1.15pm; 11.5pm; "
    "115pm; 1.15am; 11.15pm; 1:15; 1.15; 1-15; 10.30am; 1030am; 10am; 10pm"
).split("; ")
OTHERS = (
    "10⁶; 10^6; 106; 10₆; 10⁻⁶; 10-6; 10²; 102; x²; x2; x₂; ½; 1⁄2; 1/2; 1½; 11/2; ¼; 1500; 1.500; 15.00; 1,50; "
    "1 500; 150; 1,5; 15,00; ٥; ۵; ५; ⑤; 5⃣; 55; 5.5; 1'500; 1.5m; 15m; 2.5bn; 25bn; 1.5pc; 15pc; 1.5kg; 1.5x; "
    "2.0b; 20b; 1.500m; 1500m; .5; 0.5; .300; 300; -.5; $.5bn; $5bn; v2.5; v25; 2.5.31; 25.31; 2031-32; 2031/32; "
    "203132; 5‱; a5; 5a; 5b"
).split("; ")
SPELLINGS = tuple(
    dict.fromkeys(
        [
            *(form.format(figure) for form in MARKED for figure in ("5", "1.5")),
            *(form.format(figure) for form in CURRENCIES for figure in ("5", "1.5", "15")),
            *TIMES,
            *OTHERS,
        ]
    )
)
# The pairs that are one form, each with why: nothing else is.
TWINS = {
    ("1,500", "1500"): "thousands have a comma or not",
    ("1,50,000", "150,000"): "thousands are grouped as in India",
    ("10.30am", "10:30am"): "a time has a stop or a colon",
    ("10.30 pm", "10:30 p.m."): "the same, and an abbreviation has stops or not",
    ("11pm", "11 pm"): "with a space or not",
    ("11pm", "11p.m."): "an abbreviation has stops or not",
    ("US", "U.S."): "an abbreviation has stops or not",
    ("-5", "−5"): "a minus is typed as a hyphen",
    ("-5", "‑5"): "or as a hyphen that does not break",
    ("5-7", "5–7"): "a range has a dash or a hyphen",
    ("5-7", "5 – 7"): "with spaces or without",
    ("5%", "5 %"): "a sign has a space before it or not",
    ("5", "５"): "a full-width figure",
    ("5.5", "５．５"): "with its stop",
    ("£5", "£5."): "a stop ends the sentence",
    ("£5", "(£5)"): "brackets are punctuation, which is named",
    ("£5", "£5,"): "so is a comma",
    ("90s", "’90s"): "so is an apostrophe, which may open a quotation",
    ("5 7", "5, 7"): "so is a comma between two figures, with a space",
    ("5's", "5’s"): "an apostrophe is straight or curly",
}


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
    for number, spelling in enumerate(SPELLINGS):
        own, others = halves[number % 2], halves[1 - number % 2]
        for form in ("{}", "“{}”"):
            quote = form.format(SLOT.format(spelling))
            assert expect(Check, check(own, quote)).verdict is Verdict.EXACT, spelling
            assert expect(Check, check(others, quote)).verdict is not Verdict.EXACT, spelling


@pytest.mark.parametrize(("pasted", "published"), [*TWINS] + [pair[::-1] for pair in TWINS])
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


BRACKETED = "The minister said the figures were right] and the report was wrong in the end, Ed Low said."


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("“The figures were right and the report was wrong in the very end”", BRACKETED),
        (
            "“The quay] will stand for another thousand years”",
            "“The quay will stand for another hundred years,” Ed Low said.",
        ),
        (
            "“The quay [will stand for another thousand years”",
            "[1] “The quay will stand] for another hundred years,” Ed Low said.",
        ),
    ],
)
def test_a_bracket_without_its_other_half_does_no_harm(quote: str, text: str) -> None:
    words = " ".join(text.partition("]" if "]" in text else "will")[2].split()[:4])
    assert verify(quote, text).verdict is Verdict.ALTERED
    found = proof(holdings([Article("a.txt", text)]), f"{quote}, he said. He wrote “{words}” too.")
    assert [each.check.verdict for each in found.findings if each.check] == [Verdict.ALTERED, Verdict.EXACT]


class BrokenArchive:
    """An archive that fails to search for one word."""

    def __init__(self, archive: Archive, word: str) -> None:
        self._archive, self._word = archive, word

    def __getattr__(self, name: str) -> object:
        return getattr(self._archive, name)

    def search(self, query: Query, *args: object) -> object:
        if self._word in str(query) and query.boilerplate:  # no sentence of a draft by itself
            raise ValueError(self._word)
        return self._archive.search(query, *args)  # type: ignore[arg-type]


def test_a_quotation_that_cannot_be_compared_is_one_finding() -> None:
    archive = BrokenArchive(holdings().archive, "zeppelin")
    held = Library(archive)  # type: ignore[arg-type]
    text = "“Nobody was at the wheel,” she said. He said: “The zeppelin left at noon.”"
    for found in (proof(held, text).findings, expect(Listing, check(held, text)).sections):
        checks = [each.check for each in found if each.check]
        assert [each.verdict for each in checks] == [Verdict.EXACT, Verdict.UNCHECKED]
    (alone,) = (expect(Check, check(held, quote)) for quote in ("the zeppelin left at noon",))
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


PASTED = st.text(st.sampled_from("“”\"'—-: [].…~*>\n5.£"), max_size=6)


@given(
    before=PASTED,
    inner=PASTED,
    behind=st.sampled_from(("", " — Marta Lindqvist", ", she said.", " and so on")),
    after=PASTED,
)
def test_nothing_exact_has_words_that_were_not_compared(before: str, inner: str, behind: str, after: str) -> None:
    found = check(holdings(), f"{before}Nobody was {inner}at the wheel{behind}{after}")
    for each in [found] if isinstance(found, Check) else [s.check for s in getattr(found, "sections", ()) if s.check]:
        assert each.verdict is not Verdict.EXACT or not each.not_compared
        assert each.verdict is not Verdict.EXACT or not any(map(str.isdigit, inner))
        assert each.verdict is not Verdict.EXACT or "5" not in each.quote
