"""Embargoes: what holds an article back, and what publishes it when its time has come.

A version that comes too early is stored as embargoed. Searches and listings see current versions only
(``versions.within_scope``), and links open no embargoed one (``versions.OPEN``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from retrieval.archive import retirement, versions
from retrieval.archive.database import Run
from retrieval.archive.retirement import leave_no_word, log_change
from retrieval.archive.versions import CURRENT, EMBARGOED, Days, Superseded, Version
from retrieval.model import Article, Reading

# takes the current version of an article out of the index; called with the article's id and the new text's digest
Supersede = Callable[[str, str], Superseded]


def is_early(article: Article, now: float) -> bool:
    """Return whether the embargo of an article has not ended ``now``, in seconds since 1970."""
    return article.embargo is not None and article.embargo.timestamp() > now


def hold_back(run: Run, reading: Reading, reader: str, now: float, supersede: Supersede) -> None:
    """Store a version that waits for its time; what is public of its article stays so if the words differ.

    The same words are under an embargo from now on, and with them every version of the article.
    """
    article = reading.article
    before = versions.current(run, article.id)
    days: Days = {}
    if before and before.article.digest == article.digest:
        retirement.supersede(run, versions.named(run, article.id), removed=True)
        _, days = supersede(article.id, article.digest) or (before, days)
        leave_no_word(run)
    versions.set_corrections(run, versions.put(run, reading, EMBARGOED, reader, now), days)


def publish_due(run: Run, now: float, supersede: Supersede) -> Iterator[tuple[Version, Superseded]]:
    """Publish the versions whose embargo has ended; yield each that is to be indexed, and what it superseded."""
    for number in due(run, now):
        version = versions.numbered(run, number)
        before = supersede(version.article.id, version.article.digest)
        versions.set_state(run, number, CURRENT)
        log_change(run, version.article.id)
        if version.is_whole:  # a damaged one is found once it has been read again
            yield version, before


def due(run: Run, now: float) -> list[int]:
    """Return the numbers of the versions whose embargo has ended, in the order in which they came."""
    rows = run("SELECT number FROM versions WHERE state = 'embargoed' AND embargo <= ? ORDER BY number", (now,))
    return [number for (number,) in rows]


def next_end(run: Run) -> float | None:
    """Return when the next embargo ends, in seconds since 1970; None where there is none."""
    [end] = run("SELECT min(embargo) FROM versions WHERE state = 'embargoed'").fetchone()
    return None if end is None else float(end)


def waiting(run: Run) -> list[Article]:
    rows = run("SELECT id, text, metadata FROM versions WHERE state = 'embargoed' ORDER BY embargo, id")
    return [versions.article_of(*row) for row in rows]


def forget_waiting(run: Run, article_id: str) -> bool:
    return bool(run("DELETE FROM versions WHERE id = ? AND state = 'embargoed'", (article_id,)).rowcount)
