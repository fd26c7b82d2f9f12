"""The mentions of all articles -> entities; the same in any order of reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from retrieval.model import Entity, Kind, Mention, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.names.entity_resolution import Node, joins

__all__ = ["NO_ALIASES", "Aliases", "Called", "Mentions", "entities", "renamed", "unite", "with_mentions"]

Mentions = tuple[tuple[Mention, ...], ...]

# A name and its kind in an article -> those over all articles.
Called = Mapping[tuple[str, Kind], tuple[str, Kind]]

# Rules whose word on a kind is not their last.
_DOUBTFUL = frozenset(("rest", "speaks"))
_LONGEST_ACRONYM = 5  # letters: beyond, capitals shout


def unite(mentions: Mapping[str, Mentions], aliases: Aliases = NO_ALIASES) -> dict[str, Mentions]:
    """Return the same mentions (per article id), each with its canonical name and kind over all the articles."""
    kinds = _kinds(mentions)
    nodes = _nodes(mentions, kinds)
    canonical = _canonical(nodes, aliases)
    called = {key: (canonical[key[0], kind].name, canonical[key[0], kind].kind) for key, kind in kinds.items()}
    return {article_id: renamed(rows, called) for article_id, rows in mentions.items()}


def renamed(rows: Mentions, called: Called) -> Mentions:
    """Return mentions by what they are ``called``; those of which nothing is said there stay as they are."""
    return tuple([tuple([_renamed(m, called.get((m.name, m.kind))) for m in row]) for row in rows])


def _renamed(mention: Mention, called: tuple[str, Kind] | None) -> Mention:
    if called is None or called == (mention.name, mention.kind):
        return mention
    return replace(mention, name=called[0], kind=called[1])


def with_mentions(reading: Reading, mentions: Mentions) -> Reading:
    """Return a reading with other mentions in its passages."""
    passages = zip(reading.passages, mentions, strict=True)
    return replace(
        reading, passages=tuple([p if found == p.mentions else replace(p, mentions=found) for p, found in passages])
    )


def _all(mentions: Mapping[str, Mentions]) -> Iterator[tuple[str, Mention]]:
    for article_id, rows in mentions.items():
        for row in rows:
            for mention in row:
                yield article_id, mention


def _kinds(mentions: Mapping[str, Mentions]) -> dict[tuple[str, Kind], Kind]:
    """Return, for each name of each kind, the kind it has: a doubtful one yields to a sure one elsewhere."""
    sure: dict[str, dict[Kind, int]] = {}
    seen: dict[tuple[str, Kind], bool] = {}
    for _, m in _all(mentions):
        doubtful = m.rule in _DOUBTFUL
        seen[m.name, m.kind] = seen.get((m.name, m.kind), True) and doubtful
        if not doubtful:
            counted = sure.setdefault(m.name, {})
            counted[m.kind] = counted.get(m.kind, 0) + 1
    return {
        (name, kind): min(sure[name], key=lambda k: (-sure[name][k], k)) if doubtful and name in sure else kind
        for (name, kind), doubtful in seen.items()
    }


def _nodes(mentions: Mapping[str, Mentions], kinds: Mapping[tuple[str, Kind], Kind]) -> tuple[Node, ...]:
    """Return every name of a kind once, in alphabetical order, with how much it is used and where."""
    counted: dict[tuple[str, Kind], int] = {}
    articles: dict[tuple[str, Kind], set[str]] = {}
    sure: set[tuple[str, Kind]] = set()
    introduced: set[tuple[str, Kind]] = set()
    for article_id, m in _all(mentions):
        key = (m.name, kinds[m.name, m.kind])
        counted[key] = counted.get(key, 0) + 1
        articles.setdefault(key, set()).add(article_id)
        if m.rule not in _DOUBTFUL:
            sure.add(key)
        if m.rule == "acronym":
            introduced.add(key)
    return tuple(
        Node(
            name,
            kind,
            counted[name, kind],
            frozenset(articles[name, kind]),
            sure=(name, kind) in sure,
            introduced=(name, kind) in introduced,
        )
        for name, kind in sorted(counted)
    )


def _canonical(nodes: tuple[Node, ...], aliases: Aliases) -> dict[tuple[str, Kind], Node]:
    """Return, for each name of a kind, the node that stands for its whole entity."""
    groups = _Groups(nodes, aliases)
    chosen = {name: names[0] for names in reversed(aliases.same) for name in names}
    for one, other in joins(nodes):
        groups.join(one, other)
    return {
        (node.name, node.kind): best
        for group in groups.all()
        for best in (_named(min(group, key=_preference), chosen),)
        for node in group
    }


def _named(best: Node, chosen: Mapping[str, str]) -> Node:
    return replace(best, name=chosen[best.name]) if best.name in chosen else best


def _preference(node: Node) -> tuple[bool, bool, int, int, int, str]:
    """Order names for standing for an entity: sure, in full, in most articles, most often, longest, by alphabet."""
    short = node.single if node.kind in (Kind.PERSON, Kind.ORG) else node.name.replace(".", "").isupper()
    length = len(node.name) if node.kind is Kind.GROUP else -len(node.name)
    shouted = node.name.isupper() and len(node.name) > _LONGEST_ACRONYM
    return (short or shouted, not node.sure, -len(node.articles), -node.count, length, node.name)


class _Groups:
    """Nodes joined into entities, save where ``names.toml`` keeps them apart."""

    def __init__(self, nodes: Iterable[Node], aliases: Aliases) -> None:
        self._group = {node: {node} for node in nodes}
        self._apart = [frozenset(names) for names in aliases.different]
        told = {name: number for number, names in enumerate(aliases.same) for name in names}
        first: dict[int, Node] = {}
        for node in self._group:
            if node.name in told:
                self.join(first.setdefault(told[node.name], node), node)

    def join(self, one: Node, other: Node) -> None:
        """Make the two one entity, unless a member of the one must be kept apart from a member of the other."""
        left, right = self._group[one], self._group[other]
        if left is right or self._must_part(left, right):
            return
        smaller, larger = sorted((left, right), key=len)
        larger |= smaller
        for node in smaller:
            self._group[node] = larger

    def _must_part(self, left: set[Node], right: set[Node]) -> bool:
        if not self._apart:
            return False
        ours, theirs = {node.name for node in left}, {node.name for node in right}
        return any(ours & names and theirs & names and len((ours | theirs) & names) > 1 for names in self._apart)

    def all(self) -> list[set[Node]]:
        """Return every entity's nodes."""
        return list({id(group): group for group in self._group.values()}.values())


def entities(mentions: Mapping[str, Mentions], texts: Mapping[str, str]) -> tuple[Entity, ...]:
    """Return every entity of united mentions with the spellings met in ``texts`` (by article id), by name."""
    found: dict[tuple[str, Kind], tuple[set[str], set[str]]] = {}
    for article_id, mention in _all(mentions):
        variants, articles = found.setdefault((mention.name, mention.kind), (set(), set()))
        variants.add(" ".join(mention.span.of(texts[article_id]).split()))
        articles.add(article_id)
    return tuple(
        Entity(name, kind, tuple(sorted(variants)), tuple(sorted(articles)))
        for (name, kind), (variants, articles) in sorted(found.items())
    )
