"""Who is who over all articles of an archive, kept up to date as versions come and go.

What versions change of their names is counted in and out; which names are one entity is then decided anew for those
alone that the rules could decide otherwise (see ``entity_resolution``). Most of what an article names is only used more
by it, and that decides nothing anew but where two names meet in it that never met before. What comes of it is a
function of the names that are there, so that the order in which articles arrived makes no difference.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations

from retrieval.archive.database import AMONG, Run, run_many
from retrieval.archive.name_lookups import refresh
from retrieval.archive.name_uses import Changes, Names
from retrieval.model import Kind, Reading
from retrieval.names.aliases import Aliases
from retrieval.names.entities import CanonicalNames, Name, canonical
from retrieval.names.entity_resolution import (
    FIRST,
    NATION,
    RULES,
    WITHIN_ARTICLE,
    Join,
    Node,
    index_keys,
    joins_by,
    query_keys,
    rules_by,
    surname_key,
)

Keys = dict[str, set[str]]  # of a key, the names that offer it, or seek it
Decided = dict[int, set[str]]  # of a rule, the names for which it is asked anew
Pair = tuple[int, str, str, str, str]  # the number of a rule, a name and its kind, the one joined to it and its kind

MET = (
    "SELECT 1 FROM uses AS a CROSS JOIN uses AS b ON b.name = ? AND b.version = a.version"
    f" WHERE a.name = ? AND a.version NOT {AMONG} LIMIT 1"
)
BESIDE = (
    "SELECT DISTINCT n.name FROM uses AS u CROSS JOIN names AS n ON n.number = u.name"
    f" WHERE u.version {AMONG} AND instr(n.name, ' ')"
)
# the revision that is being written is the one after the last
CALL = (
    "UPDATE names SET entity = ?,"
    " since = 1 + coalesce((SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'revision'), 0) WHERE number = ?"
)
ONCE = " AND n.sure + n.doubtful = 1"


def resolve(run: Run, changes: Changes, aliases: Aliases) -> None:
    """Write what changes of names, and decide anew what they are one with, and every name that they could decide."""
    names = Names(run)
    touched = {name for name, _ in changes.names}
    before = names.shapes(touched)
    respelt = names.apply(changes.names)
    after = names.shapes(touched)
    fresh = {
        name for name in touched if {shape[:-1] for shape in before[name]} != {shape[:-1] for shape in after[name]}
    }
    keys = _renew_keys(run, fresh, names) | _meetings(run, touched, names, changes)
    decided = _decided(run, fresh, touched, keys)
    # who stands once may have moved with its article, beside others than before
    often = {name for name in touched if " " in name and (before[name] != after[name] or changes.went(name))}
    decided[WITHIN_ARTICLE] |= often | _beside(run, names, often, ONCE)
    rejoined = _replace(run, decided, _joined(run, decided, names))
    changed = fresh | rejoined | _paired(run, touched, aliases)
    refresh(run, respelt | _name_anew(run, changed, names, aliases))


def _paired(run: Run, touched: set[str], aliases: Aliases) -> set[str]:
    """Return the names that are joined to others: by how often they are used, another may be the one that stands."""
    listed = _listed(touched)
    there = run(f"SELECT other FROM pairs WHERE other {AMONG}", (listed,)).fetchall()
    back = run(f"SELECT one FROM pairs WHERE one {AMONG}", (listed,)).fetchall()
    by_hand = {name for group in aliases.same for name in group}
    return {name for (name,) in (*there, *back)} | (touched & by_hand)


def _renew_keys(run: Run, fresh: set[str], names: Names) -> set[str]:
    """Write what the names offer and seek; return every key that one of them offers, or did."""
    nodes = names.nodes(fresh)
    offered = {(key, node.name) for node in nodes for key in index_keys(node)}
    sought = {(key, node.name) for node in nodes for key in query_keys(node)}
    before = _rewrite(run, "offers", fresh, offered)
    _rewrite(run, "seeks", fresh, sought)
    return {key for key, _ in before | offered}


def _rewrite(run: Run, table: str, names: set[str], wanted: set[tuple[str, str]]) -> set[tuple[str, str]]:
    held = {(key, name) for key, name in run(f"SELECT key, name FROM {table} WHERE name {AMONG}", (_listed(names),))}
    run_many(run, f"DELETE FROM {table} WHERE key = ? AND name = ?", sorted(held - wanted))
    run_many(run, f"INSERT INTO {table} VALUES (?, ?)", sorted(wanted - held))
    return held


def _meetings(run: Run, touched: set[str], names: Names, changes: Changes) -> set[str]:
    """Return the keys of names that meet for the first time, or parted, where a rule asks whether they meet."""
    alike = _by_key((surname_key(node), node.name) for node in names.nodes(touched))
    return {
        key
        for key, those in alike.items()
        if key
        and any(
            changes.met(one, other) and not _met(run, names, one, other, changes)
            for one, other in combinations(sorted(those), 2)
        )
    }


def _met(run: Run, names: Names, one: str, other: str, changes: Changes) -> bool:
    """Return whether two names are known to have met before, and still to meet."""
    rows = sorted(names.rows({one, other}).values(), key=lambda row: len(row.usage.articles))
    if len(rows) != 2 or changes.went(one) & changes.went(other):  # noqa: PLR2004 - one of either: no name is of two kinds
        return False
    came = json.dumps(sorted(changes.came(one)))
    return run(MET, (rows[1].number, rows[0].number, came)).fetchone() is not None


def _decided(run: Run, fresh: set[str], touched: set[str], keys: set[str]) -> Decided:
    """Return what each rule is asked anew: the fresh names, and those that seek one of the keys.

    A name that came or went is asked for its nation too, which is to be named wherever it is.
    """
    found: Decided = {rule: set(fresh) for rule in range(len(RULES))}
    nations = {key: names for key, names in _having(run, "seeks", "name", touched).items() if key.startswith(NATION)}
    for held in (_having(run, "seeks", "key", keys), nations):
        for key, seeking in held.items():
            for rule in rules_by(key):
                found[rule] |= seeking
    return found


def _beside(run: Run, names: Names, people: set[str], which: str = "") -> set[str]:
    """Return the names of several words that stand in one of the articles that one of these people is in."""
    versions = {number for node in names.nodes(people) for number in node.articles if node.kind is Kind.PERSON}
    return {name for (name,) in run(BESIDE + which, (json.dumps(list(versions)),))}


def _joined(run: Run, decided: Decided, names: Names) -> Iterator[Join]:
    """Yield the joins of the names that are decided."""
    near = {rule: set(asked) for rule, asked in decided.items()}
    sought = _having(run, "seeks", "name", set().union(*decided.values()))
    offering = _having(run, "offers", "key", {key for key in sought if not key.startswith(FIRST)})
    for key, seeking in sought.items():
        for rule in rules_by(key):
            if not seeking.isdisjoint(decided[rule]):
                near[rule] |= _first(run, key) if key.startswith(FIRST) else offering.get(key, set())
    once = {node.name for node in names.nodes(decided[WITHIN_ARTICLE]) if node.count == 1}
    near[WITHIN_ARTICLE] |= _beside(run, names, once)
    for rule, asked in decided.items():
        yield from (join for join in joins_by(rule, names.nodes(near[rule])) if join.other.name in asked)


def _first(run: Run, key: str) -> set[str]:
    return {name for (name,) in run("SELECT name FROM offers WHERE key = ? LIMIT 1", (key,))}


def _replace(run: Run, decided: Decided, joined: Iterable[Join]) -> set[str]:
    """Write the joins of what is decided in place of the old ones; return the names that were or are joined anew."""
    every = set().union(*decided.values())
    rows = run(f"SELECT place, one, one_kind, other, other_kind FROM pairs WHERE other {AMONG}", (_listed(every),))
    held: set[Pair] = {row for row in rows if row[3] in decided[row[0]]}
    wanted = {(join.rule, join.one.name, join.one.kind, join.other.name, join.other.kind) for join in joined}
    gone = "DELETE FROM pairs WHERE place = ? AND one = ? AND one_kind = ? AND other = ? AND other_kind = ?"
    run_many(run, gone, sorted(held - wanted))
    run_many(run, "INSERT INTO pairs VALUES (?, ?, ?, ?, ?)", sorted(wanted - held))
    return {name for row in held ^ wanted for name in (row[1], row[3])}


def _name_anew(run: Run, changed: set[str], names: Names, aliases: Aliases) -> set[int]:
    """Choose the name of every entity that one of the changed names is part of, or was.

    Return the numbers of those that are called otherwise, or have gained or lost a name.
    """
    whole = _closed(run, changed, aliases)
    every = names.nodes(whole)
    by_name = {(node.name, node.kind): node for node in every}
    chosen = canonical(every, _joins(run, whole, by_name), aliases)
    touched: set[int] = set()
    rows = names.rows(whole)
    for (name, kind), meant in names.kinds(whole).items():
        row, best = rows[name, kind], chosen[name, meant]
        if row.called != (best.name, best.kind):
            number = _entity(run, best)
            run(CALL, (number, row.number))
            touched |= {number} if row.entity is None else {number, row.entity}
    return touched


def _closed(run: Run, changed: set[str], aliases: Aliases) -> set[str]:
    """Return these names, and all that are joined to them over any number of joins, or by hand."""
    whole: set[str] = set()
    fresh = changed
    while fresh:
        whole |= fresh
        there = run(f"SELECT one FROM pairs WHERE other {AMONG}", (_listed(fresh),))
        back = run(f"SELECT other FROM pairs WHERE one {AMONG}", (_listed(fresh),))
        fresh = ({name for (name,) in (*there, *back)} | _same(aliases, fresh)) - whole
    return whole


def _same(aliases: Aliases, names: set[str]) -> set[str]:
    return {name for group in aliases.same if not names.isdisjoint(group) for name in group}


def _joins(run: Run, names: set[str], by_name: Mapping[Name, Node]) -> Iterator[Join]:
    rows = run(
        f"SELECT place, one, one_kind, other, other_kind FROM pairs WHERE other {AMONG} ORDER BY place, one, other",
        (_listed(names),),
    )
    for rule, one, one_kind, other, other_kind in rows.fetchall():
        yield Join(rule, by_name[one, Kind(one_kind)], by_name[other, Kind(other_kind)])


def _entity(run: Run, best: Node) -> int:
    """Return the number of the entity that is called so, a new one where there is none."""
    row = run("SELECT number FROM entities WHERE name = ? AND kind = ?", (best.name, best.kind)).fetchone()
    if row:
        return int(row[0])
    return int(run("INSERT INTO entities (name, kind) VALUES (?, ?)", (best.name, best.kind)).lastrowid or 0)


def _having(run: Run, table: str, column: str, values: Collection[str]) -> Keys:
    """Return the names at each key, of the keys or of the names that are given."""
    return _by_key(run(f"SELECT key, name FROM {table} WHERE {column} {AMONG}", (_listed(values),)))


def _by_key(rows: Iterable[tuple[str, str]]) -> Keys:
    found: Keys = {}
    for key, name in rows:
        found.setdefault(key, set()).add(name)
    return found


def _listed(values: Collection[str]) -> str:
    return json.dumps(sorted(values))


def called(run: Run, readings: Iterable[Reading]) -> CanonicalNames:
    """Return what the names of versions are called over all articles."""
    names = {mention.name for reading in readings for passage in reading.passages for mention in passage.mentions}
    return {name: row.called for name, row in Names(run).rows(names).items() if row.called}
