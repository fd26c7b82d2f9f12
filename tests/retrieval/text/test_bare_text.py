"""Marks that no reader sees change nothing of how an article is read, and nothing of the article."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from retrieval.model import Article, Reading
from retrieval.pipeline import read_one
from retrieval.text.bare_text import bare_text, without_marks
from retrieval.text.terms import terms

IGNORED = ["\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u200e", "\u202e", "\u2069"]
COMBINING = ["\u0301", "\u0336", "\u20dd", "\ufe0f", "\u064b", "\u093e"]
SENTENCES = (
    "They reject the plan. ",
    "Mayor Orla Finch denied it on Monday. ",
    "“It is safe,” she said. ",
    "The Lisewood Gazette could not independently verify the claim. ",
    "According to the Lisewood Port Authority (LPA), two boats sank.\n\n",
    "Police dismissed reports of a blast, and the army refuted them. ",
)


def _shape(of: Reading) -> list[tuple[object, ...]]:
    return [([(m.kind, m.name) for m in p.mentions], p.denial, p.voice, p.speaker, len(p.caveats)) for p in of.passages]


@pytest.mark.parametrize("after", ["\u00adion", "\u200b", "\u0301", "°", "\u00a7", "\ue000", "\x00", "\U0001f600"])
def test_what_is_glued_to_a_verb_of_denial_leaves_no_article_out(after: str) -> None:
    text = f"They reject{after} the plan."
    assert [passage.sentence.span.of(text) for passage in read_one(Article("a", text)).passages] == [text]


@pytest.mark.parametrize("word", ["den\u0131ed", "di\u017fmissed"])
def test_a_verb_of_denial_in_letters_of_another_language_is_none(word: str) -> None:
    assert read_one(Article("a", f"They {word} it, or deny it.")).passages[0].denial is None


@given(
    sentences=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6),
    marks=st.lists(st.tuples(st.integers(0, 500), st.sampled_from(IGNORED + COMBINING)), max_size=12),
)
def test_marks_leave_no_article_out_and_each_place_in_it(sentences: list[str], marks: list[tuple[int, str]]) -> None:
    text = "".join(sentences)
    for at, mark in marks:
        text = text[: at % (len(text) + 1)] + mark + text[at % (len(text) + 1) :]
    for passage in read_one(Article("a", text)).passages:
        words = passage.sentence.span.of(text)
        assert words == words.strip()
        for mention in passage.mentions:
            assert passage.sentence.span.contains(mention.span)


@given(at=st.integers(0, 400), mark=st.sampled_from(IGNORED))
def test_an_article_with_marks_is_read_as_it_is_without(at: int, mark: str) -> None:
    text = "".join(SENTENCES)
    marked = text[:at] + mark + text[at:]
    plain, found = read_one(Article("a", text)), read_one(Article("a", marked))
    assert _shape(found) == _shape(plain)
    shown = [passage.sentence.span.of(marked).replace(mark, "") for passage in found.passages]
    assert shown == [passage.sentence.span.of(text) for passage in plain.passages]


@given(st.text(st.sampled_from("ae n.\n" + "".join(IGNORED + COMBINING)), max_size=20))
def test_a_bare_text_has_a_place_in_the_text_for_each_character(text: str) -> None:
    bare = bare_text(text)
    if bare is None:
        assert not any(unicodedata.category(c) in ("Cf", "Mn", "Mc", "Me") for c in text)
        return
    assert len(bare.text) == len(bare.starts) == len(bare.ends)
    assert all(start < end <= len(text) for start, end in zip(bare.starts, bare.ends, strict=True))
    assert list(bare.starts) == sorted(bare.starts)


def test_an_accent_is_one_with_its_letter_and_a_mark_that_makes_another_word_of_a_script_stays() -> None:
    text = "Mayor Jose\u0301 Lund spoke."
    assert without_marks(text) == "Mayor Jos\u00e9 Lund spoke."
    (mention,) = read_one(Article("a", text)).passages[0].mentions
    assert (mention.name, mention.span.of(text)) == ("Jos\u00e9 Lund", "Jose\u0301 Lund")
    assert without_marks("हिन्दी") == "हिन्दी"
    assert terms("re\u00adjected ne\u0301e") == terms("rejected née")
