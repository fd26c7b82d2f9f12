"""Names of all articles -> pairs of names that are one entity.

Each rule takes all names and gives pairs, by keys rather than by comparing each with each, so that a hundred
thousand names take no longer than their number. An ambiguous name is in no pair.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from retrieval.lexicon.word_classes import classes
from retrieval.model import Kind
from retrieval.names.gazetteer import (
    BODIES_OF_STATES,
    NICKNAMED,
    is_first_name,
    is_people,
    is_region,
    place_meant,
    same_first_name,
)
from retrieval.names.name_parts import initials, is_acronym, letters
from retrieval.names.sounds import loose, misprinted, sound, swapped
from retrieval.press import outlets
from retrieval.text.terms import fold, one_spelling

SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))
_MANY = 64  # different first names with one surname: beyond, only equal keys join


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A name of a kind: how often it stands, in which articles, whether its kind is sure anywhere.

    There is one of each, so that nothing but itself is equal to it.
    ``articles`` are their ids, or their numbers where they have some.
    ``introduced`` where some article says what its initials are, or what name it is the initials of.
    """

    name: str
    kind: Kind
    count: int
    articles: AbstractSet[object]
    sure: bool = True
    introduced: bool = False

    @property
    def single(self) -> bool:
        """Whether it is one word."""
        return " " not in self.name


Pair = tuple[Node, Node]


class Join(NamedTuple):
    """That ``other`` is one with ``one``, by the rule with that number.

    It depends on what ``other`` seeks (see ``blocking``): where nothing of that changes, neither does the join.
    """

    rule: int
    one: Node
    other: Node

    @property
    def order(self) -> tuple[int, str, Kind, str, Kind]:
        """What joins are ordered by, in whatever order they were found."""
        return self.rule, self.one.name, self.one.kind, self.other.name, self.other.kind


def joins(nodes: tuple[Node, ...]) -> Iterator[Join]:
    """Yield what joins the names of one entity, rule by rule; ``nodes`` are in alphabetical order."""
    for number in range(len(RULES)):
        yield from joins_by(number, nodes)


def joins_by(number: int, nodes: tuple[Node, ...]) -> Iterator[Join]:
    """Yield what joins names by one rule; ``nodes`` are in alphabetical order."""
    return (Join(number, one, other) for one, other in RULES[number](nodes))


def _of(kind: Kind, nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.kind is kind]


def _by(key: Callable[[Node], str], nodes: Iterable[Node]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in nodes:
        found.setdefault(key(node), []).append(node)
    return found


def _shared(key: Callable[[Node], str], nodes: Iterable[Node]) -> list[list[Node]]:
    """Return the nodes that share their key with others, together."""
    return [alike for alike in _by(key, nodes).values() if len(alike) > 1]


@lru_cache(maxsize=1 << 16)
def parts(name: str) -> tuple[str, str]:
    """Return a person's first and last name; initials between and "Jr." behind left out."""
    words = [word for word in name.split() if _bare(word) not in SUFFIXES] or [name]
    return words[0].rstrip("."), words[-1]


def _people_alike(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join full names with one surname whose first names are one: spelt otherwise, short forms, slips."""
    full = [node for node in _of(Kind.PERSON, nodes) if not node.single]
    for bearers in _shared(lambda n: sound(parts(n.name)[1]), full):
        same_first = [_parted(alike) for alike in _by(lambda n: sound(parts(n.name)[0]), bearers).values()]
        for alike in (alike for parted in same_first for alike in parted):
            yield from ((alike[0], other) for other in alike[1:])
        if len(same_first) <= _MANY:
            heads = [parted[0][0] for parted in same_first if len(parted) == 1]
            yield from ((a, b) for a, b in combinations(heads, 2) if _one_first_name(a, b))


def _parted(alike: list[Node]) -> list[list[Node]]:
    """Return people of one first name and surname, those together whom neither "Jr." nor a middle name parts.

    Where some differ in their middle names, who is named without any may be either, and stands alone.
    """
    found: list[list[Node]] = []
    for namesakes in _of_one_generation(alike):
        by_middle = _by(lambda n: _marks(n.name)[0], namesakes)
        one = all(a.startswith(b) or b.startswith(a) for a, b in combinations(by_middle, 2))
        found += [namesakes] if one else by_middle.values()
    return found


def _of_one_generation(alike: list[Node]) -> list[list[Node]]:
    """Return namesakes as one where no article has both one with "Jr." or the like and one without."""
    by_suffix = list(_by(lambda n: _marks(n.name)[1], alike).values())
    apart = any(a.articles & b.articles for one, other in combinations(by_suffix, 2) for a in one for b in other)
    return by_suffix if apart else [alike]


@lru_cache(maxsize=1 << 16)
def _marks(name: str) -> tuple[str, str]:
    """Return the initials between a first name and a surname, and what stands behind both: "J", "jr"."""
    words = name.replace(".", ". ").split()
    behind = next((word for word in map(_bare, words) if word in SUFFIXES), "")
    between = [word for word in words if word[0].isupper() and _bare(word) not in SUFFIXES][1:-1]
    return "".join(word[0] for word in between), behind


def _bare(word: str) -> str:
    return fold(word).strip(".")


def _one_first_name(one: Node, other: Node) -> bool:
    left, right = parts(one.name)[0], parts(other.name)[0]
    if is_first_name(left) and is_first_name(right):
        return same_first_name(left, right)
    if one.articles & other.articles:
        return False
    return loose(left) == loose(right) or swapped(left, right)


def _people_misprinted(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join a full name that stands once with one of its own article that differs by a slip in the surname."""
    full = [node for node in _of(Kind.PERSON, nodes) if not node.single]
    often: dict[tuple[str, str], set[Node]] = {}
    for node in full:
        if node.count > 1:
            for key in slips(node):
                often.setdefault(key, set()).add(node)
    for node in (node for node in full if node.count == 1):
        meant = {other for key in slips(node) for other in often.get(key, ()) if other.articles & node.articles}
        meant = {other for other in meant if misprinted(parts(other.name)[1], parts(node.name)[1])}
        if len(meant) == 1:
            yield meant.pop(), node


def slips(node: Node) -> set[tuple[str, str]]:
    """Return keys of which two names share one where a letter more, less or other parts their surnames."""
    first, last = (sound(part) for part in parts(node.name))
    return {(first, last)} | {(first, last[:i] + last[i + 1 :]) for i in range(len(last))}


def _surnames(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join a bare surname with the one person who bears it; two bearers leave it ambiguous."""
    people = _of(Kind.PERSON, nodes)
    full = _by(lambda n: sound(parts(n.name)[1]), (n for n in people if not n.single))
    first_names = {parts(n.name)[0] for n in people if not n.single}
    for node in people:
        if node.single and node.name not in first_names:
            bearers = full.get(sound(node.name), [])
            if bearers and all(_same_person(bearers[0], other) for other in bearers[1:]):
                yield bearers[0], node


def _same_person(one: Node, other: Node) -> bool:
    left, right = parts(one.name)[0], parts(other.name)[0]
    if sound(left) == sound(right):
        return len(_parted([one, other])) == 1
    return _one_first_name(one, other)


def _places(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join the names the gazetteer gives one place: Kiev and Kyiv, Britain and the United Kingdom."""
    for alike in _by(lambda n: place_meant(n.name), _of(Kind.PLACE, nodes)).values():
        yield from ((alike[0], other) for other in alike[1:])


def _places_alike(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join a place no gazetteer has, and a doubtful name, with the one place that sounds like it."""
    sounding = _by(lambda n: sound(n.name), (n for n in _of(Kind.PLACE, nodes) if len(n.name) >= 5))  # noqa: PLR2004 - "Bari" is not "Pari"
    for node in nodes:
        unknown = node.kind is Kind.PLACE or (node.kind is Kind.ORG and not node.sure and node.single)
        if not unknown or place_meant(node.name) != fold(node.name):
            continue
        alike = {place_meant(other.name): other for other in sounding.get(sound(node.name), []) if other != node}
        if len(alike) == 1:
            yield next(iter(alike.values())), node


BODY_KINDS = (Kind.ORG, Kind.EVENT)
_LINKS = (classes("name_joiners") - {"on"}) | {"the"}


@lru_cache(maxsize=1 << 16)
def body(name: str) -> str:
    """Return the key of a body's name, however it is written."""
    key = re.sub(r"[.,'’]|-", "", fold(name))
    # "Ministry of Defence" and "Defense Ministry" are one
    return " ".join(sorted(one_spelling(word) for word in key.split() if word not in _LINKS))


def _bodies_alike(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join what differs in case, full stops, "the", and British or American spelling."""
    for kind in BODY_KINDS:
        for alike in _by(lambda n: body(n.name), _of(kind, nodes)).values():
            yield from ((alike[0], other) for other in alike[1:])


def _peoples_alike(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join a people's adjective and its noun: Estonian, Estonians."""
    for alike in _by(lambda n: adjective(n.name), _of(Kind.GROUP, nodes)).values():
        yield from ((alike[0], other) for other in alike[1:])


def adjective(people: str) -> str:
    """Return what a people's noun and its adjective share: Tories and Tory, Democrats and Democratic."""
    return re.sub(r"cratic$", "crat", re.sub(r"ies$", "y", fold(people)).removesuffix("s"))


def _bodies_of_nations(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join "Estonian Ministry of Culture" with the bare "Ministry of Culture" of the same article."""
    bodies = [node for node in _of(Kind.ORG, nodes) if not node.single]
    bare = _by(lambda n: body(n.name), bodies)
    meant: dict[Node, list[Node]] = {}
    for node in bodies:
        rest = of_nation(node.name)
        for short in bare.get(body(rest), ()) if rest else ():
            meant.setdefault(short, []).append(node)
    for short, full in meant.items():
        here = [node for node in full if node.articles >= short.articles]
        if len(here) == 1:
            yield here[0], short


def of_nation(name: str) -> str:
    """Return a body's name without the nation before it; empty where there is none, or one word would be left."""
    first, _, rest = name.partition(" ")
    return rest if " " in rest and (is_people(first) or is_region(first)) else ""


def _acronyms(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join an acronym with the one body whose initials it is, where an article introduces it."""
    bodies = _of(Kind.ORG, nodes)
    full = _by(lambda n: short_for(n.name), (n for n in bodies if not n.single))
    for node in bodies:
        short = letters(node.name)
        meant = full.get(short, []) if is_acronym(node.name) else []
        known = [n for n in meant if _is_known_as(short, n.name)]
        meant = known or meant
        told = known or short in BODIES_OF_STATES or any(n.introduced for n in (node, *meant))
        if told and len({body(n.name) for n in meant}) == 1:
            yield meant[0], node


def short_for(name: str) -> str:
    """Return the letters by which a body goes for short."""
    return NICKNAMED.get(name) or initials(name)


def _is_known_as(short: str, name: str) -> bool:
    """Return whether all know a body by these letters: a union of states, a party, an agency."""
    known = BODIES_OF_STATES.get(short) == name or NICKNAMED.get(name) == short
    return known or {short, name} <= outlets.AGENCIES


RULES: tuple[Callable[[tuple[Node, ...]], Iterator[Pair]], ...] = (
    _people_alike,
    _people_misprinted,
    _surnames,
    _places,
    _places_alike,
    _bodies_alike,
    _peoples_alike,
    _bodies_of_nations,
    _acronyms,
)
