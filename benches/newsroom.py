"""A newsroom's worth of articles, as they are read: real ones, and variants of them in which rare words differ.

Reading 40,000 articles takes most of an hour, so a few thousand are read and each is varied: in a variant, words that
few of the articles have are spelt otherwise, with letters of their kind in their places. Every place in the text stays
where it was, and so does all that was read there. So that words and names grow in number as they do in real copy, a
variant respells only as many of the rare words as Heaps's law asks for, with the exponent measured on the articles.
The real articles are those of the folder in ``STET_TEST_SHARED``; where it is not set, made ones take their place.
"""

import json
import math
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benches.test_reading import stock
from retrieval.model import Article, Passage, Reading
from retrieval.pipeline import read_separately

CORPUS = Path("data", "corpus", "news_2000.jsonl")
LENGTH = 3_000  # characters after which an article is cut at the end of its paragraph: 25 sentences, as agencies write
RARE = 2  # articles that have a word, up to which it is one of theirs alone
WORD = re.compile(r"[^\W\d_]+")
VOWELS, CONSONANTS = "aeiouy", "bcdfghjklmnpqrstvwxz"


def real(count: int) -> list[Article]:
    shared = os.environ.get("STET_TEST_SHARED")
    if not shared:
        return stock(count)
    with (Path(shared) / CORPUS).open(encoding="utf-8") as lines:
        told = [json.loads(line) for line, _ in zip(lines, range(count), strict=False)]
    return [Article(row["id"], _cut(row["text"]), title=row["title"], source=row["source"]) for row in told]


def _cut(text: str) -> str:
    end = text.find("\n", LENGTH)
    return text if end < 0 else text[:end]


@dataclass(frozen=True, slots=True)
class Newsroom:
    """Real readings, the words that are rare in them, and the share of these that each variant respells."""

    readings: Sequence[Reading]
    rare: frozenset[str]
    share: float

    def variants(self, first: int, count: int) -> Iterator[Reading]:
        for number in range(first, first + count):
            turn, place = divmod(number, len(self.readings))
            yield self._varied(self.readings[place], turn) if turn else self.readings[place]

    def _varied(self, reading: Reading, turn: int) -> Reading:
        chance = random.Random(turn)  # noqa: S311 - the same variants on every run
        letters = _letters(chance)

        def respelt(match: re.Match[str]) -> str:
            word = match[0]
            told = word in self.rare and random.Random(f"{turn} {word}").random() < self.share  # noqa: S311
            return word.translate(letters) if told else word

        old = reading.article
        article = replace(
            old,
            id=f"{old.id}-{turn}",
            text=WORD.sub(respelt, old.text),
            title=WORD.sub(respelt, old.title) if old.title else None,
        )
        passages = tuple(_renamed(passage, article.id, respelt) for passage in reading.passages)
        return replace(reading, article=article, passages=passages)


def _letters(chance: random.Random) -> Mapping[int, str]:
    table: dict[str, str] = {}
    for kind in (VOWELS, CONSONANTS):
        others = "".join(chance.sample(kind, len(kind)))
        table |= dict(zip(kind + kind.upper(), others + others.upper(), strict=True))
    return str.maketrans(table)


def _renamed(passage: Passage, article_id: str, respelt: object) -> Passage:
    def anew(name: str) -> str:
        return WORD.sub(respelt, name)  # type: ignore[call-overload]  # the function above

    mentions = tuple(replace(mention, name=anew(mention.name)) for mention in passage.mentions)
    said = passage.attribution
    if said and said.speaker:
        said = replace(said, speaker=anew(said.speaker))
    return replace(
        passage, sentence=replace(passage.sentence, article_id=article_id), mentions=mentions, attribution=said
    )


def newsroom(articles: Sequence[Article], count: int, readings: Sequence[Reading] = ()) -> Newsroom:
    readings = readings or tuple(read_separately(articles))
    found = [frozenset(WORD.findall(article.text)) for article in articles]
    counts = Counter(word for words in found for word in words)
    rare = frozenset(word for word, times in counts.items() if times <= RARE)
    turns = count / len(articles)
    half = len(frozenset().union(*found[: len(found) // 2]))
    exponent = math.log2(len(counts) / half)
    wanted = len(counts) * (turns**exponent - 1) / max(turns - 1, 1)
    return Newsroom(readings, rare, min(1.0, wanted / len(rare)))
