"""Readings -> what one moment's archive holds, each part of its index built once, or taken from an earlier start."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from retrieval.archive.fields import Fields, fields, paragraphs, searchable, synopsis, whole
from retrieval.archive.listing import outlets
from retrieval.archive.postings import Documents, Postings, Scores, index, part, postings_of
from retrieval.archive.question_names import HeldSpellings, QuestionNames
from retrieval.archive.spelling import Spellings
from retrieval.archive.synopses import facets, newest_first
from retrieval.cache.index_parts import Part, Parts
from retrieval.model import Article, Boilerplate, Entity, Kind, Reading
from retrieval.names.entities import entities
from retrieval.names.name_index import NameIndex
from retrieval.names.name_tables import HeldTables
from retrieval.search import ARTICLE, EVERYTHING, PARAGRAPH, Hit, Outlet, Query, Scope, Searchable, Synopsis

T = TypeVar("T")

Places = NDArray[np.intp]  # numpy looks up by no other kind without converting it first
Mask = NDArray[np.bool_]

SCOPES = 64  # at hand

READY = "ready"  # the part that is kept after all the others


class Snapshot:
    """What one moment's archive holds; worked out once, when first asked for, and never changed."""

    def __init__(self, readings: Mapping[str, Reading], articles: Iterable[Article], parts: Parts) -> None:
        self.readings = readings
        self.articles = {article.id: article for article in sorted(articles, key=lambda article: article.id)}
        self._ids = tuple(self.articles)
        self._parts = parts
        self._searchable: dict[str, tuple[Searchable, ...]] = {}

    def _kept(self, name: str, build: Callable[[], T], take: Callable[[Part], T], give: Callable[[T], Part]) -> T:
        """Return a part that was kept, else build it and keep it."""
        found = self._parts.get(name)
        try:
            if found is not None:
                return take(found)
        except (LookupError, TypeError, ValueError):  # whatever it is, it is no part of ours
            pass
        built = build()
        self._parts.put(name, give(built))
        return built

    def _postings(self, name: str, documents: Callable[[], Sequence[Sequence[str]]]) -> Postings:
        return self._kept(name, lambda: index(documents()), postings_of, part)

    @property
    def _each(self) -> Iterable[Reading]:
        return (self.readings[article_id] for article_id in self._ids)

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """Everyone and everything named, by name."""
        return self._kept("entities", self._named, _entities_of, _entities_part)

    def _named(self) -> tuple[Entity, ...]:
        mentions = {r.article.id: tuple(p.mentions for p in r.passages) for r in self._each}
        return entities(mentions, {article.id: article.text for article in self.articles.values()})

    @cached_property
    def _synopses(self) -> dict[str, Synopsis]:
        """What was read in each article, without its words; the newest article first."""
        newest = sorted(self.articles.values(), key=newest_first)
        return {article.id: synopsis(self.readings[article.id]) for article in newest}

    @cached_property
    def _by_facet(self) -> dict[str, set[str]]:
        """The ids of the articles with each facet."""
        found: dict[str, set[str]] = {}
        for each in self._synopses.values():
            for facet in facets(each):
                found.setdefault(facet, set()).add(each.article_id)
        return found

    def synopses(self, article_ids: Collection[str], wanted: Collection[str], scope: Scope) -> Iterator[Synopsis]:
        """Yield those of the articles with these ids or one of the facets, within ``scope``, newest first."""
        there = {*article_ids}.union(*(self._by_facet.get(facet, ()) for facet in wanted))
        for each in self._synopses.values() if there else ():
            article = self.articles[each.article_id]
            if each.article_id in there and scope.holds(article.source, article.published):
                yield each

    @cached_property
    def outlets(self) -> tuple[Outlet, ...]:
        """How many articles there are of each source, and of which days, by source."""
        return outlets(self.articles.values())

    @cached_property
    def by_key(self) -> dict[str, list[str]]:
        """The ids of the articles that a key stands for."""
        found: dict[str, list[str]] = {}
        for article in self.articles.values():
            found.setdefault(article.key, []).append(article.id)
        return found

    @cached_property
    def directory(self) -> QuestionNames:
        """The same by their spellings."""
        return QuestionNames(HeldSpellings(self.entities))

    @cached_property
    def register(self) -> NameIndex:
        """The same, to be looked up however a name is typed."""
        return NameIndex(HeldTables(self.entities))

    @cached_property
    def _by_name(self) -> dict[str, Entity]:
        return {entity.name: entity for entity in self.entities}

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences."""
        if "_fields" in self.__dict__:
            return self._fields.sentences[article_id]
        if article_id not in self._searchable:
            self._searchable[article_id] = searchable(self.readings[article_id], self._by_name)
        return self._searchable[article_id]

    @cached_property
    def _fields(self) -> Fields:
        """The terms of every sentence, to build the parts from; not wanted where all of them are kept."""
        return fields(self._each, self.entities)

    @cached_property
    def sentences(self) -> Postings:
        """Sentences by their own terms."""
        return self._postings(
            "sentences", lambda: [sentence.own for held in self._fields.sentences.values() for sentence in held]
        )

    @cached_property
    def _names(self) -> Postings:
        """Sentences by the names around them, their speaker's among them."""
        return self._postings(
            "names", lambda: [(*s.speaker, *s.around) for held in self._fields.sentences.values() for s in held]
        )

    @cached_property
    def _paragraphs(self) -> tuple[Postings, Places]:
        """Paragraphs under their article's title, and the number of each sentence's."""
        return self._kept("paragraphs", self._built_paragraphs, _fields_of, _fields_part)

    def _built_paragraphs(self) -> tuple[Postings, Places]:
        documents: list[tuple[str, ...]] = []
        of: list[int] = []
        for reading in self._each:
            found = paragraphs(reading, self._fields.sentences[reading.article.id])
            numbers = {paragraph: len(documents) + n for n, paragraph in enumerate(found)}
            of.extend(numbers[passage.sentence.paragraph] for passage in reading.passages)
            documents.extend(found.values())
        return index(documents), np.array(of, np.intp)

    @cached_property
    def _articles(self) -> tuple[Postings, Places]:
        """Articles, and the number of each sentence's."""
        return self._kept("articles", self._built_articles, _fields_of, _fields_part)

    def _built_articles(self) -> tuple[Postings, Places]:
        lengths = [len(reading.passages) for reading in self._each]
        documents = [whole(reading, self._fields.sentences[reading.article.id]) for reading in self._each]
        return index(documents), np.repeat(np.arange(len(lengths), dtype=np.intp), lengths)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """The number of each article's first sentence."""
        return np.searchsorted(self._articles[1], np.arange(len(self._ids)))

    @cached_property
    def _boilerplate(self) -> dict[Boilerplate, Places]:
        """The numbers of the sentences of each kind of boilerplate."""
        return self._kept("boilerplate", self._built_boilerplate, _boilerplate_of, _boilerplate_part)

    def _built_boilerplate(self) -> dict[Boilerplate, Places]:
        found: dict[Boilerplate, list[int]] = {kind: [] for kind in Boilerplate}
        every = (passage for reading in self._each for passage in reading.passages)
        for number, passage in enumerate(every):
            if passage.sentence.boilerplate:
                found[passage.sentence.boilerplate].append(number)
        return {kind: np.array(numbers, np.intp) for kind, numbers in found.items()}

    @cached_property
    def _within(self) -> Callable[[Scope], Mask]:
        """What tells which articles are within a scope, by their numbers."""
        told = [(article.source, article.published) for article in self.articles.values()]

        # without this snapshot itself: it would wait for the collector then
        @lru_cache(SCOPES)
        def within(scope: Scope) -> Mask:
            return np.fromiter((scope.holds(*each) for each in told), np.bool_, len(told))

        return within

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits, best first."""
        (by_paragraph, paragraph_of), (by_article, article_of) = self._paragraphs, self._articles
        own = self.sentences.scores(query.terms)
        paragraph, article = by_paragraph.scores(query.terms), by_article.scores(query.terms)
        # weighed before they are handed to sentences, of which there are more
        total = own + (PARAGRAPH * paragraph)[paragraph_of]
        total += (ARTICLE * article)[article_of]
        for kind, numbers in self._boilerplate.items():
            if kind not in query.boilerplate:
                total[numbers] = 0.0
        if query.scope != EVERYTHING:
            total[~self._within(query.scope)[article_of]] = 0.0
        return tuple(
            self._hit(n, total[n], own[n], paragraph[paragraph_of[n]], article[article_of[n]])
            for n in _best(total, limit)
        )

    def _hit(self, number: int, *scores: np.float64) -> Hit:
        article_id, place = self._place(number)
        return Hit(article_id, self.readings[article_id].passages[place], *map(float, scores))

    def _place(self, number: int) -> tuple[str, int]:
        article = int(self._articles[1][number])
        return self._ids[article], number - int(self._starts[article])

    def holding(self, terms: Collection[str], scope: Scope) -> tuple[tuple[str, int], ...]:
        """Return the place of every sentence within ``scope`` that holds all of ``terms``."""
        found: list[Places | Documents] = [
            np.union1d(self.sentences.of(term)[0], self._names.of(term)[0]) for term in terms
        ]
        if not found:
            return ()
        return tuple(self._place(int(number)) for number in self._among(reduce(np.intersect1d, found), scope))

    def frequency(self, term: str, scope: Scope) -> int:
        """Return how many sentences within ``scope`` hold ``term``."""
        return (
            self.sentences.frequency(term)
            if scope == EVERYTHING
            else len(self._among(self.sentences.of(term)[0], scope))
        )

    def _among(self, numbers: Places | Documents, scope: Scope) -> Places | Documents:
        """Return those of these sentences that are within ``scope``."""
        return numbers if scope == EVERYTHING else numbers[self._within(scope)[self._articles[1][numbers]]]

    @cached_property
    def spellings(self) -> Spellings:
        """The words of the articles, to hold a misspelt one against."""
        return Spellings(self._kept("words", lambda: dict(self._fields.words), _counts_of, _counts_part))

    def make_ready(self) -> None:
        """Build every part now, except those that are kept, which are loaded when first used."""
        if self._parts.get(READY) is not None:
            return
        _ = (
            self.sentences,
            self._names,
            self._paragraphs,
            self._articles,
            self._boilerplate,
            self.spellings,
            self.directory,
            self.register,
        )
        self._parts.put(READY, {})


def _fields_of(found: Part) -> tuple[Postings, Places]:
    return postings_of(found), cast("Places", found["of"])


def _fields_part(built: tuple[Postings, Places]) -> Part:
    return {**part(built[0]), "of": built[1]}


def _entities_of(found: Part) -> tuple[Entity, ...]:
    rows = cast("Sequence[tuple[str, str, list[str], list[str]]]", found["entities"])
    kinds = {kind.value: kind for kind in Kind}
    return tuple([Entity(name, kinds[kind], tuple(variants), tuple(there)) for name, kind, variants, there in rows])


def _entities_part(built: Sequence[Entity]) -> Part:
    return {"entities": [(each.name, each.kind, each.variants, each.articles) for each in built]}


def _boilerplate_of(found: Part) -> dict[Boilerplate, Places]:
    return {kind: cast("Places", found[kind.value]) for kind in Boilerplate}


def _boilerplate_part(built: Mapping[Boilerplate, Places]) -> Part:
    return {kind.value: numbers for kind, numbers in built.items()}


def _counts_of(found: Part) -> dict[str, int]:
    counts = cast("NDArray[np.int64]", found["counts"]).tolist()
    return dict(zip(cast("Sequence[str]", found["words"]), counts, strict=True))


def _counts_part(built: Mapping[str, int]) -> Part:
    return {"words": list(built), "counts": np.fromiter(built.values(), np.int64, len(built))}


def _best(scores: Scores, limit: int) -> list[int]:
    """Return the numbers of the ``limit`` highest scores above 0, best first; ties in order."""
    least = np.partition(scores, -limit)[-limit] if len(scores) > limit else 0.0
    # everything that ties with the last place is kept until the ties are broken
    matching = np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores > 0)
    return [int(n) for n in matching[np.argsort(-scores[matching], kind="stable")][:limit]]
