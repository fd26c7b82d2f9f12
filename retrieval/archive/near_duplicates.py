"""Articles -> which of them are copies of one story, and which copy lost a caveat.

Copies are trimmed, re-ordered and re-headed, so what counts is how much of the shorter text stands in the longer:
the share of its shingles (``WORDS`` words in a row). datasketch's MinHash finds the pairs worth comparing: two
articles that have one of the ``BANDS`` bands of their sketches in common.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import TypeVar

from retrieval.model import Article, Caveat, Reading

WORDS = 5  # in a shingle: two reports of one event share few runs of five words, two copies of one report most
COPIED = 0.5  # share of the shorter article's shingles that the longer must have
# a copy trimmed to a third, which has a Jaccard similarity of .15, still has one of them in three cases of four
PERMUTATIONS, BANDS, ROWS = 128, 51, 2
BAND = 7  # bytes: what a column of SQLite's holds as a number
KEPT = 32_768  # bands, and comparisons, that are kept at the most
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
    return origins_of(by_id, copies(reading.article for reading in readings), by_id.__getitem__)


def origins_of(
    article_ids: Iterable[str], copied: Iterable[tuple[str, str]], read: Callable[[str], Reading]
) -> tuple[Origin, ...]:
    """Return the same of articles of which these pairs are ``copied``; ``read`` gives the reading of those, by id."""
    by_id = sorted(article_ids)
    parent = {article_id: article_id for article_id in by_id}
    for one, other in copied:
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


def copies(articles: Iterable[Article]) -> Iterator[tuple[str, str]]:
    """Yield each pair of articles of which the longer has most of the shorter."""
    seen: dict[int, list[Article]] = {}
    for article in articles:
        own = _once(_bands, article.digest, partial(bands, article.text))
        for other in {each.id: each for band in own for each in seen.get(band, ())}.values():
            if _once(_compared, (article.digest, other.digest), partial(are_copies, article.text, other.text)):
                yield article.id, other.id
        for band in own:
            seen.setdefault(band, []).append(article)


# By digest, for the next time: most of the work is here, and no word of a text that is removed stays in it.
_bands: dict[str, tuple[int, ...]] = {}
_compared: dict[tuple[str, str], bool] = {}


def _once(kept: dict[Key, Made], key: Key, make: Callable[[], Made]) -> Made:
    """Return what was made for a key, made now where it is not kept."""
    try:
        return kept[key]
    except KeyError:
        if len(kept) >= KEPT:
            kept.clear()
        return kept.setdefault(key, make())


def bands(text: str) -> tuple[int, ...]:
    """Return the bands of the sketch of a text's shingles; none where it has none."""
    from datasketch import MinHash  # noqa: PLC0415 - takes a third of a second to load

    there = _shingles(text)
    if not there:
        return ()
    sketch = MinHash(num_perm=PERMUTATIONS)
    sketch.update_batch(sorted(there))
    rows = sketch.hashvalues[: BANDS * ROWS].reshape(BANDS, ROWS)
    told = (blake2b(number.to_bytes() + row.tobytes(), digest_size=BAND) for number, row in enumerate(rows))
    return tuple(int.from_bytes(each.digest()) for each in told)


def are_copies(one: str, other: str) -> bool:
    """Return whether the longer of two texts has most of the shorter."""
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
