"""The nouns of searching: what an archive is asked, what it gives, and what an archive is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from retrieval.model import Article, Entity, Passage, Reading

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from retrieval.names.register import Register


class Answering(StrEnum):
    """What kind of answer a question asks for."""

    ANY = "any"
    NUMBER = "number"
    PERSON = "person"
    PLACE = "place"
    DAY = "day"
    QUOTATION = "quotation"
    REASON = "reason"
    DENIAL = "denial"
    VERIFICATION = "verification"
    COMPARISON = "comparison"
    DEFINITION = "definition"


@dataclass(frozen=True, slots=True)
class Query:
    """A question in no engine's language.

    ``terms`` are search terms (as ``terms.terms`` makes them) with a weight each, the asker's own words first.
    ``names`` are canonical names asked about, ``speakers`` those whose words are wanted.
    ``words`` pairs each content word of the asker with the terms it stands for: what is reported as looked for.
    ``text`` is the question as asked.
    ``near`` are the places (article id, index of the sentence) a follow-up leans on: what was answered before.
    """

    terms: tuple[tuple[str, float], ...]
    words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    names: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    answering: tuple[Answering, ...] = (Answering.ANY,)
    near: tuple[tuple[str, int], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that an archive proposes, with its score there."""

    article_id: str
    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class Searchable:
    """A sentence as it is searched: its ``own`` terms in order, and those of the names ``around`` it.

    ``speaker`` holds every spelling of its speaker's name and of the roles given to them in the article,
    ``around`` those of the names in it and of whom its pronouns mean; neither repeats what is in ``own``.
    """

    own: tuple[str, ...]
    around: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()


class Archive(Protocol):
    """Where readings are kept and searched: the waist between reading and answering.

    Deterministic: hits are ordered by score, ties by article id and index.
    """

    def put(self, reading: Reading) -> None:
        """Take in an article, in place of an earlier one with the same id."""

    def remove(self, article_id: str) -> None:
        """Forget an article; ``KeyError`` where there is none with this id."""

    def article(self, article_id: str) -> Article:
        """Return the stored article; ``KeyError`` where there is none with this id."""

    def reading(self, article_id: str) -> Reading:
        """Return all that was read in it; ``KeyError`` where there is none with this id."""

    def articles(self) -> tuple[Article, ...]:
        """Return every article held, by id."""

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits that share a term or a name with the query, best first."""

    def entities(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""

    def register(self) -> Register:
        """Return the same, to be looked up however a name is typed."""

    def names(self, prefix: str, limit: int = 25) -> tuple[str, ...]:
        """Return names and spellings one of whose words begins with ``prefix``, for autocomplete."""

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Return who and what is named among folded ``words``, in order; the longest name where several begin."""

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences; ``KeyError`` where there is none with this id."""

    def size(self) -> int:
        """Return how many sentences are held."""

    def frequency(self, term: str) -> int:
        """Return how many sentences hold ``term``, names around them included."""

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words of the articles that ``word`` may be a misspelling of, nearest first."""


class Meaning(Protocol):
    """How near sentences are to a question in meaning. Deterministic; safe to call from several threads at once."""

    def similarities(self, question: str, sentences: Sequence[str]) -> NDArray[np.float64] | None:
        """Return the cosine of each sentence with the question, shape (sentences,); none where only words are left."""

    def fill(self, sentences: Iterable[str], stop: threading.Event) -> int:
        """Prepare for questions on ``sentences`` while nobody asks, until ``stop``; return how many were prepared."""
