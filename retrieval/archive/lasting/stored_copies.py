"""Which articles are copies of one another, as rows: told when an article comes, and not when it is asked."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from retrieval.archive.lasting.database import AMONG, Run, run_many
from retrieval.archive.near_duplicates import are_copies, bands

NEAR = f"SELECT number, text FROM versions WHERE number IN (SELECT version FROM bands WHERE band {AMONG})"
PAIRS = (
    "SELECT v.id, w.id FROM copies AS c CROSS JOIN versions AS v ON v.number = c.one"
    " CROSS JOIN versions AS w ON w.number = c.other WHERE c.one < c.other"
)


def put(run: Run, fresh: Iterable[tuple[int, str]]) -> None:
    """Write of which versions the ``fresh`` ones are copies: the number and the text of each."""
    for number, text in fresh:
        own = bands(text)
        near = run(NEAR, (json.dumps(own),)).fetchall()
        copies = [other for other, its_text in near if are_copies(text, its_text)]
        run_many(run, "INSERT INTO copies VALUES (?, ?)", [(number, other) for other in copies])
        run_many(run, "INSERT INTO copies VALUES (?, ?)", [(other, number) for other in copies])
        run_many(run, "INSERT OR IGNORE INTO bands VALUES (?, ?)", [(band, number) for band in own])


def take_out(run: Run, number: int) -> None:
    """Forget what a version that is searched no more is a copy of."""
    run("DELETE FROM bands WHERE version = ?", (number,))
    for (other,) in run("SELECT other FROM copies WHERE one = ?", (number,)).fetchall():
        run("DELETE FROM copies WHERE one = ? AND other = ?", (other, number))
    run("DELETE FROM copies WHERE one = ?", (number,))


def among(run: Run, article_ids: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of these articles of which one has most of the other."""
    wanted = {*article_ids}
    return tuple([(one, other) for one, other in run(PAIRS) if one in wanted and other in wanted])
