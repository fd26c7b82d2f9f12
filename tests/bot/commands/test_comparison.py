"""A quotation is exact, altered, misattributed, stitched or absent, and what may differ is named."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, strategies as st

from bot.commands.alignment import SHORTEST, ComparedArticle, Word, code_for, pieces, quote_words
from bot.commands.comparison import Quoted, compare
from bot.model import Agreement, Change, Check, ClaimedSpeaker, ContextKind, Match, QuotationLiberty, Verdict
from retrieval.archive.interface import Archive
from retrieval.model import Article
from retrieval.pipeline import read_all
from tests.stock import BRIDGE, FERRY, holdings
from tests.support.tables import articles, cases

TEXTS = {name: article.text for name, article in articles(__file__).items()}


@cache
def archive_of(*texts: str) -> Archive:
    return holdings([Article(f"{n}.txt", each) for n, each in enumerate(texts)] or (FERRY, BRIDGE)).archive


def check(text: str, speaker: str | None = None, *texts: str) -> Check:
    return compare(archive_of(*texts), Quoted(text, speaker))


@cases("quote, freedoms", QuotationLiberty)
def test_what_does_not_alter_a_quotation_is_named(quote: str, freedoms: tuple[QuotationLiberty, ...]) -> None:
    found = check(quote)
    assert (found.verdict, found.not_compared) == (Verdict.EXACT, ())
    assert found.freedoms == freedoms


@cases("quote")
def test_inner_marks_dashes_and_colons_are_part_of_the_whole(quote: str) -> None:
    assert check(quote, None, TEXTS["plan"]).verdict is Verdict.EXACT


@cases("quote, added")
def test_a_changed_word_figure_name_or_negation_alters_a_quotation(quote: str, added: str) -> None:
    found = check(quote, None, TEXTS["plan"])
    assert found.verdict is Verdict.ALTERED
    marked = [words for change, words in found.matches[0].difference if change is Change.ADDED]
    assert set(added.split()) <= set(" ".join(marked).replace("[", "").replace("]", "").split())


@cases("quote, runs")
def test_a_comparison_tears_no_quotation_marks_apart(quote: str, runs: tuple[str, ...]) -> None:
    straight = str.maketrans("“”", '""')
    for text in (TEXTS["plan"], TEXTS["plan"].translate(straight)):
        found = check(quote, None, text).matches[0].difference
        assert [words.translate(straight) for _, words in found] == [run.translate(straight) for run in runs]


@cases("quote, verdict", Verdict)
def test_brackets_and_ellipses_hide_no_name_and_no_negation(quote: str, verdict: Verdict) -> None:
    others = " She told Oskar Brandt that the boats were in."
    text = TEXTS["ropes"].replace(others, "") if "…" in quote else TEXTS["ropes"]
    assert check(quote, None, text).verdict is verdict


def test_an_ellipsis_says_how_much_it_leaves_out() -> None:
    found = check("the old bridge … for 18 months")
    assert (found.verdict, found.left_out) == (Verdict.EXACT, 2)
    assert (Change.REMOVED, "would close") in found.matches[0].difference


def test_an_ellipsis_joins_no_two_speakers() -> None:
    text = "“The boat was old,” said Ada Quill. It rained. “The ropes were new,” said Oskar Brandt."
    assert check("The boat was old … The ropes were new", None, text).verdict is not Verdict.EXACT


def test_what_was_changed_is_shown_word_by_word() -> None:
    (match,) = check("Repairs will cost 9.5 million crowns, according to the council.").matches
    assert match.difference == (
        (Change.SAME, "Repairs will cost"),
        (Change.REMOVED, "4.5"),
        (Change.ADDED, "9.5"),
        (Change.SAME, "million crowns, according to the council"),
    )


def _words(article: Article) -> list[str]:
    sentences = [p.sentence.span.of(article.text) for p in read_all([article])[0].passages]
    return [" ".join(sentence.split()) for sentence in sentences]


SENTENCES = [sentence for article in (FERRY, BRIDGE) for sentence in _words(article)]
MARKS = st.sampled_from(("“", "”", '"', "«", ",", " –", "(", ";", "  ", "\u00a0", "\u00ad"))


@given(sentence=st.sampled_from(SENTENCES), marks=st.lists(st.tuples(MARKS, st.integers(0, 99)), max_size=6))
def test_no_mark_or_space_ever_alters_a_quotation(sentence: str, marks: list[tuple[str, int]]) -> None:
    words = sentence.split()
    for mark, at in marks:
        words[at % len(words)] += mark
    assert check(" ".join(words)).verdict is Verdict.EXACT


@pytest.mark.parametrize(
    "wrong",
    [
        {"not_compared": ("he said",)},
        {"claimed": ClaimedSpeaker("Oskar Brandt", Agreement.WRONG, "Marta Lindqvist")},
        {"matches": "helm"},
        {"verdict": Verdict.MISATTRIBUTED},
    ],
)
def test_no_check_can_be_exact_of_less(wrong: dict[str, object]) -> None:
    exact = check("Nobody was at the wheel")
    if "matches" in wrong:
        difference = ((Change.SAME, "Nobody was at the"), (Change.ADDED, "helm"))
        wrong = {"matches": (Match(exact.matches[0].extract, difference),)}
    with pytest.raises(ValueError, match=r"exact|misattributed"):
        replace(exact, **wrong)  # type: ignore[arg-type]


@cases("speaker, left")
def test_an_office_that_the_article_does_not_give_is_not_compared(speaker: str, left: tuple[str, ...]) -> None:
    text = "Mayor Ines Lund, once a senator and Lt. of the guard, spoke. “The quay is shut all week,” Lund said."
    found = check("The quay is shut all week", speaker, text)
    assert found.claimed == ClaimedSpeaker(speaker, Agreement.RIGHT, "Ines Lund")
    assert (found.verdict, found.not_compared) == (Verdict.PARTIAL if left else Verdict.EXACT, left)


@cases("text, quote, speaker, agreement", Agreement)
def test_a_speaker_is_right_wrong_or_open(text: str | None, quote: str, speaker: str, agreement: Agreement) -> None:
    found = check(quote, speaker, text or TEXTS["spoken"])
    assert found.claimed
    assert found.claimed.agreement is agreement
    assert (found.verdict is Verdict.MISATTRIBUTED) is (agreement is Agreement.WRONG)


@cases("quote, kind", ContextKind)
def test_the_next_sentence_takes_back_only_by_the_same_speaker_or_the_outlet(
    quote: str, kind: ContextKind | None
) -> None:
    found = check(quote, None, TEXTS["taken_back"])
    assert (found.context.kind if found.context else None) == kind
    assert found.verdict is (Verdict.OUT_OF_CONTEXT if kind else Verdict.EXACT)


def test_another_speakers_contradiction_takes_nothing_back() -> None:
    text = "“The chain was cut,” said Tom Vey. “That is a lie,” said Ines Lund."
    assert check("The chain was cut", None, text).verdict is Verdict.EXACT


def test_words_that_stand_plainly_elsewhere_are_decided_by_the_named_speaker() -> None:
    first = "“It is not true that the dam is safe,” said Ines Lund."
    second = "“The dam is safe,” said Oskar Brandt. It rained."
    by_brandt, by_lund, by_nobody = (
        check("the dam is safe", speaker, first, second) for speaker in ("Oskar Brandt", "Ines Lund", None)
    )
    assert by_brandt.verdict is Verdict.EXACT
    assert by_lund.verdict is Verdict.OUT_OF_CONTEXT
    assert by_nobody.verdict is Verdict.OUT_OF_CONTEXT
    assert len({match.extract.citation.article_id for match in by_nobody.matches}) == 2
    assert check("the dam is safe", None, second).verdict is Verdict.EXACT


@cases("sentence")
def test_links_and_emphasis_in_an_article_alter_no_quotation(sentence: str) -> None:
    assert check("The pump failed at noon on Friday", None, sentence).verdict is Verdict.EXACT
    assert check("The pump worked at noon on Friday", None, sentence).verdict is Verdict.ALTERED


def test_an_outlet_says_its_own_sentences() -> None:
    article = Article("a.txt", "The bridge fell into the river at noon.", source="The Sandholm Echo")
    found = compare(holdings([article]).archive, Quoted("The bridge fell into the river", "Sandholm Echo"))
    assert found.claimed
    assert found.claimed.agreement is Agreement.RIGHT


@cases("quote, goes_on")
def test_what_a_correction_note_withdraws_is_no_quotation_of_the_article(quote: str, goes_on: str | None) -> None:
    found = check(quote, "Ada Quill", TEXTS["amended"])
    assert (found.context.sentence.text if found.context else None) == goes_on
    assert found.verdict is (Verdict.OUT_OF_CONTEXT if goes_on else Verdict.EXACT)


def test_sentences_of_two_articles_are_stitched_and_shown_where_they_stand() -> None:
    found = check("We shouted and nobody came. Repairs will cost 4.5 million crowns.")
    assert found.verdict is Verdict.STITCHED
    assert [match.extract.citation.article_id for match in found.matches] == ["ferry.txt", "bridge.txt"]


@pytest.mark.parametrize("quote", ["The moon is made of green cheese", "wheel bridge ferry", "and of the to"])
def test_what_stands_nowhere_is_absent(quote: str) -> None:
    found = check(quote)
    assert (found.verdict, found.matches) == (Verdict.ABSENT, ())


LANDING = "The tired crew rowed past grey cliffs towards Oxley harbour before sunrise with nine frozen sheep aboard"
ROWED, COST = " ".join(LANDING.split()[:9]), "Repairs will cost nine hundred million crowns this"
IDIOM = "“It is what it is,” the mayor said. They’d have it so. What is it to them?"
ARTICLES = (f"{LANDING}.", f"{COST} year.", "Nobody spoke, they stood yawning in the rain.", IDIOM)


@cases("quote, expected", Verdict)
def test_how_many_words_in_order_or_in_a_row_decide(quote: str, expected: Verdict) -> None:
    quote = quote.format(landing=LANDING, rowed=ROWED, cost=COST)
    assert check(quote, None, *ARTICLES).verdict is expected


def test_few_words_are_found_among_many_sentences_with_more_of_them() -> None:
    crowd = [f"Woman {n} asked one woman about the women." for n in range(60)]
    assert check("It’s not just about one woman", None, *crowd, "“It’s not just about one woman,” he said.").matches


@cases("quote, expected, removed", Verdict)
def test_a_sentence_was_left_out_and_a_word_changed(quote: str, expected: Verdict, removed: tuple[str, ...]) -> None:
    text = "“The gates stay shut until spring. I promise you that. Nobody gets past them,” said Ada Quill."
    found = check(quote, None, text)
    assert found.verdict is expected
    changes = [change for match in found.matches[:1] for change in match.difference]
    assert tuple(words for change, words in changes if change is Change.REMOVED) == removed


def test_three_places_of_an_exact_quotation_are_shown_of_four() -> None:
    assert len(check(LANDING, None, *[f"{LANDING}."] * 4).matches) == 3


WORDS = st.lists(st.sampled_from("the boat was a boat of the town and went. down? it".split()), min_size=1, max_size=25)


@given(quote=WORDS, texts=st.lists(WORDS, min_size=1, max_size=4))
def test_pieces_are_the_longest_runs_from_the_left(quote: list[str], texts: list[list[str]]) -> None:
    words = quote_words(" ".join(quote))
    code = code_for(words)
    readings = read_all([Article(f"{number}", " ".join(text)) for number, text in enumerate(texts)])
    sources = [ComparedArticle(reading, code) for reading in readings]
    at = 0
    for piece in pieces(code(words), sources):
        least = min(SHORTEST, len(words))
        assert all(_longest(words, start, sources) < least for start in range(at, piece.start))
        assert piece.length == _longest(words, piece.start, sources)
        assert _forms(piece.words) == _forms(words[piece.start : piece.start + piece.length])
        at = piece.start + piece.length


def _longest(words: Sequence[Word], start: int, sources: Sequence[ComparedArticle]) -> int:
    return max((len(run) for source in sources for run in _runs(words[start:], source.words)), default=0)


def _runs(words: Sequence[Word], others: Sequence[Word]) -> Iterator[list[Word]]:
    for at in range(len(others)):
        run = []
        for word, other in zip(words, others[at:], strict=False):
            if word.form != other.form:
                break
            run.append(other)
        yield run


def _forms(words: Sequence[Word]) -> list[str]:
    return [word.form for word in words]
