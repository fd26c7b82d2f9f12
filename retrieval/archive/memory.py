"""The archive inside the process: readings in, hits out.

What is searched never changes: taking an article in or out makes a new index, put in the old one's place by one
assignment, so that a question asked meanwhile sees the one or the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from retrieval.archive.directory import Directory
from retrieval.archive.postings import Postings, index
from retrieval.archive.spelling import Spellings
from retrieval.archive.surroundings import Surroundings, surroundings
from retrieval.model import Article, Entity, Reading
from retrieval.names.entities import entities
from retrieval.names.register import Register
from retrieval.search import Hit, Query, Searchable


class MemoryArchive:
    """An ``Archive`` that forgets with the process."""

    def __init__(self, readings: Iterable[Reading] = ()) -> None:
        self._held = _Held({reading.article.id: reading for reading in readings})
        self._held.make_ready()

    def put(self, reading: Reading) -> None:
        """Take in an article, in place of an earlier one with the same id."""
        self._held = _Held({**self._held.readings, reading.article.id: reading})

    def remove(self, article_id: str) -> None:
        """Forget an article; ``KeyError`` where there is none with this id."""
        left = dict(self._held.readings)
        del left[article_id]
        self._held = _Held(left)

    def article(self, article_id: str) -> Article:
        """Return the stored article; ``KeyError`` where there is none with this id."""
        return self._held.readings[article_id].article

    def reading(self, article_id: str) -> Reading:
        """Return all that was read in it; ``KeyError`` where there is none with this id."""
        return self._held.readings[article_id]

    def articles(self) -> tuple[Article, ...]:
        """Return every article held, by id."""
        return tuple(reading.article for reading in self._held.readings.values())

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits that share a term or a name with the query, best first."""
        held = self._held
        best = held.postings.best(query.terms, limit)
        return tuple(held.hit(number, score) for number, score in best)

    def entities(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""
        return self._held.entities

    def register(self) -> Register:
        """Return the same, to be looked up however a name is typed."""
        return self._held.register

    def names(self, prefix: str, limit: int = 25) -> tuple[str, ...]:
        """Return names and spellings one of whose words begins with ``prefix``, for autocomplete."""
        return self._held.register.beginning(prefix, limit)

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Return who and what is named among folded ``words``, in order; the longest name where several begin."""
        return self._held.directory.named(words)

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences; ``KeyError`` where there is none with this id."""
        return self._held.surroundings.sentences[article_id]

    def size(self) -> int:
        """Return how many sentences are held."""
        return self._held.postings.size

    def frequency(self, term: str) -> int:
        """Return how many sentences hold ``term``, names around them included."""
        return self._held.postings.frequency(term)

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words of the articles that ``word`` may be a misspelling of, nearest first."""
        return self._held.spellings.of(word, limit)


class _Held:
    """What one moment's archive holds; worked out once, when first asked for, and never changed."""

    def __init__(self, readings: Mapping[str, Reading]) -> None:
        self.readings = {article_id: readings[article_id] for article_id in sorted(readings)}
        self._places = tuple((r.article.id, i) for r in self.readings.values() for i in range(len(r.passages)))

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        mentions = {r.article.id: tuple(p.mentions for p in r.passages) for r in self.readings.values()}
        return entities(mentions, {r.article.id: r.article.text for r in self.readings.values()})

    @cached_property
    def directory(self) -> Directory:
        return Directory(self.entities)

    @cached_property
    def register(self) -> Register:
        return Register(self.entities)

    @cached_property
    def surroundings(self) -> Surroundings:
        return surroundings(self.readings.values(), self.entities)

    @cached_property
    def postings(self) -> Postings:
        every = (s for sentences in self.surroundings.sentences.values() for s in sentences)
        return index([(*s.own, *s.speaker, *s.around) for s in every])

    @cached_property
    def spellings(self) -> Spellings:
        return Spellings(self.surroundings.words)

    def make_ready(self) -> None:
        """Work all of it out now, so that the first question does not wait for it."""
        _ = self.postings, self.spellings, self.directory, self.register

    def hit(self, number: int, score: float) -> Hit:
        article_id, place = self._places[number]
        return Hit(article_id, self.readings[article_id].passages[place], score)
