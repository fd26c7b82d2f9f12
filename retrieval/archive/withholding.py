"""What an older copy of an archive must not bring back: what was removed, embargoed or replaced since."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.archive.database import Run, fact, run_many
from retrieval.archive.versions import CURRENT, EMBARGOED, Version, every

REMOVED = "SELECT DISTINCT key, digest, removed FROM retired WHERE removed"
LAST = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'versions'"


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
