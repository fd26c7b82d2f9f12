"""``who`` and ``said``: an entity over all articles, and what it said. A view of what was read; no prose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bot import messages, verbatim
from bot.command import Holdings
from bot.commands.listed_passages import matching
from bot.model import Answer, Candidate, Candidates, Card, Companion, Extract, Message, NoAnswer
from retrieval import Archive, Entity, Kind, Noted, Synopsis, fold, said_by

SHOWN = 5  # extracts under each heading of a card
COMPANIONS = 8
NEAREST = 5
CERTAIN = 0.8  # how certain a name must be for "who NAME", typed without a slash, to be no question

_ABOUT = re.compile(r"\s+(?:about|on)(?:\s+|$)", re.IGNORECASE)
Test = Callable[[Noted], bool]


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence, and the article it stands in."""

    article: Synopsis
    noted: Noted


def who(holdings: Holdings, name: str) -> Card | Candidates | Message:
    """Return the card of the one entity that ``name`` means, else those to pick from."""
    if not name:
        return Message(messages.WHO_WHAT)
    archive = holdings.archive
    found = _meant(archive, name)
    return _card(archive, found[0]) if len(found) == 1 else _candidates(archive, name, found)


def said(holdings: Holdings, words: str) -> Answer | NoAnswer | Candidates | Message:
    """Return every sentence attributed to an entity, newest first: "NAME" or "NAME about WORDS"."""
    if not words:
        return Message(messages.SAID_WHAT)
    archive = holdings.archive
    name, topic = _parted(archive, words)
    found = _meant(archive, name)
    if len(found) != 1:
        return _candidates(archive, name, found)
    wanted = matching(archive, topic) if topic else None
    spoken = _spoken(found[0])
    held = _synopses(archive, found[0])
    places = [p for p in _places(held, spoken) if wanted is None or _address(p) in wanted]
    extracts = tuple(_extracts(archive, places))
    if not extracts:
        return NoAnswer((name, topic) if topic else (name,), (), messages.said_nothing(found[0].name, topic))
    return Answer(extracts, looked_for=(found[0].name,))


def is_name(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are the name of somebody or something in the articles, and nothing more."""
    best = archive.register().find(words)[:1]
    return bool(best) and best[0].certainty >= CERTAIN


def _parted(archive: Archive, words: str) -> tuple[str, str]:
    """Return NAME and WORDS of "NAME about WORDS"; a name that itself holds "on" stays whole."""
    parts = _ABOUT.split(words, maxsplit=1)
    if len(parts) == 1 or is_name(archive, words):
        return words, ""
    return parts[0], parts[1]


def _meant(archive: Archive, name: str) -> tuple[Entity, ...]:
    """Return the entities that ``name`` may mean: one where it is certain, none, or several to pick from."""
    register = archive.register()
    one = register.meant(name) or _source(archive, name)
    return (one,) if one else tuple(match.entity for match in register.find(name)[:NEAREST])


def _source(archive: Archive, name: str) -> Entity | None:
    """Return a source that speaks without a name of its own ("the UN refugee agency") as an entity."""
    wanted = _bare(name)
    found = [
        (article.article_id, noted.speaker)
        for article in archive.synopses(facets=(said_by(wanted), said_by(f"the {wanted}")))
        for noted in article.sentences
        if noted.speaker and _bare(noted.speaker) == wanted
    ]
    if not found:
        return None
    spelt = tuple(dict.fromkeys(speaker for _, speaker in found))
    return Entity(spelt[0], Kind.GROUP, spelt, tuple(dict.fromkeys(article_id for article_id, _ in found)))


def _bare(name: str) -> str:
    return fold(name).removeprefix("the ")


def _candidates(archive: Archive, name: str, found: Sequence[Entity]) -> Candidates:
    near = found or tuple(islice(archive.register().nearest(name), NEAREST))
    listed = tuple(Candidate(entity.name, entity.kind, len(entity.articles)) for entity in near)
    message = messages.several(name) if found else messages.nobody(name, near=bool(near))
    return Candidates(name, listed, message, found=bool(found))


def _synopses(archive: Archive, entity: Entity) -> Iterator[Synopsis]:
    """Return the articles that name an entity, or in which somebody called so speaks, the newest first.

    A source without a name of its own may be called as a group is that is named elsewhere ("Americans").
    """
    called = (match.entity for match in archive.register().find(entity.name))
    same = (each for each in (entity, *called) if (each.name, each.kind) == (entity.name, entity.kind))
    named = frozenset(article_id for each in same for article_id in each.articles)
    return archive.synopses(named, [said_by(name) for name in (entity.name, *entity.variants)])


def _card(archive: Archive, entity: Entity) -> Card:
    held = tuple(_synopses(archive, entity))
    named, spoken = list(_places(held, _named(entity))), _spoken(entity)
    within = frozenset(entity.articles)
    articles = (verbatim.article(archive, each.article_id, each.digest) for each in held if each.article_id in within)
    return Card(
        name=entity.name,
        kind=entity.kind,
        variants=entity.variants,
        roles=_shown(archive, _roles(named, entity)),
        said=_shown(archive, _places(held, spoken)),
        about=_shown(archive, (place for place in named if not spoken(place.noted))),
        company=tuple(_company(archive, named, entity)),
        articles=tuple(citation for citation in articles if citation),
    )


def _named(entity: Entity) -> Test:
    return lambda noted: any(name.name == entity.name and name.kind == entity.kind for name in noted.names)


def _spoken(entity: Entity) -> Test:
    spellings = {fold(name) for name in (entity.name, *entity.variants)}
    return lambda noted: noted.speaker is not None and fold(noted.speaker) in spellings


def _places(held: Iterable[Synopsis], test: Test) -> Iterator[Place]:
    """Yield the sentences of the reports that pass ``test``, in order."""
    for article in held:
        for noted in article.sentences:
            if not noted.boilerplate and test(noted):
                yield Place(article, noted)


def _roles(named: Iterable[Place], entity: Entity) -> Iterator[Place]:
    """Return a sentence for each different role."""
    seen: set[str] = set()
    for place in named:
        new = {fold(name.role) for name in place.noted.names if name.name == entity.name and name.role} - seen
        if new:
            seen |= new
            yield place


def _company(archive: Archive, named: Iterable[Place], entity: Entity) -> Iterator[Companion]:
    """Return those named in the same sentences, the most frequent first, each with one of the sentences."""
    together = Counter[str]()
    where: dict[str, Place] = {}
    for place in named:
        # "Russian" is no name beside "Russia"
        own = (name.name for name in place.noted.names if name.kind != Kind.GROUP and name.name != entity.name)
        for name in dict.fromkeys(own):
            together[name] += 1
            where.setdefault(name, place)
    for name, sentences in sorted(together.items(), key=lambda item: (-item[1], item[0]))[:COMPANIONS]:
        for extract in _extracts(archive, [where[name]]):
            yield Companion(name, sentences, extract)


def _shown(archive: Archive, places: Iterable[Place]) -> tuple[Extract, ...]:
    return tuple(_extracts(archive, islice(places, SHOWN)))


def _extracts(archive: Archive, places: Iterable[Place]) -> Iterator[Extract]:
    for place in places:
        extract = verbatim.extract(archive, *_address(place))
        if extract:
            yield extract


def _address(place: Place) -> tuple[str, int]:
    return place.article.article_id, place.noted.at
