"""Whatever a text is made of, its names can be read."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from retrieval.archive.archive import PersistentArchive
from retrieval.model import Article
from retrieval.names.mentions import find_names
from retrieval.pipeline import read_all, read_one
from retrieval.text.segmentation import lay_out
from retrieval.text.tokens import parse

# Of every class that the rules of names tell apart; surnames that are places, first names that are words, and so on.
WORDS = st.sampled_from(
    "Marta Arvo Will Grace Mark Bergen Leon Lima Jordan Chad Paris Tallinn Georgia Virginia Ohio Calif. N.C. U.S. EU "
    "Estonians Texan Muslim Tory President Mr Mrs. Dr Gen. Pope Queen Sir Ministry Council Union University Hospital "
    "Bay River Street Bridge Act Shuttle War World Cup Day May Monday Thanking Calling Visiting The In Al al van de "
    "der Jr. II Inc & of for on and or the by from is said told mayor spokesman town who R-Ohio STS-1 WCU X 77 1999 "
    "O'Hara Jean-Luc McTamm TAMM TALLINN É. Ø Ærø 東京 Москва Ⅷ ß ﬁ ''".split()
)
MARKS = st.sampled_from(
    ["", "", "", "", ",", ".", "!", ":", ";", "’s", "'", "”", "“", '"', "(", ")", "—", "-", "\n", "\n\n"]
)
TEXTS = st.lists(st.tuples(MARKS, WORDS, MARKS), min_size=1, max_size=60).map(
    lambda pieces: " ".join(f"{before}{word}{after}" for before, word, after in pieces)
)


@given(text=TEXTS)
def test_every_mention_is_words_of_its_sentence(text: str) -> None:
    layout = lay_out(Article("a", text), parse(text))
    for sentence, mentions in zip(layout.sentences, find_names(layout), strict=True):
        ends = [0]
        for mention in mentions:
            assert sentence.span.contains(mention.span)
            assert mention.span.start >= ends[-1]
            ends.append(mention.span.end)
            assert mention.name.strip()


@given(texts=st.lists(TEXTS | st.text(min_size=1, max_size=80).filter(str.strip), min_size=1, max_size=4))
def test_any_articles_are_read_and_joined(texts: list[str]) -> None:
    articles = [Article(f"{number}", text) for number, text in enumerate(texts)]
    assert read_all(articles) == read_all(articles[::-1])[::-1]


@pytest.mark.parametrize(
    "unit",
    ["Bank of ", "Bank of the ", "Church for ", "Ann von ", "\u0130stanbul \u0130 ", "Ann Smith ", "Ann-", "A & "],
)
def test_one_long_run_of_names_fills_no_archive(tmp_path: Path, unit: str) -> None:
    path = tmp_path / "archive.sqlite"
    with closing(PersistentArchive(path)) as archive:
        archive.add((read_one(Article("a", (unit * 8_000)[:32_000])),))
    assert path.stat().st_size < 1_000_000
