"""What is true of every comparison; ``test_checks`` has the rules, case by case."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from bot.commands.alignment import SHORTEST, ComparedArticle, Word, code_for, pieces, quote_words
from bot.commands.comparison import Quoted, compare
from bot.model import Agreement, Change, ClaimedSpeaker, Match, Verdict
from retrieval.model import Article
from retrieval.pipeline import read_all
from tests.stock import BRIDGE, FERRY, archive_of, holdings

ARCHIVE = holdings().archive


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
    assert compare(ARCHIVE, Quoted(" ".join(words))).verdict is Verdict.EXACT


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
    exact = compare(ARCHIVE, Quoted("Nobody was at the wheel"))
    if "matches" in wrong:
        difference = ((Change.SAME, "Nobody was at the"), (Change.ADDED, "helm"))
        wrong = {"matches": (Match(exact.matches[0].extract, difference),)}
    with pytest.raises(ValueError, match=r"exact|misattributed"):
        replace(exact, **wrong)  # type: ignore[arg-type]


def test_few_words_are_found_among_many_sentences_with_more_of_them() -> None:
    crowd = [f"Woman {n} asked one woman about the women." for n in range(60)]
    texts = [*crowd, "“It’s not just about one woman,” he said."]
    archive = holdings(Article(f"{n}.txt", text) for n, text in enumerate(texts)).archive
    assert compare(archive, Quoted("It’s not just about one woman")).matches


def test_three_places_of_an_exact_quotation_are_shown_of_four() -> None:
    landing = "The tired crew rowed past grey cliffs towards Oxley harbour before sunrise"
    assert len(compare(archive_of(*[f"{landing}."] * 4), Quoted(landing)).matches) == 3


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
    """Return how many words from ``start`` on an article has in a row: as many as there are runs that one has."""
    texts = [f" {' '.join(_forms(source.words))} " for source in sources]
    runs = (f" {' '.join(_forms(words[start:end]))} " for end in range(start + 1, len(words) + 1))
    return sum(any(run in text for text in texts) for run in runs)


def _forms(words: Sequence[Word]) -> list[str]:
    return [word.form for word in words]
