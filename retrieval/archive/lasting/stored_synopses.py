"""The synopses of what is searched, as rows beside the readings, with the facets by which they are found."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from retrieval.archive.fields import synopsis
from retrieval.archive.lasting.database import AMONG, Run, run_many
from retrieval.archive.lasting.name_lookups import TERM
from retrieval.archive.lasting.name_uses import KINDS
from retrieval.archive.synopses import Code, code_of, encode, facets, told_by
from retrieval.model import Reading
from retrieval.names.entities import Called, Name

ROWS = (
    "SELECT v.number, v.id, v.digest, s.synopsis FROM versions AS v JOIN synopses AS s ON s.version = v.number"
    f" WHERE v.number {AMONG}"
)
CALLED = (
    "SELECT n.name, n.kind, e.name, e.kind FROM names AS n CROSS JOIN entities AS e ON e.number = n.entity"
    f" WHERE n.name {AMONG}"
)
# of two who have one name, the terms of the last count, as everywhere
BEARERS = (
    "SELECT e.name FROM lookups AS l JOIN entities AS e ON e.number = l.entity WHERE l.way = ? AND l.key = ?"
    " AND NOT EXISTS (SELECT 1 FROM entities AS o WHERE o.name = e.name AND o.kind > e.kind)"
)


def put(run: Run, fresh: Iterable[tuple[int, Reading]]) -> None:
    """Write the synopses of versions that are searched from now on."""
    for number, reading in fresh:
        found = synopsis(reading)
        run("INSERT INTO synopses VALUES (?, ?)", (number, encode(found)))
        run_many(run, "INSERT INTO facets VALUES (?, ?)", [(facet, number) for facet in sorted(facets(found))])


def take_out(run: Run, number: int) -> None:
    """Forget the synopsis of a version that is searched no more."""
    run("DELETE FROM synopses WHERE version = ?", (number,))
    run("DELETE FROM facets WHERE version = ?", (number,))


def of(run: Run, numbers: Collection[int]) -> dict[int, Code]:
    """Return the synopses of versions by their numbers; of one that is searched no more, none."""
    return {number: code_of(*row) for number, *row in run(ROWS, (json.dumps(list(numbers)),))}


def called(run: Run, names: Collection[Name]) -> Called:
    """Return what these names are called over all articles."""
    rows = run(CALLED, (json.dumps(sorted({name for name, _ in names})),))
    return {(name, KINDS[kind]): (best, KINDS[its_kind]) for name, kind, best, its_kind in rows}


def bearers(run: Run, term: str) -> frozenset[str]:
    """Return the names of those in one of whose spellings ``term`` is."""
    return frozenset(name for (name,) in run(BEARERS, (TERM, term)))


def telling(run: Run, term: str) -> set[int]:
    """Return the versions in which ``term`` is told of a speaker, or of the bearer of a name."""
    return {number for (number,) in run("SELECT version FROM facets WHERE facet = ?", (told_by(term),))}
