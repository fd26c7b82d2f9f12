"""The mentions of all articles -> entities; the same in any order of reading."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import chain

from retrieval.model import Kind, Mention, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.names.entity_resolution import Node, Pair, joins

Name = tuple[str, Kind]
# A name and its kind in an article -> those over all articles.
CanonicalNames = Mapping[Name, Name]

# Rules of mentions that leave a kind in doubt.
_DOUBTFUL = frozenset(("rest", "speaks"))
_SURE = 4  # a sure mention outweighs this many doubtful ones, as within an article
_FEW = 3  # a name is of no kind of which it is this many times more often another
# Rules by which an article says what an acronym is short for.
_INTRODUCING = frozenset(("introduced", "spelt out"))
_LONGEST_ACRONYM = 5  # letters: beyond, capitals shout


@dataclass(slots=True)
class Usage:
    """How a name of a kind is used over some articles: how often, surely so or not, and in which of them.

    ``introduced`` is how often a body's name has its initials in brackets behind it, or an acronym the name before it.
    """

    sure: int = 0
    doubtful: int = 0
    introduced: int = 0
    articles: AbstractSet[object] = field(default_factory=set)

    def count(self, mention: Mention) -> None:
        doubtful = mention.rule in _DOUBTFUL
        self.sure += not doubtful
        self.doubtful += doubtful
        self.introduced += mention.rule in _INTRODUCING


def unite(readings: Sequence[Reading], aliases: Aliases = NO_ALIASES) -> tuple[Reading, ...]:
    """Give the mentions of readings their canonical names and kinds over all of them."""
    usages: defaultdict[Name, Usage] = defaultdict(Usage)
    for reading in readings:
        for mention in (mention for passage in reading.passages for mention in passage.mentions):
            usage = usages[mention.name, mention.kind]
            usage.count(mention)
            usage.articles |= {reading.article.id}
    names = canonical_names(usages, aliases)
    return tuple(with_names(reading, names) for reading in readings)


def with_names(reading: Reading, names: CanonicalNames) -> Reading:
    """Give the mentions of a reading their canonical names; those that have none stay as they are."""
    rows = [tuple([_renamed(m, names.get((m.name, m.kind))) for m in p.mentions]) for p in reading.passages]
    pairs = zip(reading.passages, rows, strict=True)
    return replace(reading, passages=tuple([p if row == p.mentions else replace(p, mentions=row) for p, row in pairs]))


def _renamed(mention: Mention, name: Name | None) -> Mention:
    if name is None or name == (mention.name, mention.kind):
        return mention
    return replace(mention, name=name[0], kind=name[1])


def _resolved(usages: Mapping[Name, Usage]) -> dict[Name, Kind]:
    """Return, for each name of each kind, the kind it has over all articles.

    A kind that is nowhere sure yields to one that is; and one that is sure now and then, to what the name mostly is.
    """
    weights: dict[str, dict[Kind, int]] = {}
    for (name, kind), usage in usages.items():
        if usage.sure:
            weights.setdefault(name, {})[kind] = _SURE * usage.sure + usage.doubtful
    mostly = {name: min(kinds, key=lambda k: (-kinds[k], k)) for name, kinds in weights.items()}
    return {
        (name, kind): mostly[name]
        if name in mostly and _FEW * weights[name].get(kind, 0) <= weights[name][mostly[name]]
        else kind
        for name, kind in usages
    }


def _nodes(usages: Mapping[Name, Usage], kinds: Mapping[Name, Kind]) -> tuple[Node, ...]:
    """Build one node for every name of a kind, in alphabetical order."""
    groups: dict[Name, list[Usage]] = {}
    for (name, kind), usage in usages.items():
        groups.setdefault((name, kinds[name, kind]), []).append(usage)
    return tuple(
        Node(
            name,
            kind,
            sum(usage.sure + usage.doubtful for usage in group),
            group[0].articles if len(group) == 1 else frozenset().union(*[usage.articles for usage in group]),
            sure=any(usage.sure for usage in group),
            introduced=any(usage.introduced for usage in group),
        )
        for (name, kind), group in sorted(groups.items(), key=lambda item: item[0])
    )


def canonical_names(usages: Mapping[Name, Usage], aliases: Aliases = NO_ALIASES) -> dict[Name, Name]:
    """Return, for each name of each kind, the name and the kind that its entity has over all articles."""
    kinds = _resolved(usages)
    nodes = _nodes(usages, kinds)
    preferred = {name: names[0] for names in reversed(aliases.same) for name in names}
    best: dict[Name, Name] = {}
    for group in _entities(nodes, joins(nodes), aliases):
        node = min(group, key=_preference)
        best |= dict.fromkeys(((n.name, n.kind) for n in group), (preferred.get(node.name, node.name), node.kind))
    return {(name, kind): best[name, resolved] for (name, kind), resolved in kinds.items()}


def _preference(node: Node) -> tuple[bool, bool, int, int, int, str]:
    """Sort the names of an entity: sure, in full, in most articles, most often, longest, by alphabet."""
    short = node.single if node.kind in (Kind.PERSON, Kind.ORG) else node.name.replace(".", "").isupper()
    length = len(node.name) if node.kind is Kind.GROUP else -len(node.name)
    shouted = node.name.isupper() and len(node.name) > _LONGEST_ACRONYM
    return (short or shouted, not node.sure, -len(node.articles), -node.count, length, node.name)


def _entities(nodes: Iterable[Node], pairs: Iterable[Pair], aliases: Aliases) -> Iterable[set[Node]]:
    """Join nodes into entities, except where a member of one differs from a member of the other by ``names.toml``."""
    groups = {node: {node} for node in nodes}
    different = [frozenset(names) for names in aliases.different]
    numbers = {name: number for number, names in enumerate(aliases.same) for name in names}
    first: dict[int, Node] = {}
    same = [(first.setdefault(numbers[node.name], node), node) for node in groups if node.name in numbers]
    for one, other in chain(same, pairs):
        left, right = groups[one], groups[other]
        if left is right or (different and _differ(left, right, different)):
            continue
        smaller, larger = sorted((left, right), key=len)
        larger |= smaller
        groups |= dict.fromkeys(smaller, larger)
    return {id(group): group for group in groups.values()}.values()


def _differ(left: set[Node], right: set[Node], different: Iterable[frozenset[str]]) -> bool:
    ours, theirs = {node.name for node in left}, {node.name for node in right}
    return any(ours & names and theirs & names and len((ours | theirs) & names) > 1 for names in different)
