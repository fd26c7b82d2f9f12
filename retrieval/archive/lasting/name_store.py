"""Who is who over all articles of a lasting archive, kept up to date as versions come and go.

A version's own names are counted in and out; which of them are one entity is then decided anew for those names alone
that the rules could decide otherwise (see ``names.blocking``). What comes of it is a function of the names that are
there, so that the order in which articles arrived makes no difference.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from retrieval.archive.lasting.database import Run
from retrieval.archive.lasting.name_lookups import refresh
from retrieval.archive.lasting.segments import NUMBERS
from retrieval.model import Kind, Reading
from retrieval.names.aliases import Aliases
from retrieval.names.blocking import FIRST, offers, seeks
from retrieval.names.entities import Called, Name, Usage, canonical, nodes, resolved
from retrieval.names.entity_resolution import Join, Node, joins

NAME = "SELECT sure, doubtful, introduced, articles, spellings, entity FROM names"
COUNT = (
    "INSERT INTO names (name, kind, sure, doubtful, introduced, articles, spellings) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET sure = excluded.sure, doubtful = excluded.doubtful,"
    " introduced = excluded.introduced, articles = excluded.articles, spellings = excluded.spellings"
)
AMONG = "IN (SELECT value FROM json_each(?))"


@dataclass(slots=True)
class Uses:
    """How a version uses a name of a kind, and how it spells it."""

    usage: Usage = field(default_factory=Usage)
    spellings: Counter[str] = field(default_factory=Counter)


def uses(reading: Reading) -> dict[Name, Uses]:
    """Return how a reading uses each name."""
    found: dict[Name, Uses] = {}
    for mention in (mention for passage in reading.passages for mention in passage.mentions):
        use = found.setdefault((mention.name, mention.kind), Uses())
        use.usage.count(mention)
        use.spellings[" ".join(mention.span.of(reading.article.text).split())] += 1
    return found


@dataclass(slots=True)
class Touched:
    """The names that were counted in or out, and the entities of those that are gone."""

    names: set[str] = field(default_factory=set)
    entities: set[int] = field(default_factory=set)


def count_in(run: Run, number: int, reading: Reading, touched: Touched) -> None:
    """Count the names of a version in."""
    for name, use in uses(reading).items():
        _change(run, name, use, number, 1)
        touched.names.add(name[0])


def count_out(run: Run, number: int, reading: Reading, touched: Touched) -> None:
    """Count the names of a version out."""
    for name, use in uses(reading).items():
        touched.names.add(name[0])
        touched.entities |= _change(run, name, use, number, -1)


def _change(run: Run, name: Name, use: Uses, number: int, sign: int) -> set[int]:
    """Count the uses of a name in or out; return its entity where it is gone with them."""
    row = run(f"{NAME} WHERE name = ? AND kind = ?", name).fetchone() or (0, 0, 0, b"", "{}", None)
    usage = use.usage
    counts = [old + sign * new for old, new in zip(row, (usage.sure, usage.doubtful, usage.introduced), strict=False)]
    if not counts[0] + counts[1]:
        run("DELETE FROM names WHERE name = ? AND kind = ?", name)
        return set() if row[5] is None else {row[5]}
    spellings = Counter(json.loads(row[4]))
    spellings.update({spelt: sign * times for spelt, times in use.spellings.items()})
    there = np.frombuffer(row[3], NUMBERS)
    articles = np.append(there, NUMBERS.type(number)) if sign > 0 else there[there != number]
    told = json.dumps({spelt: times for spelt, times in spellings.items() if times > 0})
    run(COUNT, (*name, *counts, articles.astype(NUMBERS).tobytes(), told))
    return set()


def settle(run: Run, touched: Touched, aliases: Aliases) -> None:
    """Decide anew what the touched names are one with, and every name that they could decide."""
    names = _Names(run)
    keys = _renew_keys(run, touched.names, names)
    decided = touched.names | _some(run, f"SELECT name FROM seeks WHERE key {AMONG}", keys)
    decided |= _same(aliases, decided)
    sought = _some(run, f"SELECT key FROM seeks WHERE name {AMONG}", decided)
    firsts = {key for key in sought if key.startswith(FIRST)}
    near = decided | _some(run, f"SELECT name FROM offers WHERE key {AMONG}", sought - firsts)
    near |= {row[0] for key in firsts for row in run("SELECT name FROM offers WHERE key = ? LIMIT 1", (key,))}
    joined = [join for join in joins(names.nodes(near)) if join.other.name in decided]
    refresh(run, touched.entities | _name_anew(run, _replace(run, decided, joined) | decided, names, aliases))


def _renew_keys(run: Run, touched: set[str], names: _Names) -> set[str]:
    """Write what the touched names offer and seek; return every key that one of them offers, or did."""
    listed = json.dumps(sorted(touched))
    before = _some(run, f"SELECT key FROM offers WHERE name {AMONG}", touched)
    run(f"DELETE FROM offers WHERE name {AMONG}", (listed,))
    run(f"DELETE FROM seeks WHERE name {AMONG}", (listed,))
    every = names.nodes(touched)
    offered = {(key, node.name) for node in every for key in offers(node)}
    many = run("SELECT 1").connection.executemany
    many("INSERT INTO offers VALUES (?, ?)", sorted(offered))
    many("INSERT INTO seeks VALUES (?, ?)", sorted({(key, node.name) for node in every for key in seeks(node)}))
    return before | {key for key, _ in offered}


def _replace(run: Run, decided: set[str], joined: Iterable[Join]) -> set[str]:
    """Write the joins of the decided names in place of the old ones; return the names that were joined to them."""
    freed = _some(run, f"SELECT one FROM pairs WHERE other {AMONG}", decided)
    run(f"DELETE FROM pairs WHERE other {AMONG}", (json.dumps(sorted(decided)),))
    rows = {(join.rule, join.one.name, join.one.kind, join.other.name, join.other.kind) for join in joined}
    run("SELECT 1").connection.executemany("INSERT INTO pairs VALUES (?, ?, ?, ?, ?)", sorted(rows))
    return freed


def _name_anew(run: Run, changed: set[str], names: _Names, aliases: Aliases) -> set[int]:
    """Choose the name of every entity that one of the changed names is part of, or was; return their numbers."""
    whole = _closed(run, changed, aliases)
    every = names.nodes(whole)
    by_name = {(node.name, node.kind): node for node in every}
    chosen = canonical(every, _joins(run, whole, by_name), aliases)
    before = _numbers(run, whole)
    for (name, kind), meant in names.kinds(whole).items():
        best = chosen[name, meant]
        run("UPDATE names SET entity = ? WHERE name = ? AND kind = ?", (_entity(run, best), name, kind))
    return before | _numbers(run, whole)


def _numbers(run: Run, names: set[str]) -> set[int]:
    listed = json.dumps(sorted(names))
    rows = run(f"SELECT DISTINCT entity FROM names WHERE name {AMONG} AND entity IS NOT NULL", (listed,))
    return {number for (number,) in rows}


def _closed(run: Run, changed: set[str], aliases: Aliases) -> set[str]:
    """Return these names, and all that are joined to them over any number of joins, or by hand."""
    whole: set[str] = set()
    fresh = changed
    while fresh:
        whole |= fresh
        there = _some(run, f"SELECT one FROM pairs WHERE other {AMONG}", fresh)
        back = _some(run, f"SELECT other FROM pairs WHERE one {AMONG}", fresh)
        fresh = (there | back | _same(aliases, fresh)) - whole
    return whole


def _same(aliases: Aliases, names: set[str]) -> set[str]:
    return {name for group in aliases.same if not names.isdisjoint(group) for name in group}


def _joins(run: Run, names: set[str], by_name: Mapping[Name, Node]) -> Iterator[Join]:
    rows = run(
        f"SELECT place, one, one_kind, other, other_kind FROM pairs WHERE other {AMONG} ORDER BY place, one, other",
        (json.dumps(sorted(names)),),
    )
    for rule, one, one_kind, other, other_kind in rows.fetchall():
        yield Join(rule, by_name[one, Kind(one_kind)], by_name[other, Kind(other_kind)])


def _entity(run: Run, best: Node) -> int:
    """Return the number of the entity that is called so, a new one where there is none."""
    row = run("SELECT number FROM entities WHERE name = ? AND kind = ?", (best.name, best.kind)).fetchone()
    if row:
        return int(row[0])
    return int(run("INSERT INTO entities (name, kind) VALUES (?, ?)", (best.name, best.kind)).lastrowid or 0)


def _some(run: Run, statement: str, values: set[str]) -> set[str]:
    return {row[0] for row in run(statement, (json.dumps(sorted(values)),))}


class _Names:
    """The names of the archive as the rules of resolution take them, each looked up once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._usages: dict[str, dict[Name, Usage]] = {}

    def nodes(self, names: set[str]) -> tuple[Node, ...]:
        """Return the nodes of these names, in alphabetical order."""
        usages = self._of(names)
        return nodes(usages, resolved(usages))

    def kinds(self, names: set[str]) -> dict[Name, Kind]:
        """Return the kind that each name of each kind has over all articles."""
        return resolved(self._of(names))

    def _of(self, names: set[str]) -> dict[Name, Usage]:
        missing = names - self._usages.keys()
        self._usages |= {name: {} for name in missing}
        rows = self._run(
            f"SELECT name, kind, sure, doubtful, introduced, articles FROM names WHERE name {AMONG}",
            (json.dumps(sorted(missing)),),
        )
        for name, kind, sure, doubtful, introduced, articles in rows:
            there = set(np.frombuffer(articles, NUMBERS).tolist())
            self._usages[name][name, Kind(kind)] = Usage(sure, doubtful, introduced, there)
        return {key: usage for name in names for key, usage in self._usages[name].items()}


def called(run: Run, reading: Reading) -> Called:
    """Return what the names of a version are called over all articles."""
    names = {mention.name for passage in reading.passages for mention in passage.mentions}
    rows = run(
        "SELECT n.name, n.kind, e.name, e.kind FROM names AS n JOIN entities AS e ON e.number = n.entity"
        f" WHERE n.name {AMONG}",
        (json.dumps(sorted(names)),),
    )
    return {(name, Kind(kind)): (other, Kind(of)) for name, kind, other, of in rows}
