"""One state of an archive, and what every thread that reads it shares: what was once worked out of its rows.

A state is one revision. Whoever looks at an archive opens a transaction and gets the state that it shows; the caches
hang on the state, so that nobody ever meets what was worked out of another one, and threads need no lock to look at
once. Of a state nothing changes but that its caches fill.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import TypeVar

from retrieval.archive import register, scoring, versions
from retrieval.archive.database import ArchiveFile, Run, fact
from retrieval.archive.fields import names_of
from retrieval.archive.register import Register, StoredNames
from retrieval.archive.segments import IndexLayout, Mask
from retrieval.archive.vectors import VectorTables
from retrieval.archive.versions import Version, numbers, within_scope
from retrieval.errors import DamagedArticleError
from retrieval.limits import shown
from retrieval.model import Article, Reading
from retrieval.names.entities import with_names
from retrieval.search import EVERYTHING, Scope

T = TypeVar("T")
log = logging.getLogger(__name__)

READINGS = 256  # in the cache of one state
ARTICLES = READINGS * 8
SCOPES = 64
STATES = 2  # the newest, and the one before it, which somebody may be reading still

Reread = Callable[[Article], Reading]  # reads an article again
Read = Callable[[int], Reading]  # by a version's number


def damaged_text(article_id: str) -> str:
    return f"The text of {shown(article_id)} is damaged: `stet remove` it, and add it again."


def own_reading(reread: Reread, version: Version) -> Reading:
    """Return what was read in a version by itself; read again where that is damaged."""
    try:
        return version.reading
    except ValueError:
        return reread(version.article)


def readable(read: Callable[[T], Reading], version: T) -> Reading | None:
    """Return what was read in a version; None where that is damaged, or it was removed meanwhile."""
    try:
        return read(version)
    except DamagedArticleError as error:  # the others can be quoted
        log.error("%s It is left out.", error)  # noqa: TRY400 - the sentence says it all
    except KeyError:
        pass
    return None


class State:
    """One revision of the archive in ``file``, read through ``run``; ``before`` saves reading what is the same.

    No cache refers to the state, so that it goes as soon as nobody reads it.
    """

    def __init__(self, run: Run, revision: int, file: ArchiveFile, reread: Reread, before: State | None = None) -> None:
        self.revision, self._file = revision, file
        self.layout = layout = IndexLayout(run)
        newest = max(before.ids, default=0) if before else 0
        whole = "" if newest else " INDEXED BY versions_id"  # with no texts and readings between them
        added = dict(run(f"SELECT number, id FROM versions{whole} WHERE number > ?", (newest,)))
        self.ids: Mapping[int, str] = {**before.ids, **added} if before else added
        self.article = lru_cache(ARTICLES)(lambda number: file.read(versions.article, number))
        self.reading = lru_cache(READINGS)(lambda number: file.read(_reading, reread, number))
        self._words_of_length = lru_cache(None)(lambda length: file.read(scoring.words, length))
        self.mask: Callable[[Scope], Mask | None] = lru_cache(SCOPES)(
            lambda scope: None if scope == EVERYTHING else layout.marked(file.read(numbers, *within_scope(scope)))
        )
        self.within = lru_cache(SCOPES)(partial(Within, file, self.ids, self.reading))
        self.tables: VectorTables = before.tables if before else VectorTables()
        tables = self.tables
        # of the vectors of the sentences that can be found, in memory from the first time on
        self.table = lru_cache(None)(lambda: file.read(tables.table, layout))

    def sentences(self) -> int:
        return self.layout.totals[0].documents

    def frequencies(self, terms: Collection[str], scope: Scope) -> Mapping[str, int]:
        return self._file.read(scoring.frequencies, self.layout, terms, self.mask(scope))

    def spelt_like(self, word: str) -> Callable[[int], Mapping[str, int]]:  # noqa: ARG002 - all words are known
        return self._words_of_length


class Within:
    """What a state has within ``scope``: names are those that its sources use."""

    def __init__(self, file: ArchiveFile, ids: Mapping[int, str], reading: Read, scope: Scope) -> None:
        is_bounded = scope.sources is not None
        entity = lru_cache(ARTICLES)(lambda number: file.read(register.entities, scope, ids, number)[number])

        def renamed(number: int) -> Reading:
            own = reading(number)
            of_names = file.read(register.numbers_of, names_of(own))
            called = {name: entity(its) for name, its in of_names.items()}  # by these sources
            return with_names(own, {name: (its.name, its.kind) for name, its in called.items()})

        self.reading: Read = lru_cache(READINGS)(renamed) if is_bounded else reading
        self.register = Register(
            StoredNames(file.rows, entity, lambda: file.read(register.entities, scope, ids), bounded=is_bounded)
        )


def _reading(run: Run, reread: Reread, number: int) -> Reading:
    """Return what was read in a version, with names as they are over the whole archive."""
    version = versions.numbered(run, number)
    if not version.has_whole_text:
        raise DamagedArticleError(damaged_text(version.article.id))
    reading = own_reading(reread, version)
    return with_names(reading, register.called(run, names_of(reading)))


class States:
    """The states of the archive in ``file``, as they are read; the newest stay in memory."""

    def __init__(self, file: ArchiveFile, reread: Reread) -> None:
        self._file, self._reread = file, reread
        self._making = threading.Lock()
        self._newest: dict[int, State] = {}  # by their revisions
        self._thread = threading.local()
        self.chores_at = 0.0  # of the monotonic clock: before that, no chore is tried again

    @property
    def is_open(self) -> bool:
        """Whether this thread is reading one."""
        return getattr(self._thread, "state", None) is not None

    @contextmanager
    def reading(self) -> Iterator[tuple[Run, State]]:
        """Read one state in this thread, whatever is written meanwhile: inside another ``reading``, the same one."""
        with self._file.reading() as run:
            if self.is_open:
                yield run, self._thread.state
                return
            self._thread.state = self._state(run)
            try:
                yield run, self._thread.state
            finally:
                self._thread.state = None

    def _state(self, run: Run) -> State:
        revision = int(fact(run, "revision", "0"))
        with self._making:  # once, for all who wait for it
            if (state := self._newest.get(revision)) is None:
                earlier = max((each for each in self._newest if each < revision), default=0)
                state = State(run, revision, self._file, self._reread, self._newest.get(earlier))
                newest = {**self._newest, revision: state}
                self._newest = {each: newest[each] for each in sorted(newest)[-STATES:]}
            return state
