"""A reading -> the documents that it is stored and searched as; an article's document -> its reading."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import date, datetime
from hashlib import blake2b

from retrieval.archive.corrections import Days
from retrieval.archive.fields import fields, paragraphs, whole
from retrieval.archive.opensearch.catalogue import particulars
from retrieval.archive.opensearch.names import name_document
from retrieval.archive.opensearch.schema import ARTICLES, LONGEST, NAMES, SENTENCES, Body
from retrieval.archive.opensearch.scoping import placed
from retrieval.cache.reading_codec import decode, encode
from retrieval.errors import StaleIndexError
from retrieval.model import Article, Entity, Reading
from retrieval.names.entities import entities
from retrieval.search import Searchable
from retrieval.text.neighbours import counted
from retrieval.text.terms import terms

ID = 16  # bytes of a document's id: an article's own may be longer than the server takes
NEWEST = -1  # in place of the number of a version
SALT = 16  # bytes
STAMP = 12  # bytes of what tells an article's versions apart


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a version stands among those of its article.

    ``number`` counts from 0, ``taken`` is when it was taken in (seconds since 1970; 0 where that is not known),
    ``days`` are those on which its sentences were changed, and ``first`` is when the first of all was taken in.
    """

    number: int = 0
    taken: float = 0.0
    days: Days = field(default_factory=dict)
    first: float = 0.0


FIRST = Standing()

Around = Sequence[tuple[Sequence[str], Sequence[str]]]  # the terms of the names around a sentence, and its speaker's


@dataclass(frozen=True, slots=True)
class Stored:
    """A version of an article as it is stored: what was read in it, the terms around each sentence, and its standing.

    ``stamp`` is that of the sentences and names that belong to it, where it is the newest.
    """

    stamp: str
    reading: Reading
    around: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    standing: Standing = FIRST

    @property
    def searchable(self) -> tuple[Searchable, ...]:
        """The terms of each sentence."""
        text = self.reading.article.text
        pairs = zip(self.reading.passages, self.around, strict=True)
        return tuple(Searchable(terms(p.sentence.span.of(text)), *around) for p, around in pairs)


@dataclass(frozen=True, slots=True)
class Documents:
    """All that an article is in the indexes: its own document, one a sentence, and one a name."""

    stamp: str
    article: Body
    sentences: tuple[Body, ...]
    names: tuple[Body, ...]

    def parts(self, indexes: Mapping[str, str]) -> Iterator[Body]:
        """Yield what writes the sentences and the names: nobody sees them before the article's own document."""
        for part, documents in ((SENTENCES, self.sentences), (NAMES, self.names)):
            for number, document in enumerate(documents):
                yield {"_index": indexes[part], "_id": f"{self.stamp}-{number}", "_source": document}

    def whole(self, indexes: Mapping[str, str]) -> Iterator[Body]:
        """Yield what writes all of it."""
        yield from self.parts(indexes)
        yield {"_index": indexes[ARTICLES], "_id": document_id(self.article["of"]), "_source": self.article}


def names_of(reading: Reading) -> tuple[Entity, ...]:
    """Return everyone and everything named in an article."""
    article = reading.article
    return entities({article.id: tuple(p.mentions for p in reading.passages)}, {article.id: article.text})


def documents(reading: Reading, known: Mapping[str, Entity], standing: Standing = FIRST) -> Documents:
    """Return what the newest version of an article is stored as, as it was read.

    ``known`` are all entities of the archive that it names, by name.
    """
    searched = fields(reading, known)
    found = searched.sentences
    stamp, whole_of_it = _stamped(reading, found, standing)
    of = {"of": reading.article.id, "stamp": stamp}
    found_by = placed(reading.article, standing.first)
    spoken = _line(sorted(filter(counted, set(searched.words))))
    return Documents(
        stamp,
        {**of, **found_by, **particulars(reading.article), "words": spoken, **whole_of_it},
        tuple({**of, **found_by, **sentence} for sentence in _sentences(reading, found)),
        tuple({**of, **name_document(entity)} for entity in names_of(reading)),
    )


def as_stored(reading: Reading, known: Mapping[str, Entity], standing: Standing) -> Stored:
    """Return a version as it would be read from its document; ``known`` as above."""
    found = fields(reading, known).sentences
    stamp, _ = _stamped(reading, found, standing)
    return Stored(stamp, reading, tuple((sentence.around, sentence.speaker) for sentence in found), standing)


def _stamped(reading: Reading, found: Sequence[Searchable], standing: Standing) -> tuple[str, Body]:
    """Return what a version is known from again, and what tells it from the others of its article."""
    whole_of_it = held(reading, [(sentence.around, sentence.speaker) for sentence in found], standing)
    told = "\n".join((reading.article.id, *whole_of_it.values()))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=STAMP).hexdigest(), whole_of_it


def _sentences(reading: Reading, found: Sequence[Searchable]) -> Iterator[Body]:
    by_paragraph = {number: _line(held) for number, held in paragraphs(reading, found).items()}
    article = _line(whole(reading, found))
    for passage, sentence in zip(reading.passages, found, strict=True):
        kind = passage.sentence.boilerplate
        yield {
            "index": passage.sentence.index,
            **({"kind": kind.value} if kind else {}),
            "own": _line(sentence.own),
            "paragraph": by_paragraph[passage.sentence.paragraph],
            "article": article,
            "around": _line((*sentence.speaker, *sentence.around)),
        }


def _line(found: Sequence[str]) -> str:
    return " ".join([term[:LONGEST] for term in found])


def cut(term: str) -> str:
    """Return a term as the index has it: numbers alone are ever so long."""
    return term[:LONGEST]


def document_id(article_id: str, number: int = NEWEST) -> str:
    """Return the id that an article's own document has, or that of an earlier version with this number."""
    salt = (number - NEWEST).to_bytes(SALT)  # none at all for the newest
    return blake2b(article_id.encode("utf-8", "surrogatepass"), digest_size=ID, salt=salt).hexdigest()


def held(reading: Reading, around: Around, standing: Standing) -> Body:
    """Return what a version is known from again, as lines of ASCII: a hostile text may hold what no server takes."""
    article = reading.article
    published = article.published.isoformat() if article.published else None
    embargo = article.embargo.isoformat() if article.embargo else None
    told = (article.id, article.text, article.path, article.title, article.source, article.url, published)
    whole_of_it = ((*told, article.author, article.wire, embargo), encode(reading).decode(), around)
    return {"held": json.dumps(whole_of_it), "record": json.dumps(astuple(standing))}


def stored(document: Body) -> Stored:
    """Return what an article's document holds; ``StaleIndexError`` where another version of the program wrote it."""
    try:
        told, code, around = json.loads(document["held"])
        article_id, text, path, title, source, url, published, author, wire, embargo = told
        day = date.fromisoformat(published) if published else None
        until = datetime.fromisoformat(embargo) if embargo else None
        article = Article(article_id, text, path, title, source, url, day, author, wire, until)
        pairs = tuple([(tuple(names), tuple(speaker)) for names, speaker in around])
        # what was written before versions were kept says nothing of them, and a little later nothing of the first
        standing = Standing(*json.loads(document["record"])) if "record" in document else FIRST
        standing = replace(standing, first=standing.first or standing.taken)
        return Stored(document["stamp"], decode(article, code.encode()), pairs, standing)
    except (LookupError, TypeError, ValueError) as error:
        raise StaleIndexError("An article in the archive was written by another program: stet fill.") from error
