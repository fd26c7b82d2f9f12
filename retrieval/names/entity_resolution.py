"""Names of all articles -> pairs of names that are one entity.

Each rule takes all names and gives pairs, by keys rather than by comparing each with each (record linkage calls it
blocking), so that a hundred thousand names take no longer than their number. An ambiguous name is in no pair.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations

from retrieval.model import Kind
from retrieval.names import outlets
from retrieval.names.gazetteer import (
    BODIES_OF_STATES,
    NICKNAMED,
    is_first_name,
    is_people,
    is_region,
    place_meant,
    same_first_name,
)
from retrieval.names.name_keys import SUFFIXES, loose, misprinted, sound, swapped
from retrieval.names.name_parts import initials, is_acronym, letters
from retrieval.text.terms import fold, one_spelling

_JOINERS = frozenset(("of", "for", "and", "&", "the"))
_MANY = 64  # different first names with one surname: beyond, only equal keys join
_SHORTEST_PLACE = 5  # letters: "Bari" is not "Pari"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A name of a kind: how often it occurs, in which articles, whether its kind is sure anywhere.

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
        return " " not in self.name

    @property
    def is_full_name(self) -> bool:
        return self.kind is Kind.PERSON and not self.single


Pair = tuple[Node, Node]
Rule = Callable[[tuple[Node, ...]], Iterator[Pair]]


def joins(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Yield the pairs of names that are one entity, rule by rule; ``nodes`` are in alphabetical order.

    Where names must stay apart, the order matters: each rule's pairs are in alphabetical order.
    """
    for rule in RULES:
        yield from sorted(rule(nodes), key=lambda pair: [(node.name, node.kind) for node in pair])


def _of(kind: Kind, nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.kind is kind]


def _by(key: Callable[[Node], str], nodes: Iterable[Node]) -> dict[str, list[Node]]:
    groups: dict[str, list[Node]] = {}
    for node in nodes:
        groups.setdefault(key(node), []).append(node)
    return groups


def _first_to_others(groups: Iterable[list[Node]]) -> Iterator[Pair]:
    return ((first, other) for first, *others in groups for other in others)


def _same(key: Callable[[str], str], *kinds: Kind) -> Rule:
    """Return the rule that names of one of these kinds with one key are one."""
    return lambda nodes: _first_to_others(
        group for kind in kinds for group in _by(lambda node: key(node.name), _of(kind, nodes)).values()
    )


@lru_cache(maxsize=1 << 16)
def parts(name: str) -> tuple[str, str]:
    """Return a person's first and last name; initials between and "Jr." behind left out."""
    words = [word for word in name.split() if _bare(word) not in SUFFIXES] or [name]
    return words[0].rstrip("."), words[-1]


def _first_sound(node: Node) -> str:
    return sound(parts(node.name)[0])


def _surname_sound(node: Node) -> str:
    return sound(parts(node.name)[1])


def _people_alike(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join full names with one surname whose first names are one: spelt otherwise, short forms, slips."""
    for bearers in _by(_surname_sound, [node for node in nodes if node.is_full_name]).values():
        namesakes = [_distinct_people(alike) for alike in _by(_first_sound, bearers).values()]
        yield from _first_to_others(chain.from_iterable(namesakes))
        if len(namesakes) <= _MANY:
            heads = [people[0][0] for people in namesakes if len(people) == 1]
            yield from ((a, b) for a, b in combinations(heads, 2) if _one_first_name(a, b))


def _distinct_people(alike: list[Node]) -> list[list[Node]]:
    """Group people of one first name and surname, unless "Jr." or a middle name tells them apart.

    Where some differ in their middle names, who is named without any may be either, and is in a group of its own.
    """
    people: list[list[Node]] = []
    for namesakes in _generations(alike):
        by_middle = _by(lambda n: _marks(n.name)[0], namesakes)
        one = all(a.startswith(b) or b.startswith(a) for a, b in combinations(by_middle, 2))
        people += [namesakes] if one else by_middle.values()
    return people


def _generations(alike: list[Node]) -> list[list[Node]]:
    """Separate namesakes by "Jr." or the like where some article names one with it and one without."""
    by_suffix = list(_by(lambda n: _marks(n.name)[1], alike).values())
    differ = any(a.articles & b.articles for one, other in combinations(by_suffix, 2) for a in one for b in other)
    return by_suffix if differ else [alike]


@lru_cache(maxsize=1 << 16)
def _marks(name: str) -> tuple[str, str]:
    """Return the initials between a first name and a surname, and what comes behind both: "J", "jr"."""
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
    return not one.articles & other.articles and (loose(left) == loose(right) or swapped(left, right))


def _people_misprinted(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join a full name that occurs once with one of its own article that differs by a slip in the surname."""
    full = [node for node in nodes if node.is_full_name]
    frequent: dict[tuple[str, str], set[Node]] = {}
    for node in full:
        if node.count > 1:
            for key in _slips(node):
                frequent.setdefault(key, set()).add(node)
    for node in (node for node in full if node.count == 1):
        near = {other for key in _slips(node) for other in frequent.get(key, ()) if other.articles & node.articles}
        meant = [other for other in near if misprinted(parts(other.name)[1], parts(node.name)[1])]
        if len(meant) == 1:
            yield meant[0], node


def _slips(node: Node) -> set[tuple[str, str]]:
    """Make keys of which two names share one if their surnames differ by a letter more, less or other."""
    first, last = _first_sound(node), _surname_sound(node)
    return {(first, last)} | {(first, last[:i] + last[i + 1 :]) for i in range(len(last))}


def _surnames(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join a bare surname with the one person who has it; two people leave it ambiguous."""
    full = [node for node in nodes if node.is_full_name]
    by_surname = _by(_surname_sound, full)
    first_names = {parts(node.name)[0] for node in full}
    for node in _of(Kind.PERSON, nodes):
        if node.single and node.name not in first_names:
            bearers = by_surname.get(sound(node.name), [])
            if bearers and all(_same_person(bearers[0], other) for other in bearers[1:]):
                yield bearers[0], node


def _same_person(one: Node, other: Node) -> bool:
    if _first_sound(one) == _first_sound(other):
        return len(_distinct_people([one, other])) == 1
    return _one_first_name(one, other)


def _places_alike(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join a place no gazetteer has, and a doubtful name, with the one place that sounds like it."""
    sounding = _by(lambda n: sound(n.name), (n for n in _of(Kind.PLACE, nodes) if len(n.name) >= _SHORTEST_PLACE))
    for node in nodes:
        is_guess = node.kind is Kind.ORG and not node.sure and node.single
        if (node.kind is Kind.PLACE or is_guess) and place_meant(node.name) == fold(node.name):
            alike = {place_meant(other.name): other for other in sounding.get(sound(node.name), []) if other != node}
            if len(alike) == 1:
                yield next(iter(alike.values())), node


@lru_cache(maxsize=1 << 16)
def body(name: str) -> str:
    """Make the key of a body's name: "Ministry of Defence" and "Defense Ministry" are one.

    They may differ in case, full stops, "the", and British or American spelling.
    """
    key = re.sub(r"[.,'’]|-", "", fold(name))
    return " ".join(sorted(one_spelling(word) for word in key.split() if word not in _JOINERS))


def adjective(people: str) -> str:
    """Make the key that a people's noun and its adjective share: Tories and Tory, Democrats and Democratic."""
    return re.sub(r"cratic$", "crat", re.sub(r"ies$", "y", fold(people)).removesuffix("s"))


def _bodies_of_nations(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join "Estonian Ministry of Culture" with the bare "Ministry of Culture" of the same article."""
    bodies = [node for node in _of(Kind.ORG, nodes) if not node.single]
    bare = _by(lambda n: body(n.name), bodies)
    full_names: dict[Node, list[Node]] = {}
    for node in bodies:
        rest = _without_nation(node.name)
        for short in bare.get(body(rest), ()) if rest else ():
            full_names.setdefault(short, []).append(node)
    for short, full in full_names.items():
        beside = [node for node in full if node.articles >= short.articles]
        if len(beside) == 1:
            yield beside[0], short


def _without_nation(name: str) -> str:
    """Return a body's name without the nation before it; "" where there is none, or one word would be left."""
    first, _, rest = name.partition(" ")
    return rest if " " in rest and (is_people(first) or is_region(first)) else ""


def _acronyms(nodes: tuple[Node, ...]) -> Iterator[Pair]:
    """Join an acronym with the one body whose initials it is, where an article introduces it."""
    bodies = _of(Kind.ORG, nodes)
    full = _by(lambda n: NICKNAMED.get(n.name) or initials(n.name), (n for n in bodies if not n.single))
    for node in bodies:
        short = letters(node.name)
        meant = full.get(short, []) if is_acronym(node.name) else []
        known = [n for n in meant if _is_known_as(short, n.name)]
        meant = known or meant
        is_explained = known or short in BODIES_OF_STATES or any(n.introduced for n in (node, *meant))
        if is_explained and len({body(n.name) for n in meant}) == 1:
            yield meant[0], node


def _is_known_as(short: str, name: str) -> bool:
    """Whether everybody knows a body by these letters: a union of states, a party, an agency."""
    known = BODIES_OF_STATES.get(short) == name or NICKNAMED.get(name) == short
    return known or {short, name} <= outlets.AGENCIES


RULES: tuple[Rule, ...] = (
    _people_alike,
    _people_misprinted,
    _surnames,
    _same(place_meant, Kind.PLACE),
    _places_alike,
    _same(body, Kind.ORG, Kind.EVENT),
    _same(adjective, Kind.GROUP),
    _bodies_of_nations,
    _acronyms,
)
