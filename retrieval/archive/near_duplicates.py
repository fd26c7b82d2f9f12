"""Articles -> which of them are copies of one story, and which copy lost a caveat.

Copies are trimmed, re-ordered and re-headed, so what counts is how much of the shorter text stands in the longer:
the share of its shingles (``WORDS`` words in a row). datasketch's MinHash finds the pairs worth comparing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from datasketch import MinHash, MinHashLSH

from retrieval.model import Article, Caveat, Reading

WORDS = 5  # in a shingle: two reports of one event share few runs of five words, two copies of one report most
COPIED = 0.5  # share of the shorter article's shingles that the longer must have
PROPOSED = 0.15  # Jaccard similarity from which a pair is compared; a copy trimmed to a third still reaches it
PERMUTATIONS = 128
KEPT = 32_768  # sketches, and comparisons, that are kept at the most
_WORD = re.compile(r"\w+")

Shingles = frozenset[bytes]
Key = TypeVar("Key")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Lost:
    """A caveat that one copy of a story carries and another, which has the sentences it covers, does not."""

    article_id: str
    carried_by: str
    caveat: Caveat


@dataclass(frozen=True, slots=True)
class Origin:
    """Articles that are one story, by id, and the caveats that some of them dropped."""

    articles: tuple[str, ...]
    lost: tuple[Lost, ...] = ()


def origins(readings: Sequence[Reading]) -> tuple[Origin, ...]:
    """Return the articles as stories: each article in exactly one, in the order of the first article's id."""
    by_id = {reading.article.id: reading for reading in readings}
    return origins_of([reading.article for reading in readings], by_id.__getitem__)


def origins_of(articles: Iterable[Article], read: Callable[[str], Reading]) -> tuple[Origin, ...]:
    """Return the same of articles; ``read`` gives the reading of those that are copies, by id."""
    by_id = {article.id: article for article in sorted(articles, key=lambda article: article.id)}
    parent = {article_id: article_id for article_id in by_id}
    for one, other in _copies(by_id):
        first, second = sorted((_root(parent, one), _root(parent, other)))
        parent[second] = first
    groups: dict[str, list[str]] = {}
    for article_id in by_id:
        groups.setdefault(_root(parent, article_id), []).append(article_id)
    return tuple(
        Origin(tuple(group), tuple(_lost([read(i) for i in group])) if len(group) > 1 else ())
        for group in groups.values()
    )


def _root(parent: dict[str, str], article_id: str) -> str:
    while parent[article_id] != article_id:
        article_id = parent[article_id]
    return article_id


def _shingles(text: str) -> Shingles:
    words = _WORD.findall(text.lower())
    runs = zip(*(words[start:] for start in range(WORDS)), strict=False)
    return frozenset(" ".join(run).encode("utf-8", "surrogatepass") for run in runs)


def _copies(articles: dict[str, Article]) -> Iterator[tuple[str, str]]:
    """Yield each pair of articles of which the longer has most of the shorter."""
    index = MinHashLSH(threshold=PROPOSED, num_perm=PERMUTATIONS)
    for article_id, article in articles.items():
        sketch = _once(_sketches, article.digest, partial(_sketch, article.text))
        if sketch is None:
            continue
        for other in sorted(index.query(sketch)):
            compare = partial(_are_copies, article.text, articles[other].text)
            if _once(_compared, (article.digest, articles[other].digest), compare):
                yield article_id, other
        index.insert(article_id, sketch)


# By digest, for the next time: most of the work is here, and no word of a text that is removed stays in it.
_sketches: dict[str, MinHash | None] = {}
_compared: dict[tuple[str, str], bool] = {}


def _once(kept: dict[Key, Made], key: Key, make: Callable[[], Made]) -> Made:
    """Return what was made for a key, made now where it is not kept."""
    try:
        return kept[key]
    except KeyError:
        if len(kept) >= KEPT:
            kept.clear()
        return kept.setdefault(key, make())


def _sketch(text: str) -> MinHash | None:
    """Return the sketch of a text's shingles; None where it has none."""
    there = _shingles(text)
    if not there:
        return None
    sketch = MinHash(num_perm=PERMUTATIONS)
    sketch.update_batch(sorted(there))
    return sketch


def _are_copies(one: str, other: str) -> bool:
    first, second = _shingles(one), _shingles(other)
    return len(first & second) >= COPIED * min(len(first), len(second))


def _lost(copies: Sequence[Reading]) -> Iterator[Lost]:
    """Yield each caveat that a copy lacks although it has a sentence that the caveat covers elsewhere."""
    said = {copy.article.id: frozenset(_sentences(copy)) for copy in copies}
    for carrier in copies:
        sentences = tuple(_sentences(carrier))
        for caveat in carrier.caveats:
            if caveat.sentence in caveat.covers:
                continue  # it stands within what it covers: who has the one has the other
            for copy in copies:
                has = said[copy.article.id]
                covered = any(sentences[index] in has for index in caveat.covers)
                if covered and sentences[caveat.sentence] not in has and not _cautions(copy, carrier, caveat):
                    yield Lost(copy.article.id, carrier.article.id, caveat)


def _cautions(copy: Reading, carrier: Reading, caveat: Caveat) -> bool:
    """Return whether the copy puts a caveat of its own on what this one covers."""
    sentences, theirs = tuple(_sentences(carrier)), tuple(_sentences(copy))
    covered = {sentences[index] for index in caveat.covers}
    return any(theirs[index] in covered for own in copy.caveats for index in own.covers)


def _sentences(reading: Reading) -> Iterable[str]:
    text = reading.article.text
    return (" ".join(_WORD.findall(p.sentence.span.of(text).lower())) for p in reading.passages)
