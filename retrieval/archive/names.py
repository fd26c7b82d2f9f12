"""Who is who over all articles: a version's names are counted when it comes and goes, and joined when all are in.

Joining looks at every name: a second for 12,000 of them. So a large archive does it once after its articles have come
(``WritableArchive.adding``), and until then a new name stands for itself. The result depends only on the names
that are there, not on their order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from retrieval.archive.database import Run, run_many
from retrieval.archive.register import KINDS, refresh
from retrieval.model import Reading
from retrieval.names.aliases import Aliases
from retrieval.names.entities import Name, Usage, canonical_names

AT_ONCE = 20_000  # names that are joined with every change: in two seconds

NUMBER = "SELECT number, spellings, entity FROM names WHERE name = ? AND kind = ?"
USED = "SELECT n.number, n.spellings, n.entity, u.spellings FROM uses AS u JOIN names AS n ON n.number = u.name"
USAGES = (
    "SELECT n.number, n.name, n.kind, e.number, e.name, e.kind, sum(u.sure), sum(u.doubtful), sum(u.introduced),"
    " json_group_array(u.version) FROM names AS n CROSS JOIN uses AS u ON u.name = n.number"
    " JOIN entities AS e ON e.number = n.entity GROUP BY n.number"
)
ALONE = (
    "UPDATE names SET entity = (SELECT e.number FROM entities AS e"
    " WHERE e.name = names.name AND e.kind = names.kind) WHERE entity IS NULL"
)

Entities = set[int]  # the numbers of those that have other names or spellings now


def put(run: Run, number: int, reading: Reading) -> Entities:
    """Count the names of a version in."""
    text = reading.article.text
    usages: dict[Name, tuple[Usage, set[str]]] = {}
    for mention in (mention for passage in reading.passages for mention in passage.mentions):
        usage, spellings = usages.setdefault((mention.name, mention.kind), (Usage(), set()))
        usage.count(mention)
        spellings.add(" ".join(mention.span.of(text).split()))
    changed: Entities = set()
    uses = []
    for name, (usage, spellings) in usages.items():
        row = run(NUMBER, name).fetchone()
        if row is None:
            row = (run("INSERT INTO names (name, kind, spellings) VALUES (?, ?, '{}')", name).lastrowid, "{}", None)
        changed |= _respell(run, row, spellings, 1)
        counts = (usage.sure, usage.doubtful, usage.introduced)
        uses.append((row[0], number, *counts, json.dumps(sorted(spellings))))
    run_many(run, "INSERT INTO uses VALUES (?, ?, ?, ?, ?, ?)", uses)
    return changed


def take_out(run: Run, number: int) -> Entities:
    rows = run(f"{USED} WHERE u.version = ?", (number,)).fetchall()
    changed = [_respell(run, row, json.loads(spellings), -1) for *row, spellings in rows]
    run("DELETE FROM uses WHERE version = ?", (number,))
    return set().union(*changed)


def _respell(run: Run, row: Sequence[object], spellings: Iterable[str], versions: int) -> Entities:
    """Count in how many versions a name is spelt so; return its entity where it gains or loses a spelling."""
    number, code, entity = row
    before: dict[str, int] = json.loads(str(code))
    after = before | {spelling: before.get(spelling, 0) + versions for spelling in spellings}
    after = {spelling: count for spelling, count in after.items() if count > 0}
    if after:
        run("UPDATE names SET spellings = ? WHERE number = ?", (json.dumps(after), number))
    else:
        run("DELETE FROM names WHERE number = ?", (number,))
    return {int(str(entity))} if entity is not None and before.keys() != after.keys() else set()


def settle(run: Run, changed: Entities) -> None:
    """Have each new name stand for itself, and these entities be found by what they are called now."""
    fresh = run("SELECT name, kind FROM names WHERE entity IS NULL").fetchall()
    run_many(run, "INSERT OR IGNORE INTO entities (name, kind) VALUES (?, ?)", fresh)
    known = "SELECT e.number FROM names AS n JOIN entities AS e ON e.name = n.name AND e.kind = n.kind"
    alone = {number for (number,) in run(f"{known} WHERE n.entity IS NULL")}
    run(ALONE)
    refresh(run, changed | alone)


def resolve(run: Run, aliases: Aliases) -> None:
    """Decide which names are one entity, and write what that changes."""
    rows: dict[Name, tuple[int, int, Name]] = {}
    usages: dict[Name, Usage] = {}
    for number, name, kind, entity, its_name, its_kind, sure, doubtful, introduced, versions in run(USAGES):
        key = (name, KINDS[kind])
        rows[key] = number, entity, (its_name, KINDS[its_kind])
        usages[key] = Usage(sure, doubtful, introduced, frozenset(json.loads(versions)))
    names = canonical_names(usages, aliases)
    changed: Entities = set()
    for name, (number, entity, called) in rows.items():
        if called != (best := names[name]):
            run("INSERT OR IGNORE INTO entities (name, kind) VALUES (?, ?)", best)
            found = run("SELECT number FROM entities WHERE name = ? AND kind = ?", best).fetchone()
            run("UPDATE names SET entity = ? WHERE number = ?", (*found, number))
            changed |= {entity, *found}
    refresh(run, changed)
