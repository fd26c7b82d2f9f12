"""The archive in a cluster: readings in, hits out, for many processes at once.

An article is one document that holds all that was read in it; its sentences and names carry its stamp. The article's
document decides: what carries another stamp is passed over, so that an article is seen whole or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date

from opensearchpy import OpenSearch

from retrieval.archive.fields import synopsis
from retrieval.archive.listing import listed
from retrieval.archive.near_duplicates import copies
from retrieval.archive.opensearch import catalogue, queries, versions
from retrieval.archive.opensearch.address import Address
from retrieval.archive.opensearch.connection import WHOLE, answered, every, translated
from retrieval.archive.opensearch.documents import Stored, document_id, documents, names_of, stored
from retrieval.archive.opensearch.filling import GONE, fill, write
from retrieval.archive.opensearch.generations import Written, aliases, prepare, written
from retrieval.archive.opensearch.held_articles import HeldArticles
from retrieval.archive.opensearch.names import IndexedNames
from retrieval.archive.opensearch.recent import Recent
from retrieval.archive.opensearch.schema import ARTICLES, NAMES, PARTS, SENTENCES, Body
from retrieval.archive.opensearch.scoping import newest
from retrieval.archive.synopses import facets as facets_of, newest_first
from retrieval.model import Article, Entity, Reading
from retrieval.names.name_index import NameIndex
from retrieval.search import EVERYTHING, Hit, Listed, Outlet, Query, Scope, Searchable, Synopsis, VersionSummary
from retrieval.text.neighbours import Spellings, slips_in

AGE = 1.0  # seconds for which a count is taken for the same: as long as a question takes
TOGETHER = 200  # counts that are asked for at once
SUGGESTED = 200  # words that a misspelt one is held against
IN_ORDER = {SENTENCES: "index", NAMES: "key", ARTICLES: "number"}  # by which documents of one version differ


class OpenSearchArchive:
    """An ``Archive`` in the indexes of a cluster. Safe for several threads, and for several processes.

    ``place`` says where it is, as people are told it; ``now`` tells the time, in seconds, at which versions come.
    """

    subscriptions = None
    retirements = None
    arrivals = None

    def __init__(self, client: OpenSearch, address: Address, now: Callable[[], float] = time.time) -> None:
        prepare(client, address)
        self.place = f"{', '.join(f'{name}:{port}' for name, port in address.hosts)}/{address.prefix}"
        self._client = client
        self._address = address
        self._now = now
        self._names = aliases(address)
        self._held = HeldArticles(client, self._names[ARTICLES])
        self._register = IndexedNames(client, self._names[NAMES])
        self._counts: Recent[tuple[str, Scope], int] = Recent(AGE)
        self._revisions: Recent[str, Written] = Recent(AGE)

    def fill(self, readings: Mapping[str, Reading]) -> None:
        """Hold just these articles: they are written beside what is held, and take its place at once.

        What is held of them already is superseded where its text is another.
        """
        fill(self._client, self._address, readings, self._now())
        self._changed()

    def put(self, reading: Reading) -> None:
        """Take in an article, in place of an earlier one with the same id."""
        own = {entity.name: entity for entity in names_of(reading)}
        known = self._register.known(own)
        merged = {name: _merged(entity, known.get(name)) for name, entity in own.items()}
        article_id = reading.article.id
        before = versions.before_now(self._client, self._names[ARTICLES], [article_id]).get(article_id)
        new = documents(reading, merged, versions.succeeding(before, reading, self._now()))
        # the parts first: an article without its sentences would not be found
        write(self._client, new.parts(self._names))
        write(self._client, versions.supersede(before, reading, self._names[ARTICLES]))
        write(self._client, new.whole(self._names))
        self._forget_others(article_id, new.stamp, (SENTENCES, NAMES))

    def remove(self, article_id: str) -> None:
        """Forget an article with all its versions; ``KeyError`` where there is none with this id."""
        name = self._names[ARTICLES]
        if not versions.is_held(self._client, name, article_id):
            raise KeyError(article_id)
        with translated():
            # one that is sent again, as no answer came, may find that the one before it did its work
            self._client.delete(index=name, id=document_id(article_id), params={"ignore": GONE})
        self._forget_others(article_id, "", PARTS)

    def _forget_others(self, article_id: str, stamp: str, parts: Iterable[str]) -> None:
        """Delete the documents of an article that are not of the version with this stamp."""
        query = {"bool": {"filter": {"term": {"of": article_id}}, "must_not": {"term": {"stamp": stamp}}}}
        self._refresh()
        for part in parts:
            write(self._client, self._deletions(part, query))
        self._refresh()
        self._changed()

    def _deletions(self, part: str, query: Body) -> Iterator[Body]:
        order = [{"stamp": "asc"}, {IN_ORDER[part]: "asc"}]
        for hit in every(self._client, self._names[part], query, order, {"_source": False}):
            yield {"_op_type": "delete", "_index": hit["_index"], "_id": hit["_id"]}

    def _refresh(self) -> None:
        with translated():
            self._client.indices.refresh(index=",".join(self._names.values()))

    def _changed(self) -> None:
        self._held.clear()
        self._register.clear()
        self._counts.clear()
        self._revisions.clear()

    def _stored(self, article_id: str) -> Stored:
        return self._held.of([article_id])[article_id]

    def article(self, article_id: str) -> Article:
        """Return the stored article; ``KeyError`` where there is none with this id."""
        return self._stored(article_id).reading.article

    def reading(self, article_id: str) -> Reading:
        """Return all that was read in it; ``KeyError`` where there is none with this id."""
        return self._stored(article_id).reading

    def synopses(
        self, article_ids: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> Iterator[Synopsis]:
        """Yield what was read in the articles with these ids or one of these ``facets``, the newest first.

        The indexes do not tell facets: for one, every article is looked at.
        """
        ids = catalogue.within(self._client, self._names[ARTICLES], article_ids, scope)
        held = self._all(scope) if facets else (each.reading for each in self._held.of(ids).values())
        for reading in sorted(held, key=lambda reading: newest_first(reading.article)):
            found = synopsis(reading)
            if found.article_id in article_ids or not facets_of(found).isdisjoint(facets):
                yield found

    def revision(self, scope: Scope = EVERYTHING) -> object:  # noqa: ARG002 - whatever changes, all of it is anew
        """Return what stands for the articles as they are now: equal for as long as none is put in or removed."""
        known = self._revisions.get("")
        if known is None:
            known = written(self._client, self._names[ARTICLES])
            self._revisions.put("", known)
        return known

    def articles(self, scope: Scope = EVERYTHING) -> tuple[Article, ...]:
        """Return every article within ``scope``, by id."""
        return tuple([reading.article for reading in self._all(scope)])

    def _all(self, scope: Scope) -> Iterator[Reading]:
        shown = {"_source": ["stamp", "held"]}
        found = every(self._client, self._names[ARTICLES], newest(scope), [{"of": "asc"}], shown)
        return (stored(hit["_source"]).reading for hit in found)

    def listed(
        self, terms: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> tuple[Listed, ...]:
        """Return every article within ``scope`` that holds each of ``terms`` and has one of ``facets``, by id."""
        return listed(self, terms, facets, scope)

    def copies(self, article_ids: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return the pairs of these articles of which the longer has most of the shorter."""
        return tuple(copies(map(self.article, article_ids)))

    def within(self, article_ids: Collection[str], scope: Scope) -> frozenset[str]:
        """Return those of the ids under which an article within ``scope`` is held."""
        return frozenset(catalogue.within(self._client, self._names[ARTICLES], article_ids, scope))

    def outlets(self) -> tuple[Outlet, ...]:
        """Return how many articles there are of each source, and of which days, by source."""
        return catalogue.outlets(self._client, self._names[ARTICLES])

    def addressed(self, key: str) -> Reading | None:
        """Return the version that ``key`` stands for, be it superseded; None where none does, or several do."""
        return versions.keyed(self._client, self._names[ARTICLES], key)

    def meant(self, named: str) -> tuple[str, ...]:
        """Return the ids of the articles with this id or address."""
        return catalogue.meant(self._client, self._names[ARTICLES], named)

    def _versions(self, article_id: str) -> tuple[Stored, ...]:
        """Return every version of an article, the newest last; ``KeyError`` where there is none with this id."""
        newest = self._stored(article_id)
        earlier = versions.superseded(self._client, self._names[ARTICLES], article_id)
        # one that was written and not yet taken the place of is not superseded
        return (*(each for each in earlier if each.standing.number < newest.standing.number), newest)

    def versions(self, article_id: str) -> tuple[Reading, ...]:
        """Return what was read in every version of an article, the first first; ``KeyError`` as for it."""
        return tuple(each.reading for each in self._versions(article_id))

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        """Return its versions that can be opened, the current last; ``KeyError`` where there is none with this id."""
        return tuple(versions.summary(each) for each in self._versions(article_id))

    def corrected(self, article_id: str, index: int) -> date | None:
        """Return the day on which a sentence was changed since an earlier version of its article; None where none."""
        day = self._stored(article_id).standing.days.get(str(index))
        return date.fromisoformat(day) if day else None

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits whose article shares a term with the query, best first."""
        if not query.terms:
            return ()
        copies = {"preference": queries.same_copies(query)}
        with translated():
            answer = self._client.search(
                index=self._names[SENTENCES], body=queries.scored(query, limit), params={**queries.SEARCHED, **copies}
            )
        found = tuple(queries.found(answer["hits"]["hits"]))
        held = self._held.of(each.article_id for each in found)
        return tuple(_hit(each, held[each.article_id]) for each in found if _is_of(each, held))

    def holding(
        self, terms: Collection[str], scope: Scope = EVERYTHING, among: Collection[str] | None = None
    ) -> tuple[tuple[str, int], ...]:
        """Return the place (article id, index) of every sentence within ``scope`` that holds all of ``terms``."""
        if not terms:
            return ()
        shown = {"_source": False, "docvalue_fields": ["of", "index"]}
        found = every(self._client, self._names[SENTENCES], queries.holding(terms, scope), queries.BY_PLACE, shown)
        places = ((hit["fields"]["of"][0], hit["fields"]["index"][0]) for hit in found)
        return tuple(place for place in places if among is None or place[0] in among)

    def entities(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""
        return self._register.everyone()

    def register(self) -> NameIndex:
        """Return the same, to be looked up however a name is typed."""
        return self._register

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Return who and what is named among folded ``words``, in order; the longest name where several begin."""
        return self._register.named(words)

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences; ``KeyError`` where there is none with this id."""
        return self._stored(article_id).searchable

    def size(self) -> int:
        """Return how many sentences are held."""
        return self._counted([""], EVERYTHING)[""]

    def frequencies(self, terms: Collection[str], scope: Scope = EVERYTHING) -> Mapping[str, int]:
        """Return how many sentences within ``scope`` hold each of ``terms``, 0 where none does."""
        # and how many there are: who asks for the one is about to ask for the other
        counts = self._counted({*terms, ""}, scope) if any(terms) else {}
        return {term: counts[term] if term else 0 for term in terms}

    def _counted(self, asked: Iterable[str], scope: Scope) -> dict[str, int]:
        known = {each: self._counts.get((each, scope)) for each in asked}
        new = [each for each, count in known.items() if count is None]
        for start in range(0, len(new), TOGETHER):
            some = new[start : start + TOGETHER]
            with translated():
                told = self._client.msearch(index=self._names[SENTENCES], body=queries.counted(some, scope))[
                    "responses"
                ]
            for each, row in zip(some, told, strict=True):
                known[each] = count = int(answered(row)["hits"]["total"]["value"])
                self._counts.put((each, scope), count)
        return {each: count or 0 for each, count in known.items()}

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words of the articles that ``word`` may be a misspelling of, nearest first."""
        slips = slips_in(word) if word.isalpha() else 0
        if not slips:
            return ()
        with translated():
            answer = self._client.search(index=self._names[ARTICLES], body=_misspelt(word, slips), params=WHOLE)
        if answer["hits"]["total"]["value"]:
            return ()
        near = {option["text"]: int(option["freq"]) for row in answer["suggest"]["near"] for option in row["options"]}
        return Spellings(near).of(word, limit)


def _merged(own: Entity, known: Entity | None) -> Entity:
    """Return an entity with the spellings of other articles as well."""
    variants = {*own.variants, *(known.variants if known else ())}
    return Entity(own.name, own.kind, tuple(sorted(variants)))


def _is_of(found: queries.Found, held: Mapping[str, Stored]) -> bool:
    article = held.get(found.article_id)
    return article is not None and article.stamp == found.stamp


def _hit(found: queries.Found, held: Stored) -> Hit:
    passage = held.reading.passages[found.index]
    return Hit(found.article_id, passage, found.score, found.sentence, found.paragraph, found.article)


def _misspelt(word: str, slips: int) -> Body:
    """Return the request for the words that are nearest to ``word``, and for whether it occurs itself."""
    near = {
        "field": "words",
        "suggest_mode": "always",
        "max_edits": slips,
        "prefix_length": 0,
        "size": SUGGESTED,
        "shard_size": SUGGESTED,
        "string_distance": "damerau_levenshtein",
        "accuracy": 0.0,
    }
    return {
        "size": 0,
        "track_total_hits": 1,
        "query": {"term": {"words": word}},
        "suggest": {"near": {"text": word, "term": near}},
    }
