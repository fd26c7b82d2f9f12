"""Who is who over all articles, kept up to date as versions come and go.

Each add or removal counts its names in or out. At its end it decides in one batch which names are one entity, but only
for those that the rules could decide otherwise now (see ``names.entity_resolution``): looking at all names would make
an add slower as the archive grows. The result depends only on the names that are there, not on their order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby

from retrieval.archive.database import AMONG, Run, run_many
from retrieval.archive.register import KINDS, refresh
from retrieval.model import Kind, Reading
from retrieval.names.aliases import Aliases
from retrieval.names.entities import Name, Usage, canonical, nodes, resolved
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

ROWS = (
    "SELECT n.number, n.name, n.kind, n.sure, n.doubtful, n.introduced, n.articles, n.spellings, n.entity,"
    f" e.name, e.kind FROM names AS n LEFT JOIN entities AS e ON e.number = n.entity WHERE n.name {AMONG}"
)
PUT = (
    "INSERT INTO names (number, name, kind, sure, doubtful, introduced, articles, spellings)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
UPDATE = "UPDATE names SET sure = ?, doubtful = ?, introduced = ?, articles = ?, spellings = ? WHERE number = ?"


Shape = tuple[Kind, Kind, bool, bool, bool]


@dataclass(slots=True)
class NameChange:
    """How much more or less a name of a kind is used and spelt so, and in which versions it came and went."""

    sure: int = 0
    doubtful: int = 0
    introduced: int = 0
    spellings: Counter[str] = field(default_factory=Counter)
    came: dict[int, str] = field(default_factory=dict)  # with its spellings there, as JSON
    went: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Changes:
    """What versions that come and go change of names; ``unknown`` if one that goes is damaged."""

    names: dict[Name, NameChange] = field(default_factory=dict)
    unknown: bool = False

    def count_in(self, number: int, reading: Reading) -> None:
        for change, spelt in self._counted(reading, 1):
            change.came[number] = json.dumps(sorted(spelt))

    def count_out(self, number: int, reading: Reading) -> None:
        for change, _ in self._counted(reading, -1):
            change.went.add(number)

    def _counted(self, reading: Reading, sign: int) -> Iterable[tuple[NameChange, Counter[str]]]:
        usages: dict[Name, Usage] = {}
        for mention in (mention for passage in reading.passages for mention in passage.mentions):
            usages.setdefault((mention.name, mention.kind), Usage()).count(mention)
        for name, spelt in spellings_in(reading).items():
            change, usage = self.names.setdefault(name, NameChange()), usages[name]
            for spelling, times in spelt.items():
                change.spellings[spelling] += sign * times
            change.sure += sign * usage.sure
            change.doubtful += sign * usage.doubtful
            change.introduced += sign * usage.introduced
            yield change, spelt

    def met(self, one: str, other: str) -> bool:
        return not self._versions(one).isdisjoint(self._versions(other))

    def came(self, name: str) -> set[int]:
        return {number for change in self._of(name) for number in change.came}

    def went(self, name: str) -> set[int]:
        return {number for change in self._of(name) for number in change.went}

    def _of(self, name: str) -> Iterator[NameChange]:
        return (self.names[name, kind] for kind in Kind if (name, kind) in self.names)

    def _versions(self, name: str) -> set[int]:
        return self.came(name) | self.went(name)


def spellings_in(reading: Reading) -> dict[Name, Counter[str]]:
    """Return how often each name of a version is spelt in which way there."""
    text, found = reading.article.text, dict[Name, Counter[str]]()
    for mention in (mention for passage in reading.passages for mention in passage.mentions):
        spelt = " ".join(text[mention.span.start : mention.span.end].split())
        found.setdefault((mention.name, mention.kind), Counter())[spelt] += 1
    return found


class Articles(AbstractSet[object]):
    """The numbers of the versions that use a name, looked up when first needed."""

    def __init__(self, run: Run, name: int, count: int) -> None:
        self._run, self._name, self._count = run, name, count
        self._numbers: frozenset[int] | None = None

    def _all(self) -> frozenset[int]:
        if self._numbers is None:
            rows = self._run("SELECT version FROM uses WHERE name = ?", (self._name,))
            self._numbers = frozenset(number for (number,) in rows)
        return self._numbers

    def __contains__(self, number: object) -> bool:
        return number in self._all()

    def __iter__(self) -> Iterator[object]:
        return iter(self._all())

    def __len__(self) -> int:
        return self._count

    def __and__(self, other: AbstractSet[object]) -> frozenset[object]:
        return self._all().intersection(other)

    __rand__ = __and__


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name of a kind; ``entity`` is the number of its entity, ``called`` that entity's name and kind."""

    number: int
    usage: Usage
    spellings: str
    entity: int | None = None
    called: Name | None = None


class Names:
    """The rows of names, each read once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rows: dict[str, dict[Name, NameRow]] = {}
        self._nodes: dict[str, tuple[Node, ...]] = {}

    def rows(self, names: AbstractSet[str]) -> dict[Name, NameRow]:
        missing = names - self._rows.keys()
        self._rows |= {name: {} for name in missing}
        for number, name, kind, sure, doubtful, introduced, count, spellings, *entity in self._run(
            ROWS, (json.dumps(sorted(missing)),)
        ):
            usage = Usage(sure, doubtful, introduced, Articles(self._run, number, count))
            called = (entity[1], KINDS[entity[2]]) if entity[1] is not None else None
            self._rows[name][name, KINDS[kind]] = NameRow(number, usage, spellings, entity[0], called)
        return {key: row for name in sorted(names) for key, row in self._rows[name].items()}

    def shapes(self, names: AbstractSet[str]) -> dict[str, set[Shape]]:
        """Return what the rules use of each name, except its articles.

        For each row: its kind, the kind of the name over all articles, whether it is sure, whether its initials are
        given anywhere, and whether it occurs more than once.
        """
        rows = self.rows(names)
        found: dict[str, set[Shape]] = {name: set() for name in names}
        kinds = resolved({name: row.usage for name, row in rows.items()})
        for (name, kind), row in rows.items():
            usage = row.usage
            found[name].add((kind, kinds[name, kind], usage.sure > 0, usage.introduced > 0, _times(usage) > 1))
        return found

    def nodes(self, names: AbstractSet[str]) -> tuple[Node, ...]:
        missing = names - self._nodes.keys()
        usages = {name: row.usage for name, row in self.rows(missing).items()}
        found = {name: list(same) for name, same in groupby(nodes(usages, resolved(usages)), lambda node: node.name)}
        self._nodes |= {name: tuple(found.get(name, ())) for name in missing}
        return tuple([node for name in sorted(names) for node in self._nodes[name]])

    def apply(self, changes: Mapping[Name, NameChange]) -> set[int]:
        """Write the changes; return the entities with a name that has other spellings now, or is gone."""
        before = self.rows({name for name, _ in changes})
        [last] = self._run("SELECT coalesce(max(number), 0) FROM names").fetchone()
        numbers = (number for number in range(last + 1, last + 1 + len(changes)))
        after = {
            name: self._changed(before.get(name) or NameRow(next(numbers), Usage(), "{}"), change)
            for name, change in changes.items()
        }
        for name, row in after.items():
            self._rows[name[0]][name] = row
            if not _times(row.usage):
                del self._rows[name[0]][name]
            self._nodes.pop(name[0], None)
        self._write(after, before, changes)
        spelt = ((row, after[name]) for name, row in before.items() if name in after)
        return {
            row.entity
            for row, now in spelt
            if row.entity is not None and json.loads(row.spellings).keys() != json.loads(now.spellings).keys()
        }

    def _changed(self, row: NameRow, change: NameChange) -> NameRow:
        spellings: dict[str, int] = json.loads(row.spellings)
        for spelt, times in change.spellings.items():
            spellings[spelt] = spellings.get(spelt, 0) + times
        code = json.dumps({spelt: times for spelt, times in spellings.items() if times > 0})
        count = len(row.usage.articles) + len(change.came) - len(change.went)
        usage = Usage(
            row.usage.sure + change.sure,
            row.usage.doubtful + change.doubtful,
            row.usage.introduced + change.introduced,
            Articles(self._run, row.number, count),
        )
        return replace(row, usage=usage, spellings=code)

    def _write(
        self, after: Mapping[Name, NameRow], before: Mapping[Name, NameRow], changes: Mapping[Name, NameChange]
    ) -> None:
        used = {name: row for name, row in after.items() if _times(row.usage)}
        run_many(
            self._run, PUT, [(row.number, *name, *_values(row)) for name, row in used.items() if name not in before]
        )
        run_many(self._run, UPDATE, [(*_values(row), row.number) for name, row in used.items() if name in before])
        gone = [(row.number,) for name, row in after.items() if name not in used]
        run_many(self._run, "DELETE FROM names WHERE number = ?", gone)
        came = [(row.number, *version) for name, row in after.items() for version in changes[name].came.items()]
        went = [(row.number, number) for name, row in after.items() for number in changes[name].went]
        run_many(self._run, "DELETE FROM uses WHERE name = ? AND version = ?", went)
        run_many(self._run, "INSERT INTO uses VALUES (?, ?, ?)", sorted(came))


def _times(usage: Usage) -> int:
    return usage.sure + usage.doubtful


def _values(row: NameRow) -> tuple[object, ...]:
    usage = row.usage
    return (usage.sure, usage.doubtful, usage.introduced, len(usage.articles), row.spellings)


Keys = dict[str, set[str]]  # the names that offer, or seek, each key
Decided = dict[int, set[str]]  # the names for which each rule decides again
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
    """Write the changes, and decide again for these names, and for all that they could affect, which are one."""
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
    # a name that occurs once may have moved with its article, beside other names
    often = {name for name in touched if " " in name and (before[name] != after[name] or changes.went(name))}
    decided[WITHIN_ARTICLE] |= often | _beside(run, names, often, ONCE)
    rejoined = _replace(run, decided, _joined(run, decided, names))
    changed = fresh | rejoined | _paired(run, touched, aliases)
    refresh(run, respelt | _name_anew(run, changed, names, aliases))


def _paired(run: Run, touched: set[str], aliases: Aliases) -> set[str]:
    """Return the names joined to these: as often as they are used, another may be the entity's name now."""
    listed = _listed(touched)
    others = run(f"SELECT other FROM pairs WHERE other {AMONG}", (listed,)).fetchall()
    ones = run(f"SELECT one FROM pairs WHERE one {AMONG}", (listed,)).fetchall()
    by_hand = {name for group in aliases.same for name in group}
    return {name for (name,) in (*others, *ones)} | (touched & by_hand)


def _renew_keys(run: Run, fresh: set[str], names: Names) -> set[str]:
    """Rewrite the keys of the names; return every key that one of them offers, or offered before."""
    nodes = names.nodes(fresh)
    offered = {(key, node.name) for node in nodes for key in index_keys(node)}
    sought = {(key, node.name) for node in nodes for key in query_keys(node)}
    before = _rewrite(run, "offers", fresh, offered)
    _rewrite(run, "seeks", fresh, sought)
    return {key for key, _ in before | offered}


def _rewrite(run: Run, table: str, names: set[str], wanted: set[tuple[str, str]]) -> set[tuple[str, str]]:
    before = {(key, name) for key, name in run(f"SELECT key, name FROM {table} WHERE name {AMONG}", (_listed(names),))}
    run_many(run, f"DELETE FROM {table} WHERE key = ? AND name = ?", sorted(before - wanted))
    run_many(run, f"INSERT INTO {table} VALUES (?, ?)", sorted(wanted - before))
    return before


def _meetings(run: Run, touched: set[str], names: Names, changes: Changes) -> set[str]:
    """Return the keys of names that are in one article for the first time, or no more, if a rule depends on that."""
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
    rows = sorted(names.rows({one, other}).values(), key=lambda row: len(row.usage.articles))
    if len(rows) != 2 or changes.went(one) & changes.went(other):  # noqa: PLR2004 - one of either: no name is of two kinds
        return False
    came = json.dumps(sorted(changes.came(one)))
    return run(MET, (rows[1].number, rows[0].number, came)).fetchone() is not None


def _decided(run: Run, fresh: set[str], touched: set[str], keys: set[str]) -> Decided:
    """Return the names for which each rule decides again: the fresh ones, and those that seek one of the keys.

    A name that came or went is decided by its nation too, which must be named wherever it is.
    """
    found: Decided = {rule: set(fresh) for rule in range(len(RULES))}
    nations = {key: names for key, names in _having(run, "seeks", "name", touched).items() if key.startswith(NATION)}
    for seekers in (_having(run, "seeks", "key", keys), nations):
        for key, seeking in seekers.items():
            for rule in rules_by(key):
                found[rule] |= seeking
    return found


def _beside(run: Run, names: Names, people: set[str], which: str = "") -> set[str]:
    """Return the names of several words that occur in one of these people's articles."""
    versions = {number for node in names.nodes(people) for number in node.articles if node.kind is Kind.PERSON}
    return {name for (name,) in run(BESIDE + which, (json.dumps(list(versions)),))}


def _joined(run: Run, decided: Decided, names: Names) -> Iterator[Join]:
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
    """Replace the joins of the decided names; return the names whose joins changed."""
    every = set().union(*decided.values())
    rows = run(f"SELECT place, one, one_kind, other, other_kind FROM pairs WHERE other {AMONG}", (_listed(every),))
    before: set[Pair] = {row for row in rows if row[3] in decided[row[0]]}
    wanted = {(join.rule, join.one.name, join.one.kind, join.other.name, join.other.kind) for join in joined}
    gone = "DELETE FROM pairs WHERE place = ? AND one = ? AND one_kind = ? AND other = ? AND other_kind = ?"
    run_many(run, gone, sorted(before - wanted))
    run_many(run, "INSERT INTO pairs VALUES (?, ?, ?, ?, ?)", sorted(wanted - before))
    return {name for row in before ^ wanted for name in (row[1], row[3])}


def _name_anew(run: Run, changed: set[str], names: Names, aliases: Aliases) -> set[int]:
    """Choose the name of every entity that one of the changed names belongs or belonged to.

    Return the numbers of those that have another name now, or gained or lost one.
    """
    group = _closed(run, changed, aliases)
    every = names.nodes(group)
    by_name = {(node.name, node.kind): node for node in every}
    chosen = canonical(every, _joins(run, group, by_name), aliases)
    touched: set[int] = set()
    rows = names.rows(group)
    for (name, kind), meant in resolved({name: row.usage for name, row in rows.items()}).items():
        row, best = rows[name, kind], chosen[name, meant]
        if row.called != (best.name, best.kind):
            number = _entity(run, best)
            run(CALL, (number, row.number))
            touched |= {number} if row.entity is None else {number, row.entity}
    return touched


def _closed(run: Run, changed: set[str], aliases: Aliases) -> set[str]:
    """Return these names, and all that any number of joins, or ``names.toml``, connect to them."""
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
    row = run("SELECT number FROM entities WHERE name = ? AND kind = ?", (best.name, best.kind)).fetchone()
    if row:
        return int(row[0])
    return int(run("INSERT INTO entities (name, kind) VALUES (?, ?)", (best.name, best.kind)).lastrowid or 0)


def _having(run: Run, table: str, column: str, values: Collection[str]) -> Keys:
    return _by_key(run(f"SELECT key, name FROM {table} WHERE {column} {AMONG}", (_listed(values),)))


def _by_key(rows: Iterable[tuple[str, str]]) -> Keys:
    found: Keys = {}
    for key, name in rows:
        found.setdefault(key, set()).add(name)
    return found


def _listed(values: Collection[str]) -> str:
    return json.dumps(sorted(values))
