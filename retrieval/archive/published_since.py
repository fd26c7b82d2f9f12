"""An archive and a day -> a view in which what is older is not asked, an ``Archive`` like any other.

It bounds what is found, listed and counted of articles. What was shown can be opened whatever its day is, and names
are those of the whole archive: nothing here is a secret. An article that tells no day goes by the one on which it was
first taken in; where that is not kept either, it is within.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from retrieval.archive.outlets import outlets
from retrieval.model import Article, Entity, Reading
from retrieval.names.name_index import Match, NameIndex
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


def published_since(archive: Archive, day: date) -> Archive:
    """Return what ``archive`` holds of articles published on ``day`` or later; it follows the archive."""
    return _RecentArchive(archive, day)


class _RecentArchive:
    def __init__(self, whole: Archive, day: date) -> None:
        self._whole = whole
        self._scope = Scope(since=day)

    def _narrowed(self, named: Sequence[Entity]) -> list[Entity | None]:
        """Return entities each with its articles of these days; None for those that have none."""
        within = self.within({article_id for entity in named for article_id in entity.articles}, EVERYTHING)
        return [
            replace(entity, articles=articles) if articles else None
            for entity in named
            for articles in (tuple(article_id for article_id in entity.articles if article_id in within),)
        ]

    def put(self, reading: Reading) -> None:
        self._whole.put(reading)

    def remove(self, article_id: str) -> None:
        self._whole.remove(article_id)

    def article(self, article_id: str) -> Article:
        return self._whole.article(article_id)

    def reading(self, article_id: str) -> Reading:
        return self._whole.reading(article_id)

    def synopses(
        self, article_ids: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> Iterator[Synopsis]:
        return self._whole.synopses(article_ids, facets, self._scope.narrowed(scope))

    def revision(self, scope: Scope = EVERYTHING) -> object:
        return self._whole.revision(scope)

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
        return outlets(self.articles())

    def addressed(self, key: str) -> Reading | None:
        return self._whole.addressed(key)

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        return self._whole.history(article_id)

    def corrected(self, article_id: str, index: int) -> date | None:
        return self._whole.corrected(article_id, index)

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        return self._whole.search(replace(query, scope=self._scope.narrowed(query.scope)), limit)

    def holding(
        self, terms: Collection[str], scope: Scope = EVERYTHING, among: Collection[str] | None = None
    ) -> tuple[tuple[str, int], ...]:
        return self._whole.holding(terms, self._scope.narrowed(scope), among)

    def entities(self) -> tuple[Entity, ...]:
        return tuple(filter(None, self._narrowed(self._whole.entities())))

    def register(self) -> NameIndex:
        return _RecentNames(self._whole.register(), self._narrowed)

    def names(self, prefix: str, limit: int = 25) -> tuple[str, ...]:
        return self._whole.names(prefix, limit)

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        return self._whole.named(words)

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        return self._whole.searchable(article_id)

    def size(self) -> int:
        return self._whole.size()

    def frequencies(self, terms: Collection[str], scope: Scope = EVERYTHING) -> Mapping[str, int]:
        return self._whole.frequencies(terms, scope)

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        return self._whole.spellings(word, limit)


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
