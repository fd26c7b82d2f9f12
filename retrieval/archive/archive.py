"""The archive: readings in, hits out, for as long as its file is there, or the process.

What is asked is answered from the last state that was written whole, by this process or another; what is put in is
seen by every process as soon as it is written. One object may be used by several threads at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Self

from retrieval.archive import (
    fields,
    indexing,
    name_lookups,
    name_store,
    near_duplicates,
    scoring,
    synopses,
    versions,
)
from retrieval.archive.database import ArchiveFile, Run
from retrieval.archive.layout import Layout, Mask
from retrieval.archive.name_lookups import QuestionNames, StoredNames, StoredSpellings
from retrieval.archive.retirement import Arrivals, Retirements
from retrieval.archive.schema import MIGRATIONS
from retrieval.archive.subscriptions import Subscriptions
from retrieval.archive.versions import Record, Version
from retrieval.bounded import shown
from retrieval.cache.fingerprint import program_version
from retrieval.errors import BusyArchiveError, DamagedArticleError, NoArticlesError
from retrieval.model import Article, Entity, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.names.entities import Called, Name, with_names
from retrieval.names.name_index import NameIndex
from retrieval.search import EVERYTHING, Hit, Listed, Outlet, Query, Scope, Searchable, Synopsis, VersionSummary
from retrieval.text import edit_distance
from retrieval.text.terms import term


class Rereading:
    """What was read in an archive, by whom, and how it is put anew."""

    def __init__(self, file: ArchiveFile, aliases: Aliases) -> None:
        self._file, self._aliases = file, aliases

    def stale(self, reader: str) -> tuple[int, ...]:
        """Return the numbers of the versions that are searched, or will be, and that ``reader`` has not read."""
        with self._file.reading() as run:
            return tuple(versions.stale(run, reader))

    def damaged(self) -> tuple[int, ...]:
        """Return the numbers of those that a bad disk has changed, and whose texts are whole."""
        with self._file.reading() as run:
            found = versions.damaged(run)
            return tuple([version.number for version in found if version.article.digest == version.digest])

    def numbered(self, numbers: Iterable[int]) -> tuple[Article, ...]:
        """Return versions by their numbers; ``KeyError`` where there is none."""
        with self._file.reading() as run:
            return tuple([versions.numbered(run, number).article for number in numbers])

    def put(self, readings: Sequence[Reading], reader: str) -> None:
        """Put what ``reader`` has read in the place of what was read before, in articles that are held as they are."""
        with self._file.writing() as run:
            indexing.reread(run, readings, reader, self._aliases)
        indexing.compact(self._file)


log = logging.getLogger(__name__)

AT_HAND = 256  # readings
SCOPES = 64  # at hand
WIDER = 16  # times as many words as are wanted a misspelt one is held against, of which some are within


def damaged_text(article_id: str) -> str:
    """Say what to do about a text that a bad disk has changed."""
    return f"The text of {shown(article_id)} is damaged: `stet remove` it, and add it again."


def damaged_reading(article_id: str) -> str:
    """Say what to do about what was read in an article, where a bad disk has changed it."""
    return f"What was read in {shown(article_id)} is damaged: `stet reindex` reads it anew."


def unreadable(article: Article) -> Reading:
    """Refuse to read anew."""
    raise DamagedArticleError(damaged_reading(article.id))


class Archive:
    """The articles as they were read, in the file at ``path``, in memory without one: the waist of the program.

    Deterministic: hits are ordered by score, ties by article id and index. Names are joined as ``aliases`` say.

    Raises ``ArchiveError`` where the file cannot be used, ``BusyArchiveError`` where another process writes too long.
    ``now`` tells the time, in seconds, by which embargoes end; ``read`` reads anew what is damaged.
    """

    subscriptions: Subscriptions | None = None
    retirements: Retirements | None = None
    arrivals: Arrivals | None = None

    def __init__(
        self,
        path: Path | None = None,
        aliases: Aliases = NO_ALIASES,
        now: Callable[[], float] = time.time,
        read: Callable[[Article], Reading] = unreadable,
    ) -> None:
        self._file = ArchiveFile(path, MIGRATIONS)
        self.path = self._file.path
        self.place = str(self.path)  # as people are told it
        indexing.complete(self._file)
        self._held = threading.RLock()
        self._now = now
        self._read_anew = read
        self._aliases = aliases
        self._revision = ""
        self._revisions: dict[Scope, tuple[str, frozenset[int], str]] = {}  # seen, the versions then, the last to count
        self._layout = Layout()
        self._ids: dict[int, str] = {}
        self._scope = self._sources = EVERYTHING
        self._forget()

    def scoped(self, scope: Scope) -> Self:
        """Return what it holds within ``scope``: an archive that follows this one, over the same file.

        Of articles of other sources nothing is told: no sentence, no one named in them alone, no spelling, no count,
        and nothing that completes a name. How rare a word is, is counted over the whole: there is more to count, and
        nobody sees it. An article without a source is of none. Days are no secret: they bound what is found, listed
        and counted. What was shown can be opened whatever its day is, and names are those of all days.
        """
        view = copy(self)
        view.narrow(scope)
        return view

    def narrow(self, scope: Scope) -> None:
        """Hold what is within ``scope`` alone from now on."""
        self._scope = self._scope.narrowed(scope)
        self._sources = Scope(self._scope.sources)  # all that may be shown
        # what is told of the whole is asked of it alone
        self.subscriptions = self.retirements = self.arrivals = None
        self._revision, self._revisions = "", {}
        self._forget()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _forget(self) -> None:
        """Have nothing at hand of an earlier state."""
        self._reading = lru_cache(AT_HAND)(self._read)
        self._whole = lru_cache(AT_HAND)(self._joined)
        self._article = lru_cache(AT_HAND * 8)(self._stored)
        self._entity = lru_cache(AT_HAND * 8)(self._found)
        self._words = lru_cache(None)(self._of_length)
        self._called: dict[Name, Name] = {}
        self._within = lru_cache(SCOPES)(self._mask)
        self._tables = StoredNames(self._rows, self._entity, self._everyone, bounded=self._sources != EVERYTHING)
        self._register = NameIndex(self._tables)

    @contextmanager
    def _state(self) -> Iterator[Run]:
        """Look into one state of the file, whatever is written meanwhile."""
        # what is at hand is of one state, and one at a time looks into it; who reads the file alone waits for nobody
        with self._held, self._file.reading() as run:
            row = run("SELECT value FROM facts WHERE name = 'revision'").fetchone()
            if row and row[0] != self._revision:
                self._revision = row[0]
                self._layout.refresh(run)
                newest = max(self._ids, default=0)
                whole = "" if newest else " INDEXED BY versions_id"  # with no texts and readings between them
                self._ids |= dict(run(f"SELECT number, id FROM versions{whole} WHERE number > ?", (newest,)))
                self._forget()
            yield run

    def revision(self, scope: Scope = EVERYTHING) -> object:
        """Return what is equal for as long as nothing within ``scope`` comes, goes or is called otherwise."""
        scope = self._sources.narrowed(scope)
        with self._state() as run:
            if scope == EVERYTHING:
                return self._revision
            seen, held, changed = self._revisions.get(scope, ("", frozenset(), ""))
            if seen != self._revision:
                there = frozenset(versions.numbers(run, scope))
                if there != held or not there.isdisjoint(name_lookups.renamed(run, int(seen or 0))):
                    changed = self._revision
                self._revisions[scope] = (self._revision, there, changed)
            return changed

    def put(self, reading: Reading) -> None:
        """Take in a version of an article as it was read by itself; the one before it is superseded."""
        self.add((reading,))

    def add(self, readings: Sequence[Reading], reader: str = "") -> None:
        """Take in several, all or none; ``reader`` names what has read them, where not this program by itself."""
        now = self._now()
        with self._file.writing() as run:
            if versions.due(run, now):  # it is public already, be it that nobody has asked since
                indexing.release(run, self._aliases, now)
            indexing.add(run, readings, reader or program_version(), self._aliases, lambda _: now)
        indexing.compact(self._file)
        self._clear_journal()

    def remove(self, article_id: str) -> None:
        """Forget an article with all its versions; ``KeyError`` where there is none with this id."""
        with self._file.writing() as run:
            indexing.remove(run, article_id, self._aliases, self._read_anew)
        self._clear_journal()

    def reindex(self) -> None:
        """Build the index and who is who anew from what was read."""
        with self._file.writing() as run:
            indexing.reindex(run, self._aliases)
        self._file.forget()

    def release(self) -> None:
        """Take in what was embargoed until now, unless the file cannot be written.

        Where another process is writing, it is done by the next that asks.
        """
        if self._file.read_only:
            return
        with self._file.reading() as run:
            due, left = versions.due(run, self._now()), indexing.has_left_words(run)
        with suppress(BusyArchiveError):
            if due:
                with self._file.writing() as run:
                    indexing.release(run, self._aliases, self._now())
            if left:  # by who was killed
                self._clear_journal()

    def _clear_journal(self) -> None:
        """Take what was deleted out of the journal too; where somebody reads it just now, the next that asks does."""
        with self._file.reading() as run:
            left = indexing.has_left_words(run)
        if left and self._file.forget():
            with self._file.writing() as run:
                indexing.note_no_word_left(run)

    def forget(self, digests: Collection[str]) -> None:
        """Forget every article with a version of one of these texts, as far as it is held."""
        with self._file.reading() as run:
            found = versions.with_texts(run, digests)
        for article_id in found:
            self.remove(article_id)

    def waiting(self) -> tuple[Article, ...]:
        """Return the articles that are under an embargo, the one that ends first in front."""
        with self._state() as run:
            return tuple(versions.waiting(run))

    def fault(self) -> str:
        """Return what is wrong with the file; empty where it is whole."""
        return self._file.fault()

    def identified(self, articles: Iterable[Article]) -> tuple[Article, ...]:
        """Return the articles, each by the id under which it is held already or will be."""
        with self._state() as run:
            return tuple([replace(article, id=versions.identity(run, article)) for article in articles])

    def known(self, articles: Iterable[Article]) -> tuple[bool, ...]:
        """Tell of each article whether its newest version is just this one."""
        with self._state() as run:
            return tuple([versions.known(run, article, self._now()) for article in articles])

    def contents(self) -> Generator[tuple[Record, ...], None, None]:
        """Yield each article that is searched, with its versions, as all were at one moment; for one thread.

        Raises ``NoArticlesError`` where there is none, and ``StaleIndexError`` where one is damaged.
        """
        if not self.outlets():
            raise NoArticlesError(f"There is no article in {self.path} that can be asked.")
        with self._file.reading() as run:
            yield from versions.records(run)

    def meant(self, named: str) -> tuple[str, ...]:
        """Return the ids of the articles with this id or address, embargoed and superseded ones too."""
        with self._state() as run:
            return tuple(dict.fromkeys(article_id for _, article_id, _ in versions.of_article(run, named)))

    def fits(self) -> bool:
        """Return whether index and names were built by this program, and by what is said of names now."""
        with self._file.reading() as run:
            return indexing.fits(run, self._aliases)

    def versions(self, article_id: str) -> tuple[Reading, ...]:
        """Return what was read in every version of an article, the first first."""
        with self._state() as run:
            held = versions.of_article(run, article_id)
            return tuple([self._own(versions.numbered(run, number)) for number, _, _ in held])

    def article(self, article_id: str) -> Article:
        """Return the current version of an article; ``KeyError`` where there is none with this id."""
        with self._state() as run:
            return self._article(versions.number_of(run, article_id, self._sources))

    def reading(self, article_id: str) -> Reading:
        """Return all that was read in it; ``KeyError`` where there is none with this id."""
        with self._state() as run:
            return self._reading(versions.number_of(run, article_id, self._sources))

    def _stored(self, number: int) -> Article:
        with self._file.reading() as run:
            return versions.article(run, number)

    def _read(self, number: int) -> Reading:
        reading = self._whole(number)
        if self._sources == EVERYTHING:
            return reading
        named = {(mention.name, mention.kind) for passage in reading.passages for mention in passage.mentions}
        return with_names(reading, self._called_within(named))

    def _joined(self, number: int) -> Reading:
        """Return what was read in a version, with names as they are over the whole archive."""
        with self._file.reading() as run:
            version = versions.numbered(run, number)
            if version.article.digest != version.digest:
                raise DamagedArticleError(damaged_text(version.article.id))
            reading = self._own(version)
            return with_names(reading, name_store.called(run, [reading]))

    def _called_within(self, names: Collection[Name]) -> Called:
        """Return what those who are called so over the whole archive are called by the sources."""
        with self._file.reading() as run:
            found = ((name, self._entity(number)) for name, number in name_lookups.numbers_of(run, names).items())
            return {name: (entity.name, entity.kind) for name, entity in found if entity.name != name[0]}

    def _own(self, version: Version) -> Reading:
        """Return what was read in a version by itself; read anew where that is damaged."""
        try:
            return version.reading
        except ValueError:
            return self._read_anew(version.article)

    def damaged(self) -> tuple[str, ...]:
        """Say of each article that is damaged what to do."""
        with self._state() as run:
            return tuple(
                [
                    damaged_text(version.article.id)
                    if version.article.digest != version.digest
                    else damaged_reading(version.article.id)
                    for version in versions.damaged(run)
                ]
            )

    def addressed(self, key: str) -> Reading | None:
        """Return the version that ``key`` stands for, be it superseded; None where none does, or several do."""
        with self._state() as run:
            version = versions.keyed(run, key)
            shown = version and self._sources.holds(version.article.source, None)
            return self._reading(version.number) if version and shown else None

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        """Return its versions that can be opened, the current last; ``KeyError`` where there is none with this id."""
        with self._state() as run:
            versions.number_of(run, article_id, self._sources)
            held = versions.history(run, article_id)
            return tuple(version for version in held if self._sources.holds(version.source, None))

    def corrected(self, article_id: str, index: int) -> date | None:
        """Return the day on which a sentence was changed since an earlier version of its article; None where none."""
        with self._state() as run:
            return versions.corrected(run, versions.number_of(run, article_id, self._sources), index)

    def articles(self, scope: Scope = EVERYTHING) -> tuple[Article, ...]:
        """Return every article within ``scope``, by id."""
        with self._state() as run:
            return versions.articles(run, self._scope.narrowed(scope))

    def listed(
        self, terms: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> tuple[Listed, ...]:
        """Return every article within ``scope`` that holds each of ``terms`` and has one of ``facets``, by id."""
        with self._state() as run:
            having = [self._having(run, term) for term in terms]
            return versions.listed(
                run, self._scope.narrowed(scope), facets, set.intersection(*having) if having else None
            )

    def _having(self, run: Run, term: str) -> set[int]:
        """Return the versions with a sentence that holds ``term``, be it by a name alone."""
        named = name_lookups.naming(run, synopses.bearers(run, term))
        return scoring.having(run, self._layout, term) | named | synopses.telling(run, term)

    def copies(self, article_ids: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return the pairs of these articles of which the longer has most of the shorter."""
        with self._state() as run:
            return near_duplicates.among(run, article_ids)

    def copies_of(self, article_id: str) -> tuple[str, ...]:
        """Return the ids of the articles that are copies of this one."""
        with self._state() as run:
            return near_duplicates.of_one(run, article_id)

    def within(self, article_ids: Collection[str], scope: Scope) -> frozenset[str]:
        """Return those of the ids under which an article within ``scope`` is held."""
        with self._state() as run:
            return versions.within(run, article_ids, self._scope.narrowed(scope))

    def _mask(self, scope: Scope) -> Mask | None:
        with self._file.reading() as run:
            return None if scope == EVERYTHING else self._layout.marked(versions.numbers(run, scope))

    def outlets(self) -> tuple[Outlet, ...]:
        """Return how many articles there are of each source, and of which days, by source."""
        with self._state() as run:
            return versions.outlets(run, self._scope)

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits whose article shares a term with the query, best first."""
        self.release()
        with self._state() as run:
            found = scoring.ranked(run, self._layout, query, limit, self._within(self._scope.narrowed(query.scope)))
            places = [self._layout.place(int(number)) for number in found.numbers]
            order = sorted(range(len(places)), key=lambda n: (-found.total[n], self._ids[places[n][0]], places[n][1]))
            hits = []
            for n in order[:limit]:
                version, index = places[n]
                try:
                    passage = self._reading(version).passages[index]
                except DamagedArticleError as error:  # the others can be quoted
                    log.error("it is left out of what is found: %s", error)  # noqa: TRY400 - the sentence says it all
                    continue
                scores = (float(score[n]) for score in (found.total, found.own, found.paragraph, found.article))
                hits.append(Hit(self._ids[version], passage, *scores))
            return tuple(hits)

    def holding(
        self, terms: Collection[str], scope: Scope = EVERYTHING, among: Collection[str] | None = None
    ) -> tuple[tuple[str, int], ...]:
        """Return the place (article id, index) of every sentence within ``scope`` that holds all of ``terms``."""
        if not terms:
            return ()
        with self._state() as run:
            own = {term: scoring.places(run, self._layout, term) for term in terms}
            bearers = {term: synopses.bearers(run, term) for term in own}
            # the versions in which a name or a speaker holds the term where its words may not
            named = {term: name_lookups.naming(run, bearers[term]) | synopses.telling(run, term) for term in own}
            numbers = set.intersection(*(places.keys() | named[term] for term, places in own.items()))
            within, wanted = self._within(self._scope.narrowed(scope)), None if among is None else {*among}
            there = [
                number
                for number in numbers
                if (within is None or within[number]) and (wanted is None or self._ids[number] in wanted)
            ]
            told = self._noted([n for n in there if any(n in numbers for numbers in named.values())])
            noted = {number: synopsis.sentences for number, synopsis in told}
            found = {
                self._ids[number]: set.intersection(
                    *(
                        own[term].get(number, set()) | fields.holding(noted.get(number, ()), term, bearers[term])
                        for term in own
                    )
                )
                for number in there
            }
            return tuple((article_id, index) for article_id in sorted(found) for index in sorted(found[article_id]))

    def synopses(
        self, article_ids: Collection[str] = (), facets: Collection[str] = (), scope: Scope = EVERYTHING
    ) -> Iterator[Synopsis]:
        """Yield what was read in the articles with these ids or one of these ``facets``, the newest first."""
        with self._state() as run:
            numbers = versions.newest(run, article_ids, facets, self._scope.narrowed(scope))
        found = (synopsis for _, synopsis in self._noted(numbers))
        return found if self._sources == EVERYTHING else map(self._noted_within, found)

    def _noted_within(self, found: Synopsis) -> Synopsis:
        """Return a synopsis with names as they are by the sources."""
        names = {name[:2] for each in found.sentences for name in (*each.names, *filter(None, (each.named,)))}
        return synopses.with_names(found, self._called_within(names))

    def _noted(self, numbers: Sequence[int]) -> Iterator[tuple[int, Synopsis]]:
        """Yield the synopses of versions, as many at a time as are looked up together."""
        for start in range(0, len(numbers), AT_HAND):
            some = numbers[start : start + AT_HAND]
            with self._state() as run:
                codes = synopses.of(run, some)
                called = self._called
                missing = {pair for code in codes.values() for pair in code.names} - called.keys()
                called.update({pair: pair for pair in missing})
                called.update(synopses.called(run, missing))
            yield from ((number, codes[number].decoded(called)) for number in some if number in codes)

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences; ``KeyError`` where there is none with this id."""
        with self._state() as run:
            reading = self._whole(versions.number_of(run, article_id, self._sources))
            names = {mention.name for passage in reading.passages for mention in passage.mentions}
            return fields.fields(reading, name_lookups.called(run, names)).sentences

    def entities(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""
        return tuple(entity for entity in self._everyone().values() if entity.articles)

    def _everyone(self) -> dict[int, Entity]:
        with self._state() as run:
            return name_lookups.every(run, self._scope, self._named)

    def _named(self, numbers: Iterable[int]) -> Iterator[str]:
        return (self._ids[number] for number in numbers)

    def _found(self, number: int) -> Entity:
        with self._file.reading() as run:
            return name_lookups.entity_of(run, number, self._scope, self._named)

    def _rows(self, statement: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        with self._state() as run:
            return run(statement, values).fetchall()

    def register(self) -> NameIndex:
        """Return the same, to be looked up however a name is typed."""
        with self._state():
            return self._register

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Return who and what is named among folded ``words``, in order; the longest name where several begin."""
        with self._state():
            return QuestionNames(StoredSpellings(self._tables)).named(words)

    def size(self) -> int:
        """Return how many sentences are held."""
        with self._state():
            return self._layout.totals[0].documents

    def frequencies(self, terms: Collection[str], scope: Scope = EVERYTHING) -> Mapping[str, int]:
        """Return how many sentences within ``scope`` hold each of ``terms``, 0 where none does."""
        with self._state() as run:
            within = scoring.frequencies(run, self._layout, terms, self._within(self._sources.narrowed(scope)))
            if scope != EVERYTHING or self._sources == EVERYTHING:
                return within
            there = [term for term, count in within.items() if count]
            return {**within, **scoring.frequencies(run, self._layout, there, None)}

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words of the articles that ``word`` may be a misspelling of, nearest first."""
        with self._state():
            if self._sources == EVERYTHING:
                return edit_distance.spellings(word, self._words, limit)
            found = edit_distance.spellings(word, self._words, limit * WIDER)
            counts = self.frequencies(tuple(map(term, found)))
            return tuple(near for near in found if counts[term(near)])[:limit]

    def _of_length(self, length: int) -> Mapping[str, int]:
        with self._file.reading() as run:
            return {word: n for word, n in scoring.words(run, length).items() if edit_distance.counted(word)}


class LastingArchive(Archive):
    """The archive that articles are added to, and kept in: what it tells goes on over its starts.

    Beside the articles stand feeds (``subscriptions``), what came in (``arrivals``), and what is current no more
    (``retirements``) or of another program (``rereading``).
    """

    subscriptions: Subscriptions
    retirements: Retirements
    arrivals: Arrivals

    def __init__(
        self,
        path: Path,
        aliases: Aliases = NO_ALIASES,
        now: Callable[[], float] = time.time,
        read: Callable[[Article], Reading] = unreadable,
    ) -> None:
        super().__init__(path, aliases, now, read)
        self.subscriptions = Subscriptions(self._file)
        self.retirements = Retirements(self._file, self.release)
        self.arrivals = Arrivals(self._file, self.release)
        self.rereading = Rereading(self._file, aliases)


def open_archive(readings: Iterable[Reading] = (), aliases: Aliases = NO_ALIASES) -> Archive:
    """Return an archive in memory that holds ``readings``, each as its article was read by itself."""
    archive = Archive(aliases=aliases)
    archive.add(tuple(readings))
    return archive
