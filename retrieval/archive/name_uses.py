"""How articles use each name, as rows: how often and surely, how spelt, and in which versions.

What several versions change is gathered first and written once, so that a name that is in all of them costs no more
than one that is in one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import groupby

from retrieval.archive.database import AMONG, Run, run_many
from retrieval.model import Kind, Reading
from retrieval.names.entities import Name, Usage, nodes, resolved
from retrieval.names.entity_resolution import Node

KINDS = {kind.value: kind for kind in Kind}  # an enumeration's own call takes several times as long
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
class Change:
    """What becomes of a name of a kind: how much more or less it is used and spelt so, and where it came and went."""

    sure: int = 0
    doubtful: int = 0
    introduced: int = 0
    spellings: Counter[str] = field(default_factory=Counter)
    came: dict[int, str] = field(default_factory=dict)  # with its spellings there, as JSON
    went: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Changes:
    """What versions that come and go change of names; ``unknown`` where one is damaged that goes."""

    names: dict[Name, Change] = field(default_factory=dict)
    unknown: bool = False

    def count_in(self, number: int, reading: Reading) -> None:
        """Count the names of a version in."""
        for change, spelt in self._counted(reading, 1):
            change.came[number] = json.dumps(sorted(spelt))

    def count_out(self, number: int, reading: Reading) -> None:
        """Count the names of a version out."""
        for change, _ in self._counted(reading, -1):
            change.went.add(number)

    def _counted(self, reading: Reading, sign: int) -> Iterable[tuple[Change, Counter[str]]]:
        usages: dict[Name, Usage] = {}
        for mention in (mention for passage in reading.passages for mention in passage.mentions):
            usages.setdefault((mention.name, mention.kind), Usage()).count(mention)
        for name, spelt in spellings_in(reading).items():
            change, usage = self.names.setdefault(name, Change()), usages[name]
            for spelling, times in spelt.items():
                change.spellings[spelling] += sign * times
            change.sure += sign * usage.sure
            change.doubtful += sign * usage.doubtful
            change.introduced += sign * usage.introduced
            yield change, spelt

    def met(self, one: str, other: str) -> bool:
        """Return whether two names came or went together in a version."""
        return not self._versions(one).isdisjoint(self._versions(other))

    def came(self, name: str) -> set[int]:
        """Return the versions in which a name came."""
        return {number for change in self._of(name) for number in change.came}

    def went(self, name: str) -> set[int]:
        """Return the versions in which a name went."""
        return {number for change in self._of(name) for number in change.went}

    def _of(self, name: str) -> Iterator[Change]:
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
    """The numbers of the versions that use a name, looked up when one of them is first asked for."""

    def __init__(self, run: Run, name: int, count: int) -> None:
        self._run, self._name, self._count = run, name, count
        self._held: frozenset[int] | None = None

    def _all(self) -> frozenset[int]:
        if self._held is None:
            told = self._run("SELECT version FROM uses WHERE name = ?", (self._name,))
            self._held = frozenset(number for (number,) in told)
        return self._held

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
class Row:
    """A name of a kind as it is stored; ``entity`` is the number of what it is called, ``called`` its name and kind."""

    number: int
    usage: Usage
    spellings: str
    entity: int | None = None
    called: Name | None = None


class Names:
    """The rows of names, each looked up once, and written."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._held: dict[str, dict[Name, Row]] = {}
        self._nodes: dict[str, tuple[Node, ...]] = {}

    def rows(self, names: AbstractSet[str]) -> dict[Name, Row]:
        """Return the rows of these names."""
        missing = names - self._held.keys()
        self._held |= {name: {} for name in missing}
        for number, name, kind, sure, doubtful, introduced, count, spellings, *entity in self._run(
            ROWS, (json.dumps(sorted(missing)),)
        ):
            usage = Usage(sure, doubtful, introduced, Articles(self._run, number, count))
            called = (entity[1], KINDS[entity[2]]) if entity[1] is not None else None
            self._held[name][name, KINDS[kind]] = Row(number, usage, spellings, entity[0], called)
        return {key: row for name in sorted(names) for key, row in self._held[name].items()}

    def shapes(self, names: AbstractSet[str]) -> dict[str, set[Shape]]:
        """Return of each name all that the rules ask for, but in which articles it is.

        It is the kind that each row says and the one it has, whether that is sure, whether its initials are given
        anywhere, and, in the last place, whether it stands more than once.
        """
        rows = self.rows(names)
        found: dict[str, set[Shape]] = {name: set() for name in names}
        kinds = resolved({name: row.usage for name, row in rows.items()})
        for (name, kind), row in rows.items():
            usage = row.usage
            told = (kind, kinds[name, kind], usage.sure > 0, usage.introduced > 0, _times(usage) > 1)
            found[name].add(told)
        return found

    def kinds(self, names: AbstractSet[str]) -> dict[Name, Kind]:
        """Return the kind that each name of each kind has over all articles."""
        return resolved({name: row.usage for name, row in self.rows(names).items()})

    def nodes(self, names: AbstractSet[str]) -> tuple[Node, ...]:
        """Return these names as the rules of resolution take them, in alphabetical order."""
        missing = names - self._nodes.keys()
        usages = {name: row.usage for name, row in self.rows(missing).items()}
        found = {name: list(same) for name, same in groupby(nodes(usages, resolved(usages)), lambda node: node.name)}
        self._nodes |= {name: tuple(found.get(name, ())) for name in missing}
        return tuple([node for name in sorted(names) for node in self._nodes[name]])

    def apply(self, changes: Mapping[Name, Change]) -> set[int]:
        """Write what changes; return the entities one of whose names is spelt otherwise now, or gone."""
        before = self.rows({name for name, _ in changes})
        [last] = self._run("SELECT coalesce(max(number), 0) FROM names").fetchone()
        numbers = (number for number in range(last + 1, last + 1 + len(changes)))
        after = {
            name: self._changed(before.get(name) or Row(next(numbers), Usage(), "{}"), change)
            for name, change in changes.items()
        }
        for name, row in after.items():
            self._held[name[0]][name] = row
            if not _times(row.usage):
                del self._held[name[0]][name]
            self._nodes.pop(name[0], None)
        self._write(after, before, changes)
        spelt = ((row, after[name]) for name, row in before.items() if name in after)
        return {
            row.entity
            for row, now in spelt
            if row.entity is not None and json.loads(row.spellings).keys() != json.loads(now.spellings).keys()
        }

    def _changed(self, row: Row, change: Change) -> Row:
        spellings: dict[str, int] = json.loads(row.spellings)
        for spelt, times in change.spellings.items():
            spellings[spelt] = spellings.get(spelt, 0) + times
        told = json.dumps({spelt: times for spelt, times in spellings.items() if times > 0})
        count = len(row.usage.articles) + len(change.came) - len(change.went)
        usage = Usage(
            row.usage.sure + change.sure,
            row.usage.doubtful + change.doubtful,
            row.usage.introduced + change.introduced,
            Articles(self._run, row.number, count),
        )
        return replace(row, usage=usage, spellings=told)

    def _write(self, after: Mapping[Name, Row], before: Mapping[Name, Row], changes: Mapping[Name, Change]) -> None:
        there = {name: row for name, row in after.items() if _times(row.usage)}
        run_many(
            self._run, PUT, [(row.number, *name, *_values(row)) for name, row in there.items() if name not in before]
        )
        run_many(self._run, UPDATE, [(*_values(row), row.number) for name, row in there.items() if name in before])
        gone = [(row.number,) for name, row in after.items() if name not in there]
        run_many(self._run, "DELETE FROM names WHERE number = ?", gone)
        came = [(row.number, *version) for name, row in after.items() for version in changes[name].came.items()]
        went = [(row.number, number) for name, row in after.items() for number in changes[name].went]
        run_many(self._run, "DELETE FROM uses WHERE name = ? AND version = ?", went)
        run_many(self._run, "INSERT INTO uses VALUES (?, ?, ?)", sorted(came))


def _times(usage: Usage) -> int:
    return usage.sure + usage.doubtful


def _values(row: Row) -> tuple[object, ...]:
    usage = row.usage
    return (usage.sure, usage.doubtful, usage.introduced, len(usage.articles), row.spellings)
