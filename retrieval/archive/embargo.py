"""Embargoes: which articles wait, and until when.

A version that comes too early is stored as embargoed (``indexing``), and becomes current once its time has come
(``indexing.publish_due``). Searches and listings see current versions only (``versions.within_scope``), and links open
no embargoed one (``versions.OPEN``).
"""

from __future__ import annotations

from retrieval.archive.database import Run
from retrieval.archive.retirement import DRAFT
from retrieval.model import Article


def is_early(article: Article, now: float) -> bool:
    """Return whether the embargo of an article has not ended ``now``, in seconds since 1970."""
    return article.embargo is not None and article.embargo.timestamp() > now


def due(run: Run, now: float) -> list[int]:
    """Return the numbers of the versions whose embargo has ended, in the order in which they came."""
    rows = run("SELECT number FROM versions WHERE state = 'embargoed' AND embargo <= ? ORDER BY number", (now,))
    return [number for (number,) in rows]


def next_end(run: Run) -> float | None:
    """Return when the next embargo ends, in seconds since 1970; None where there is none."""
    [end] = run("SELECT min(embargo) FROM versions WHERE state = 'embargoed'").fetchone()
    return None if end is None else float(end)


def forget_waiting(run: Run, article_id: str, digest: str) -> bool:
    """Delete the version that waits; if the one in its place has another text, note it, so that no copy restores it."""
    waits = "FROM versions WHERE id = ? AND state = 'embargoed'"
    run(
        f"INSERT INTO retired (key, digest, removed) SELECT key, digest, ? {waits} AND digest != ?",
        (DRAFT, article_id, digest),
    )
    return bool(run(f"DELETE {waits}", (article_id,)).rowcount)
