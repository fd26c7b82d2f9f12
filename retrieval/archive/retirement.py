"""The log of changes: versions that became public, and those that are no longer current, in that order.

A version is retired when it is superseded, or removed with its article; if its article comes under an embargo again, it
counts as removed. The log has no word of an article: from it every process learns which versions that it has shown are
outdated. It also tells what an older copy of the archive must not bring back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import starmap

from retrieval.archive.database import ArchiveFile, Run, fact, run_many, set_fact
from retrieval.archive.versions import CURRENT, EMBARGOED, Version, every

MOST = 1_000  # entries that are returned at a time
DRAFT = 2  # how the log marks a draft that was replaced under its embargo: no copy brings it back, and nobody is told
LEFT = "words left in the journal"  # a fact of the archive
REMOVED = "SELECT DISTINCT key, digest, removed FROM retired WHERE removed"
LAST = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'versions'"


@dataclass(frozen=True, slots=True)
class Arrived:
    """An article of which a version became public; ``number`` grows."""

    number: int
    article_id: str


@dataclass(frozen=True, slots=True)
class Retired:
    """A version by its key and the digest of its text; ``number`` grows. Of a ``removed`` one nothing is left.

    ``article`` and ``url`` are the id and the address of its article, where they are known.
    """

    number: int
    key: str
    digest: str
    removed: bool
    article: str = ""
    url: str = ""


def retire(run: Run, condition: str, *values: object, removed: bool) -> None:
    """Note that versions are no longer current; the listener is still to delete the words of ``removed`` ones."""
    those = f"FROM versions WHERE {condition} ORDER BY number"
    run(f"INSERT INTO retired (key, digest, removed) SELECT key, digest, {removed:d} {those}", values)
    if removed:
        run(f"INSERT INTO removals SELECT key, digest, id, coalesce(url, '') {those}", values)


def forget_waiting(run: Run, article_id: str, digest: str) -> bool:
    """Delete the version that waits; if the one in its place has another text, note it, so that no copy restores it."""
    waits = "FROM versions WHERE id = ? AND state = 'embargoed'"
    run(
        f"INSERT INTO retired (key, digest, removed) SELECT key, digest, ? {waits} AND digest != ?",
        (DRAFT, article_id, digest),
    )
    return bool(run(f"DELETE {waits}", (article_id,)).rowcount)


def mark_journal_dirty(run: Run) -> None:
    """Note that deleted words are to be overwritten in the journal too."""
    set_fact(run, LEFT, "1")


def is_journal_dirty(run: Run) -> bool:
    """Return whether the journal may still contain deleted words."""
    return fact(run, LEFT) != ""


def clear_journal(file: ArchiveFile, patience: float | None = None) -> None:
    """Overwrite deleted words in the journal; if somebody is reading it, the next reader of the archive does it."""
    if file.read(is_journal_dirty) and file.checkpoint(patience):
        with file.writing() as run:
            set_fact(run, LEFT, "")


def clear_change_log(run: Run) -> None:
    if sum(run(f"DELETE FROM {table}").rowcount for table in ("removals", "retired", "arrived")):
        mark_journal_dirty(run)


class _Log:
    """What both logs of an archive share; ``publish_due`` publishes what was embargoed until now."""

    def __init__(self, file: ArchiveFile, publish_due: Callable[[], None]) -> None:
        self._file, self._publish_due = file, publish_due

    def identity(self) -> str:
        """Return what identifies this archive, wherever its file is moved."""
        return self._file.read(fact, "identity")


class Retirements(_Log):
    listener: Callable[[tuple[Retired, ...]], None] | None = None  # deletes their words outside the archive

    def after(self, number: int) -> tuple[Retired, ...]:
        """Return what was retired after the entry with this number, at most ``MOST``.

        If no entry has that number yet, the file was restored from a copy, and the log is returned from its start.
        """
        self._publish_due()  # of a correction the embargo may have ended
        statement = """SELECT number, key, digest, removed FROM retired WHERE removed != ?2
            AND number > iif(?1 > (SELECT coalesce(max(number), 0) FROM retired), 0, ?1) ORDER BY number LIMIT ?3"""
        rows = self._file.rows(statement, (number, DRAFT, MOST))
        return tuple([Retired(at, key, digest, bool(removed)) for at, key, digest, removed in rows])

    def unfinished(self) -> tuple[Retired, ...]:
        """Return the removed versions that no listener has deleted elsewhere yet."""
        return tuple(starmap(Retired, self._file.rows("SELECT rowid, key, digest, 1, article, url FROM removals")))

    def publish_removals(self) -> None:
        """Pass the removed versions to the listener, if there is one and it has not deleted them yet.

        Raises what the listener raises; the versions are passed to it again the next time then.
        """
        if self.listener and (removed := self.unfinished()):
            self.listener(removed)
            with self._file.writing() as run:  # the same version may have been removed again while the listener ran
                run_many(run, "DELETE FROM removals WHERE rowid = ? AND key = ?", [(r.number, r.key) for r in removed])
                mark_journal_dirty(run)  # an address may say what an article is about
            clear_journal(self._file)

    def is_removed(self, key: str) -> bool:
        """Return whether the version with this key was ever removed; its article may have been added again."""
        # "AND removed" for the index
        statement = "SELECT 1 FROM retired WHERE key = ? AND removed AND removed != ? LIMIT 1"
        return bool(self._file.rows(statement, (key, DRAFT)))


class Arrivals(_Log):
    def last(self) -> int:
        """Return the number of the latest arrival; 0 before the first."""
        [(last,)] = self._file.rows("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'arrived'")
        return int(last)

    def after(self, number: int) -> tuple[Arrived, ...]:
        """Return what arrived after the entry with this number, at most ``MOST``."""
        self._publish_due()
        statement = "SELECT number, id FROM arrived WHERE number > ? ORDER BY number LIMIT ?"
        return tuple(starmap(Arrived, self._file.rows(statement, (number, MOST))))


@dataclass(frozen=True, slots=True)
class Withheld:
    """Ids of articles in the copy: ``removed`` since, and ``altered``, which must be as in the archive now.

    ``is_later`` tells that the archive grew out of the copy, so it knows of everything that was removed since.
    """

    removed: frozenset[str]
    altered: frozenset[str]
    is_later: bool


def withheld(now: Run, copy: Run) -> Withheld:
    ids = {article_id for (article_id,) in now("SELECT DISTINCT id FROM versions")}
    waiting = dict(now("SELECT key, embargo FROM versions WHERE state = 'embargoed'").fetchall())
    removed = {key for key, *_ in now(REMOVED)} - _opened(now)
    affected = {
        article_id
        for article_id, key, state, embargo in copy("SELECT id, key, state, embargo FROM versions")
        # under an embargo that the copy does not have, or has with another end
        if ((state, embargo) != (EMBARGOED, waiting[key]) if key in waiting else key in removed)
    }
    is_same = fact(now, "identity") == fact(copy, "identity")
    is_later = is_same and now(LAST).fetchone() >= copy(LAST).fetchone()
    return Withheld(frozenset(affected - ids), frozenset(affected & ids), is_later)


def take_log(now: Run, copy: Run) -> None:
    """Note in a copy what the archive has noted as removed, so that no other copy brings it back later."""
    known, opened = set(copy(REMOVED)), _opened(copy)
    rows = [row for row in now(REMOVED) if row not in known and row[0] not in opened]
    run_many(copy, "INSERT INTO retired (key, digest, removed) VALUES (?, ?, ?)", rows)
    copy("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'versions'", now(LAST).fetchone())


def _opened(run: Run) -> set[str]:
    """Return the keys of the versions that can be opened."""
    public = "SELECT id FROM versions WHERE state = 'current'"
    return {key for (key,) in run(f"SELECT key FROM versions WHERE state != 'embargoed' AND id IN ({public})")}


def kept(run: Run, article_id: str) -> list[Version]:
    """Return the versions of an article that can be opened now or later."""
    versions = list(every(run, "id = ? ORDER BY number", article_id))
    is_public = any(version.state == CURRENT for version in versions)
    return [version for version in versions if is_public or version.state == EMBARGOED]
