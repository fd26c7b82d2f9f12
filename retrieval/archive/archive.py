"""The archive: readings in, hits out, for as long as its file is there, or the process.

What is asked is answered from the last state that was written whole, by this process or another; what is put in is
seen by every process as soon as it is written. One object may be used by several threads at once.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Self

from retrieval.archive import (
    fields,
    indexing,
    name_lookups,
    near_duplicates,
    scoring,
    synopses,
    versions,
)
from retrieval.archive.database import ArchiveFile, Run
from retrieval.archive.layout import Layout
from retrieval.archive.name_lookups import QuestionNames, StoredSpellings
from retrieval.archive.retirement import (
    Arrivals,
    Retirements,
    clear_change_log,
    has_left_words,
    leave_no_word,
    note_no_word_left,
)
from retrieval.archive.schema import MIGRATIONS
from retrieval.archive.state import State, States, Within, damaged_text, own_reading
from retrieval.archive.subscriptions import Subscriptions
from retrieval.archive.versions import Record, Version
from retrieval.cache.fingerprint import program_version
from retrieval.errors import BusyArchiveError, DamagedArticleError, NoArticlesError, RetrievalError
from retrieval.limits import shown
from retrieval.model import Article, Entity, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
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

TOGETHER = 256  # synopses that are looked up at a time
WIDER = 16  # times as many words as are wanted a misspelt one is compared with, of which some are within
PATIENCE_SECONDS = 0.25  # for which somebody who only asks waits for another who writes
PAUSE_SECONDS = 1.0  # after which that is tried again
WARNING_SECONDS = 3_600.0  # after which it is said again that the file cannot be written


def damaged_reading(article_id: str) -> str:
    """Say what to do about what was read in an article, where a bad disk has changed it."""
    return f"What was read in {shown(article_id)} is damaged: `stet reindex` reads it anew."


def _having(run: Run, layout: Layout, term: str) -> set[int]:
    """Return the versions with a sentence that holds ``term``, be it by a name alone."""
    named = name_lookups.naming(run, synopses.bearers(run, term))
    return scoring.having(run, layout, term) | named | synopses.telling(run, term)


def unreadable(article: Article) -> Reading:
    """Refuse to read anew."""
    raise DamagedArticleError(damaged_reading(article.id))


class Archive:
    """The articles as they were read, in the file at ``path``, in memory without one: the waist of the program.

    Deterministic: hits are ordered by score, ties by article id and index. Names are joined as ``aliases`` say.
    What is due is published before anything is looked up, whatever that is.

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
        self._now = now
        self._read_anew = read
        self._aliases = aliases
        self._states = States(self._file, read)
        self._revisions: dict[Scope, tuple[int, frozenset[int], int]] = {}  # seen, the versions then, the last to count
        self._scope = self._sources = EVERYTHING

    def scoped(self, scope: Scope) -> Self:
        """Return what it holds within ``scope``: an archive that follows this one, over the same file.

        Of articles of other sources nothing is told: no sentence, no one named in them alone, no spelling, no count,
        and nothing that completes a name. How rare a word is, is counted over the whole: there is more to count, and
        nobody sees it. An article without a source is of none. Days are no secret: they bound what is found, listed
        and counted. What was shown can be opened whatever its day is, and names are those of all days.
        """
        view = copy(self)
        narrowed = self._scope.narrowed(scope)
        # of the sources all days may be shown; and what is told of the whole is asked of it alone
        vars(view).update(_scope=narrowed, _sources=Scope(narrowed.sources), _revisions={})
        view.subscriptions = view.retirements = view.arrivals = None
        return view

    @contextmanager
    def snapshot(self) -> Iterator[Self]:
        """Read one state of the archive in this thread for as long as this lasts, whatever is written meanwhile.

        Every method that reads, of this archive and of what it is ``scoped`` to, sees that state. Not to be used round
        an ``await``: other tasks of the thread would see it too.
        """
        with self._state():
            yield self

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @contextmanager
    def _state(self) -> Iterator[tuple[Run, State]]:
        """Look into one state of the file: inside another look of this thread, into the same one."""
        if self._states.is_open:
            with self._states.reading() as found:
                yield found
            return
        with self._states.reading() as found:
            if not self._has_chores(found[1]):
                yield found
                return
        self._do_chores()
        with self._states.reading() as found:
            yield found

    def _has_chores(self, state: State) -> bool:
        """Return whether something is to be published, or taken out of the journal, before anybody reads."""
        return (state.has_left_words or self._has_due(state)) and time.monotonic() >= self._states.chores_at

    def _has_due(self, state: State) -> bool:
        return state.embargo_end is not None and state.embargo_end <= self._now()

    def _do_chores(self) -> None:
        """Do them, and have the next that asks try again where others are in the way."""
        self.publish_due(PATIENCE_SECONDS)
        with self._states.reading() as (run, state):
            state.has_left_words = has_left_words(run)
            if self._file.read_only:
                self._states.chores_at = time.monotonic() + WARNING_SECONDS
                if overdue := self.overdue():
                    log.warning("%s", overdue)
            elif state.has_left_words or self._has_due(state):
                self._states.chores_at = time.monotonic() + PAUSE_SECONDS

    def overdue(self) -> str:
        """Say how many articles stay unpublished after their embargo, as the file cannot be written; "" for none."""
        with self._file.reading() as run:
            number = len(versions.due(run, self._now())) if self._file.read_only else 0
        verb = "article stays" if number == 1 else "articles stay"
        how = "ask the archive once where it can be written"
        return f"{number} {verb} unpublished after the embargo: {how}, {self.place} cannot be here." if number else ""

    def revision(self, scope: Scope = EVERYTHING) -> object:
        """Return a revision token: equal tokens mean that what is within ``scope`` is unchanged, names included."""
        scope = self._sources.narrowed(scope)
        with self._state() as (run, state):
            if scope == EVERYTHING:
                return state.revision
            seen, before, changed = self._revisions.get(scope, (0, frozenset(), 0))
            if state.revision < seen:  # this thread reads an older state than another has seen
                return state.revision
            if seen != state.revision:
                numbers = frozenset(versions.numbers(run, scope))
                if numbers != before or not numbers.isdisjoint(name_lookups.renamed(run, seen)):
                    changed = state.revision
                self._revisions[scope] = (state.revision, numbers, changed)
            return changed

    def add(self, readings: Sequence[Reading], reader: str = "") -> None:
        """Take in several, all or none; ``reader`` names what has read them, where not this program by itself."""
        now = self._now()
        with self._file.writing() as run:
            if versions.due(run, now):  # it is public already, be it that nobody has asked since
                indexing.publish_due(run, self._aliases, now)
            indexing.add(run, readings, reader or program_version(), self._aliases, lambda _: now)
        indexing.compact(self._file)
        self._clear_journal()

    def remove(self, article_id: str, *more: str) -> None:
        """Delete articles with all their versions, all or none; ``KeyError`` where one of the ids is unknown."""
        with self._file.writing() as run:
            for each in (article_id, *more):
                indexing.remove(run, each, self._aliases, self._read_anew)
        self._clear_journal()

    def reindex(self) -> None:
        """Build the index and who is who anew from what was read."""
        with self._file.writing() as run:
            indexing.reindex(run, self._aliases)
        self._file.checkpoint()

    def publish_due(self, patience: float | None = None) -> None:
        """Publish the articles whose embargo is over; that is done before anything is looked up, too.

        Where the file cannot be written, or another process writes for longer than ``patience`` seconds, they wait on.
        """
        if self._file.read_only:
            return
        with self._file.reading() as run:
            is_due, words_left = bool(versions.due(run, self._now())), has_left_words(run)
        with suppress(BusyArchiveError):
            if is_due:
                with self._file.writing(patience) as run:
                    if versions.due(run, self._now()):  # nobody else was quicker
                        indexing.publish_due(run, self._aliases, self._now())
            if words_left:  # by who was killed
                self._clear_journal(0 if patience else None)

    def _clear_journal(self, patience: float | None = None) -> None:
        """Take what was deleted out of the journal too; where somebody reads it just now, the next that asks does."""
        with self._file.reading() as run:
            words_left = has_left_words(run)
        if words_left and self._file.checkpoint(patience):
            with self._file.writing() as run:
                note_no_word_left(run)

    def delete(self, digests: Collection[str]) -> None:
        """Remove every article with a version of one of these texts, as far as it is there."""
        with self._file.reading() as run:
            found = versions.with_texts(run, digests)
        if found:
            self.remove(*found)

    def clear_change_log(self) -> None:
        """Delete the notes on what came and went, for an archive of which nobody follows them."""
        with self._file.writing() as run:
            if clear_change_log(run):
                leave_no_word(run)
        self._clear_journal()

    def waiting(self) -> tuple[Article, ...]:
        """Return the articles that are under an embargo, the one that ends first in front."""
        with self._state() as (run, _):
            return tuple(versions.waiting(run))

    def fault(self) -> str:
        """Return what is wrong with the file; empty where it is whole."""
        return self._file.fault()

    def identified(self, articles: Iterable[Article]) -> tuple[Article, ...]:
        """Return the articles, each by the id under which it is held already or will be."""
        with self._state() as (run, _):
            return tuple([replace(article, id=versions.identity(run, article)) for article in articles])

    def known(self, articles: Iterable[Article]) -> tuple[bool, ...]:
        """Tell of each article whether its newest version is just this one."""
        with self._state() as (run, _):
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
        with self._state() as (run, _):
            return tuple(dict.fromkeys(article_id for _, article_id, _ in versions.of_article(run, named)))

    def fits(self) -> bool:
        """Return whether index and names were built by this program, and by what is said of names now."""
        with self._file.reading() as run:
            return indexing.fits(run, self._aliases)

    def versions(self, article_id: str) -> tuple[Reading, ...]:
        """Return what was read in every version of an article, the first first."""
        with self._state() as (run, _):
            stored = versions.of_article(run, article_id)
            return tuple([self._any_reading(versions.numbered(run, number)) for number, _, _ in stored])

    def _any_reading(self, version: Version) -> Reading:
        """Return what was read in a version; nothing where that is damaged, and cannot be read again."""
        try:
            return own_reading(self._read_anew, version)
        except RetrievalError:
            return Reading(version.article, (), ())

    def article(self, article_id: str) -> Article:
        """Return the current version of an article; ``KeyError`` where there is none with this id."""
        with self._state() as (run, state):
            return state.article(versions.number_of(run, article_id, self._sources))

    def reading(self, article_id: str) -> Reading:
        """Return all that was read in it; ``KeyError`` where there is none with this id."""
        with self._state() as (run, state):
            return self._within(state).reading(versions.number_of(run, article_id, self._sources))

    def damaged(self) -> tuple[str, ...]:
        """Say of each article that is damaged what to do."""
        with self._state() as (run, _):
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
        with self._state() as (run, state):
            version = versions.keyed(run, key)
            shown = version and self._sources.holds(version.article.source, None)
            return self._within(state).reading(version.number) if version and shown else None

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        """Return its versions that can be opened, the current last; ``KeyError`` where there is none with this id."""
        with self._state() as (run, _):
            versions.number_of(run, article_id, self._sources)
            held = versions.history(run, article_id)
            return tuple(version for version in held if self._sources.holds(version.source, None))

    def corrected(self, article_id: str, index: int) -> date | None:
        """Return the day on which a sentence was changed since an earlier version of its article; None where none."""
        with self._state() as (run, _):
            return versions.corrected(run, versions.number_of(run, article_id, self._sources), index)

    def articles(self, scope: Scope = EVERYTHING) -> tuple[Article, ...]:
        """Return every article within ``scope``, by id."""
        with self._state() as (run, _):
            return versions.articles(run, self._scope.narrowed(scope))

    def listed(
        self,
        terms: Collection[str] = (),
        facets: Collection[str] = (),
        scope: Scope = EVERYTHING,
        newest: int | None = None,
    ) -> tuple[Listed, ...]:
        """Return every article within ``scope`` that holds each of ``terms`` and has one of ``facets``, by id.

        With ``newest``, only so many of them.
        """
        with self._state() as (run, state):
            having = [_having(run, state.layout, term) for term in terms]
            return versions.listed(
                run, self._scope.narrowed(scope), facets, set.intersection(*having) if having else None, newest
            )

    def literal(self, spellings: Collection[str], limit: int) -> tuple[str, ...]:
        """Return the ids of the articles that hold one of these to the letter, a line's end being a space."""
        with self._state() as (run, _):
            return versions.literal(run, spellings, self._scope, limit)

    def copies(self, article_ids: Collection[str]) -> tuple[tuple[str, str], ...]:
        """Return the pairs of these articles of which the longer has most of the shorter."""
        with self._state() as (run, _):
            return near_duplicates.among(run, article_ids)

    def copies_of(self, article_id: str) -> tuple[str, ...]:
        """Return the ids of the articles that are copies of this one."""
        with self._state() as (run, _):
            return near_duplicates.of_one(run, article_id)

    def within(self, article_ids: Collection[str], scope: Scope) -> frozenset[str]:
        """Return those of the ids under which an article within ``scope`` is held."""
        with self._state() as (run, _):
            return versions.within(run, article_ids, self._scope.narrowed(scope))

    def outlets(self) -> tuple[Outlet, ...]:
        """Return how many articles there are of each source, and of which days, by source."""
        with self._state() as (run, _):
            return versions.outlets(run, self._scope)

    def search(self, query: Query, limit: int) -> tuple[Hit, ...]:
        """Return at most ``limit`` hits whose article shares a term with the query, best first."""
        with self._state() as (run, state):
            found = scoring.ranked(run, state.layout, query, limit, state.mask(self._scope.narrowed(query.scope)))
            places = [state.layout.place(int(number)) for number in found.numbers]
            order = sorted(range(len(places)), key=lambda n: (-found.total[n], state.ids[places[n][0]], places[n][1]))
            hits = []
            for n in order[:limit]:
                version, index = places[n]
                try:
                    reading = self._within(state).reading(version)
                except DamagedArticleError as error:  # the others can be quoted
                    log.error("it is left out of what is found: %s", error)  # noqa: TRY400 - the sentence says it all
                    continue
                total, own, paragraph, whole = (
                    float(s[n]) for s in (found.total, found.own, found.paragraph, found.article)
                )
                digest = reading.article.digest
                hits.append(Hit(state.ids[version], reading.passages[index], total, own, paragraph, whole, digest))
            return tuple(hits)

    def holding(
        self, terms: Collection[str], scope: Scope = EVERYTHING, among: Collection[str] | None = None
    ) -> tuple[tuple[str, int], ...]:
        """Return the place (article id, index) of every sentence within ``scope`` that holds all of ``terms``."""
        if not terms:
            return ()
        with self._state() as (run, state):
            own = {term: scoring.places(run, state.layout, term) for term in terms}
            bearers = {term: synopses.bearers(run, term) for term in own}
            # the versions in which a name or a speaker holds the term where its words may not
            named = {term: name_lookups.naming(run, bearers[term]) | synopses.telling(run, term) for term in own}
            numbers = set.intersection(*(places.keys() | named[term] for term, places in own.items()))
            within, wanted = state.mask(self._scope.narrowed(scope)), None if among is None else {*among}
            there = [
                number
                for number in numbers
                if (within is None or within[number]) and (wanted is None or state.ids[number] in wanted)
            ]
            told = self._noted([n for n in there if any(n in numbers for numbers in named.values())])
            noted = {number: synopsis.sentences for number, synopsis in told}
            found = {
                state.ids[number]: set.intersection(
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
        with self._state() as (run, _):
            numbers = versions.newest(run, article_ids, facets, self._scope.narrowed(scope))
        found = (synopsis for _, synopsis in self._noted(numbers))
        return found if self._sources == EVERYTHING else map(self._noted_within, found)

    def _noted_within(self, found: Synopsis) -> Synopsis:
        """Return a synopsis with names as they are by the sources."""
        names = {name[:2] for each in found.sentences for name in (*each.names, *filter(None, (each.named,)))}
        with self._state() as (_, state):
            return synopses.with_names(found, self._within(state).called(names))

    def _noted(self, numbers: Sequence[int]) -> Iterator[tuple[int, Synopsis]]:
        """Yield the synopses of versions, as many at a time as are looked up together."""
        for start in range(0, len(numbers), TOGETHER):
            some = numbers[start : start + TOGETHER]
            with self._state() as (run, state):
                codes = synopses.of(run, some)
                called = state.called
                missing = {pair for code in codes.values() for pair in code.names} - called.keys()
                # at once: other threads read it too
                called.update({**{pair: pair for pair in missing}, **synopses.called(run, missing)})
            yield from ((number, codes[number].decoded(called)) for number in some if number in codes)

    def searchable(self, article_id: str) -> tuple[Searchable, ...]:
        """Return the terms of each of an article's sentences; ``KeyError`` where there is none with this id."""
        with self._state() as (run, state):
            reading = state.reading(versions.number_of(run, article_id, self._sources))
            names = {mention.name for passage in reading.passages for mention in passage.mentions}
            return fields.fields(reading, name_lookups.called(run, names)).sentences

    def entities(self) -> tuple[Entity, ...]:
        """Return everyone and everything named in the articles, by name."""
        with self._state() as (_, state):
            return tuple(entity for entity in self._within(state).everyone().values() if entity.articles)

    def _within(self, state: State) -> Within:
        return state.within(self._scope)

    def register(self) -> NameIndex:
        """Return the same, to be looked up however a name is typed."""
        with self._state() as (_, state):
            return self._within(state).register

    def named(self, words: Sequence[str]) -> tuple[Entity, ...]:
        """Return who and what is named among folded ``words``, in order; the longest name where several begin."""
        with self._state() as (_, state):
            return QuestionNames(StoredSpellings(self._within(state).tables)).named(words)

    def size(self) -> int:
        """Return how many sentences are held."""
        with self._state() as (_, state):
            return state.layout.totals[0].documents

    def frequencies(self, terms: Collection[str], scope: Scope = EVERYTHING) -> Mapping[str, int]:
        """Return how many sentences within ``scope`` hold each of ``terms``, 0 where none does."""
        with self._state() as (run, state):
            within = scoring.frequencies(run, state.layout, terms, state.mask(self._sources.narrowed(scope)))
            if scope != EVERYTHING or self._sources == EVERYTHING:
                return within
            there = [term for term, count in within.items() if count]
            return {**within, **scoring.frequencies(run, state.layout, there, None)}

    def spellings(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """Return the folded words of the articles that ``word`` may be a misspelling of, nearest first."""
        with self._state() as (_, state):
            if self._sources == EVERYTHING:
                return edit_distance.spellings(word, state.words_of_length, limit)
            found = edit_distance.spellings(word, state.words_of_length, limit * WIDER)
            counts = self.frequencies(tuple(map(term, found)))
            return tuple(near for near in found if counts[term(near)])[:limit]


class PersistentArchive(Archive):
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
        self.retirements = Retirements(self._file, self.publish_due, self._clear_journal)
        self.arrivals = Arrivals(self._file, self.publish_due)
        self.rereading = Rereading(self._file, aliases)


def open_archive(readings: Iterable[Reading] = (), aliases: Aliases = NO_ALIASES) -> Archive:
    """Return an archive in memory that holds ``readings``, each as its article was read by itself."""
    archive = Archive(aliases=aliases)
    archive.add(tuple(readings))
    return archive
