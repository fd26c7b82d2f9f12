"""Who and what is named in a cluster: entities by their documents, and the tables of the register over them."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from retrieval.archive.opensearch.documents import name_key, spelling_key, way_key
from retrieval.archive.opensearch.index import CURRENT, MOST, PAGE, Body, Index, all_of, each_of
from retrieval.archive.register import StoredNames, spelt_by
from retrieval.model import Entity, Kind
from retrieval.names.entities import CanonicalNames, Name
from retrieval.names.name_keys import SOUND, TERM, WHOLE, WORD, sound_key, word_key
from retrieval.search import Scope
from retrieval.text import edit_distance

CACHED = 20_000  # entities, and keys of them, in the memory of a process
KEYS = (1_000, 60_000)  # in a first answer, and in one for whoever wants more
BATCH = 200  # keys that are looked up together
FOREMOST = 20  # names that are counted for each person who is wanted: some are of no person, or of one with another
SHOWN = ["name", "kind", "members", "spelt"]
FIELDS = ("name", "called", "keys")  # by which entities are looked up
_SPECIAL = re.compile(r'[.?+*|{}\[\]()"\\#@&<>~^$-]')  # in Lucene's regular expressions


@dataclass(frozen=True, slots=True)
class StoredEntity:
    """``members`` are the names, with their kinds, that are one entity; ``spelt`` says how each source spells it.

    ``key`` is the id of its document.
    """

    key: str
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
        return int(self.key, 16)

    def ways(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """Return by what an article tells that its source spells it so: for each source and spelling, by one of these.

        Each is the source and a value of the article's ``spellings``.
        """
        return {
            (source, each): [(source, spelling_key(*member, each)) for member in self.members]
            for source, some in self.spelt.items()
            for each in some
        }

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
        self._known: dict[str, dict[str, list[StoredEntity]]] = {field: {} for field in ("_id", *FIELDS)}

    def by(self, field: str, values: Collection[str]) -> dict[str, list[StoredEntity]]:
        """Return the entities with each of these values in a field; what is not known yet is fetched all at once."""
        known = {each: self._known[field][each] for each in values if each in self._known[field]}
        if missing := {*values} - known.keys():
            fresh: dict[str, list[StoredEntity]] = {each: [] for each in missing}
            for entity, fields in self._found({"terms": {field: sorted(missing)}}):
                for each in missing.intersection(fields[field]):
                    fresh[each].append(entity)
            self._keep(field, fresh)
            known |= fresh
        return known

    def found(self, query: Body) -> list[StoredEntity]:
        return [entity for entity, _ in self._found(query)]

    def _found(self, query: Body) -> list[tuple[StoredEntity, dict[str, list[str]]]]:
        rows = self._index.rows(query, index=self._index.names, _source=SHOWN, docvalue_fields=list(FIELDS))
        found = [(stored_entity(row), {**row["fields"], "_id": [row["_id"]]}) for row in rows]
        self._keep("_id", {entity.key: [entity] for entity, _ in found})
        return found

    def _keep(self, field: str, fresh: Mapping[str, list[StoredEntity]]) -> None:
        if len(self._known[field]) > CACHED:
            self._known[field] = {}
        self._known[field].update(fresh)

    def every(self) -> list[StoredEntity]:
        return self.found({"exists": {"field": "name"}})

    def of(self, names: Collection[Name]) -> dict[Name, StoredEntity]:
        """Return the entity of each of these names, where there is one."""
        found = self.by("called", {name_key(*name) for name in names})
        return {name: entity for name in names for entity in found[name_key(*name)]}

    def called(self, names: Collection[Name], sources: Collection[str] | None) -> CanonicalNames:
        """Return what each of these names is called over all articles, or by some sources."""
        called: dict[Name, Name] = {}
        for name, entity in self.of(names).items():
            best = entity.spelt_by(sources) if _is_named(entity, sources) else entity
            called[name] = (best.name, Kind(best.kind))
        return called

    def bearers(self, terms: Collection[str]) -> dict[str, list[StoredEntity]]:
        """Return the entities with each term in a spelling; of several with one name, all if the last has it."""
        having = self.by("keys", [way_key(TERM, each) for each in terms])
        names = {entity.name for some in having.values() for entity in some}
        called, last = self.by("name", names), self.named(names)
        having = {each: [own for own in last.values() if own in having[way_key(TERM, each)]] for each in terms}
        return {each: [bearer for own in some for bearer in called[own.name]] for each, some in having.items()}

    def named(self, names: Collection[str]) -> dict[str, StoredEntity]:
        """Return the entities with these names, the last where two have one name."""
        return {name: max(some, key=lambda each: each.kind) for name, some in self.by("name", names).items() if some}


def _is_named(entity: StoredEntity, sources: Collection[str] | None) -> bool:
    return sources is None or any(entity.spelt.get(source) for source in sources)


def stored_entity(row: Body) -> StoredEntity:
    source = row["_source"]
    members = tuple((name, kind) for name, kind in json.loads(source["members"]))
    return StoredEntity(row["_id"], source["name"], source["kind"], members, json.loads(source["spelt"]))


class ClusterNames(StoredNames):
    """The tables of a register, as the sources of ``scope`` have it; ``within`` is what limits articles to it."""

    def __init__(self, entities: Entities, index: Index, scope: Scope) -> None:
        super().__init__(lambda *_: [], self._entity, lambda: self._all, bounded=scope.sources is not None)
        self._entities, self._index, self._scope = entities, index, scope
        self._within = within(scope)
        self._found: dict[int, Entity] = {}

    def _entity(self, number: int) -> Entity:
        self.load({number})
        return self._found[number]

    def load(self, numbers: AbstractSet[int]) -> None:
        """Get these entities with their articles, as far as the scope names them."""
        if not (missing := {*numbers} - self._found.keys()):
            return
        sources = self._scope.sources
        wanted = self._entities.by("_id", [f"{each:014x}" for each in missing])
        shown = [each for each in chain.from_iterable(wanted.values()) if _is_named(each, sources)]
        naming = [(all_of([*self._within, {"terms": {"names": each.keys}}]), MOST) for each in shown]
        for each, articles in zip(shown, self._index.fields("id", naming), strict=True):
            self._found[each.number] = each.spelt_by(sources, articles)

    def prepare(self, typed: Sequence[str]) -> None:
        exact = {*typed, *(word[:-1] for word in typed if word.endswith("s"))} - {""}
        words = [way_key(*key) for each in exact for key in ((WORD, word_key(each)), (SOUND, sound_key(each)))]
        self._entities.by("keys", [way_key(WHOLE, " ".join(typed)), *words])

    def near(self, word: str) -> Iterable[tuple[str, int]]:
        if len(word) < edit_distance.SHORTEST:
            return ()
        starts = {length: way_key(WORD, word_key("", length)) for length in edit_distance.lengths(word)}
        fuzzy = ({"keys": {"value": f"{each}{word}", "prefix_length": len(each)}} for each in starts.values())
        found = self._index.fields("keys", [({"fuzzy": each}, PAGE) for each in fuzzy], self._index.names)
        keys = sorted(set(chain.from_iterable(found)))
        words = {n: [key.removeprefix(start) for key in keys if key.startswith(start)] for n, start in starts.items()}
        return edit_distance.near(word, words.__getitem__)

    def people(self, most: int) -> tuple[str, ...]:
        sources = self._scope.sources
        named = {"terms": {"field": "names", "size": FOREMOST * most}}
        buckets = self._index.counted(self._within, {"named": named})["named"]["buckets"]
        called = {"terms": {"called": [each["key"] for each in buckets]}}
        found = self._entities.found(all_of([called, {"term": {"kind": Kind.PERSON.value}}]))
        people = [each for each in found if _is_named(each, sources)]
        wanted = each_of({str(n): {"terms": {"names": each.keys}} for n, each in enumerate(people)})
        counts = self._index.counted(self._within, {"people": wanted})["people"]["buckets"] if people else {}
        ranked = sorted((-counts[str(n)]["doc_count"], each.spelt_by(sources).name) for n, each in enumerate(people))
        return tuple(name for _, name in ranked[:most])

    @cached_property
    def _all(self) -> Mapping[int, Entity]:
        numbers = [each.number for each in self._entities.every()]
        for at in range(0, len(numbers), BATCH):
            self.load({*numbers[at : at + BATCH]})
        return dict(sorted(self._found.items(), key=lambda each: (each[1].name, each[1].kind)))

    def _named(self) -> Mapping[int, str]:
        return {each.number: each.name for each in self._entities.every()}

    def _having_key(self, way: int, key: str) -> set[int]:
        return self._having_keys(way, (key,))[key]

    def _having_keys(self, way: int, keys: Collection[str]) -> dict[str, set[int]]:
        found = self._entities.by("keys", [way_key(way, key) for key in keys])
        numbers = {key: {each.number for each in found[way_key(way, key)]} for key in keys}
        if self._bounded:  # what is asked then, whether these sources spell it so, is asked of all at once too
            self.load({each for some in numbers.values() for each in some})
        return numbers

    def keys(self, way: int, start: str) -> Iterator[str]:
        begun, seen = way_key(way, start), 0
        for most in KEYS:
            # those that begin with a key come after it
            include = _SPECIAL.sub(r"\\\g<0>", begun) + ".*"
            terms = {"field": "keys", "include": include, "size": most, "order": {"_key": "asc"}}
            body = {"size": 0, "query": {"prefix": {"keys": begun}}, "aggs": {"keys": {"terms": terms}}}
            [answer] = self._index.search([body], self._index.names)
            buckets = answer["aggregations"]["keys"]["buckets"]
            for at in range(seen, len(buckets), BATCH):
                some = [bucket["key"].partition(" ")[2] for bucket in buckets[at : at + BATCH]]
                if self._bounded:  # all at once, so that each is known to whoever asks of it
                    self._having_keys(way, some)
                yield from some
            if len(buckets) < most:
                return
            seen = len(buckets)


def within(scope: Scope) -> list[Body]:
    filters: list[Body] = [{"term": {"state": CURRENT}}]
    if scope.sources is not None:
        filters.append({"terms": {"source": sorted(filter(None, scope.sources))}})
    if scope.since:
        filters.append({"range": {"day": {"gte": scope.since.isoformat()}}})
    return filters
