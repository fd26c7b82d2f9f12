from pathlib import Path

import pytest
import spacy

from retrieval.model import Kind, Mention, Span
from retrieval.text.tokens import TokenPattern, Tokens, line_of, one_of, parse
from tests.support.tables import cases

FIXTURES = Path(__file__).parents[2] / "fixtures" / "articles"
ODD = ("don't cannot gonna Im 5km 5kmh $5m", "a,b;c:d e/f g-h i.J k--l", "example.org localhost www Café naïve ﬁ")


def test_words_are_those_of_the_text_at_their_offsets() -> None:
    text = "Mr. Bell’s  ferry\n sank."
    doc = parse(text)
    assert doc.words == ("Mr.", "Bell", "’s", "ferry", "sank", ".")
    assert tuple(text[a:b] for a, b in zip(doc.starts, doc.ends, strict=True)) == doc.words


def test_words_are_cut_as_spacys_own_tokeniser_cuts_them() -> None:
    nlp = spacy.blank("en")
    for path in [*FIXTURES.iterdir(), *ODD]:
        text = path.read_text(encoding="utf-8") if isinstance(path, Path) else path
        assert parse(text).words == tuple(token.text for token in nlp(text) if not token.is_space)


@pytest.mark.rest
@pytest.mark.parametrize("mark", ["“", "(", "a", "-", "”'"])
def test_a_text_without_white_space_is_cut_in_time_that_grows_with_its_length(mark: str) -> None:
    text = mark * (500_000 // len(mark))
    doc = parse(text)
    assert "".join(doc.words) == text
    assert all(text[start:end] == word for word, start, end in zip(doc.words, doc.starts, doc.ends, strict=True))


def test_text_around_an_unbroken_run_is_split_as_usual() -> None:
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


def test_a_window_has_no_tokens_outside() -> None:
    tokens = at_sentences("The pier fell.", "Nobody was hurt.", gap=" ")
    line = tokens.window(tokens.sentences[1])
    assert line.lower == ("nobody", "was", "hurt", ".")
    assert [line.word(i) for i in (-5, -4, -1, 0, 3, 4)] == ["", "", "", "nobody", ".", ""]
    assert list(line.before(1, 9)) == [0]
    assert list(line.after(2, 9)) == [3]
    assert line.span(0, 3).of(tokens.text) == "Nobody was hurt"


def test_a_token_over_a_sentences_edge_is_cut_there_and_a_line_break_between_two_belongs_to_neither() -> None:
    tokens = at_sentences("It fell in 1999.", "Boats came.")
    cut = [" ".join(tokens.words[line.start : line.stop]) for line in tokens.sentences]
    assert cut == ["It fell in 1999 .", "Boats came ."]
    tokens = at_sentences("It fell.", "Boats came.", gap="\\n")
    assert [tokens.spelt(line.start, line.stop) for line in tokens.sentences] == ["It fell.", "Boats came."]


@cases("text, clauses")
def test_clauses_end_at_stops_dashes_and_conjunctions(text: str, clauses: tuple[str, ...]) -> None:
    tokens = parse(text)
    starts = [i for i in range(len(tokens)) if not tokens.breaks(i) and tokens.clause_start(i) == i]
    assert tuple(" ".join(tokens.words[i : tokens.clause_end(i)]) for i in starts) == clauses
    assert all(tokens.clause_start(tokens.clause_end(i)) == i for i in starts)


def test_names_and_quotations_are_marked() -> None:
    text = "Ann Lee said “no” twice."
    lee = Mention(Kind.PERSON, "Ann Lee", Span(0, 7))
    tokens = parse(text).at_sentences([Span(0, len(text))], [Span(13, 17)]).with_names([lee])
    assert [word for word, quoted in zip(tokens.words, tokens.quoted, strict=True) if quoted] == ["“", "no", "”"]
    assert [word for word, named in zip(tokens.words, tokens.named, strict=True) if named] == ["Ann", "Lee"]
    assert (tokens.opening, tokens.ending) == ({0: (1, lee)}, {1: (0, lee)})


CLASSES = {"AUX": one_of({"could", "has"}, "ly"), "DENIED": one_of({"not", "never"})}
TEXT = "The paper could really not see it, but nobody has seen the well-kept pier."


@cases("pattern, before, found")
def test_a_pattern_matches_what_ends_before_a_token(pattern: str, before: str, found: str | None) -> None:
    tokens = parse(TEXT)
    match = TokenPattern(pattern, CLASSES).before(line_of(tokens), tokens.words.index(before))
    assert (match and tokens.spelt(match["match"].start, match["match"].stop)) == found


def test_a_pattern_matches_what_begins_with_a_token() -> None:
    tokens = parse(TEXT)
    pattern = TokenPattern("nobody (did AUX see|seen ) (?= the )", CLASSES)
    match = pattern.after(line_of(tokens), tokens.words.index("nobody"))
    assert match is not None
    found = {name: tokens.spelt(part.start, part.stop) for name, part in match.items()}
    assert found == {"match": "nobody has seen", "did": "has seen"}
    assert pattern.after(line_of(tokens), 0) is None
