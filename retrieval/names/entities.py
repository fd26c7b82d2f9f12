"""The mentions of all articles -> entities; the same in any order of reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace

from retrieval.model import Entity, Kind, Mention, Reading
from retrieval.names.aliases import NO_ALIASES, Aliases
from retrieval.names.entity_resolution import Join, Node, joins

Mentions = tuple[tuple[Mention, ...], ...]

# A name and its kind in an article -> those over all articles.
CanonicalNames = Mapping[tuple[str, Kind], tuple[str, Kind]]

# Rules whose word on a kind is not their last.
_DOUBTFUL = frozenset(("rest", "speaks"))
_SURE = 4  # a sure mention outweighs this many doubtful ones, as within an article
_FEW = 3  # a name is of no kind of which it is this many times more often another
# Rules by which an article says what an acronym stands for.
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
    articles: AbstractSet[object] = frozenset()

    def count(self, mention: Mention) -> None:
        """Count a mention."""
        doubtful = mention.rule in _DOUBTFUL
        self.sure += not doubtful
        self.doubtful += doubtful
        self.introduced += mention.rule in _INTRODUCING


Name = tuple[str, Kind]


def unite(mentions: Mapping[str, Mentions], aliases: Aliases = NO_ALIASES) -> dict[str, Mentions]:
    """Return the same mentions (per article id), each with its canonical name and kind over all the articles."""
    usages = _usages(mentions)
    kinds = resolved(usages)
    every = nodes(usages, kinds)
    names = canonical(every, joins(every), aliases)
    called = {key: (names[key[0], kind].name, names[key[0], kind].kind) for key, kind in kinds.items()}
    return {article_id: renamed(rows, called) for article_id, rows in mentions.items()}


def renamed(rows: Mentions, called: CanonicalNames) -> Mentions:
    """Return mentions by what they are ``called``; those of which nothing is said there stay as they are."""
    return tuple([tuple([_renamed(m, called.get((m.name, m.kind))) for m in row]) for row in rows])


def _renamed(mention: Mention, called: tuple[str, Kind] | None) -> Mention:
    if called is None or called == (mention.name, mention.kind):
        return mention
    return replace(mention, name=called[0], kind=called[1])


def with_names(reading: Reading, called: CanonicalNames) -> Reading:
    """Return a reading in which mentions go by what they are ``called``."""
    return with_mentions(reading, renamed(tuple(passage.mentions for passage in reading.passages), called))


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


def _usages(mentions: Mapping[str, Mentions]) -> dict[Name, Usage]:
    found: dict[Name, Usage] = {}
    articles: dict[Name, set[object]] = {}
    for article_id, mention in _all(mentions):
        there = articles.setdefault((mention.name, mention.kind), set())
        found.setdefault((mention.name, mention.kind), Usage(articles=there)).count(mention)
        there.add(article_id)
    return found


def resolved(usages: Mapping[Name, Usage]) -> dict[Name, Kind]:
    """Return, for each name of each kind, the kind it has over all articles.

    A kind that is nowhere sure yields to one that is; and one that is sure now and then, to what the name mostly is.
    """
    weights: dict[str, dict[Kind, int]] = {}
    for (name, kind), usage in usages.items():
        if usage.sure:
            weights.setdefault(name, {})[kind] = _SURE * usage.sure + usage.doubtful
    mostly = {name: min(found, key=lambda k: (-found[k], k)) for name, found in weights.items()}
    return {
        (name, kind): mostly[name]
        if name in mostly and _FEW * weights[name].get(kind, 0) <= weights[name][mostly[name]]
        else kind
        for name, kind in usages
    }


def nodes(usages: Mapping[Name, Usage], kinds: Mapping[Name, Kind]) -> tuple[Node, ...]:
    """Return every name of a kind once, in alphabetical order, with how much it is used and where."""
    found: dict[Name, list[Usage]] = {}
    for (name, kind), usage in usages.items():
        found.setdefault((name, kinds[name, kind]), []).append(usage)
    return tuple(
        Node(
            name,
            kind,
            sum(usage.sure + usage.doubtful for usage in found[name, kind]),
            _together([usage.articles for usage in found[name, kind]]),
            sure=any(usage.sure for usage in found[name, kind]),
            introduced=any(usage.introduced for usage in found[name, kind]),
        )
        for name, kind in sorted(found)
    )


def _together(each: Sequence[AbstractSet[object]]) -> AbstractSet[object]:
    return each[0] if len(each) == 1 else frozenset().union(*each)


def canonical(every: Iterable[Node], joined: Iterable[Join], aliases: Aliases) -> dict[Name, Node]:
    """Return, for each name of a kind, the node that stands for its whole entity."""
    groups = _Groups(every, aliases)
    chosen = {name: names[0] for names in reversed(aliases.same) for name in names}
    # where some are kept apart, it counts which are joined first
    for join in sorted(joined, key=lambda join: join.order) if aliases.different else joined:
        groups.join(join.one, join.other)
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
        variants.add(_spelt(mention, texts[article_id]))
        articles.add(article_id)
    return tuple(
        Entity(name, kind, tuple(sorted(variants)), tuple(sorted(articles)))
        for (name, kind), (variants, articles) in sorted(found.items())
    )


def spellings(readings: Iterable[Reading]) -> dict[str, Entity]:
    """Return every entity of united readings by name, each with its spellings and not with its articles.

    Of a reading nothing is held but what it adds to these, so that any number of them can be gone through.
    """
    found: dict[Name, set[str]] = {}
    for reading in readings:
        for mention in (mention for passage in reading.passages for mention in passage.mentions):
            variants = found.setdefault((mention.name, mention.kind), set())
            variants.add(_spelt(mention, reading.article.text))
    return {name: Entity(name, kind, tuple(sorted(variants))) for (name, kind), variants in sorted(found.items())}


def _spelt(mention: Mention, text: str) -> str:
    return " ".join(mention.span.of(text).split())
