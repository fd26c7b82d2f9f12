from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, strategies as st

from retrieval.model import Article
from retrieval.text.blocks import Layout
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import tokens_at


def _laid_out(text: str) -> Layout:
    return lay_out(Article("a.txt", text), tokens_at(text, ()))


# What copy is made of, and what breaks rules: marks, stops, breaks, labels.
MARKS = sorted(frozenset("“ ” \" ' ’ ‘ '' « » . ... … ! ? , : ; - — ( ) [ ]".split()))
WORDS = sorted(
    frozenset("A a I Mr U.S p.m No Bell ferry sank said 7 3.5 ADVERTISEMENT שלום 你好。 é e\u0301 😀 \ud800".split())
)
SPACES = [" ", "\n", "\n\n", "\\n", "\t", "\u00a0", "\u200b", "\x00", "\u202e"]
LABELS = ["Read | ", "Watch the latest here:", "Photo: ", "By Bell", "PORT ELLIS (AFP) - ", "Why it matters: "]
PARTS = st.sampled_from([*MARKS, *WORDS, *SPACES, *LABELS, "date 2019-05-06 "])


@given(st.one_of(st.lists(PARTS, max_size=40).map("".join), st.text(max_size=200)))
def test_sentences_are_in_order_and_have_every_letter(text: str) -> None:
    layout = _laid_out(text)
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
    layout = _laid_out(text)
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


UNITS = {
    "quotation marks": '"',
    "opening marks": "“",
    "opening marks and words": "“a ",
    "single marks": "'a ",
    "plurals": "'as ",
    "unbalanced": "“‘\"a' ",
    "no full stop": "word ",
    "one word": "w",
    "full stops": ". ",
    "initials": "A. ",
    "glued": "ab.Cd",
    "capitals": "AB-",
    "capital words": "ABCD, Efg Hij ",
    "blank lines": " \n",
    "short lines": "Ab\nab\n",
    "literal breaks": "\\na ",
    "links": "Read | ",
    "advertisements": "ADVERTISEMENTAb ",
    "right to left": "שלום עולם. ",
    "control characters": "\x00\x01\x7f",
    "slashes": "Ab/Cd ",
    "by-lines": "By Ab, Cd, ",
    "questions": "“a?” said ",
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS.keys())
def test_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (6_000, 48_000))
    # a busy machine has two more tries
    assert any(_seconds(long) < 32 * max(_seconds(short), 0.002) for _ in range(3))


def _seconds(text: str) -> float:
    start = process_time()
    _laid_out(text)
    return process_time() - start


def test_quotation_marks_alone_have_no_sentence() -> None:
    layout = _laid_out('"' * 200_000)
    assert (layout.sentences, layout.quotations) == ((), ())
