"""``who`` and ``said``: an entity over all articles, and what it said. A view of what was read; no prose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import process

from bot import messages, verbatim
from bot.command import Holdings
from bot.commands.listed_passages import matching, own_names, readings
from bot.model import Answer, Candidate, Candidates, Card, Companion, Extract, Message, NoAnswer
from retrieval import Archive, Entity, Kind, Passage, Reading, fold

SHOWN = 5  # extracts under each heading of a card
COMPANIONS = 8
NEAREST = 5
CERTAIN = 0.8  # how certain a name must be for "who NAME", typed without a slash, to be no question
ALIKE = 60  # per cent of likeness from which a name is worth naming where the one asked for does not occur

_ABOUT = re.compile(r"\s+(?:about|on)(?:\s+|$)", re.IGNORECASE)
Test = Callable[[Passage], bool]


@dataclass(frozen=True, slots=True)
class Place:
    """A passage, and the reading it stands in."""

    reading: Reading
    passage: Passage


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
    places = [p for p in _places(archive, spoken) if wanted is None or _address(p) in wanted]
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
        (reading.article.id, passage.speaker)
        for reading in readings(archive)
        for passage in reading.passages
        if passage.speaker and _bare(passage.speaker) == wanted
    ]
    if not found:
        return None
    spelt = tuple(dict.fromkeys(speaker for _, speaker in found))
    return Entity(spelt[0], Kind.GROUP, spelt, tuple(dict.fromkeys(article_id for article_id, _ in found)))


def _bare(name: str) -> str:
    return fold(name).removeprefix("the ")


def _candidates(archive: Archive, name: str, found: Sequence[Entity]) -> Candidates:
    near = found or _nearest(archive, name)
    listed = tuple(Candidate(entity.name, entity.kind, len(entity.articles)) for entity in near)
    message = messages.several(name) if found else messages.nobody(name, near=bool(near))
    return Candidates(name, listed, message, found=bool(found))


def _nearest(archive: Archive, name: str) -> list[Entity]:
    """Return the entities whose names are spelt most like ``name``."""
    named = {number: fold(entity.name) for number, entity in enumerate(archive.entities())}
    close = process.extract(fold(name), named, limit=NEAREST, score_cutoff=ALIKE)
    return [archive.entities()[number] for _, _, number in close]


def _card(archive: Archive, entity: Entity) -> Card:
    named, spoken = _named(entity), _spoken(entity)
    about = [p for p in _places(archive, named) if not spoken(p.passage)]
    articles = (verbatim.article(archive, article_id) for article_id in _newest(archive, entity))
    return Card(
        name=entity.name,
        kind=entity.kind,
        variants=entity.variants,
        roles=_shown(archive, _roles(archive, entity)),
        said=_shown(archive, _places(archive, spoken)),
        about=_shown(archive, about),
        company=tuple(_company(archive, entity)),
        articles=tuple(citation for citation in articles if citation),
    )


def _newest(archive: Archive, entity: Entity) -> Iterator[str]:
    return (r.article.id for r in readings(archive) if r.article.id in entity.articles)


def _named(entity: Entity) -> Test:
    return lambda passage: any(m.name == entity.name and m.kind == entity.kind for m in passage.mentions)


def _spoken(entity: Entity) -> Test:
    spellings = {fold(name) for name in (entity.name, *entity.variants)}
    return lambda passage: passage.speaker is not None and fold(passage.speaker) in spellings


def _places(archive: Archive, test: Test) -> Iterator[Place]:
    """Yield the passages of the reports that pass ``test``, newest article first."""
    for reading in readings(archive):
        for passage in reading.passages:
            if passage.sentence.boilerplate is None and test(passage):
                yield Place(reading, passage)


def _roles(archive: Archive, entity: Entity) -> Iterator[Place]:
    """Return a sentence for each different role."""
    seen: set[str] = set()
    for place in _places(archive, _named(entity)):
        roles = [m.role for m in place.passage.mentions if m.name == entity.name and m.role]
        new = {fold(role.of(place.reading.article.text)) for role in roles} - seen
        if new:
            seen |= new
            yield place


def _company(archive: Archive, entity: Entity) -> Iterator[Companion]:
    """Return those named in the same sentences, the most frequent first, each with one of the sentences."""
    together = Counter[str]()
    where: dict[str, Place] = {}
    for place in _places(archive, _named(entity)):
        for name in dict.fromkeys(m.name for m in own_names(place.passage) if m.name != entity.name):
            together[name] += 1
            where.setdefault(name, place)
    for name, sentences in sorted(together.items(), key=lambda item: (-item[1], item[0]))[:COMPANIONS]:
        for extract in _extracts(archive, [where[name]]):
            yield Companion(name, sentences, extract)


def _shown(archive: Archive, places: Sequence[Place] | Iterator[Place]) -> tuple[Extract, ...]:
    return tuple(_extracts(archive, list(places)[:SHOWN]))


def _extracts(archive: Archive, places: Sequence[Place]) -> Iterator[Extract]:
    for place in places:
        extract = verbatim.extract(archive, *_address(place))
        if extract:
            yield extract


def _address(place: Place) -> tuple[str, int]:
    return place.reading.article.id, place.passage.sentence.index
