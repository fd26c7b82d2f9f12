"""A name -> the keys by which the rules of entity resolution find the names it may be one with.

Whether a rule joins ``other`` to ``one`` depends on nothing but the names that offer a key which ``other`` seeks. So
where a name comes, goes or is used more, only the names that seek what it offers are decided anew, and an archive that
grows keeps up without looking at all its names (record linkage calls it blocking).
"""

from __future__ import annotations

from collections.abc import Iterator

from retrieval.model import Kind
from retrieval.names.entity_resolution import (
    BODY_KINDS,
    Node,
    adjective,
    body,
    of_nation,
    parts,
    short_for,
)
from retrieval.names.gazetteer import place_meant
from retrieval.names.name_parts import letters
from retrieval.names.sounds import sound


def index_keys(node: Node) -> Iterator[str]:
    """Yield the keys by which other names find this one."""
    if node.kind is Kind.PERSON and not node.single:
        yield f"surname {sound(parts(node.name)[1])}"
        yield f"{FIRST}{parts(node.name)[0]}"
    if node.kind is Kind.PLACE:
        yield f"place {place_meant(node.name)}"
        yield f"heard {sound(node.name)}"
    if node.kind in BODY_KINDS:
        yield f"{node.kind} {body(node.name)}"
    if node.kind is Kind.GROUP:
        yield f"people {adjective(node.name)}"
    if node.kind is Kind.ORG and not node.single:
        yield f"initials {short_for(node.name)}"
        if rest := of_nation(node.name):
            yield f"nation {body(rest)}"


def query_keys(node: Node) -> Iterator[str]:
    """Yield the keys that decide what this name is one with."""
    if node.kind is Kind.PERSON and not node.single:
        yield f"surname {sound(parts(node.name)[1])}"
    if node.kind is Kind.PERSON and node.single:
        yield f"surname {sound(node.name)}"
        yield f"{FIRST}{node.name}"
    if node.kind is Kind.PLACE:
        yield f"place {place_meant(node.name)}"
    if node.kind is Kind.PLACE or (node.kind is Kind.ORG and not node.sure and node.single):
        yield f"heard {sound(node.name)}"
    if node.kind in BODY_KINDS:
        yield f"{node.kind} {body(node.name)}"
    if node.kind is Kind.GROUP:
        yield f"people {adjective(node.name)}"
    if node.kind is Kind.ORG:
        yield f"initials {letters(node.name)}" if node.single else f"nation {body(node.name)}"


FIRST = "first "  # one name that offers such a key says as much as a thousand: that it is a first name
NATION = "nation "  # by such a key it counts whether a name stands in no article without the other's
WITHIN_ARTICLE = 1  # the rule that finds a name's others in its own article alone

# by which keys each of the other rules finds a name's others, in the order of ``RULES``
_WAYS = (
    ("surname ",),
    (),
    ("surname ", FIRST),
    ("place ",),
    ("heard ",),
    tuple(f"{kind} " for kind in BODY_KINDS),
    ("people ",),
    (NATION,),
    ("initials ",),
)
_BY_WAY = {
    way: tuple(number for number, lookup_keys in enumerate(_WAYS) if way in lookup_keys)
    for way in {way for each in _WAYS for way in each}
}


def rules_by(key: str) -> tuple[int, ...]:
    """Return the numbers of the rules that find names by such a key."""
    return _BY_WAY[key[: key.index(" ") + 1]]


def surname_key(node: Node) -> str:
    """Return the key that a name shares with those of which it counts whether there is an article with both."""
    if node.kind is not Kind.PERSON:
        return ""
    return f"surname {sound(node.name if node.single else parts(node.name)[1])}"
