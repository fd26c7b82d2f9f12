"""A few thousand readings -> as many more as are wanted, none the same as another, without reading any of them.

A copy has its article's sentences, with a third of the small words of five letters and more exchanged for others of
the same length, as often as those occur elsewhere; so every place that was read stays where it is. Names stay: the
same people are in many articles.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from retrieval.cache.reading_codec import decode, encode
from retrieval.model import Reading

CHANGED = 1 / 3
_WORD = re.compile(r"\b[a-z]{5,}\b")


class Varied(Mapping[str, Reading]):
    """Readings by id, made when asked for: the given ones first, then copies of each in turn until there are enough.

    ``sentences`` is how many they have together, at least.
    """

    def __init__(self, readings: Sequence[Reading], sentences: int) -> None:
        self._readings = readings
        self._words: dict[int, list[str]] = defaultdict(list)
        for reading in readings:
            for word in _WORD.findall(reading.article.text):
                self._words[len(word)].append(word)
        self._count = 0
        while sentences > 0:
            sentences -= len(readings[self._count % len(readings)].passages)
            self._count += 1

    def __getitem__(self, article_id: str) -> Reading:
        copy, place = map(int, article_id.split("-"))
        return self._copy(self._readings[place], copy, article_id)

    def __iter__(self) -> Iterator[str]:
        every = (f"{copy:05}-{place:05}" for copy in range(self._count) for place in range(len(self._readings)))
        return islice(every, self._count)

    def __len__(self) -> int:
        return self._count

    def _copy(self, reading: Reading, copy: int, article_id: str) -> Reading:
        text = reading.article.text
        if copy:
            chance = random.Random(article_id)  # noqa: S311 - the same article on every run
            others = {
                word: chance.choice(self._words[len(word)]) if chance.random() < CHANGED else word
                for word in sorted(set(_WORD.findall(text)))
            }
            text = _WORD.sub(lambda found: others[found[0]], text)
        return decode(replace(reading.article, id=article_id, text=text, url=None), encode(reading))
