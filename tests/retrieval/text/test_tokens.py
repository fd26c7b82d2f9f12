from __future__ import annotations

from pathlib import Path

import pytest
import spacy

from retrieval.model import Kind, Mention, Span
from retrieval.text.tokens import Tokens, parse

FIXTURES = Path(__file__).parents[2] / "fixtures" / "articles"
ODD = ("don't cannot gonna Im 5km 5kmh $5m", "a,b;c:d e/f g-h i.J k--l", "example.org localhost www Café naïve ﬁ")


def test_words_stand_where_the_text_has_them() -> None:
    """Every word is the text's own at its place, white space is none."""
    text = "Mr. Bell’s  ferry\n sank."
    doc = parse(text)
    assert doc.words == ("Mr.", "Bell", "’s", "ferry", "sank", ".")
    assert tuple(text[a:b] for a, b in zip(doc.starts, doc.ends, strict=True)) == doc.words


def test_words_are_cut_as_spacys_own_tokeniser_cuts_them() -> None:
    """The tokeniser is kept from work that would change nothing: every word of every fixture is cut all the same."""
    nlp = spacy.blank("en")
    for path in [*FIXTURES.iterdir(), *ODD]:
        text = path.read_text(encoding="utf-8") if isinstance(path, Path) else path
        assert parse(text).words == tuple(token.text for token in nlp(text) if not token.is_space)


@pytest.mark.rest
@pytest.mark.parametrize("mark", ["“", '"', "'", "(", "a", "-", ".", "\u05d0", "”'"])
def test_a_text_without_white_space_is_cut_in_time_that_grows_with_its_length(mark: str) -> None:
    """Half a million marks: every one is in a token, and none in two."""
    text = mark * (500_000 // len(mark))
    doc = parse(text)
    assert "".join(doc.words) == text
    assert all(text[start:end] == word for word, start, end in zip(doc.words, doc.starts, doc.ends, strict=True))


def test_writing_around_an_unbroken_run_is_cut_as_ever() -> None:
    """Only the run itself is taken in pieces."""
    before, after = "It rained, she said. ", " He didn't mind."
    doc = parse(before + "x" * 5000 + after)
    assert doc.words[:6] == ("It", "rained", ",", "she", "said", ".")
    assert doc.words[-5:] == ("He", "did", "n't", "mind", ".")
    assert doc.starts[-5] == len(before) + 5000 + 1


def at_sentences(*sentences: str, gap: str = "") -> Tokens:
    """Return the tokens of sentences that stand behind one another, each marked."""
    starts = [sum(len(each) + len(gap) for each in sentences[:i]) for i in range(len(sentences))]
    spans = [Span(start, start + len(each)) for start, each in zip(starts, sentences, strict=True)]
    return parse(gap.join(sentences)).at_sentences(spans, [])


def test_nothing_stands_outside_a_window() -> None:
    """A look past either end of a sentence finds nothing: not its neighbour, and not its own other end."""
    tokens = at_sentences("The pier fell.", "Nobody was hurt.", gap=" ")
    line = tokens.window(tokens.sentences[1])
    assert line.lower == ("nobody", "was", "hurt", ".")
    assert [line.word(i) for i in (-5, -4, -1, 0, 3, 4)] == ["", "", "", "nobody", ".", ""]
    assert list(line.before(1, 9)) == [0]
    assert list(line.after(2, 9)) == [3]
    assert line.span(0, 3).of(tokens.text) == "Nobody was hurt"


def test_a_token_over_a_sentences_edge_is_cut_there_with_its_closing_marks() -> None:
    """Copy without a space behind a full stop: each sentence has its own words, and the stop is one of them."""
    tokens = at_sentences("It fell in 1999.", "Boats came.")
    assert [tokens.words[line.start : line.stop] for line in tokens.sentences] == [
        ("It", "fell", "in", "1999", "."),
        ("Boats", "came", "."),
    ]


def test_what_stands_between_two_sentences_belongs_to_neither() -> None:
    """A literal line break is in no sentence, though it is glued to both."""
    tokens = at_sentences("It fell.", "Boats came.", gap="\\n")
    found = [tokens.spelt(line.start, line.stop) for line in tokens.sentences]
    assert found == ["It fell.", "Boats came."]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("it sank, boats came", ("it sank", "boats came")),
        ("it sank – boats came", ("it sank", "boats came")),
        ("it sank—boats came", ("it sank", "boats came")),
        ("a well-known ship sank", ("a well - known ship sank",)),
        ("the sailors’ ship sank", ("the sailors ’ ship sank",)),
        ("it sank because it leaked", ("it sank", "it leaked")),
    ],
)
def test_clauses_end_at_stops_dashes_and_conjunctions(text: str, clauses: tuple[str, ...]) -> None:
    """A hyphen inside a word and the apostrophe of a plural part nothing."""
    tokens = parse(text)
    starts = [i for i in range(len(tokens)) if not tokens.breaks(i) and tokens.clause_start(i) == i]
    assert tuple(" ".join(tokens.words[i : tokens.clause_end(i)]) for i in starts) == clauses
    assert all(tokens.clause_start(tokens.clause_end(i)) == i for i in starts)


def test_names_and_quotation_marks_are_told() -> None:
    """A mention is found by its first and its last token; the marks of a quotation are quoted themselves."""
    text = "Ann Lee said “no” twice."
    lee = Mention(Kind.PERSON, "Ann Lee", Span(0, 7))
    tokens = parse(text).at_sentences([Span(0, len(text))], [Span(13, 17)]).with_names([lee])
    assert [word for word, quoted in zip(tokens.words, tokens.quoted, strict=True) if quoted] == ["“", "no", "”"]
    assert [word for word, named in zip(tokens.words, tokens.named, strict=True) if named] == ["Ann", "Lee"]
    assert (tokens.opening, tokens.ending) == ({0: (1, lee)}, {1: (0, lee)})
