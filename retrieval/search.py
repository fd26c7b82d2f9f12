"""The nouns of searching: what an archive is asked, what it gives, and what an archive is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol

from retrieval.model import Article, Boilerplate, Entity, Kind, Passage, Reading

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from retrieval.names.name_index import NameIndex


# What a match counts for in the paragraph (with the title) and in the article, beside one in the sentence itself.
PARAGRAPH = 1.5
ARTICLE = 0.5


SETTLED = 7  # days for which a source is known before its silence is told


@dataclass(frozen=True, slots=True)
class Scope:
    """Which articles are asked: those of ``sources``, of the day ``since`` and later; all, where either is None.

    An article's day is the one on which it was published, else the one on which its first version was taken in; where
    neither is known, it is within. One that names no source is of none.
    """

    sources: frozenset[str] | None = None
    since: date | None = None

    def narrowed(self, other: Scope) -> Scope:
        """Return the scope of what is in both."""
        either = [sources for sources in (self.sources, other.sources) if sources is not None]
        days = [day for day in (self.since, other.since) if day]
        return Scope(frozenset.intersection(*either) if either else None, max(days, default=None))

    def holds(self, source: str | None, day: date | None) -> bool:
        """Return whether an article of this source and day is within."""
        return (self.sources is None or bool(source and source in self.sources)) and (
            self.since is None or day is None or day >= self.since
        )


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class Query:
    """What an archive is asked, in no engine's language.

    ``terms`` are search terms (as ``terms.terms`` makes them) with a weight each.
    ``boilerplate`` are the kinds of it that may be found; the report itself always may.
    What is outside ``scope`` is not found, and counts for how rare a term is.
    """

    terms: tuple[tuple[str, float], ...] = ()
    boilerplate: frozenset[Boilerplate] = frozenset(Boilerplate)
    scope: Scope = EVERYTHING


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that an archive proposes, with its score: BM25 over the sentence, and over what it stands in.

    ``score`` is ``sentence + PARAGRAPH * paragraph + ARTICLE * article``.
    """

    article_id: str
    passage: Passage
    score: float
    sentence: float = 0.0
    paragraph: float = 0.0
    article: float = 0.0


@dataclass(frozen=True, slots=True)
class Searchable:
    """A sentence as it is searched: its ``own`` terms in order, and those of the names ``around`` it.

    ``speaker`` holds every spelling of its speaker's name and of the roles given to them in the article,
    ``around`` those of the names in it and of whom its pronouns mean; neither repeats what is in ``own``.
    """

    own: tuple[str, ...]
    around: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outlet:
    """How many articles there are of a source (empty: of none that is named), and of which days, if any is told.

    ``known`` is the day on which the first of them came, where that is kept.
    """

    source: str
    articles: int
    first: date | None
    last: date | None
    known: date | None = field(default=None, compare=False)

    def is_awaited(self, today: date) -> bool:
        """Return whether the source is known long enough for its silence to mean something."""
        return bool(self.known and (today - self.known).days >= SETTLED)


@dataclass(frozen=True, slots=True)
class VersionSummary:
    """What tells a version of an article from the others: its text's digest, its source, and its first day.

    ``since`` is the day on which it took the place of the one before it; None where that is not kept.
    """

    digest: str
    source: str | None
    since: date | None = None


class Listed(NamedTuple):
    """An article in a list of many: its id, its text's digest, its source and its day, without its words."""

    id: str
    digest: str
    source: str | None
    published: date | None


class Naming(NamedTuple):
    """A name in a sentence, and the words beside it that say what its bearer is; empty where none do."""

    name: str
    kind: Kind
    role: str = ""


class Noted(NamedTuple):
    """The sentence ``at`` an index, from ``start`` to ``end`` of the text: who says it, and whom it names.

    ``boilerplate`` is what stands beside the report. ``named`` is its speaker's name, where the article names them,
    ``aloud`` whether it is a name that says it. ``refers`` are the numbers of the words in it that stand for what was
    named before (``fields.REFERRING``).
    """

    at: int
    start: int
    end: int
    boilerplate: bool
    speaker: str | None
    named: Naming | None
    aloud: bool
    refers: tuple[int, ...]
    names: tuple[Naming, ...]


class Scoped(NamedTuple):
    """A caveat: the index of its sentence, and those of the sentences that it surely covers, and may."""

    sentence: int
    covers: tuple[int, ...]
    possible: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Synopsis:
    """What was read in an article, without its words: a twentieth of a ``Reading``, for who looks through many.

    ``denials`` are the indexes of the sentences that deny.
    """

    article_id: str
    digest: str
    sentences: tuple[Noted, ...]
    caveats: tuple[Scoped, ...]
    denials: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrived:
    """An article of which a version became public; ``number`` grows."""

    number: int
    article_id: str


class Arrivals(Protocol):
    """The versions that became public, in that order."""

    def identity(self) -> str:
        """Return what tells this archive from every other."""

    def last(self) -> int:
        """Return the number of the latest arrival; 0 before the first."""

    def after(self, number: int) -> tuple[Arrived, ...]:
        """Return what arrived after the one with this number, the first first; at most so many at a time."""


@dataclass(frozen=True, slots=True)
class Retired:
    """A version by its key and the digest of its text; ``number`` grows. Of a ``removed`` one nothing is left."""

    number: int
    key: str
    digest: str
    removed: bool


class Retirements(Protocol):
    """The versions that are current no more, in the order in which that became so."""

    def identity(self) -> str:
        """Return what tells this archive from every other."""

    def after(self, number: int) -> tuple[Retired, ...]:
        """Return what was retired after the one with this number, the first first; at most so many at a time."""

    def lately(self, most: int) -> tuple[str, ...]:
        """Return the keys of the versions that were superseded last, the last first."""

    def is_removed(self, key: str) -> bool:
        """Return whether the version that ``key`` stands for was removed at any time; its article may be back."""


class Feed(Protocol):
    """A feed that is followed: its address, and when it last brought an article."""

    @property
    def url(self) -> str: ...  # noqa: D102
    @property
    def news(self) -> float | None: ...  # noqa: D102


class Feeds(Protocol):
    """The feeds that an archive is kept up with."""

    def every(self) -> Sequence[Feed]:
        """Return all of them."""


class Archive(Protocol):
    """Where readings are kept and searched: the waist between reading and answering.

    Deterministic: hits are ordered by score, ties by article id and index.
    """

    @property
    def subscriptions(self) -> Feeds | None:
        """The feeds that it is kept up with; None where it follows none."""

    @property
    def retirements(self) -> Retirements | None:
        """The versions that are current no more; None where that is not kept."""

    @property
    def arrivals(self) -> Arrivals | None:
        """The versions that became public, in that order; None where that is not kept."""

    def scoped(self, scope: Scope) -> Archive:
        """Return what it holds within ``scope``: an archive like any other, which follows this one."""

    def article(self, article_id: str) -> Article:
        """Return the stored article; ``KeyError`` where there is none with this id."""

    def reading(self, article_id: str) -> Reading:
        """Return all that was read in it; ``KeyError`` where there is none with this id."""

    def synopses(
        self, article_ids: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> Iterator[Synopsis]:
        """Yield what was read in the articles with these ids or one of these ``facets`` (``synopses.facets``).

        Those within ``scope`` alone, the newest first, undated ones last, then by id.
        """

    def revision(self, scope: Scope = EVERYTHING) -> object:
        """Return what stands for the articles within ``scope`` as they are now.

        It is equal for as long as none of them is put in or removed, and nobody whom they name is called otherwise.
        """

    def articles(self, scope: Scope = EVERYTHING) -> tuple[Article, ...]:
        """Return every article within ``scope``, by id."""

    def listed(
        self, terms: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> tuple[Listed, ...]:
        """Return every article within ``scope`` that holds each of ``terms``, in whatever sentence, by id.

        Where ``facets`` are named, those alone that have one of them.
        """

    def copies(self, article_ids: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return the pairs of these articles of which the longer has most of the shorter."""

    def within(self, article_ids: Collection[str], scope: Scope) -> frozenset[str]:
        """Return those of the ids under which an article within ``scope`` is held."""

    def meant(self, named: str) -> tuple[str, ...]:
        """Return the ids of the articles with this id or address; those of other sources and days too."""

    def outlets(self) -> tuple[Outlet, ...]:
        """Return how many articles there are of each source, and of which days, by source."""

    def addressed(self, key: str) -> Reading | None:
        """Return the version of an article that ``key`` stands for, superseded or not; None for none and several."""

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        """Return the versions of an article that can be opened, the current one last; ``KeyError`` as for it."""

    def corrected(self, article_id: str, index: int) -> date | None:
        """Return the day on which a sentence was changed since an earlier version of its article; None where none."""

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits whose article shares a term with the query, best first."""

    def holding(
        self, terms: Collection[str], scope: Scope = EVERYTHING, among: Collection[str] | None = None
    ) -> tuple[tuple[str, int], ...]:
        """Return the place (article id, index) of every sentence within ``scope`` with all of ``terms``, in order.

        The names around a sentence count, and its speaker's. Where some articles are wanted, ``among`` are their ids.
        """

    def entities(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""

    def register(self) -> NameIndex:
        """Return the same, to be looked up however a name is typed."""

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Return who and what is named among folded ``words``, in order; the longest name where several begin."""

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences; ``KeyError`` where there is none with this id."""

    def size(self) -> int:
        """Return how many sentences are held."""

    def frequencies(self, terms: Collection[str], scope: Scope = EVERYTHING) -> Mapping[str, int]:
        """Return how many sentences within ``scope`` hold each of ``terms``, 0 where none does: all asked at once."""

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words of the articles that ``word`` may be a misspelling of, nearest first."""


@dataclass(frozen=True, slots=True)
class Window:
    """A run of an article's sentences that is read at once, under ``head``: its title, outlet and day.

    ``before`` is the sentence before it.
    """

    head: str
    before: str
    sentences: tuple[str, ...]


class Meaning(Protocol):
    """How near sentences are to a question in meaning. Deterministic; safe to call from several threads at once."""

    def similarities(self, question: str, sentences: Sequence[str]) -> NDArray[np.float64] | None:
        """Return the cosine of each sentence with the question, shape (sentences,); None where only words are left."""

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        """Return for each window's sentences the log-odds that they answer; None without a reader."""

    def fill(self, sentences: Iterable[str], stop: threading.Event) -> int:
        """Prepare for questions on ``sentences`` while nobody asks, until ``stop``; return how many were prepared."""
