"""The rows of an archive in a file -> the documents of a cluster: an article with all its versions, and an entity.

And back: an article's document -> its readings, and what a question's words are worth in each of its sentences.
"""

import json
import logging
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.archive import fields, occurrences, vectors
from retrieval.archive.database import Run
from retrieval.archive.opensearch.index import CURRENT, SIZES, Body, any_of, mark_of, nested
from retrieval.archive.segments import Totals
from retrieval.archive.versions import IN_ORDER, Version, day_of, every
from retrieval.cache import program_version
from retrieval.errors import DamagedArticleError, StaleIndexError
from retrieval.limits import shown
from retrieval.model import Boilerplate, Entity, Kind, Reading, version_key
from retrieval.names.name_keys import keys_of
from retrieval.search import ARTICLE, K1, MODEL, PARAGRAPH, B, Codes, Occurrence, Query, idf
from retrieval.text.edit_distance import counted
from retrieval.text.terms import Phrase

REPORT = "report"  # the kind of a sentence that is no boilerplate
NUMBER_BYTES = 7  # of an entity's number, so that it is a long's
USES = (
    "SELECT n.name, n.kind, u.spellings FROM uses AS u CROSS JOIN names AS n ON n.number = u.name"
    " WHERE u.version = ? ORDER BY n.name, n.kind"
)
COPIES = "SELECT v.id FROM copies AS c CROSS JOIN versions AS v ON v.number = c.other WHERE c.one = ? ORDER BY v.id"
VECTORS = f"SELECT indexes, codes FROM vectors WHERE version = ? AND model = ? AND {vectors.whole()}"
ENTITIES = (
    "SELECT e.number, e.name, e.kind, n.name, n.kind, coalesce(v.source, ''), u.spellings FROM entities AS e"
    " CROSS JOIN names AS n ON n.entity = e.number CROSS JOIN uses AS u ON u.name = n.number"
    " CROSS JOIN versions AS v ON v.number = u.version ORDER BY e.number"
)

SHOWN = ("id", "digest", "source", "history", "current", "own", "codes")

Counts = Sequence[Counter[str]]
# of sentences, paragraphs and articles: how many there are and how long, and how many have each term
Statistics = Sequence[tuple[Totals, Mapping[str, int]]]
Score = tuple[float, float, float, float]  # of a sentence in all, by itself, by its paragraph and by its article

log = logging.getLogger(__name__)


def pack(content: Sequence[object]) -> str:
    """Return content as text that is stored, but searched by nothing."""
    return b64encode(zlib.compress(json.dumps(content, separators=(",", ":")).encode())).decode("ascii")


def unpack(code: str) -> list[Any]:
    content: list[Any] = json.loads(zlib.decompress(b64decode(code)))
    return content


def _text(code: bytes) -> str:
    return b64encode(code).decode("ascii")


def article_key(article_id: str) -> str:
    """Return the id of an article's document: those of articles may be longer than a cluster allows."""
    return blake2b(article_id.encode(), digest_size=16).hexdigest()


def name_key(name: str, kind: str) -> str:
    return blake2b(f"{kind}\0{name}".encode(), digest_size=NUMBER_BYTES).hexdigest()


def spelling_key(name: str, kind: str, spelling: str) -> str:
    return name_key(f"{name}\0{spelling}", kind)


@dataclass(frozen=True, slots=True)
class Entry:
    """An article as the file has it: its versions that can be opened, and what else its document is made of.

    ``names`` are those that it uses, with their kinds and how it spells them; ``codes`` the vectors of its sentences
    with their indexes, if there are any.
    """

    versions: tuple[Version, ...]
    names: tuple[tuple[str, str, str], ...]
    copies: tuple[str, ...]
    codes: tuple[bytes, bytes] | None

    @property
    def id(self) -> str:
        return self.versions[-1].id

    @property
    def mark(self) -> str:
        versions = [(e.text, e.metadata, e.since, e.taken, e.corrections, e.code) for e in self.versions]
        return mark_of((program_version(), versions, self.names, self.copies, self.codes))

    @property
    def history(self) -> list[Body]:
        """The metadata of each version; the current one is the last."""
        return [
            {"digest": e.digest, "source": e.article.source, "since": e.since, "corrections": e.corrections}
            for e in self.versions
        ]

    def document(self, *, with_vectors: bool) -> Body:
        """Return all fields but those that say when it came."""
        current, reading = self.versions[-1], self.versions[-1].reading
        article, published = reading.article, reading.article.published and reading.article.published.isoformat()
        keys = [version_key(each.id, each.digest) for each in self.versions]
        first = day_of(min(each.since for each in self.versions)).isoformat()
        metadata = {"source": article.source, "published": published, "url": article.url, "title": article.title}
        indexes, codes = self.codes or (b"", b"")
        return {
            **{name: value for name, value in metadata.items() if value is not None},
            **_searched(reading, self.codes if with_vectors else None),
            "id": self.id,
            "state": CURRENT,
            "mark": self.mark,
            "digest": current.digest,
            "keys": keys,
            "facets": sorted(fields.facets(reading)),
            "names": [name_key(name, kind) for name, kind, _ in self.names],
            "spellings": [
                spelling_key(name, kind, each) for name, kind, code in self.names for each in json.loads(code)
            ],
            "copies": list(self.copies),
            "day": published or first,
            "taken": current.taken,
            "history": json.dumps(self.history),
            "current": pack((current.text, current.metadata, _text(current.code))),
            "earlier": pack([(each.digest, each.text, each.metadata, _text(each.code)) for each in self.versions[:-1]]),
            "codes": b64encode(indexes + codes).decode("ascii"),
        }


def _searched(reading: Reading, codes: tuple[bytes, bytes] | None) -> Body:
    """Return what an article is searched by, and how much of it there is."""
    own = fields.own(reading)
    paragraphs, whole = own.paragraphs(), own.whole()
    rows = [
        (" ".join(terms), passage.sentence.boilerplate or REPORT, place)
        for terms, passage, place in zip(own.sentences, reading.passages, own.places, strict=True)
    ]
    sentences: list[Body] = [{"terms": terms, "kind": kind} for terms, kind, _ in rows]
    if codes:
        indexes, directions = vectors.unpacked(*codes)
        for index, vector in zip(indexes, vectors.summed(directions)[0].tolist(), strict=True):
            if any(vector):
                sentences[index]["vector"] = vector
    counts = (len(sentences), len(paragraphs), 1)
    lengths = (sum(map(len, own.sentences)), sum(map(len, paragraphs)), len(whole))
    return {
        "sentences": sentences,
        "paragraphs": [{"terms": " ".join(each)} for each in paragraphs],
        "article": " ".join(whole),
        "own": pack((own.title, rows)),
        "words": " ".join(spelt := list(filter(counted, own.words))),
        "backwards": " ".join(word[::-1] for word in spelt),
        **dict(zip(SIZES, counts + lengths, strict=True)),
    }


def drafts(run: Run) -> Iterator[Entry]:
    """Yield each article that is searched, as of the state that ``run`` reads.

    Raises ``StaleIndexError`` where the newest version is damaged; an earlier one that is so is left out, and logged.
    """
    # as they lie in the file, so that who takes all of them reads it once, from the front
    for (article_id,) in run("SELECT id FROM versions NOT INDEXED WHERE state = 'current' ORDER BY number"):
        versions = list(every(run, IN_ORDER, article_id))
        whole = tuple([version for version in versions if version.is_whole])
        if not versions[-1].is_whole:
            raise StaleIndexError(
                f"What was read in the article {article_id!r} cannot be read any more: `stet reindex` reads it again."
            )
        if len(whole) < len(versions):
            log.warning("an earlier version of %r cannot be read any more, and is left out", article_id)
        number = versions[-1].number
        yield Entry(
            whole,
            tuple(run(USES, (number,)).fetchall()),
            tuple([each for (each,) in run(COPIES, (number,))]),
            run(VECTORS, (number, MODEL)).fetchone(),
        )


def entities(run: Run) -> Iterator[Body]:
    """Yield the document of each entity that an article names, with its number as its id."""
    for (_, name, kind), rows in groupby(run(ENTITIES), itemgetter(0, 1, 2)):
        members: set[tuple[str, str]] = set()
        spelt: dict[str, set[str]] = {}
        for *_, alias, its_kind, source, spellings in rows:
            members.add((alias, its_kind))
            spelt.setdefault(source, set()).update(json.loads(spellings))
        yield entity(name, kind, members, spelt)


def entity(name: str, kind: str, members: Collection[tuple[str, str]], spelt: Mapping[str, Collection[str]]) -> Body:
    """Return the document of an entity: the names, with their kinds, that are it, and how each source spells it."""
    variants = tuple(sorted({*chain.from_iterable(spelt.values())}))
    document = {
        "name": name,
        "kind": kind,
        "called": sorted(name_key(*member) for member in members),
        "members": json.dumps(sorted(members)),
        "spelt": json.dumps({source: sorted(spellings) for source, spellings in sorted(spelt.items())}),
        "keys": sorted({way_key(*key) for key in keys_of(Entity(name, Kind(kind), variants, ()))}),
    }
    return {**document, "mark": mark_of(document)}


def way_key(way: int, key: str) -> str:
    return f"{way} {key}"


class StoredArticle:
    """The current version of an article as a document has it; what is made of it is made once."""

    def __init__(self, source: Body) -> None:
        self.id, self.digest, self.source = str(source["id"]), str(source["digest"]), source.get("source")
        self._source = source

    @cached_property
    def reading(self) -> Reading:
        """What was read in it, with names as the article itself has them."""
        text, metadata, code = unpack(self._source["current"])
        return reading_of(self.id, self.digest, text, metadata, code)

    @cached_property
    def history(self) -> list[Body]:
        return list(json.loads(self._source["history"]))

    @cached_property
    def _levels(self) -> tuple[Counts, Counts, Counts, list[str], Sequence[int]]:
        """The terms of its sentences, paragraphs and of itself; each sentence's kind and the place of its paragraph."""
        title, rows = unpack(self._source["own"])
        own = fields.Own(title, [terms.split() for terms, *_ in rows], [place for *_, place in rows])
        sentences, paragraphs = list(map(Counter, own.sentences)), list(map(Counter, own.paragraphs()))
        return sentences, paragraphs, [Counter(own.whole())], [kind for _, kind, _ in rows], own.places

    @cached_property
    def _vectors(self) -> tuple[list[int], Codes]:
        code = b64decode(self._source["codes"])
        sentences, rest = divmod(len(code), vectors.INDEXES.itemsize + 2 * vectors.DIMENSIONS)
        size = sentences * vectors.INDEXES.itemsize
        indexes, codes = vectors.unpacked(code[:size], code[size : len(code) - rest])
        if rest or max(indexes, default=0) >= len(self._levels[3]):  # of another reading: it is found by its words
            return [], codes[:, :0]
        return indexes, codes

    @cached_property
    def _summed(self) -> tuple[Codes, NDArray[np.float32]]:
        return vectors.summed(self._vectors[1])

    def scores(self, query: Query, statistics: Statistics) -> Iterator[tuple[int, Score]]:
        """Yield what each sentence that the query may find is worth to it, with its index."""
        *levels, kinds, places = self._levels
        worth = [
            [_score(query, each, *of_level) for each in level]
            for level, of_level in zip(levels, statistics, strict=True)
        ]
        for index, (kind, place) in enumerate(zip(kinds, places, strict=True)):
            if kind == REPORT or kind in query.boilerplate:
                own, paragraph, article = worth[0][index], worth[1][place], worth[2][0]
                yield index, (own + PARAGRAPH * paragraph + ARTICLE * article, own, paragraph, article)

    def occurrence(self, phrase: Phrase) -> Occurrence | None:
        """Return where it has ``phrase``, if it does, and since when; its ``earlier`` versions must be there too."""
        sentences, _, _, kinds, _ = self._levels
        indexes = tuple(
            index
            for index, (counts, kind) in enumerate(zip(sentences, kinds, strict=True))
            if kind == REPORT and all(not each.isdisjoint(counts) for each in phrase.terms)
        )
        article, moments = self.reading.article, [each["since"] for each in self.history]
        if not (spelt := occurrences.spelt(phrase, article.text)):
            return None
        texts = [text for _, text, *_ in unpack(self._source["earlier"])]
        found = Occurrence(
            self.id, self.source or "", article.published, min(moments), indexes, added=False, spelt=spelt
        )
        return occurrences.dated(found, phrase, list(zip(texts, moments, strict=False)), moments[-1])

    def nearness(self, question: Codes) -> Iterator[tuple[int, float]]:
        table, scales = self._summed
        scores: NDArray[np.float32] = (table.astype(np.float32) @ question.astype(np.float32)) * scales
        yield from zip(self._vectors[0], scores.tolist(), strict=True)

    def cosines(self, question: Codes) -> dict[int, tuple[float, float]]:
        indexes, codes = self._vectors
        alone, in_context = (vectors.compared(question, each) for each in codes)
        return dict(zip(indexes, zip(alone, in_context, strict=True), strict=True))


def reading_of(article_id: str, digest: str, text: str, metadata: str, code: str) -> Reading:
    """Return what was read in a version; ``DamagedArticleError`` where the cluster's disk has changed it."""
    version = Version(article_id, text, metadata, digest, 0.0, b64decode(code))
    if not version.is_whole:
        raise DamagedArticleError(f"{shown(article_id)} is damaged in the cluster: `stet fill` it into another index.")
    return version.reading


def best_by_words(query: Query, scope: Sequence[Body]) -> Body:
    """Ask for the articles whose best sentence may be worth most."""

    def among(field: str, boost: float) -> list[Body]:
        return [{"term": {field: {"value": term, "boost": boost * weight}}} for term, weight in query.terms]

    sentence = any_of(among("sentences.terms", 1))
    if query.boilerplate != frozenset(Boilerplate):
        sentence["bool"]["filter"] = {"terms": {"sentences.kind": [REPORT, *sorted(query.boilerplate)]}}
    any_level = [
        nested("sentences", sentence),
        nested("paragraphs", {"bool": {"should": among("paragraphs.terms", PARAGRAPH)}}),
        *among("article", ARTICLE),
    ]
    return {"bool": {"filter": list(scope), "should": any_level, "minimum_should_match": 1}}


def _score(query: Query, counts: Counter[str], totals: Totals, frequencies: Mapping[str, int]) -> float:
    """Return BM25 as the archive in a file computes it: the same operations in the same order."""
    norm = K1 * (1 - B + B * float(counts.total()) / (totals.average or 1))
    score = 0.0
    for term, weight in query.terms:
        if times := counts[term]:
            score += idf(totals.documents, frequencies[term]) * (times * (K1 + 1) / (times + norm)) * weight
    return score
