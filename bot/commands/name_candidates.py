"""A name as typed -> the entities it may mean, each with the shorter names that mean it; names and articles to suggest.

In an article without a full name, "Halder" is the Halder whom far more articles name than any other. Where two are
named often, a bare surname means neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from itertools import islice

import retrieval
from bot import source_lines, verbatim
from retrieval import Archive, Entity, Kind, Listed, adjective, bare_name, fold, is_region, is_word, plural, titleless

BY_FAR = 5  # times as many articles as all others with a surname together
NEAREST = 5
SPELLINGS = 4  # read for each name that is suggested
LIKELY = 0.8  # certainty from which a name is an entity's and not the description of a source

_GLUED = re.compile(r"[a-z]{3}[A-Z]")  # "HalderMore": links of a page that ran together


@dataclass(frozen=True, slots=True)
class Bearer:
    """An entity; ``others`` are entities of shorter names that mean it, and the members of a party.

    What "one Whig" says, the Whig Party has not said.
    """

    entity: Entity
    others: tuple[Entity, ...] = ()
    spellings: frozenset[str] = field(init=False)
    called: frozenset[tuple[str, Kind]] = field(init=False)

    def __post_init__(self) -> None:
        same = (self.entity, *(other for other in self.others if other.kind is not Kind.GROUP))
        spelt = (name for each in same for name in (each.name, *each.variants))
        object.__setattr__(self, "spellings", frozenset(map(fold, spelt)))
        object.__setattr__(self, "called", frozenset((each.name, each.kind) for each in (self.entity, *self.others)))

    @property
    def articles(self) -> frozenset[str]:
        return frozenset(self.entity.articles).union(*(other.articles for other in self.others))

    def is_called(self, name: str, kind: Kind) -> bool:
        return (name, kind) in self.called

    def says(self, speaker: str, people: AbstractSet[str]) -> bool:
        """Return whether ``speaker`` is this entity in an article that names these ``people``.

        A bare surname means the person with it in the article, or else the one in far more articles.
        """
        if fold(speaker) not in self.spellings:
            return False
        words, own = bare_name(speaker), bare_name(self.entity.name)
        if self.entity.kind is not Kind.PERSON or len(own) < 2 or len(words) != 1:  # noqa: PLR2004 - a full name
            return True
        same_surname = {name for name in people if (bare := bare_name(name))[1:] and bare[-1] == own[-1]}
        return same_surname == {self.entity.name} if same_surname else bool(self.others)


def bearers(archive: Archive, typed: str) -> tuple[Bearer, ...]:
    """Return the entities a name may mean, the likeliest first; exactly one where it is certain."""
    register = archive.register()
    found = [(match.certainty, match.entity) for match in register.find(typed)]
    words = titleless(typed)
    # a bare surname is not a person's name
    called = [
        entity
        for _, entity in found
        if titleless(entity.name) == words
        or ((entity.kind is not Kind.PERSON or len(words) > 1) and words in map(titleless, entity.variants))
    ]
    people = [e for certainty, e in found if certainty >= LIKELY and e.kind is Kind.PERSON and " " in e.name]
    if one := _exact(words, called, people) if called else register.meant(typed):
        return (_with_short_names(archive, one),)
    if not found or found[0][0] < LIKELY:
        return ()
    unglued = [match for match in found if not _is_glued(match[1], found)] or found
    # beside people, what is not a full name comes last
    ordered = sorted(unglued, key=lambda m: (bool(people) and " " not in m[1].name, -m[0], -len(m[1].articles)))
    return tuple(Bearer(entity) for _, entity in ordered[:NEAREST])


def _exact(words: tuple[str, ...], called: Sequence[Entity], people: Sequence[Entity]) -> Entity | None:
    """Return the entity that has exactly this name.

    A single word means one of the ``people`` with it where more articles name them.
    """
    exactly = [entity for entity in called if titleless(entity.name) == words]
    best = max(exactly or called, key=lambda entity: (entity.kind is not Kind.GROUP, len(entity.articles)))
    if len(words) > 1 or not people:
        return best
    surnamed = [entity for entity in people if bare_name(entity.name)[-1:] == words]
    first = _by_far(surnamed if 2 * _article_count(surnamed) > _article_count(people) else people)
    most = max(len(entity.articles) for entity in people)
    return first if best.kind is Kind.PERSON or most > len(best.articles) else best


def _by_far(people: Iterable[Entity]) -> Entity | None:
    found = sorted(people, key=lambda entity: -len(entity.articles))
    return found[0] if found and len(found[0].articles) >= BY_FAR * _article_count(found[1:]) else None


def _article_count(people: Iterable[Entity]) -> int:
    return sum(len(entity.articles) for entity in people)


def _with_short_names(archive: Archive, entity: Entity) -> Bearer:
    """Return an entity with the others that mean it: its name taken for an organisation's, its bare surname."""
    words = bare_name(entity.name)
    same = _others_called(archive, entity, entity.name)
    if entity.kind is Kind.PERSON and len(words) > 1:
        people = (e.entity for e in archive.register().find(words[-1]) if e.entity.kind is Kind.PERSON)
        if _by_far(each for each in people if bare_name(each.name)[1:][-1:] == words[-1:]) == entity:
            same += _others_called(archive, entity, words[-1])
    # the members of a party represent it in news: "the Whigs" for the "Whig Party"
    name = entity.name.removesuffix(" Party")
    if entity.kind is Kind.ORG and name != entity.name and retrieval.is_listed_people(name):
        wanted = adjective(name)
        typed = (wanted, plural(wanted), fold(name))
        matches = dict.fromkeys(match.entity for each in typed for match in archive.register().find(each))
        same += [other for other in matches if other.kind is Kind.GROUP and adjective(other.name) == wanted]
    return Bearer(entity, tuple(same))


def _others_called(archive: Archive, entity: Entity, name: str) -> list[Entity]:
    """Return the other entities with a name: people, or organisations, the default kind of an unclear name."""
    wanted = titleless(name)
    return [
        other
        for match in archive.register().find(name)
        if (other := match.entity) != entity
        and titleless(other.name) == wanted
        and (
            (other.kind is Kind.PERSON and entity.kind is Kind.PERSON)
            or (other.kind is Kind.ORG and len(other.articles) < len(entity.articles))
        )
    ]


def _is_glued(entity: Entity, found: Iterable[tuple[float, Entity]]) -> bool:
    """Return whether a name is another one and words that ran into it: "Ada Halder Read More", "Longtime Halder"."""
    words = bare_name(entity.name)
    others = {bare_name(other.name) for _, other in found if other.kind is Kind.PERSON and other != entity}
    if len(words) < 3:  # noqa: PLR2004 - no full name and more
        first = entity.name.split()[0]
        is_plain_word = (is_word(first) or is_region(first)) and not retrieval.is_first_name(first)
        return len(words) > 1 and is_plain_word and any(other[1:] and other[-1] == words[-1] for other in others)
    within = {words[i:j] for i in range(len(words)) for j in range(i + 2, len(words) + 1)} - {words}
    return bool(_GLUED.search(entity.name)) or (entity.kind is Kind.PERSON and any(other in within for other in others))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``label`` is shown, ``value`` is what the command gets."""

    label: str
    value: str


@dataclass
class Completion:
    """Caches the titles while the archive stays the same."""

    archive: Archive
    _titles: tuple[object, tuple[tuple[str, Listed], ...]] | None = None

    def names(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return names that begin as typed, one for each entity; with nothing typed, the people in most articles."""
        if not typed.strip():
            return tuple(Suggestion(name, name) for name in self.archive.register().people(limit))
        found: dict[str, str] = {}
        for spelling in self.archive.register().beginning(typed.strip(), limit * SPELLINGS):
            if len(found) == limit:
                break
            meant = self.archive.register().meant(spelling)
            full = meant.name if meant else spelling
            # platforms filter by the letters typed, so the value must contain them: the full name or this spelling
            found.setdefault(full, full if fold(typed.strip()) in fold(full) else spelling)
        return tuple(Suggestion(name, name) for name in found.values())

    def articles(self, typed: str, limit: int) -> tuple[Suggestion, ...]:
        """Return articles whose title or id contains what is typed, newest first."""
        revision = self.archive.revision()
        if self._titles is None or self._titles[0] != revision:
            listed = sorted(self.archive.listed(), key=lambda a: (-a.published.toordinal() if a.published else 0, a.id))
            self._titles = (revision, tuple([(fold(f"{one.title or ''} {one.id}"), one) for one in listed]))
        wanted = fold(typed.strip())
        found = (article for words, article in self._titles[1] if wanted in words)
        labelled = ((verbatim.article(self.archive, article.id), article) for article in islice(found, limit))
        return tuple(Suggestion(source_lines.titled(cited), article.id) for cited, article in labelled if cited)
