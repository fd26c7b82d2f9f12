"""How long reading takes, beside spaCy's own sentence splitter on the same texts in the same run."""

from __future__ import annotations

import time
from itertools import cycle, islice
from pathlib import Path

import pytest
import spacy

from retrieval.annotate import read_all
from retrieval.articles import load
from retrieval.model import Article

SEEDS = Path(__file__).parents[2] / "seeds"
ARTICLES = 1000
WORDS = 600
TIMES = 4  # spaCy's time that reading may take


def stock() -> list[Article]:
    """Return articles of about ``WORDS`` words, each begun at another paragraph of the seeds."""
    paragraphs = [p for article in load([SEEDS]).articles for p in article.text.split("\n\n") if p.strip()]
    return [Article(f"{number}.txt", _text(paragraphs, number)) for number in range(ARTICLES)]


def _text(paragraphs: list[str], start: int) -> str:
    taken: list[str] = []
    words = 0
    for paragraph in islice(cycle(paragraphs), start % len(paragraphs), None):
        taken.append(paragraph)
        words += len(paragraph.split())
        if words >= WORDS:
            break
    return "\n\n".join(taken)


@pytest.mark.bench
def test_reading_a_thousand_articles_takes_at_most_four_times_spacys_sentencizer() -> None:
    """Sentences, names, speakers, caveats and denials, over every core there is."""
    articles = stock()
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    list(nlp.pipe(article.text for article in articles[:20]))
    read_all(articles[:20])
    began = time.perf_counter()
    for article in articles:
        nlp(article.text)
    baseline = time.perf_counter() - began
    began = time.perf_counter()
    read_all(articles)
    taken = time.perf_counter() - began
    words = sum(len(article.text.split()) for article in articles) / len(articles)
    print(  # noqa: T201 - what `make bench` is for
        f"\n{len(articles)} articles of {words:.0f} words: spaCy's sentencizer {baseline:.1f} s, "
        f"reading {taken:.1f} s, {taken / baseline:.1f} times as long"
    )
    assert taken <= TIMES * baseline
