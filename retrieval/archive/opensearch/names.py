"""Who and what is named in a cluster: entities by their documents, and the tables of the register over them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from retrieval.archive.opensearch.documents import name_key, way_key
from retrieval.archive.opensearch.index import CURRENT, MOST, Body, Index
from retrieval.archive.register import KINDS, TERM, StoredNames, spelt_by
from retrieval.model import Entity, Kind
from retrieval.names.entities import CanonicalNames, Name
from retrieval.search import Scope

KEPT = 20_000  # entities in the memory of a process
KEYS = 60_000  # that one answer may have
SHOWN = ["name", "kind", "members", "spelt"]
_SPECIAL = re.compile(r'[.?+*|{}\[\]()"\\#@&<>~^$-]')  # in Lucene's regular expressions


@dataclass(frozen=True, slots=True)
class StoredEntity:
    """``members`` are the names, with their kinds, that are one entity; ``spelt`` says how each source spells it."""

    name: str
    kind: str
    members: tuple[tuple[str, str], ...]
    spelt: Mapping[str, Sequence[str]]

    @property
    def keys(self) -> list[str]:
        """By what the articles that name it are found."""
        return [name_key(*member) for member in self.members]

    @property
    def number(self) -> int:
        return int(name_key(self.name, self.kind), 16)

    def spelt_by(self, sources: Collection[str] | None, articles: Iterable[str] = ()) -> Entity:
        """Return it as these sources spell it, all where there are none given; ``KeyError`` if they never name it."""
        anywhere = set(chain.from_iterable(self.spelt.values()))
        own = anywhere if sources is None else {each for source in sources for each in self.spelt.get(source, ())}
        if not own:
            raise KeyError(self.name)
        return spelt_by(self.name, self.kind, anywhere, own, articles)


class Entities:
    """The entities of one state, each looked up once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._by_name: dict[Name, StoredEntity | None] = {}
        self._by_number: dict[int, StoredEntity] = {}
        self.having_key = lru_cache(KEPT)(self._having_key)
        self.keys = lru_cache(KEPT)(self._keys)

    def numbered(self, number: int) -> StoredEntity:
        """Return the entity with a number; ``KeyError`` if there is none."""
        known = self._by_number.get(number)
        found = [known] if known else self.found({"ids": {"values": [f"{number:014x}"]}})
        if not found:
            raise KeyError(number)
        return found[0]

    def found(self, query: Body) -> list[StoredEntity]:
        rows = self._index.rows({"query": query, "_source": SHOWN}, index=self._index.names)
        entities = [_entity(row["_source"]) for row in rows]
        if len(self._by_number) > KEPT:  # other threads may still read the one before
            self._by_number, self._by_name = {}, {}
        self._by_number.update({entity.number: entity for entity in entities})
        return entities

    def _having_key(self, key: str) -> tuple[StoredEntity, ...]:
        return tuple(self.found({"term": {"keys": key}}))

    def every(self) -> list[StoredEntity]:
        return self.found({"exists": {"field": "name"}})

    def of(self, names: Collection[Name]) -> dict[Name, StoredEntity]:
        """Return the entity of each of these names, where there is one."""
        known = {name: self._by_name[name] for name in names if name in self._by_name}
        if missing := {*names} - known.keys():
            fresh: dict[Name, StoredEntity | None] = dict.fromkeys(missing)
            for each in self.found({"terms": {"called": [name_key(*name) for name in missing]}}):
                fresh.update({(name, KINDS[kind]): each for name, kind in each.members})
            self._by_name.update(fresh)
            known |= fresh
        return {name: entity for name in names if (entity := known[name])}

    def called(self, names: Collection[Name], sources: Collection[str] | None) -> CanonicalNames:
        """Return what each of these names is called over all articles, or by some sources."""
        called: dict[Name, Name] = {}
        for name, entity in self.of(names).items():
            best = entity.spelt_by(sources) if sources is None or _names_any(entity, sources) else entity
            called[name] = (best.name, Kind(best.kind))
        return called

    def bearers(self, term: str) -> list[StoredEntity]:
        """Return the entities with ``term`` in a spelling; of two with one name, the last counts."""
        found = self.having_key(way_key(TERM, term))
        last = self.named({entity.name for entity in found})
        return [entity for entity in found if last[entity.name].kind == entity.kind]

    def named(self, names: Collection[str]) -> dict[str, StoredEntity]:
        """Return the entities with these names, the last where two have one name."""
        found = self.found({"terms": {"name": sorted(names)}}) if names else []
        return {entity.name: entity for entity in sorted(found, key=lambda each: each.kind)}

    def _keys(self, start: str) -> tuple[str, ...]:
        """Return the keys that begin so, in order."""
        pattern = _SPECIAL.sub(r"\\\g<0>", start) + ".*"
        terms = {"field": "keys", "include": pattern, "size": KEYS, "order": {"_key": "asc"}}
        [answer] = self._index.search([{"size": 0, "aggs": {"keys": {"terms": terms}}}], self._index.names)
        return tuple(bucket["key"] for bucket in answer["aggregations"]["keys"]["buckets"])

    def articles(self, entities: Sequence[StoredEntity], within: Sequence[Body]) -> list[list[str]]:
        """Return the ids of the articles that name each entity, ``MOST`` at the most."""
        bodies = [
            {
                "query": {"bool": {"filter": [*within, {"terms": {"names": entity.keys}}]}},
                "_source": False,
                "docvalue_fields": ["id"],
                "size": MOST,
            }
            for entity in entities
        ]
        answers = self._index.search(bodies)
        return [[row["fields"]["id"][0] for row in answer["hits"]["hits"]] for answer in answers]


def _names_any(entity: StoredEntity, sources: Collection[str]) -> bool:
    return any(entity.spelt.get(source) for source in sources)


def _entity(source: Body) -> StoredEntity:
    members = tuple((name, kind) for name, kind in json.loads(source["members"]))
    return StoredEntity(source["name"], source["kind"], members, json.loads(source["spelt"]))


class ClusterNames(StoredNames):
    """The tables of a register, as the sources of ``scope`` have it; ``within`` is what limits articles to it."""

    def __init__(self, entities: Entities, index: Index, scope: Scope) -> None:
        super().__init__(lambda *_: [], self._entity, self._every, bounded=scope.sources is not None)
        self._entities, self._index, self._scope = entities, index, scope
        self._within = within(scope)
        self._found: dict[int, Entity] = {}
        self._all: dict[int, Entity] | None = None

    def _entity(self, number: int) -> Entity:
        if number not in self._found:
            stored = self._entities.numbered(number)
            stored.spelt_by(self._scope.sources)
            [articles] = self._entities.articles([stored], self._within)
            self._found[number] = stored.spelt_by(self._scope.sources, articles)
        return self._found[number]

    def _every(self) -> dict[int, Entity]:
        """Return every entity, by reading all documents once."""
        if self._all is None:
            found: dict[str, list[str]] = {}
            shown = {"query": {"bool": {"filter": self._within}}, "_source": False, "docvalue_fields": ["id", "names"]}
            for row in self._index.rows(shown):
                for key in row["fields"].get("names", ()):
                    found.setdefault(key, []).append(row["fields"]["id"][0])
            self._all = {}
            for each in self._entities.every():
                articles = set(chain.from_iterable(found.get(key, ()) for key in each.keys))
                if self._scope.sources is None or _names_any(each, self._scope.sources):
                    self._all[each.number] = each.spelt_by(self._scope.sources, articles)
            self._all = dict(sorted(self._all.items(), key=lambda item: (item[1].name, item[1].kind)))
        return self._all

    def _named(self) -> Mapping[int, str]:
        return {each.number: each.name for each in self._entities.every()}

    def _having_key(self, way: int, key: str) -> set[int]:
        return {each.number for each in self._entities.having_key(way_key(way, key))}

    def keys(self, way: int, start: str) -> list[str]:
        return [key.partition(" ")[2] for key in self._entities.keys(way_key(way, start))]


def within(scope: Scope) -> list[Body]:
    """Return the conditions of an article that is within ``scope``."""
    filters: list[Body] = [{"term": {"state": CURRENT}}]
    if scope.sources is not None:
        filters.append({"terms": {"source": sorted(filter(None, scope.sources))}})
    if scope.since:
        filters.append({"range": {"day": {"gte": scope.since.isoformat()}}})
    return filters
