"""The archive inside the process: readings in, hits out.

What is searched never changes: taking an article in or out makes a new index, put in the old one's place by one
assignment, so that a question asked meanwhile sees the one or the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from retrieval.archive.directory import Directory
from retrieval.archive.fields import Fields, fields, paragraphs, whole
from retrieval.archive.postings import Postings, Scores, index
from retrieval.archive.spelling import Spellings
from retrieval.model import Article, Boilerplate, Entity, Reading
from retrieval.names.entities import entities
from retrieval.names.register import Register
from retrieval.search import ARTICLE, PARAGRAPH, Hit, Query, Searchable

Places = NDArray[np.intp]  # numpy looks up by no other kind without converting it first


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
        """Return at most ``limit`` hits whose article shares a term with the query, best first."""
        return self._held.search(query, limit)

    def holding(self, terms: Collection[str]) -> tuple[tuple[str, int], ...]:
        """Return the place (article id, index) of every sentence that holds all of ``terms``, in order."""
        return self._held.holding(terms)

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
        return self._held.fields.sentences[article_id]

    def size(self) -> int:
        """Return how many sentences are held."""
        return self._held.sentences.size

    def frequency(self, term: str) -> int:
        """Return how many sentences hold ``term``."""
        return self._held.sentences.frequency(term)

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
    def fields(self) -> Fields:
        return fields(self.readings.values(), self.entities)

    @cached_property
    def sentences(self) -> Postings:
        """Sentences by their own terms."""
        return index([sentence.own for held in self.fields.sentences.values() for sentence in held])

    @cached_property
    def _names(self) -> Postings:
        """Sentences by the names around them, their speaker's among them."""
        return index([(*s.speaker, *s.around) for held in self.fields.sentences.values() for s in held])

    @cached_property
    def _paragraphs(self) -> tuple[Postings, Places]:
        """Paragraphs under their article's title, and the number of each sentence's."""
        documents: list[tuple[str, ...]] = []
        of: list[int] = []
        for reading in self.readings.values():
            found = paragraphs(reading, self.fields.sentences[reading.article.id])
            numbers = {paragraph: len(documents) + n for n, paragraph in enumerate(found)}
            of.extend(numbers[passage.sentence.paragraph] for passage in reading.passages)
            documents.extend(found.values())
        return index(documents), np.array(of, np.intp)

    @cached_property
    def _articles(self) -> tuple[Postings, Places]:
        """Articles, and the number of each sentence's."""
        lengths = [len(reading.passages) for reading in self.readings.values()]
        documents = [whole(reading, self.fields.sentences[i]) for i, reading in self.readings.items()]
        return index(documents), np.repeat(np.arange(len(lengths), dtype=np.intp), lengths)

    @cached_property
    def _boilerplate(self) -> dict[Boilerplate, Places]:
        """The numbers of the sentences of each kind of boilerplate."""
        found: dict[Boilerplate, list[int]] = {kind: [] for kind in Boilerplate}
        every = (passage for reading in self.readings.values() for passage in reading.passages)
        for number, passage in enumerate(every):
            if passage.sentence.boilerplate:
                found[passage.sentence.boilerplate].append(number)
        return {kind: np.array(numbers, np.intp) for kind, numbers in found.items()}

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        (by_paragraph, paragraph_of), (by_article, article_of) = self._paragraphs, self._articles
        own = self.sentences.scores(query.terms)
        paragraph, article = by_paragraph.scores(query.terms), by_article.scores(query.terms)
        # weighed before they are handed to sentences, of which there are more
        total = own + (PARAGRAPH * paragraph)[paragraph_of]
        total += (ARTICLE * article)[article_of]
        for kind, numbers in self._boilerplate.items():
            if kind not in query.boilerplate:
                total[numbers] = 0.0
        return tuple(
            self._hit(n, total[n], own[n], paragraph[paragraph_of[n]], article[article_of[n]])
            for n in _best(total, limit)
        )

    def _hit(self, number: int, *scores: np.float64) -> Hit:
        article_id, place = self._places[number]
        return Hit(article_id, self.readings[article_id].passages[place], *map(float, scores))

    def holding(self, terms: Collection[str]) -> tuple[tuple[str, int], ...]:
        found = [np.union1d(self.sentences.of(term)[0], self._names.of(term)[0]) for term in terms]
        if not found:
            return ()
        return tuple(self._places[number] for number in reduce(np.intersect1d, found))

    @cached_property
    def spellings(self) -> Spellings:
        return Spellings(self.fields.words)

    def make_ready(self) -> None:
        """Work all of it out now, so that the first question does not wait for it."""
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


def _best(scores: Scores, limit: int) -> list[int]:
    """Return the numbers of the ``limit`` highest scores above 0, best first; ties in order."""
    least = np.partition(scores, -limit)[-limit] if len(scores) > limit else 0.0
    # everything that ties with the last place is kept until the ties are broken
    matching = np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores > 0)
    return [int(n) for n in matching[np.argsort(-scores[matching], kind="stable")][:limit]]
