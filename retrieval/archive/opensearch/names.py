"""Entities -> documents of names, one for each article that has one; what is typed -> the entities it may mean.

The index proposes every entity with a word that may be meant; which it is, and how certainly, is judged by the same
register as in memory, made of those alone. So a question about one name never loads them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from opensearchpy import OpenSearch

from retrieval.archive.opensearch.connection import WHOLE, every, translated
from retrieval.archive.opensearch.recent import Recent
from retrieval.archive.opensearch.schema import Body
from retrieval.archive.question_names import HeldSpellings, QuestionNames, key_of, keys_of
from retrieval.model import Entity, Kind
from retrieval.names.name_index import Match, NameIndex, untitled
from retrieval.names.name_tables import HeldTables, heard, plain, ways
from retrieval.text.neighbours import slips_in

SEPARATOR = "\t"  # in what is typed no more: it is white space
MOST = 1000  # entities that are judged for one name
SPELLINGS = 200  # of one entity
LISTED = 25  # entities of which it is said in which articles they are: nobody is shown more
ARTICLES = 10_000  # that are named of one entity
LONGEST = 12  # words of a name in a question
AGE = 30.0  # seconds for which a name once looked up is taken for the same


def name_document(entity: Entity) -> Body:
    """Return what an entity of one article is found by."""
    return dict(_found_by(Entity(entity.name, entity.kind, entity.variants)))


@lru_cache(maxsize=1 << 13)
def _found_by(entity: Entity) -> Body:
    """Return the same, which is one for all articles in which the entity is spelt alike."""
    found = ways(entity)
    return {
        "key": SEPARATOR.join((entity.name, entity.kind)),
        "variants": list(entity.variants),
        "spelt": sorted(found.whole),
        "words": sorted(found.words),
        "sounds": sorted(found.sounds),
        "terms": sorted(" ".join(key) for key in keys_of(entity)),
        "begun": sorted(SEPARATOR.join(pair) for pair in found.begun),
        "within": sorted(SEPARATOR.join(pair) for pair in found.within),
    }


class IndexedNames(NameIndex):
    """Everyone and everything named, looked up in the index ``name``."""

    def __init__(self, client: OpenSearch, name: str) -> None:
        super().__init__(HeldTables(()))
        self._client = client
        self._name = name
        self._recent: Recent[str, tuple[Match, ...]] = Recent(AGE)

    def find(self, text: str) -> tuple[Match, ...]:
        """Return the entities that ``text`` may be a name of, most certain first; every word of it must fit."""
        found = self._recent.get(text)
        if found is None:
            found = self._found(text)
            self._recent.put(text, found)
        return found

    def clear(self) -> None:
        """Look everyone up again: something was changed."""
        self._recent.clear()

    def _found(self, text: str) -> tuple[Match, ...]:
        asked = untitled(plain(text).split())
        if not asked:
            return ()
        every = {"bool": {"filter": [_may_be(word) for word in asked]}}
        proposed = self._proposed({"bool": {"should": [{"term": {"spelt": " ".join(asked)}}, every]}})
        matches = NameIndex(HeldTables(proposed)).find(text)
        where = self._articles([match.entity for match in matches[:LISTED]])
        return tuple(Match(where.get(_key(match.entity), match.entity), match.certainty) for match in matches)

    def everyone(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""
        shown = {"_source": ["key", "variants", "of"]}
        found = every(self._client, self._name, {"match_all": {}}, [{"key": "asc"}, {"of": "asc"}], shown)
        return tuple(grouped(hit["_source"] for hit in found))

    def nearest(self, text: str) -> Iterator[Entity]:
        """Yield the entities whose names are spelt most like ``text``, most alike first."""
        return NameIndex(HeldTables(self.everyone())).nearest(text)

    def beginning(self, prefix: str, limit: int = 25) -> tuple[str, ...]:
        """Return spellings one of whose words begins with ``prefix``: first those that begin with it themselves."""
        typed = plain(prefix)
        if not typed:
            return ()
        # plain names are letters, digits and spaces, which stand for themselves in a pattern
        begins: Body = {"include": f"{typed}.*", "size": limit * 4, "order": {"_key": "asc"}}
        # by the ordinals of all names, 2.19 fails where what is typed comes after the last of them in the alphabet
        begins["execution_hint"] = "map"
        either = [{"prefix": {field: typed}} for field in ("begun", "within")]
        asked = {field: {"terms": {"field": field, **begins}} for field in ("begun", "within")}
        found = self._aggregated({"bool": {"should": either}}, asked)
        spelt = (row["key"].split(SEPARATOR)[1] for field in asked for row in found[field]["buckets"])
        return tuple(dict.fromkeys(list(spelt)[: limit * 4]))[:limit]

    def named(self, asked: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities named among the folded words ``asked``, in order, longer names first."""
        key = key_of(asked)
        runs = {" ".join(key[at : at + n]) for at in range(len(key)) for n in range(1, LONGEST + 1)}
        if not runs:
            return ()
        counts = self._counted({"terms": {"terms": sorted(runs)}})
        return QuestionNames(HeldSpellings(counts, lambda e: (-counts[e], e.name, e.kind))).named(asked)

    def known(self, names: Iterable[str]) -> dict[str, Entity]:
        """Return the entities with these names, of any kind, by name; the articles they are in are not told."""
        keys = [SEPARATOR.join((name, kind)) for name in sorted(set(names)) for kind in Kind]
        return {entity.name: entity for entity in self._proposed({"terms": {"key": keys}})} if keys else {}

    def _proposed(self, query: Body) -> tuple[Entity, ...]:
        return tuple(sorted(self._counted(query), key=lambda entity: (entity.name, entity.kind)))

    def _counted(self, query: Body) -> dict[Entity, int]:
        """Return the entities of the documents that a query finds, each with the number of its articles."""
        spelt = {"variants": {"terms": {"field": "variants", "size": SPELLINGS}}}
        found = self._aggregated(query, {"names": {"terms": {"field": "key", "size": MOST}, "aggs": spelt}})
        return {
            _entity(row["key"], (each["key"] for each in row["variants"]["buckets"])): int(row["doc_count"])
            for row in found["names"]["buckets"]
        }

    def _articles(self, named: Sequence[Entity]) -> Mapping[str, Entity]:
        """Return entities with the articles they are in, by key."""
        if not named:
            return {}
        keys = [_key(entity) for entity in named]
        where = {"of": {"terms": {"field": "of", "size": ARTICLES}}}
        asked = {"names": {"terms": {"field": "key", "include": keys, "size": len(keys)}, "aggs": where}}
        found = self._aggregated({"terms": {"key": keys}}, asked)["names"]["buckets"]
        there = {row["key"]: tuple(sorted(each["key"] for each in row["of"]["buckets"])) for row in found}
        return {_key(e): Entity(e.name, e.kind, e.variants, there.get(_key(e), ())) for e in named}

    def _aggregated(self, query: Body, aggregations: Body) -> Body:
        body = {"size": 0, "track_total_hits": False, "query": {"bool": {"filter": query}}, "aggs": aggregations}
        with translated():
            found = self._client.search(index=self._name, body=body, params=WHOLE)
        return dict(found["aggregations"])


def grouped(rows: Iterable[Body]) -> Iterator[Entity]:
    """Yield the entities of documents of names that come sorted by their key."""
    key, variants, articles = "", set[str](), list[str]()
    for row in rows:
        if row["key"] != key:
            if key:
                yield _entity(key, variants, articles)
            key, variants, articles = row["key"], set(), []
        variants.update(row["variants"])
        articles.append(row["of"])
    if key:
        yield _entity(key, variants, articles)


def _entity(key: str, variants: Iterable[str], articles: Iterable[str] = ()) -> Entity:
    name, kind = key.split(SEPARATOR)
    return Entity(name, Kind(kind), tuple(sorted(variants)), tuple(sorted(articles)))


def _key(entity: Entity) -> str:
    return SEPARATOR.join((entity.name, entity.kind))


def _may_be(word: str) -> Body:
    """Return the query for the names with a word that ``word`` may be: itself, as it sounds, or misspelt."""
    slips = slips_in(word)
    forms = {word} | ({word[:-1]} if slips and word.endswith("s") else set())
    either: list[Body] = [
        {"terms": {"words": sorted(forms)}},
        {"terms": {"sounds": sorted({heard(form) for form in forms})}},
    ]
    if slips:
        near = {"value": word, "fuzziness": slips, "prefix_length": 0, "max_expansions": MOST}
        either.append({"fuzzy": {"words": near}})
    return {"bool": {"should": either}}
