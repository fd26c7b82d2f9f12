"""Sentences of any text, and notes of corrections, which are no part of the report.

Where sentences end is in ``readings/sentences.toml``.
"""

from time import process_time

import pytest
from hypothesis import given, strategies as st

from retrieval.model import Article, Boilerplate
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse, tokens_at
from tests.support.tables import cases, rows


def _laid_out(text: str, title: str | None = None) -> Layout:
    return lay_out(Article("a.txt", text, title=title), parse(text))


def test_links_inside_a_sentence_are_read_by_no_stage() -> None:
    text = "Sen. Ann Bell Ann Ruth BellDivers find the wreck? Mayor quits MORE (D-Mass.) said the ferry leaked."
    layout = _laid_out(f"{text} It rained.")
    assert [layout.text(sentence) for sentence in layout.sentences] == [text, "It rained."]
    assert layout.tokens.words[:8] == ("Sen.", "Ann", "Bell", "(", "D", "-", "Mass.", ")")


def test_the_first_line_is_a_title_where_it_is_the_articles() -> None:
    text = "The ferry sank.\n\nIt lay off Port Ellis.\n\nNobody was hurt."
    layout = _laid_out(text, "The ferry  sank")
    assert [sentence.boilerplate for sentence in layout.sentences] == [Boilerplate.TITLE, None, None]
    assert [sentence.paragraph for sentence in layout.sentences] == [0, 1, 2]
    for title in ("The pier fell", None):
        assert _laid_out(text, title).sentences[0].boilerplate is None


def test_every_sentence_names_the_rule_that_made_it() -> None:
    layout = _laid_out("It sank.Nobody saw. Salem’s answer: The ferry was old.")
    assert [sentence.rule for sentence in layout.sentences] == ["glued stop", "stop", "heading", "end of block"]


HARBOUR = "The ferry sank in the harbour of Salem on Friday, and its crew swam to the quay."


def _kinds(text: str) -> list[tuple[str, Boilerplate | None]]:
    layout = _laid_out(text)
    return [(" ".join(layout.text(sentence).split()), sentence.boilerplate) for sentence in layout.sentences]


def test_a_correction_note_is_told_from_news_of_corrections() -> None:
    def is_note(line: str) -> bool:
        kinds = [kind for _, kind in _kinds(f"{HARBOUR}\n\nIt was old.\n\n{line}")[2:]]
        return Boilerplate.CORRECTION in kinds and None not in kinds

    assert [line for line in rows(__file__, "notes") if not is_note(line)] == []
    assert [line for line in rows(__file__, "news") if is_note(line)] == []


@cases("text, report")
def test_a_correction_note_goes_on_to_the_end_of_its_block(text: str, report: tuple[str, ...]) -> None:
    kept = [words for words, kind in _kinds(f"{HARBOUR}\n\n{text}\n\nIt was old.") if kind is None]
    assert kept == [HARBOUR, *report, "It was old."]


def _without_tokens(text: str) -> Layout:
    return lay_out(Article("a.txt", text), tokens_at(text, ()))


# What copy is made of, and what breaks rules: marks, stops, breaks, labels.
MARKS = sorted({*"“ ” \" ' ’ ‘ '' « » . ... … ! ? , : ; - — ( ) [ ]".split()})
WORDS = sorted(
    {*"A a I Mr U.S p.m No Bell ferry sank said 7 3.5 ADVERTISEMENT שלום 你好。 é e\u0301 😀 \ud800".split()}
)
SPACES = [" ", "\n", "\n\n", "\\n", "\t", "\u00a0", "\u200b", "\x00", "\u202e"]
LABELS = ["Read | ", "Watch the latest here:", "Photo: ", "By Bell", "PORT ELLIS (AFP) - ", "Why it matters: "]
PARTS = st.sampled_from([*MARKS, *WORDS, *SPACES, *LABELS, "date 2019-05-06 "])


@given(st.one_of(st.lists(PARTS, max_size=40).map("".join), st.text(max_size=200)))
def test_sentences_are_in_order_and_have_every_letter(text: str) -> None:
    layout = _without_tokens(text)
    end = 0
    for index, sentence in enumerate(layout.sentences):
        words = layout.text(sentence)
        assert sentence.index == index
        assert end <= sentence.span.start < sentence.span.end <= len(text)
        assert words == words.strip()
        assert any(map(str.isalnum, words))
        assert "\\n" not in words
        end = sentence.span.end
    literal = {i + 1 for i in range(len(text)) if text.startswith("\\n", i)}
    covered = {i for sentence in layout.sentences for i in range(sentence.span.start, sentence.span.end)}
    assert {i for i, letter in enumerate(text) if letter.isalnum()} - covered <= literal


@given(st.lists(PARTS, max_size=40).map("".join))
def test_quotations_are_in_order_and_have_letters(text: str) -> None:
    layout = _without_tokens(text)
    end = 0
    for number, quotation in enumerate(layout.quotations):
        assert quotation.number == number
        assert end <= quotation.span.start
        assert any(map(str.isalnum, quotation.span.of(text)))
        end = quotation.span.end
    for sentence in layout.sentences:
        if sentence.quotation is not None:
            quoted = layout.quotations[sentence.quotation].span
            assert quoted.start < sentence.span.end
            assert sentence.span.start < quoted.end


UNITS = (
    "\"¦“¦“a ¦'a ¦'as ¦“‘\"a' ¦word ¦w¦. ¦A. ¦ab.Cd¦AB-¦ABCD, Efg Hij ¦ \n¦Ab\nab\n¦\\na ¦Read | ¦ADVERTISEMENTAb ¦"
    "שלום עולם. ¦\x00\x01\x7f¦Ab/Cd ¦By Ab, Cd, ¦“a?” said "
).split("¦")


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (6_000, 48_000))
    # a busy machine has two more tries
    assert any(_seconds(long) < 32 * max(_seconds(short), 0.002) for _ in range(3))


def _seconds(text: str) -> float:
    start = process_time()
    _without_tokens(text)
    return process_time() - start


def test_quotation_marks_alone_have_no_sentence() -> None:
    layout = _without_tokens('"' * 200_000)
    assert (layout.sentences, layout.quotations) == ((), ())
