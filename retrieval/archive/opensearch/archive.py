"""An archive in a cluster, searched there: it proposes articles, and the best of their sentences are chosen here.

A process keeps nothing but what it looked at last. Scores are those of an archive in a file, to the last bit: how
often a term occurs is counted in the cluster.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import chain, islice
from operator import attrgetter

from retrieval.archive import fields, occurrences
from retrieval.archive.interface import Archive, Vocabulary
from retrieval.archive.opensearch import documents
from retrieval.archive.opensearch.documents import REPORT, SHOWN, Score, Statistics, StoredArticle, unpack
from retrieval.archive.opensearch.filling import ClusterArrivals, ClusterRetirements, remove
from retrieval.archive.opensearch.index import LEVELS, PAGE, SIZES, Body, Head, Index, all_of, any_of, each_of, nested
from retrieval.archive.opensearch.names import ClusterNames, Entities, StoredEntity, within
from retrieval.archive.register import Register
from retrieval.archive.segments import Totals
from retrieval.archive.state import readable
from retrieval.archive.versions import day_of, listed, parse_day, summary
from retrieval.errors import DamagedArticleError, NoArticlesError
from retrieval.model import Article, Reading
from retrieval.names.aliases import Aliases
from retrieval.names.entities import with_names
from retrieval.search import EVERYTHING, Hit, Listed, Occurrence, Outlet, Query, Scope, Searchable, VersionSummary
from retrieval.text.terms import Phrase, term, words

ARTICLES_KEPT = 512  # in the memory of a process
MARGIN = 20  # articles that are looked into beside those that are wanted
EXPLORED = 8  # times as many neighbours as are wanted: of 100 nearest sentences that finds more than 99
SUGGESTED = 100  # spellings of a word
OUTLETS = 1_000  # that are counted
TEXTS = 50  # documents with their texts in one answer
FACTS = ["id", "digest", "source", "published", "title", "url"]
VERSIONS = ["id", "digest", "current", "earlier"]

READING = attrgetter("reading")

Place = tuple[str, int]


class Epoch:
    """What was looked at in one state of the archive; it is thrown away with it."""

    def __init__(self, index: Index, head: Head) -> None:
        self.head, self._index = head, index
        self.entities = entities = Entities(index)
        self._articles: dict[str, StoredArticle] = {}
        self._totals: list[Totals] = []
        self._frequencies: list[dict[str, int]] = [{} for _ in LEVELS]
        self.register = lru_cache(None)(lambda scope: Register(ClusterNames(entities, index, scope)))

    def named(self, sources: Collection[str] | None, *readings: Reading) -> list[Reading]:
        """Return readings with names as they are over all articles, or over those of some sources."""
        called = self.entities.called(fields.names_of(*readings), sources)
        return [with_names(reading, called) for reading in readings]

    def stored(self, article_ids: Collection[str]) -> dict[str, StoredArticle]:
        """Return the current versions of articles, each fetched once."""
        known = {each: self._articles[each] for each in article_ids if each in self._articles}
        if missing := [each for each in article_ids if each not in known]:
            filters = [{"ids": {"values": list(map(documents.article_key, missing))}}, *within(EVERYTHING)]
            rows = self._index.rows(all_of(filters), size=TEXTS, _source=list(SHOWN))
            found = (StoredArticle(row["_source"]) for row in rows)
            known |= {article.id: article for article in found}
            if len(self._articles) > ARTICLES_KEPT:  # other threads may still read the one before
                self._articles = {}
            self._articles.update(known)
        return known

    def statistics(self, terms: Sequence[str]) -> Statistics:
        """Return the statistics of these terms, and of others that were asked for before."""
        missing = [term for term in dict.fromkeys(terms) if term not in self._frequencies[-1]]
        if missing or not self._totals:
            aggregations: Body = {name: {"sum": {"field": name}} for name in SIZES}
            aggregations |= {f"in_{level}": _frequencies(missing, level) for level in LEVELS if missing}
            found = self._index.counted(within(EVERYTHING), aggregations)
            sizes = [int(found[name]["value"]) for name in SIZES]
            for known, level in zip(self._frequencies, LEVELS, strict=True):
                known.update(_counts(found[f"in_{level}"], missing) if missing else {})
            self._totals = [Totals(*each) for each in zip(sizes[:3], sizes[3:], strict=True)]
        return list(zip(self._totals, self._frequencies, strict=True))

    def sentences(self) -> int:
        return self.statistics(())[0][0].documents

    def frequencies(self, terms: Collection[str], scope: Scope) -> Mapping[str, int]:
        """Return in how many sentences within a scope each term occurs."""
        wanted = list(dict.fromkeys(terms))
        if scope != EVERYTHING:
            found = self._index.counted(within(scope), {"sentences": _frequencies(wanted, "sentences")})
            return _counts(found["sentences"], wanted)
        _, known = self.statistics(wanted)[0]
        return {term: known[term] for term in wanted}

    def spelt_like(self, word: str) -> Callable[[int], Mapping[str, int]]:
        """Return what maps the words of a length to how many articles have each: those that are spelt like ``word``.

        It is among them if an article has it.
        """
        how = {"suggest_mode": "always", "prefix_length": 0, "size": SUGGESTED, "sort": "frequency"}
        # the server finds no word with two slips whose first letter is another, so it looks from the end too
        texts = {"words": word, "backwards": word[::-1]}
        body = {
            "size": 0,
            "suggest": {field: {"text": text, "term": {**how, "field": field}} for field, text in texts.items()},
            "aggs": {"same": {"filter": {"term": {"words": word}}}},
        }
        [answer] = self._index.search([body])
        options = (
            (field, each) for field, parts in answer["suggest"].items() for part in parts for each in part["options"]
        )
        known = {each["text"][:: -1 if field == "backwards" else 1]: each["freq"] for field, each in options}
        if same := answer["aggregations"]["same"]["doc_count"]:
            known[word] = same
        return lambda length: {each: many for each, many in known.items() if len(each) == length}


class ClusterArchive(Archive):
    """The archive that ``index`` has; every method raises ``ArchiveError`` if the cluster does not answer."""

    retirements: ClusterRetirements
    arrivals: ClusterArrivals

    def __init__(self, index: Index) -> None:
        self._index, self.place = index, index.place
        self._local = threading.local()
        self._latest: list[Epoch] = []
        self.retirements, self.arrivals = ClusterRetirements(index), ClusterArrivals(index)

    def __reduce__(self) -> tuple[object, ...]:
        """Connect to the same indexes in another process."""
        return ClusterArchive, (self._index,), {"_scope": self._scope, "_sources": self._sources}

    @property
    def aliases(self) -> Aliases:
        with self._state() as state:
            return state.head.aliases

    def close(self) -> None:
        self._index.close()

    @contextmanager
    def _state(self) -> Iterator[Epoch]:
        opened: Epoch | None = getattr(self._local, "state", None)
        if opened:
            yield opened
            return
        head = self._index.head()
        if head is None or not head.whole:
            raise NoArticlesError(f"There is no article yet in {self.place}: `stet fill` puts some there.")
        is_filled = head.whole == head.begun  # else what is seen may change under the same head
        known = next((each for each in self._latest if each.head == head and is_filled), None)
        state = known or Epoch(self._index, head)
        self._latest[:] = [state]
        self._local.state = state
        try:
            yield state
        finally:
            self._local.state = None

    def revision(self) -> object:
        with self._state() as state:
            return state.head if state.head.whole == state.head.begun else object()

    def article(self, article_id: str) -> Article:
        with self._state() as state:
            return self._stored(state, article_id).reading.article

    def reading(self, article_id: str) -> Reading:
        with self._state() as state:
            return state.named(self._sources.sources, self._stored(state, article_id).reading)[0]

    def _stored(self, state: Epoch, article_id: str) -> StoredArticle:
        stored = state.stored([article_id]).get(article_id)
        if stored is None or not self._sources.holds(stored.source, None):
            raise KeyError(article_id)
        return stored

    def addressed(self, key: str) -> Reading | None:
        with self._state() as state:
            query = all_of([{"term": {"keys": key}}, *within(EVERYTHING)])
            rows = self._index.rows(query, _source=VERSIONS, size=TEXTS)
            found = [reading for row in rows for reading in _versions(row["_source"]) if reading.article.key == key]
            if len({(each.article.id, each.article.text) for each in found}) != 1:
                return None
            shows = self._sources.holds(found[-1].article.source, None)
            return state.named(self._sources.sources, found[-1])[0] if shows else None

    def superseded(self, most: int) -> tuple[tuple[str, str], ...]:
        latest, found = [{"retired_at": {"order": "desc", "mode": "max"}}], list[tuple[int, str, str]]()
        with self._state():
            rows = self._index.rows(all_of(within(EVERYTHING)), latest, size=most, _source=["id", "keys", "retired"])
            sources = [row["_source"] for row in islice(rows, most)]
        for source in sources:
            last = {key: number for number, key, _, removed in json.loads(source["retired"]) if not removed}
            found += [(number, source["id"], key) for key, number in last.items() if key in source["keys"][:-1]]
        return tuple((article_id, key) for _, article_id, key in sorted(found, reverse=True)[:most])

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        with self._state() as state:
            history = self._stored(state, article_id).history
            return tuple(summary(**each) for each in history if self._sources.holds(each["source"], None))

    def listed(
        self,
        terms: Collection[str] = (),
        facets: Collection[str] = (),
        newest: int | None = None,
        *,
        named: Collection[str] | None = None,
        quoting: Collection[str] = (),
    ) -> tuple[Listed, ...]:
        with self._state() as state:
            conditions = [any_of(_having(term, bearers)) for term, bearers in state.entities.bearers(terms).items()]
            if facets:
                conditions.append({"terms": {"facets": sorted(facets)}})
            if named is not None:
                conditions.append(any_of([{"terms": {field: sorted(named)}} for field in ("id", "url")]))
            if quoting:
                conditions.append(any_of([_quoting(each) for each in quoting]))
            conditions += within(self._scope)
            shown = [*FACTS, "copies", *(["current"] if quoting else [])]
            order = [{"published": {"order": "desc", "missing": "_last"}}] if newest is not None else []
            rows = self._index.rows(all_of(conditions), order, _source=shown, size=TEXTS if quoting else PAGE)
            sources = (row["_source"] for row in rows)
            if quoting:
                texts = ((each, unpack(each["current"])[0].replace("\n", " ")) for each in sources)
                sources = (each for each, text in texts if any(quotation in text for quotation in quoting))
            found = (listed([*map(source.get, FACTS)], source["copies"]) for source in islice(sources, newest))
            return tuple(sorted(found, key=lambda each: each.id))

    def remove(self, article_id: str, *more: str) -> None:
        """Delete articles with all their versions, or finish that; ``KeyError`` if one of the ids is unknown."""
        unfinished = {each.article for each in self.retirements.unfinished()}
        for each in (article_id, *more):
            if each not in unfinished and not self.listed(named=[each]):
                raise KeyError(each)
        remove(self._index, [article_id, *more])

    def outlets(self) -> tuple[Outlet, ...]:
        days = {each: {each: {"field": "published", "format": "strict_date"}} for each in ("min", "max")}
        each = {**days, "taken": {"min": {"field": "taken"}}}
        by_source = {"terms": {"field": "source", "missing": "", "size": OUTLETS}, "aggs": each}
        with self._state():
            buckets = self._index.counted(within(self._scope), {"outlets": by_source})["outlets"]["buckets"]
        return tuple(
            Outlet(
                bucket["key"],
                bucket["doc_count"],
                parse_day(bucket["min"].get("value_as_string")),
                parse_day(bucket["max"].get("value_as_string")),
                None if self._scope.since else day_of(bucket["taken"]["value"]),
            )
            for bucket in sorted(buckets, key=lambda bucket: str(bucket["key"]))
        )

    def search(self, query: Query, limit: int, near: int = 0) -> tuple[Hit, ...]:
        scope = within(self._scope)
        vector = query.vector
        with self._state() as state:
            searches = [(documents.best_by_words(query, scope), limit + MARGIN)] if limit and query.terms else []
            if near and vector is not None and state.head.vectors:
                knn = {"vector": vector.tolist(), "k": EXPLORED * near, "filter": all_of(scope)}
                searches.append((nested("sentences", {"knn": {"sentences.vector": knn}}), near + MARGIN))
            statistics = state.statistics([term for term, _ in query.terms])
            articles = state.stored(dict.fromkeys(chain.from_iterable(self._index.fields("id", searches))))
            scores: dict[Place, Score] = {}
            nearness: dict[Place, float] = {}
            for article in articles.values():
                scores.update(((article.id, index), score) for index, score in article.scores(query, statistics))
                if near and vector is not None:
                    nearness.update(((article.id, index), each) for index, each in article.nearness(vector))
            best = sorted(scores, key=lambda place: (-scores[place][0], place))
            by_words = dict.fromkeys([place for place in best if scores[place][0] > 0][:limit])
            nearest = set(sorted(nearness, key=lambda place: (-nearness[place], place))[:near])
            wanted = [*by_words, *(place for place in best if place in nearest and place not in by_words)]
            found = {key: articles[key] for key in dict(wanted) if readable(READING, articles[key])}
            readings = [each.reading for each in found.values()]
            named = {each.article.id: each.passages for each in state.named(self._sources.sources, *readings)}
            names = fields.names_of(*readings)
            entities = state.entities.of(names).values()  # all at once, and so are those that ``searchable`` needs
            state.entities.named({name for name, _ in names} | {each.name for each in entities})
            cosines = {key: {} if vector is None else each.cosines(vector) for key, each in found.items()}
            return tuple(
                Hit(key, named[key][index], *scores[key, index], found[key].digest, cosines[key].get(index, ()))
                for key, index in wanted
                if key in found
            )

    def written(self, phrase: Phrase) -> tuple[Occurrence, ...]:
        if not phrase.terms:
            return ()
        sentence = [{"terms": {"sentences.terms": sorted(each)}} for each in phrase.terms]
        within_one = nested("sentences", all_of([*sentence, {"term": {"sentences.kind": REPORT}}]))
        with self._state():
            query = all_of([within_one, *within(self._scope)])
            rows = self._index.rows(query, _source=[*SHOWN, "earlier"], size=TEXTS)
            found = (StoredArticle(row["_source"]).occurrence(phrase) for row in rows)
            return occurrences.in_order(each for each in found if each)

    def readings(self, article_ids: Collection[str] = (), facets: Collection[str] = ()) -> Iterator[Reading]:
        either = any_of([{"terms": {"id": sorted(article_ids)}}, {"terms": {"facets": sorted(facets)}}])
        order = [{"published": {"order": "desc", "missing": "_last"}}]
        with self._state() as state:
            pass
        query = all_of([either, *within(self._scope)])
        for row in self._index.rows(query, order, _source=list(SHOWN), size=TEXTS):
            if reading := readable(READING, StoredArticle(row["_source"])):
                yield from state.named(self._sources.sources, reading)

    def searchable(self, article_ids: Collection[str]) -> Mapping[str, tuple[Searchable, ...]]:
        with self._state() as state:
            stored = state.stored(article_ids)
            held = (stored[each] for each in article_ids if each in stored)
            shown = (readable(READING, each) for each in held if self._sources.holds(each.source, None))
            readings = state.named(None, *filter(None, shown))
            named = state.entities.named({name for name, _ in fields.names_of(*readings)})
            entities = {name: each.spelt_by(None) for name, each in named.items()}
            return {reading.article.id: fields.searchable(reading, entities) for reading in readings}

    def register(self) -> Register:
        with self._state() as state:
            return state.register(self._scope)

    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self._state, self._sources)


def _frequencies(terms: Sequence[str], level: str) -> Body:
    field = "article" if level == LEVELS[2] else f"{level}.terms"
    counted = each_of({str(n): {"term": {field: term}} for n, term in enumerate(terms)})
    return counted if level == LEVELS[2] else {"nested": {"path": level}, "aggs": {"terms": counted}}


def _counts(found: Body, terms: Sequence[str]) -> dict[str, int]:
    buckets = found.get("terms", found)["buckets"]
    return {term: buckets[str(n)]["doc_count"] for n, term in enumerate(terms)}


def _having(term: str, bearers: Iterable[StoredEntity]) -> list[Body]:
    """Return the conditions of which an article with a term meets one: in a sentence, or by a name."""
    return [
        nested("sentences", {"term": {"sentences.terms": term}}),
        {"terms": {"names": sorted({key for each in bearers for key in each.keys})}},
        {"term": {"facets": fields.described_by(term)}},
    ]


def _quoting(text: str) -> Body:
    """Return a condition of all articles that quote ``text``: they have all words but those that it may cut."""
    whole = [each for each in words(text)[1:-1] if term(each)]
    return all_of({"term": {"article": term(each)}} for each in whole)


def _versions(source: Body) -> Iterator[Reading]:
    """Yield the readings of all versions, the current one last; damaged ones are left out."""
    for version in (*unpack(source["earlier"]), (source["digest"], *unpack(source["current"]))):
        with suppress(DamagedArticleError):
            yield documents.reading_of(source["id"], *version)
