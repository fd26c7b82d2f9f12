"""The archive: readings in, hits out.

A reader sees the last state that was written completely, by this process or another. One object may be used by several
threads at once.
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import groupby, islice, starmap
from operator import itemgetter
from pathlib import Path

from retrieval.archive import fields, indexing, occurrences, register, retirement, scoring, segments, vectors, versions
from retrieval.archive.database import IN_LIST, ArchiveFile, Run, fact
from retrieval.archive.interface import Archive, Vocabulary
from retrieval.archive.register import Register
from retrieval.archive.state import State, States, damaged_text, own_reading, readable
from retrieval.archive.subscriptions import Subscriptions
from retrieval.archive.versions import Version, day_of, parse_day
from retrieval.cache import program_version
from retrieval.errors import BusyArchiveError, DamagedArticleError, DamagedIndexError, RetrievalError
from retrieval.limits import shown
from retrieval.model import Article, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.search import Hit, Listed, Occurrence, Outlet, Query, Searchable, VersionSummary
from retrieval.text.terms import Phrase

log = logging.getLogger(__name__)

SURROGATE = re.compile("[\ud800-\udfff]")
QUOTES = "instr(replace(text, char(10), ' '), ?)"

PATIENCE_SECONDS = 0.25  # a reader waits so long for another process that writes
PAUSE_SECONDS = 1.0  # then it is tried again
WARNING_SECONDS = 3_600.0  # between two warnings that the file cannot be written


def damaged_reading(article_id: str) -> str:
    return f"What was read in {shown(article_id)} is damaged: `stet reindex` reads it again."


def unreadable(article: Article) -> Reading:
    raise DamagedArticleError(damaged_reading(article.id))


class WritableArchive(Archive):
    """An archive in the file at ``path``, or in memory without one; ``aliases`` say which names are one.

    Every method publishes the articles whose embargo has ended before it reads.

    Raises ``ArchiveError`` if the file cannot be used, ``BusyArchiveError`` if another process writes too long.
    ``now`` returns the time in seconds since 1970; ``read`` reads an article again whose reading is damaged.
    """

    is_followed = False  # whether feeds and changes are written down

    def __init__(
        self,
        path: Path | None = None,
        aliases: Aliases = NO_ALIASES,
        now: Callable[[], float] = time.time,
        read: Callable[[Article], Reading] = unreadable,
    ) -> None:
        self._file = ArchiveFile(path)
        self.path = self._file.path
        self.place = str(self.path)  # for messages
        self._now = now
        self._reread = read
        self.aliases = aliases
        self._states = States(self._file, read)
        if self.is_followed:
            self.subscriptions = Subscriptions(self._file)
            self.retirements = retirement.Retirements(self._file, self.publish_due)
            self.arrivals = retirement.Arrivals(self._file, self.publish_due)

    def __reduce__(self) -> tuple[object, ...]:
        """Open the same file in another process; what is in memory is read into memory there."""
        within = {"_scope": self._scope, "_sources": self._sources}
        if self._file.in_memory:
            return open_archive, (tuple(self.reading(each.id) for each in self.articles()), self.aliases), within
        return WritableArchive, (self.path, self.aliases, self._now, self._reread), within

    @contextmanager
    def _state(self) -> Iterator[tuple[Run, State]]:
        if not self._states.is_open and time.monotonic() >= self._states.chores_at:
            self._do_chores()
        with self._states.reading() as opened:
            yield opened

    @contextmanager
    def _words(self) -> Iterator[State]:
        with self._state() as (_, state):
            yield state

    def _do_chores(self) -> None:
        """Publish what is due and clear the journal; if another process is in the way, a later reader tries again."""
        if not any(self._chores()):
            return
        self.publish_due(PATIENCE_SECONDS)
        if self._file.read_only:
            self._states.chores_at = time.monotonic() + WARNING_SECONDS
            if overdue := self.overdue():
                log.warning("%s", overdue)
        elif any(self._chores()):
            self._states.chores_at = time.monotonic() + PAUSE_SECONDS

    def _chores(self) -> tuple[int, bool]:
        """Return how many articles wait though their embargo has ended, and whether deleted words are left."""
        with self._file.reading() as run:
            return len(versions.due(run, self._now())), retirement.is_journal_dirty(run)

    def revision(self) -> object:
        with self._state() as (_, state):
            return state.revision

    def article(self, article_id: str) -> Article:
        with self._state() as (run, state):
            return state.article(versions.number_of(run, article_id, self._sources))

    def reading(self, article_id: str) -> Reading:
        with self._state() as (run, state):
            return state.within(self._scope).reading(versions.number_of(run, article_id, self._sources))

    def addressed(self, key: str) -> Reading | None:
        with self._state() as (run, state):
            opened = list(islice(versions.every(run, f"key = ? AND {versions.OPEN}", key), 2))
            is_one = len({(version.id, version.text) for version in opened}) == 1
            is_shown = is_one and self._sources.holds(opened[-1].article.source, None)
            return state.within(self._scope).reading(opened[-1].number) if is_shown else None

    def superseded(self, most: int) -> tuple[tuple[str, str], ...]:
        with self._state() as (run, _):
            later = "(SELECT min(number) FROM versions AS v WHERE v.id = opened.id AND v.number > opened.number)"
            which = f"{versions.OPEN} AND state = 'superseded' ORDER BY {later} DESC LIMIT ?"
            return tuple(run(f"SELECT id, key FROM versions AS opened WHERE {which}", (most,)))

    def history(self, article_id: str) -> tuple[VersionSummary, ...]:
        with self._state() as (run, _):
            versions.number_of(run, article_id, self._sources)
            statement = f"SELECT digest, source, {versions.SINCE}, corrections FROM versions WHERE {versions.IN_ORDER}"
            every = starmap(versions.summary, run(statement, (article_id,)))
            return tuple([version for version in every if self._sources.holds(version.source, None)])

    def listed(
        self,
        terms: Collection[str] = (),
        facets: Collection[str] = (),
        newest: int | None = None,
        *,
        named: Collection[str] | None = None,
        quoting: Collection[str] = (),
    ) -> tuple[Listed, ...]:
        condition, values = versions.within_scope(self._scope)
        if one_of := sorted(facets):
            condition += f" AND number IN (SELECT version FROM facets WHERE facet {IN_LIST})"
            values.append(json.dumps(one_of))
        if named is not None:
            names = json.dumps(sorted(named))
            same = f"SELECT id FROM versions WHERE id {IN_LIST} UNION SELECT id FROM versions WHERE url {IN_LIST}"
            condition += f" AND id IN ({same})"
            values += (names, names)
        if quotations := sorted(quoting):
            if not (wanted := [each for each in quotations if not SURROGATE.search(each)]):  # no file can contain one
                return ()
            condition += f" AND ({' OR '.join([QUOTES] * len(wanted))})"
            values += wanted
        with self._state() as (run, state):
            spoken = ((state.layout.places(scoring.numbers_having(run, [term]))[0], term) for term in terms)
            having = [{*numbers, *register.naming(run, term)} for numbers, term in spoken]
            if having:
                condition += f" AND number {IN_LIST}"
                values.append(json.dumps(sorted(set.intersection(*having))))
            order = "ORDER BY id" if newest is None else f"{versions.NEWEST_FIRST} LIMIT {newest:d}"
            rows = run(f"{versions.LISTED} WHERE {condition} {order}", values)
            listed = (versions.listed(row, json.loads(copies)) for *row, copies in rows)
            return tuple(sorted(listed, key=itemgetter(0)))

    def outlets(self) -> tuple[Outlet, ...]:
        condition, values = versions.within_scope(self._scope)
        with self._state() as (run, _):
            rows = run(f"{versions.OUTLETS} WHERE {condition} GROUP BY 1 ORDER BY 1", values).fetchall()
        # since when a source is known is not told of some days
        return tuple(
            Outlet(source, count, parse_day(first), parse_day(last), None if self._scope.since else day_of(taken))
            for source, count, first, last, taken in rows
        )

    def search(self, query: Query, limit: int, near: int = 0) -> tuple[Hit, ...]:
        with self._state() as (run, state):
            within = state.mask(self._scope)
            asked = query.vector
            nearest = state.table().nearest(asked, near, within) if near and asked is not None else None
            numbers, *levels = scoring.ranked(run, state.layout, query, limit, within, more=nearest)
            scores = zip(*(level.tolist() for level in levels), strict=True)
            found = zip(numbers.tolist(), *state.layout.places(numbers), scores, strict=True)
            best = sorted(found, key=lambda each: (-each[3][0], state.ids[each[1]], each[2]))
            further = set() if nearest is None else set(nearest.tolist())
            wanted = best[:limit] + [each for each in best[limit:] if each[0] in further]
            places = [(version, index) for _, version, index, _ in wanted]
            near_by = {} if asked is None else vectors.cosines(run, asked, places)
            hits = []
            for _, version, index, (total, own, paragraph, article) in wanted:
                if reading := readable(state.within(self._scope).reading, version):
                    passage, cosines = reading.passages[index], near_by.get((version, index), ())
                    digest = reading.article.digest
                    hits.append(Hit(state.ids[version], passage, total, own, paragraph, article, digest, cosines))
            return tuple(hits)

    def written(self, phrase: Phrase) -> tuple[Occurrence, ...]:
        with self._state() as (run, state):
            return occurrences.of(run, state.layout, phrase, state.mask(self._scope), state.ids)

    def readings(self, article_ids: Collection[str] = (), facets: Collection[str] = ()) -> Iterator[Reading]:
        condition, values = versions.within_scope(self._scope)
        either = f"(id {IN_LIST} OR number IN (SELECT version FROM facets WHERE facet {IN_LIST}))"
        newest = f"SELECT number FROM versions WHERE {condition} AND {either} {versions.NEWEST_FIRST}"
        with self._state() as (run, _):
            wanted = (json.dumps(sorted(article_ids)), json.dumps(sorted(facets)))
            numbers = run(newest, (*values, *wanted)).fetchall()
        for (number,) in numbers:
            with self._state() as (_, state):
                reading = readable(state.within(self._scope).reading, number)
            if reading:
                yield reading

    def searchable(self, article_ids: Collection[str]) -> Mapping[str, tuple[Searchable, ...]]:
        with self._state() as (run, state):
            within = partial(versions.number_of, run, scope=self._sources)
            read = ((each, readable(lambda own: state.reading(within(own)), each)) for each in article_ids)
            readings = {article_id: reading for article_id, reading in read if reading}
            entities = register.entities_named(run, {name for name, _ in fields.names_of(*readings.values())})
            return {article_id: fields.searchable(reading, entities) for article_id, reading in readings.items()}

    def register(self) -> Register:
        with self._state() as (_, state):
            return state.within(self._scope).register

    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self._words, self._sources)

    def overdue(self) -> str:
        """Say how many articles stay unpublished after their embargo, as the file cannot be written; "" for none."""
        number, _ = self._chores() if self._file.read_only else (0, False)
        verb = "article stays" if number == 1 else "articles stay"
        how = "ask the archive once where it can be written"
        return f"{number} {verb} unpublished after the embargo: {how}, {self.place} cannot be here." if number else ""

    def publish_due(self, patience: float | None = None) -> None:
        """Publish the articles whose embargo has ended; nothing happens if the file cannot be written."""
        if self._file.read_only:
            return
        is_due, words_left = self._chores()
        with suppress(BusyArchiveError):
            if is_due:
                with self._file.writing(patience) as run:
                    indexing.publish_due(run, self.aliases, self._now())
            if words_left:  # by a process that was killed
                retirement.clear_journal(self._file, 0 if patience else None)

    def close(self) -> None:
        self._file.close()

    def add(self, readings: Sequence[Reading], reader: str = "", *, more: bool = False) -> None:
        """Add articles and new versions, all or none; ``reader`` names the program that read them, if not this one.

        Where ``more`` are to come, or there are very many names, they are resolved at the end of ``adding``.
        """
        now = self._now()
        with self._file.writing() as run:
            indexing.publish_due(run, self.aliases, now)  # already public, even if nobody has asked since
            indexing.add(run, readings, reader or program_version(), self.aliases, now, more=more)
        indexing.compact(self._file)
        retirement.clear_journal(self._file)

    @contextmanager
    def adding(self) -> Iterator[None]:
        """Have names resolved once at the end of all that is added inside."""
        try:
            yield
        finally:
            self.resolve_names()

    def resolve_names(self) -> None:
        """Decide which names are one entity, if that was left for now: in a second for each 12,000 names."""
        if self._file.read(fact, indexing.UNRESOLVED):
            with self._file.writing() as run:
                indexing.resolve_names(run, self.aliases)
                indexing.note_change(run)

    def remove(self, article_id: str, *more: str) -> None:
        with self._file.writing() as run:
            for each in (article_id, *more):
                indexing.remove(run, each, self.aliases)
        retirement.clear_journal(self._file)
        self.resolve_names()

    def delete_texts(self, digests: Collection[str]) -> None:
        """Remove every article that has a version with one of these texts, and what was noted of changes."""
        statement = f"SELECT DISTINCT id FROM versions WHERE digest {IN_LIST} ORDER BY id"
        if rows := self._file.rows(statement, (json.dumps(sorted(digests)),)):
            self.remove(*(article_id for (article_id,) in rows))
        self.clear_change_log()

    def clear_change_log(self) -> None:
        """Delete the notes on what was added and removed, of an archive whose changes nobody follows."""
        with self._file.writing() as run:
            retirement.clear_change_log(run)
        retirement.clear_journal(self._file)

    def unencoded(self) -> tuple[int, ...]:
        """Return the numbers of the versions, public or to be, whose sentences have no vectors of this encoder."""
        return tuple(self._file.read(versions.numbers, f"{versions.LIVE} AND {vectors.MISSING} ORDER BY number"))

    def stored_reading(self, number: int) -> Reading | None:
        """Return what was read in a version by its number; None where that is damaged, or it is gone."""
        with suppress(KeyError, ValueError):
            return self._file.read(versions.numbered, number).reading
        return None

    def put_vectors(self, encoded: Iterable[vectors.Encoded]) -> None:
        with self._file.writing() as run:
            vectors.put(run, encoded)
            indexing.note_change(run)

    def reindex(self) -> None:
        with self._file.writing() as run:
            indexing.reindex(run, self.aliases)
        self._file.checkpoint()

    def fits(self) -> bool:
        return self._file.read(indexing.fits, self.aliases)

    def copy_to(self, path: Path) -> None:
        self.publish_due()
        self._file.copy_to(path)

    def rows(self) -> AbstractContextManager[Run]:
        """Give what reads the rows of one state, for one thread: a cluster is filled with them."""
        self.publish_due()
        return self._file.reading()

    def withheld(self, copy: WritableArchive) -> retirement.Withheld:
        with self.rows() as now, copy.rows() as run:
            return retirement.withheld(now, run)

    def take_log(self, other: WritableArchive) -> None:
        with other.rows() as now, self._file.writing() as run:
            retirement.take_log(now, run)

    def take_over(self, article_id: str, other: WritableArchive) -> None:
        """Replace an article by what another archive has of it: nothing, or its versions as of their own times."""
        now = self._now()
        with other.rows() as run:
            taken = retirement.kept(run, article_id)
        with self._file.writing() as run:
            with suppress(KeyError):
                indexing.remove(run, article_id, self.aliases)
            for version in taken:
                came = min(version.since, now)  # before the end of its embargo where it waits
                indexing.add(run, [self._any_reading(version)], version.reader, self.aliases, came)
        retirement.clear_journal(self._file)

    def fault(self) -> str:
        return self._file.fault()

    def damaged(self) -> tuple[str, ...]:
        """Say what to do about each damaged article, and a damaged index."""
        with self._file.reading() as run:
            whole_text = ((version.id, version.has_whole_text) for version in versions.damaged(run))
            articles = [(damaged_reading if is_whole else damaged_text)(each) for each, is_whole in whole_text]
            indexes = () if segments.are_whole(run) else (str(DamagedIndexError()),)
            again = "`stet reindex` makes them again. Until then it is found by its words alone."
            codes = (f"The vectors of {shown(each)} are damaged: {again}" for each in vectors.damaged(run))
            return (*articles, *codes, *indexes)

    def identified(self, articles: Iterable[Article]) -> tuple[Article, ...]:
        """Return the articles with the ids under which the archive has them, or will have them."""
        with self._state() as (run, _):
            return tuple([replace(article, id=versions.identity(run, article)) for article in articles])

    def known(self, articles: Iterable[Article]) -> tuple[bool, ...]:
        """Return for each article whether its newest version is the same."""
        with self._state() as (run, _):
            now = self._now()
            return tuple([versions.known(run, each, early=versions.is_early(each, now)) for each in articles])

    def articles(self) -> tuple[Article, ...]:
        condition, values = versions.within_scope(self._scope)
        with self._state() as (run, _):
            rows = run(f"SELECT id, text, metadata FROM versions WHERE {condition} ORDER BY id", values)
            return tuple(starmap(versions.article_of, rows))

    def waiting(self) -> tuple[Article, ...]:
        """Return the articles that are under an embargo, the one that ends first in front."""
        with self._state() as (run, _):
            waiting = versions.every(run, "state = 'embargoed' ORDER BY embargo, id")
            return tuple([version.article for version in waiting])

    def versions(self, named: str) -> tuple[Reading, ...]:
        """Return the readings of all versions of the articles with this id or address in order, embargoed ones too."""
        with self._state() as (run, _):
            of_article = "(id = ?1 OR url = ?1) AND state != 'renewed' ORDER BY number"
            return tuple([self._any_reading(version) for version in versions.every(run, of_article, named)])

    def _any_reading(self, version: Version) -> Reading:
        """Return the reading of a version; an empty one if it is damaged and cannot be read again."""
        try:
            return own_reading(self._reread, version)
        except RetrievalError:
            return Reading(version.article, (), ())

    def stored(self) -> tuple[int, int]:
        """Return how many articles and versions there are, public or not."""
        with self._state() as (run, _):
            statement = "SELECT count(DISTINCT id), count(*) FROM versions WHERE state != 'renewed'"
            articles, count = run(statement).fetchone()
            return int(articles), int(count)


class PersistentArchive(WritableArchive):
    """The archive that ``stet add`` fills, with the feeds it follows and the log of its changes."""

    subscriptions: Subscriptions
    retirements: retirement.Retirements
    arrivals: retirement.Arrivals
    is_followed = True

    def is_untouched(self) -> bool:
        """Return whether no article was ever added and no feed is followed; removed articles count as added."""
        ever_added = "SELECT 1 FROM sqlite_sequence WHERE name = 'versions'"
        return not self._file.rows(f"{ever_added} UNION ALL SELECT 1 FROM feeds LIMIT 1")

    def stale(self) -> tuple[int, ...]:
        """Return the numbers of the current and waiting versions that another version of the program has read."""
        others = f"{versions.LIVE} AND reader != ? ORDER BY number"
        return tuple(self._file.read(versions.numbers, others, [program_version()]))

    def unreadable(self) -> tuple[int, ...]:
        """Return the numbers of those whose reading is damaged, but not their text."""
        with self._file.reading() as run:
            return tuple([each.number for each in versions.damaged(run) if each.has_whole_text])

    def numbered(self, numbers: Iterable[int]) -> tuple[Article, ...]:
        """Return versions by their numbers; ``KeyError`` if there is none."""
        with self._file.reading() as run:
            return tuple([versions.numbered(run, number).article for number in numbers])

    def by_path(self) -> dict[str, list[int]]:
        """Return the numbers of the newest versions of articles, public or to be, by where they came from."""
        newest = f"SELECT path, max(number) FROM versions WHERE {versions.LIVE} GROUP BY id ORDER BY 1, 2"
        return {path: [n for _, n in rows] for path, rows in groupby(self._file.rows(newest), itemgetter(0))}

    def renew(self, readings: Sequence[tuple[int, Reading]]) -> None:
        """Put other readings of unchanged files in the place of versions, by their numbers; call it in ``adding``."""
        with self._file.writing() as run:
            indexing.renew(run, readings, program_version(), self.aliases)
        indexing.compact(self._file)
        retirement.clear_journal(self._file)

    def replace_readings(self, readings: Sequence[Reading]) -> None:
        with self._file.writing() as run:
            indexing.reread(run, readings, program_version(), self.aliases)
        indexing.compact(self._file)


def open_archive(readings: Iterable[Reading] = (), aliases: Aliases = NO_ALIASES) -> WritableArchive:
    """Return an archive in memory with these readings."""
    archive = WritableArchive(aliases=aliases)
    archive.add(tuple(readings))
    return archive
