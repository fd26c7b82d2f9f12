"""The archive inside the process: readings in, hits out.

What is searched never changes: taking an article in or out makes a new index, put in the old one's place by one
assignment, so that a question asked meanwhile sees the one or the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from retrieval.archive.listing import listed
from retrieval.archive.near_duplicates import copies
from retrieval.archive.snapshot import Snapshot
from retrieval.cache.index_parts import UNKEPT, Parts
from retrieval.model import Article, Entity, Reading
from retrieval.names.name_index import NameIndex
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


class MemoryArchive:
    """An ``Archive`` that forgets with the process, but for what is kept of its index in ``parts``.

    ``readings`` may be a mapping by article id that reads when asked; then ``articles`` are those it has.
    """

    subscriptions = None
    retirements = None
    arrivals = None

    def __init__(
        self,
        readings: Iterable[Reading] | Mapping[str, Reading] = (),
        articles: Iterable[Article] = (),
        parts: Parts = UNKEPT,
    ) -> None:
        if not isinstance(readings, Mapping):
            readings = {reading.article.id: reading for reading in readings}
            articles = (reading.article for reading in readings.values())
        self._held = Snapshot(readings, articles, parts)
        self._held.make_ready()

    def put(self, reading: Reading) -> None:
        """Add an article, replacing an earlier one with the same id."""
        self._hold({**self._held.readings, reading.article.id: reading})

    def remove(self, article_id: str) -> None:
        """Remove an article; ``KeyError`` where there is none with this id."""
        left = dict(self._held.readings)
        del left[article_id]
        self._hold(left)

    def _hold(self, readings: Mapping[str, Reading]) -> None:
        self._held = Snapshot(readings, (reading.article for reading in readings.values()), UNKEPT)

    def article(self, article_id: str) -> Article:
        """Return the stored article; ``KeyError`` where there is none with this id."""
        return self._held.articles[article_id]

    def reading(self, article_id: str) -> Reading:
        """Return all that was read in it; ``KeyError`` where there is none with this id."""
        return self._held.readings[article_id]

    def synopses(
        self, article_ids: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> Iterator[Synopsis]:
        """Yield what was read in the articles with these ids or one of these ``facets``, the newest first."""
        return self._held.synopses(article_ids, facets, scope)

    def revision(self, scope: Scope = EVERYTHING) -> object:  # noqa: ARG002 - whatever changes, all of it is anew
        """Return what stands for the articles as they are now: equal for as long as none is put in or removed."""
        return self._held

    def articles(self, scope: Scope = EVERYTHING) -> tuple[Article, ...]:
        """Return every article within ``scope``, by id."""
        return tuple(
            article for article in self._held.articles.values() if scope.holds(article.source, article.published)
        )

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
        found = (self._held.articles[each] for each in article_ids if each in self._held.articles)
        return frozenset(article.id for article in found if scope.holds(article.source, article.published))

    def meant(self, named: str) -> tuple[str, ...]:
        """Return the ids of the articles with this id or address."""
        return tuple(a.id for a in self._held.articles.values() if named and named in (a.id, a.url))

    def outlets(self) -> tuple[Outlet, ...]:
        """Return how many articles there are of each source, and of which days, by source."""
        return self._held.outlets

    def addressed(self, key: str) -> Reading | None:
        """Return the article that ``key`` stands for; None where none does, or several do."""
        found = self._held.by_key.get(key, ())
        return self._held.readings[found[0]] if len(found) == 1 else None

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        """Return the one version that is held; ``KeyError`` where there is none with this id."""
        article = self.article(article_id)
        return (VersionSummary(article.digest, article.source),)

    def corrected(self, article_id: str, index: int) -> None:
        """Return None: no earlier version is held here."""

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits whose article shares a term with the query, best first."""
        return self._held.search(query, limit)

    def holding(
        self, terms: Collection[str], scope: Scope = EVERYTHING, among: Collection[str] | None = None
    ) -> tuple[tuple[str, int], ...]:
        """Return the place (article id, index) of every sentence within ``scope`` that holds all of ``terms``."""
        found = self._held.holding(terms, scope)
        return found if among is None else tuple(place for place in found if place[0] in among)

    def entities(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""
        return self._held.entities

    def register(self) -> NameIndex:
        """Return the same, to be looked up however a name is typed."""
        return self._held.register

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Return who and what is named among folded ``words``, in order; the longest name where several begin."""
        return self._held.directory.named(words)

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences; ``KeyError`` where there is none with this id."""
        return self._held.searchable(article_id)

    def size(self) -> int:
        """Return how many sentences are held."""
        return self._held.sentences.size

    def frequencies(self, terms: Collection[str], scope: Scope = EVERYTHING) -> Mapping[str, int]:
        """Return how many sentences within ``scope`` hold each of ``terms``, 0 where none does."""
        return {term: self._held.frequency(term, scope) for term in terms}

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words of the articles that ``word`` may be a misspelling of, nearest first."""
        return self._held.spellings.of(word, limit)


def open_archive(
    readings: Iterable[Reading] | Mapping[str, Reading] = (), articles: Iterable[Article] = (), parts: Parts = UNKEPT
) -> Archive:
    """Return an archive in memory that holds ``readings``; as a mapping by id, they are those of ``articles``.

    ``parts`` is where the index of just these readings is kept.
    """
    return MemoryArchive(readings, articles, parts)
