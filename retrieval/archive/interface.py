"""An archive as the rest of the program knows it, wherever it is: in a file, in memory or in a cluster."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

from retrieval.archive.register import Register
from retrieval.model import Article, Reading
from retrieval.search import EVERYTHING, Hit, Listed, Occurrence, Outlet, Query, Scope, Searchable, VersionSummary
from retrieval.text import edit_distance
from retrieval.text.terms import Phrase, term

if TYPE_CHECKING:
    from retrieval.archive import retirement
    from retrieval.archive.opensearch.filling import ClusterArrivals, ClusterRetirements
    from retrieval.archive.subscriptions import Subscriptions

AT_ONCE = 50  # articles whose sentences are looked at together
CANDIDATES = 16  # for each spelling that is wanted, as many are outside the scope

# strings, so that nobody who names one loads a cluster's client
Retirements: TypeAlias = "retirement.Retirements | ClusterRetirements"
Arrivals: TypeAlias = "retirement.Arrivals | ClusterArrivals"


class Vocabulary:
    """The words of the articles that an archive shows; ``words`` opens those of one state of it."""

    def __init__(self, words: Callable[[], AbstractContextManager[Any]], sources: Scope) -> None:
        self._words, self._sources = words, sources

    def size(self) -> int:
        """Return how many sentences there are in all articles, shown or not."""
        with self._words() as words:
            return int(words.sentences())

    def frequencies(self, terms: Collection[str]) -> Mapping[str, int]:
        """Return in how many sentences each term occurs: one that the archive shows at all, over all articles."""
        if not terms:
            return {}
        with self._words() as words:
            counts = words.frequencies(terms, EVERYTHING)
            shown = counts if self._sources == EVERYTHING else words.frequencies(terms, self._sources)
            return {each: count if shown[each] else 0 for each, count in counts.items()}

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words that ``word`` may be a misspelling of, nearest first."""
        if not word.isalpha() or len(word) < edit_distance.SHORTEST:
            return ()
        with self._words() as words:
            if self._sources == EVERYTHING:
                return edit_distance.spellings(word, words.spelt_like(word), limit)
            near = edit_distance.spellings(word, words.spelt_like(word), limit * CANDIDATES)
            counts = self.frequencies(tuple(map(term, near)))
            return tuple(each for each in near if counts[term(each)])[:limit]


class Archive(Protocol):
    """Deterministic: hits are ordered by score, ties by article id and index. Safe for several threads at once.

    Methods raise ``ArchiveError`` where the archive cannot be used. What is damaged is left out of lists, and logged.
    A view within a scope has no ``subscriptions``, ``retirements`` and ``arrivals``; a cluster has no subscriptions.
    """

    place: str  # where it is, for messages
    subscriptions: Subscriptions | None = None  # the feeds that it follows
    retirements: Retirements | None = None
    arrivals: Arrivals | None = None
    _scope: Scope = EVERYTHING
    _sources: Scope = EVERYTHING  # the same without its days

    def close(self) -> None: ...

    def scoped(self, scope: Scope) -> Self:
        """Return a view of the same archive that shows only what is within ``scope``.

        It reveals nothing of other sources: no sentence, name, spelling, count or completion. An article without a
        source is outside every scope that names sources. How rare a word is, is counted over all articles. Days
        only limit what is searched, listed and counted: an older article can be opened, and names are those of all
        days.
        """
        view = object.__new__(type(self))
        narrowed = self._scope.narrowed(scope)
        vars(view).update(vars(self), _scope=narrowed, _sources=Scope(narrowed.sources))
        view.subscriptions = view.retirements = view.arrivals = None
        return view

    @contextmanager
    def snapshot(self) -> Iterator[Self]:
        """Have this thread read one state of the archive, whatever is written meanwhile.

        That holds for views made by ``scoped`` too. Don't ``await`` inside: other tasks of the thread would share it.
        In a cluster, that holds for each article by itself.
        """
        with self._state():
            yield self

    def _state(self) -> AbstractContextManager[object]:
        """Read one state; nested calls in a thread read the same one."""

    def revision(self) -> object:
        """Return a token: while it is equal, nothing that the archive shows has changed, names included."""

    def article(self, article_id: str) -> Article:
        """Return the current version of an article; ``KeyError`` if there is none."""

    def reading(self, article_id: str) -> Reading:
        """Return the reading of its current version; ``KeyError`` if there is none."""

    def readings(self, article_ids: Collection[str] = (), facets: Collection[str] = ()) -> Iterator[Reading]:
        """Yield what was read in the articles with these ids or one of these ``facets``, the newest first."""

    def addressed(self, key: str) -> Reading | None:
        """Return the version with this key, superseded or not; None if there is none, or more than one."""

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        """Return its versions that can be opened, the current one last; ``KeyError`` if there is none."""

    def superseded(self, most: int) -> tuple[tuple[str, str], ...]:
        """Return article and key of the versions that others replaced last, the latest first."""

    def listed(
        self,
        terms: Collection[str] = (),
        facets: Collection[str] = (),
        newest: int | None = None,
        *,
        named: Collection[str] | None = None,
        quoting: Collection[str] = (),
    ) -> tuple[Listed, ...]:
        """Return the articles, by id; with ``newest``, only so many of them.

        Each has a sentence for every one of ``terms``, one of ``facets``, its id or address among ``named``, and one of
        ``quoting`` in its text, where a line's end counts as a space.
        """

    def outlets(self) -> tuple[Outlet, ...]: ...

    def search(self, query: Query, limit: int, near: int = 0) -> tuple[Hit, ...]:
        """Return the ``limit`` best hits by their words, best first, then the others of the ``near`` nearest ones."""

    def written(self, phrase: Phrase) -> tuple[Occurrence, ...]:
        """Return the articles that have ``phrase``, in the order of their days, the undated last."""

    def searchable(self, article_ids: Collection[str]) -> Mapping[str, tuple[Searchable, ...]]:
        """Return the terms of each sentence of these articles, by id; an article that isn't there is left out."""

    def register(self) -> Register:
        """Return everyone and everything named, to be looked up."""

    def vocabulary(self) -> Vocabulary: ...

    def remove(self, article_id: str, *more: str) -> None:
        """Delete articles with all their versions; ``KeyError`` if one of the ids is unknown."""


def places_with(archive: Archive, terms: Collection[str], facets: Collection[str] = ()) -> tuple[tuple[str, int], ...]:
    """Return the place (article id, index) of every sentence that has all of ``terms``, in articles as ``listed``.

    A sentence has a term in its words, or by a name in it or its speaker's.
    """
    with archive.snapshot() as view:
        ids = [article.id for article in view.listed(terms, facets)] if terms else []
        batches = (view.searchable(ids[start : start + AT_ONCE]) for start in range(0, len(ids), AT_ONCE))
        articles = chain.from_iterable(batch.items() for batch in batches)
        rows = ((article_id, *row) for article_id, sentences in articles for row in enumerate(sentences))
        return tuple((article_id, index) for article_id, index, each in rows if each.terms.issuperset(terms))
