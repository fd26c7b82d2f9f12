"""An archive and a scope -> a view that holds the articles within alone, an ``Archive`` like any other.

Of articles of other sources nothing is shown: no sentence, no one named in them alone, no spelling, no count, and
nothing that completes a name. How rare a word is, is counted over the whole archive: there is more to count, and
nobody sees it. An article without a source is of none.

Days are no secret: they bound what is found, listed and counted of articles. What was shown can be opened whatever its
day is, and names are those of all days.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from retrieval.archive import synopses
from retrieval.archive.listing import outlets
from retrieval.archive.question_names import HeldSpellings, QuestionNames
from retrieval.model import Article, Entity, Kind, Reading
from retrieval.names.entities import entities, with_names
from retrieval.names.name_index import Match, NameIndex
from retrieval.names.name_tables import HeldTables
from retrieval.search import (
    EVERYTHING,
    Archive,
    Hit,
    Listed,
    Outlet,
    Query,
    Scope,
    Searchable,
    Synopsis,
    VersionSummary,
)
from retrieval.text.terms import term

# How many times as many words as are wanted a misspelt one is held against, of which some are within.
WIDER = 16


def scoped(archive: Archive, scope: Scope) -> Archive:
    """Return what ``archive`` holds within ``scope``; it follows the archive."""
    return archive if scope == EVERYTHING else _ScopedArchive(archive, scope)


class _ScopedArchive:
    # what is told of the whole archive is asked of it alone
    subscriptions = None
    retirements = None
    arrivals = None

    def __init__(self, whole: Archive, scope: Scope) -> None:
        self._whole, self._scope = whole, scope
        self._sources = Scope(scope.sources)  # all that may be shown
        self._last: _Names | None = None

    @property
    def _named(self) -> _Names | None:
        """What is named in the articles of the sources as they are now; None where all are seen."""
        if self._sources == EVERYTHING:
            return None
        revision, last = self.revision(), self._last
        if last is None or last.revision != revision:
            self._last = last = _Names(self._whole, revision, self._whole.articles(self._sources))
        return last

    def _recent(self, named: Sequence[Entity]) -> list[Entity | None]:
        """Return entities each with its articles of these days; None for those that have none."""
        within = self.within({article_id for entity in named for article_id in entity.articles}, EVERYTHING)
        return [
            replace(entity, articles=articles) if articles else None
            for entity in named
            for articles in (tuple(article_id for article_id in entity.articles if article_id in within),)
        ]

    def article(self, article_id: str) -> Article:
        article = self._whole.article(article_id)
        if not self._sources.holds(article.source, None):
            raise KeyError(article_id)
        return article

    def reading(self, article_id: str) -> Reading:
        self.article(article_id)
        return self._called(self._whole.reading(article_id))

    def _called(self, reading: Reading) -> Reading:
        return named.called(reading) if (named := self._named) else reading

    def synopses(
        self, article_ids: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> Iterator[Synopsis]:
        found = self._whole.synopses(article_ids, facets, self._scope.narrowed(scope))
        return map(named.noted, found) if (named := self._named) else found

    def revision(self, scope: Scope = EVERYTHING) -> object:
        return self._whole.revision(self._sources.narrowed(scope))

    def articles(self, scope: Scope = EVERYTHING) -> tuple[Article, ...]:
        return self._whole.articles(self._scope.narrowed(scope))

    def listed(
        self, terms: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> tuple[Listed, ...]:
        return self._whole.listed(terms, facets, self._scope.narrowed(scope))

    def copies(self, article_ids: Collection[str]) -> tuple[tuple[str, str], ...]:
        return self._whole.copies(article_ids)

    def within(self, article_ids: Collection[str], scope: Scope) -> frozenset[str]:
        return self._whole.within(article_ids, self._scope.narrowed(scope))

    def meant(self, named: str) -> tuple[str, ...]:
        return self._whole.meant(named)

    def outlets(self) -> tuple[Outlet, ...]:
        if self._scope.since:
            return outlets(self.articles())
        return tuple(outlet for outlet in self._whole.outlets() if self._sources.holds(outlet.source, None))

    def addressed(self, key: str) -> Reading | None:
        reading = self._whole.addressed(key)
        return self._called(reading) if reading and self._sources.holds(reading.article.source, None) else None

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        held = self._whole.history(self.article(article_id).id)
        return tuple(version for version in held if self._sources.holds(version.source, None))

    def corrected(self, article_id: str, index: int) -> date | None:
        return self._whole.corrected(self.article(article_id).id, index)

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        hits = self._whole.search(replace(query, scope=self._scope.narrowed(query.scope)), limit)
        return hits if self._sources == EVERYTHING else tuple(self._renamed(hits))

    def _renamed(self, hits: Iterable[Hit]) -> Iterator[Hit]:
        for hit in hits:
            with suppress(KeyError):  # removed since it was found
                yield replace(hit, passage=self.reading(hit.article_id).passages[hit.passage.sentence.index])

    def holding(
        self, terms: Collection[str], scope: Scope = EVERYTHING, among: Collection[str] | None = None
    ) -> tuple[tuple[str, int], ...]:
        return self._whole.holding(terms, self._scope.narrowed(scope), among)

    def entities(self) -> tuple[Entity, ...]:
        found = named.entities if (named := self._named) else self._whole.entities()
        return tuple(filter(None, self._recent(found))) if self._scope.since else found

    def register(self) -> NameIndex:
        register = named.index if (named := self._named) else self._whole.register()
        return _RecentNames(register, self._recent) if self._scope.since else register

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        return named.directory.named(words) if (named := self._named) else self._whole.named(words)

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        return self._whole.searchable(self.article(article_id).id)

    def size(self) -> int:
        """Return how many sentences the whole archive holds: what ``frequencies`` are measured by."""
        return self._whole.size()

    def frequencies(self, terms: Collection[str], scope: Scope = EVERYTHING) -> Mapping[str, int]:
        """Return how many sentences of the whole archive hold each of ``terms``; 0 where none of the sources does."""
        within = self._whole.frequencies(terms, self._sources.narrowed(scope))
        if scope != EVERYTHING or self._sources == EVERYTHING:
            return within
        return {**within, **self._whole.frequencies([term for term, count in within.items() if count])}

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        if self._sources == EVERYTHING:
            return self._whole.spellings(word, limit)
        found = self._whole.spellings(word, limit * WIDER)
        counts = self.frequencies(tuple(map(term, found)))
        return tuple(near for near in found if counts[term(near)])[:limit]


@dataclass(frozen=True)
class _Names:
    """What is named in some articles of an archive at ``revision``."""

    whole: Archive
    revision: object
    articles: tuple[Article, ...]

    @cached_property
    def _spelt(self) -> tuple[Entity, ...]:
        """Everyone and everything named here, called as in the whole archive."""
        mentions = {a.id: tuple(p.mentions for p in self.whole.reading(a.id).passages) for a in self.articles}
        return entities(mentions, {article.id: article.text for article in self.articles})

    @cached_property
    def _own(self) -> dict[tuple[str, Kind], str]:
        """What they are called here who are called what only other articles spell: the longest spelling here."""
        elsewhere = {(e.name, e.kind) for e in self.whole.entities() if e.name in e.variants}
        taken = {(e.name, e.kind) for e in self._spelt}
        own: dict[tuple[str, Kind], str] = {}
        for entity in self._spelt:
            if (entity.name, entity.kind) in elsewhere and entity.name not in entity.variants:
                longest = sorted(entity.variants, key=lambda spelt: (-len(spelt), spelt))
                # two who are spelt alike here stay two
                free = next((spelt for spelt in longest if (spelt, entity.kind) not in taken), entity.name)
                own[entity.name, entity.kind] = free
                taken.add((free, entity.kind))
        return own

    @cached_property
    def _renamed(self) -> frozenset[str]:
        """The articles in which somebody is called otherwise than in the whole archive."""
        return frozenset(
            i for entity in self._spelt if (entity.name, entity.kind) in self._own for i in entity.articles
        )

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        called = (replace(e, name=self._own.get((e.name, e.kind), e.name)) for e in self._spelt)
        return tuple(sorted(called, key=lambda entity: (entity.name, entity.kind)))

    @cached_property
    def index(self) -> NameIndex:
        return NameIndex(HeldTables(self.entities))

    @cached_property
    def directory(self) -> QuestionNames:
        return QuestionNames(HeldSpellings(self.entities))

    def called(self, reading: Reading) -> Reading:
        """Return a reading with the names that are used here."""
        if reading.article.id not in self._renamed:
            return reading
        called = {key: (name, key[1]) for key, name in self._own.items()}
        return with_names(reading, called)

    def noted(self, synopsis: Synopsis) -> Synopsis:
        """Return a synopsis with the names that are used here."""
        if synopsis.article_id not in self._renamed:
            return synopsis
        called = {key: (name, key[1]) for key, name in self._own.items()}
        return synopses.with_names(synopsis, called)


class _RecentNames(NameIndex):
    """A register of which those are found who are named in these days, each with the articles of these days."""

    def __init__(self, whole: NameIndex, narrowed: Callable[[Sequence[Entity]], list[Entity | None]]) -> None:
        self._register, self._narrowed = whole, narrowed

    def find(self, text: str) -> tuple[Match, ...]:
        found = self._register.find(text)
        narrowed = zip(found, self._narrowed([match.entity for match in found]), strict=True)
        return tuple(replace(match, entity=entity) for match, entity in narrowed if entity)

    def nearest(self, text: str) -> Iterator[Entity]:
        return (entity for each in self._register.nearest(text) for entity in self._narrowed([each]) if entity)

    def beginning(self, prefix: str, limit: int = 25) -> tuple[str, ...]:
        return self._register.beginning(prefix, limit)
