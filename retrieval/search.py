"""The nouns of searching: what an archive is asked, and what it gives; what a term is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from retrieval.model import Boilerplate, Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Codes: TypeAlias = "NDArray[np.int8]"  # of vectors, a byte a number; shape (384,), or (texts, 384)
MODEL = "e5-small-v2 int8"  # that vectors are stored under: another encoder, or other input, has another name

# What a match counts for in the paragraph (with the title) and in the article, beside one in the sentence itself.
PARAGRAPH = 1.5
ARTICLE = 0.5

SETTLED = 7  # days for which a source is known before its silence is reported


@dataclass(frozen=True, slots=True)
class Scope:
    """Which articles are asked: those of ``sources``, of the day ``since`` and later; all, where either is None.

    An article's day is the one on which it was published, else the one on which its first version was taken in; where
    neither is known, it is within. One that names no source is of none.
    """

    sources: frozenset[str] | None = None
    since: date | None = None

    def narrowed(self, other: Scope) -> Scope:
        either = [sources for sources in (self.sources, other.sources) if sources is not None]
        days = [day for day in (self.since, other.since) if day]
        return Scope(frozenset.intersection(*either) if either else None, max(days, default=None))

    def holds(self, source: str | None, day: date | None) -> bool:
        is_recent = self.since is None or day is None or day >= self.since
        return is_recent and (self.sources is None or bool(source and source in self.sources))


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class Query:
    """What an archive is asked, in no engine's language.

    ``terms`` are search terms (as ``terms.terms`` makes them) with a weight each.
    ``boilerplate`` are the kinds of it that may be found; the report itself always may.
    ``vector`` is the question's code, where sentences are to be compared with it.
    """

    terms: tuple[tuple[str, float], ...] = ()
    boilerplate: frozenset[Boilerplate] = frozenset(Boilerplate)
    vector: Codes | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that an archive proposes, with its score: BM25 over the sentence, and over what it is in.

    ``score`` is ``sentence + PARAGRAPH * paragraph + ARTICLE * article``. ``digest`` is that of the article's text in
    which the passage was found: what is cut from another text is not this passage. ``cosines`` are those of the
    sentence with the question, alone and in its context; empty where they are not known.
    """

    article_id: str
    passage: Passage
    score: float = 0.0
    sentence: float = 0.0
    paragraph: float = 0.0
    article: float = 0.0
    digest: str = ""
    cosines: tuple[float, ...] = ()

    @property
    def place(self) -> tuple[str, int]:
        return self.article_id, self.passage.sentence.index


@dataclass(frozen=True, slots=True)
class Searchable:
    """A sentence as it is searched: its ``own`` terms in order, and those of the names ``around`` it.

    ``speaker`` holds every spelling of its speaker's name and of the roles given to them in the article,
    ``around`` those of the names in it and of whom its pronouns mean; neither repeats what is in ``own``.
    """

    own: tuple[str, ...]
    around: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()

    @property
    def terms(self) -> frozenset[str]:
        return frozenset((*self.own, *self.around, *self.speaker))


@dataclass(frozen=True, slots=True)
class Outlet:
    """How many articles there are of a source (empty: of none that is named), and of which days, if any is known.

    ``known`` is the day on which the first of them came, where that is stored.
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
    """A version of an article: its text's digest, its source, and the day on which it replaced the one before it.

    ``corrections`` are the days on which sentences of it were changed, by their indexes.
    """

    digest: str
    source: str | None
    since: date | None = None
    corrections: Mapping[int, date] = field(default_factory=dict, compare=False)


class Listed(NamedTuple):
    """An article in a list of many: its id, its text's digest, its source, day, title and URL, without its words."""

    id: str
    digest: str
    source: str | None
    published: date | None
    title: str | None = None
    url: str | None = None
    copies: tuple[str, ...] = ()  # articles, of whatever source and day, that have most of it, or of which it has most


class Occurrence(NamedTuple):
    """An article that has a phrase, and the indexes of the ``sentences`` that may be those that have it.

    ``day`` is the one on which it first had the phrase, None where the article is undated; ``added`` says that a later
    version brought it. ``moment`` tells, of one day, which the archive first had; ``spelt`` is each form once. Of an
    article that was not looked through it is empty.
    """

    article_id: str
    source: str
    day: date | None
    moment: float
    sentences: tuple[int, ...]
    added: bool
    spelt: frozenset[str]


@dataclass(frozen=True, slots=True)
class Window:
    """A run of an article's sentences that is read at once, under ``head``: its title, outlet and day.

    ``before`` is the sentence before it.
    """

    head: str
    before: str
    sentences: tuple[str, ...]


class Meaning(Protocol):
    """An encoder and a reader. Deterministic; safe to call from several threads at once. None where they fail."""

    def question(self, text: str) -> Codes | None:
        """Return the code of a question, shape (384,)."""

    def passages(self, texts: Sequence[str]) -> Codes | None:
        """Return a code for each text by itself, shape (texts, 384)."""

    def in_context(self, title: str, sentences: Sequence[str]) -> Codes | None:
        """Return a code for each sentence of an article, shape (sentences, 384)."""

    def read(self, question: str, windows: Sequence[Window]) -> list[tuple[float, ...]] | None:
        """Return for each window's sentences the log-odds that they answer."""


# Measured on public questions over sentences: short documents repeat themselves seldom.
K1 = 0.3
B = 0.5


def idf(size: int, frequency: float) -> float:
    """Return how much a term tells that occurs in ``frequency`` of ``size`` documents, as Lucene counts it.

    Never negative: Okapi's own form takes points off for a word that half of a small archive has.
    """
    return math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
