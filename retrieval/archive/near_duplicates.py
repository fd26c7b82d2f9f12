"""Articles -> which of them are copies of one story, and which copy lost a caveat; stored when an article is added.

Copies are trimmed, re-ordered and re-headed, so what counts is how much of the shorter text is in the longer:
the share of its shingles (``WORDS`` words in a row). A MinHash finds the pairs worth comparing: two articles that have
one of the ``BANDS`` bands of their sketches in common.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha1

from retrieval.archive.database import Run, run_many
from retrieval.model import Caveat, Reading
from retrieval.search import Listed

WORDS = 5  # in a shingle: two reports of one event share few runs of five words, two copies of one report most
COPIED = 0.5  # share of the shorter article's shingles that the longer must have
# a copy trimmed to a third, which has a Jaccard similarity of .15, still has one of them in three cases of four
PERMUTATIONS, BANDS, ROWS = 128, 51, 2
MIXING = ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1))  # MurmurHash3's last steps
MOST = 50  # versions that one is compared with: more of them are a table that is sent every minute, or an attack
BAND = 7  # bytes: what a column of SQLite's holds as a number
_WORD = re.compile(r"\w+")

Shingles = frozenset[tuple[str, ...]]


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


def origins_of(articles: Sequence[Listed], read: Callable[[str], Reading | None]) -> tuple[Origin, ...]:
    """Return articles as stories: each in exactly one, in the order of the first article's id.

    ``read`` gives the reading of an article that has copies, by its id; None where it cannot be read.
    """
    story_of = {article.id: {article.id} for article in articles}
    for one, other in ((article.id, other) for article in articles for other in article.copies):
        if other not in story_of or story_of[one] is story_of[other]:
            continue
        both = story_of[one] | story_of[other]
        story_of |= dict.fromkeys(both, both)
    stories = dict.fromkeys(tuple(sorted(story_of[article_id])) for article_id in sorted(story_of))
    return tuple(
        Origin(story, tuple(_lost([found for i in story if (found := read(i))])) if len(story) > 1 else ())
        for story in stories
    )


def _shingles(text: str) -> Shingles:
    words = _WORD.findall(text.lower())
    return frozenset(zip(*(words[start:] for start in range(WORDS)), strict=False))


def _bands(shingles: Shingles) -> tuple[int, ...]:
    """Return the bands of the sketch of a text's shingles, the least hash of them under each permutation.

    As datasketch 2 does with its scheme "affine32": the bands of archives are made with it.
    """
    if not shingles:
        return ()
    import numpy as np  # noqa: PLC0415 - `stet --help` imports this module and must be fast

    runs = (" ".join(run).encode("utf-8", "surrogatepass") for run in shingles)
    digests = b"".join(sha1(run, usedforsecurity=False).digest()[:4] for run in runs)
    mixed = np.frombuffer(digests, dtype="<u4")
    for shift, factor in MIXING:
        mixed = (mixed ^ (mixed >> np.uint32(shift))) * np.uint32(factor)
    chance = np.random.RandomState(1)  # its numbers are the same in every version of numpy
    factors = chance.randint(0, 1 << 31, PERMUTATIONS, dtype=np.uint32) * np.uint32(2) + np.uint32(1)
    addends = chance.randint(0, 1 << 32, PERMUTATIONS, dtype=np.uint32)
    least = (mixed[:, None] * factors + addends).min(axis=0)
    numbered = enumerate(least[: BANDS * ROWS].reshape(BANDS, ROWS))
    hashes = (blake2b(number.to_bytes() + row.tobytes(), digest_size=BAND) for number, row in numbered)
    return tuple(int.from_bytes(each.digest()) for each in hashes)


def _lost(copies: Sequence[Reading]) -> Iterator[Lost]:
    """Yield each caveat that a copy lacks although it has a sentence that the caveat covers elsewhere."""
    sentences = {
        copy.article.id: [" ".join(_WORD.findall(p.sentence.span.of(copy.article.text).lower())) for p in copy.passages]
        for copy in copies
    }
    for carrier in copies:
        own = sentences[carrier.article.id]
        for caveat in carrier.caveats:
            if caveat.sentence in caveat.covers:
                continue  # it is within what it covers: a copy with the one has the other
            covered = {own[index] for index in caveat.covers}
            for copy in copies:
                theirs = sentences[copy.article.id]
                has_another = any(theirs[index] in covered for each in copy.caveats for index in each.covers)
                if not covered.isdisjoint(theirs) and own[caveat.sentence] not in theirs and not has_another:
                    yield Lost(copy.article.id, carrier.article.id, caveat)


# The newest of each band: where very many articles are nearly one, each is linked to the newest before it, and so all
# are one story.
NEAR = (
    "SELECT v.number, v.text FROM (SELECT version, count(*) AS shared FROM json_each(?1) AS own CROSS JOIN bands"
    f" ON band = own.value AND version IN (SELECT version FROM bands WHERE band = own.value"
    f" ORDER BY version DESC LIMIT {MOST}) GROUP BY version ORDER BY shared DESC, version DESC LIMIT {MOST}) AS near"
    " CROSS JOIN versions AS v ON v.number = near.version"
)


def put(run: Run, fresh: Iterable[tuple[int, str]]) -> None:
    """Write of which versions the ``fresh`` ones are copies: the number and the text of each."""
    shingles_of = lru_cache(2 * MOST)(_shingles)  # nearly one text is compared with nearly the same ones again
    for number, text in fresh:
        shingles = shingles_of(text)
        own = _bands(shingles)
        near = run(NEAR, (json.dumps(own),)).fetchall()
        theirs = ((other, shingles_of(its_text)) for other, its_text in near)
        copies = [other for other, its in theirs if len(shingles & its) >= COPIED * min(len(shingles), len(its))]
        pairs = [pair for other in copies for pair in ((number, other), (other, number))]
        run_many(run, "INSERT INTO copies VALUES (?, ?)", pairs)
        run_many(run, "INSERT OR IGNORE INTO bands VALUES (?, ?)", [(band, number) for band in own])


def take_out(run: Run, number: int) -> None:
    run("DELETE FROM bands WHERE version = ?", (number,))
    run("DELETE FROM copies WHERE one IN (SELECT other FROM copies WHERE one = ?1) AND other = ?1", (number,))
    run("DELETE FROM copies WHERE one = ?", (number,))
