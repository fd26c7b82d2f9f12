"""``who`` and ``said``: an entity across all articles, and what it said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from bot import messages, state, verbatim
from bot.command import ExtractStream, Holdings
from bot.commands.bearers import NEAREST, Bearer, bearers
from bot.commands.unverified import matching_places
from bot.model import Candidates, Card, Companion, Extract, Message, NameCandidate, NoAnswer, Role
from retrieval import Archive, Entity, Kind, Noted, Span, Synopsis, fold, said_by

SHOWN = 5  # extracts under each heading of a card
BRIEF = 2  # extracts of a brief card
COMPANIONS = 8
LOOKED = 200  # of the newest articles that a card covers
CERTAIN = 0.8  # certainty of a name from which "who NAME" without a slash is a command

_ABOUT = re.compile(r"(?<!\s)\s++(?:about|on)(?:\s+|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NotedSentence:
    article: Synopsis
    noted: Noted

    @property
    def address(self) -> tuple[str, int]:
        return self.article.article_id, self.noted.at


Test = Callable[[Synopsis, Noted], bool]


def who(holdings: Holdings, name: str) -> Card | Candidates | Message:
    """Return the card of the entity that ``name`` means, or the entities it may mean."""
    if not name:
        return Message(messages.WHO_USAGE)
    archive = holdings.archive
    found = _meant(archive, name)
    return _card(archive, found[0]) if len(found) == 1 else _candidates(archive, name, [b.entity for b in found])


def brief_card(card: Card) -> Card:
    """Return a card with as few sentences as one screen of a phone shows: its own, or else those about it."""
    said = card.said[:BRIEF]
    about = card.about[: BRIEF - len(said)]
    rest = (*card.said[len(said) :], *card.about[len(about) :])
    more = state.encode(state.address(extract.citation, extract.index) for extract in rest)
    return replace(card, said=said, about=about, brief=True, more=more)


def said(holdings: Holdings, words: str) -> ExtractStream | NoAnswer | Candidates | Message:
    """Return every sentence attributed to an entity, newest first: "NAME" or "NAME about WORDS"."""
    if not words:
        return Message(messages.SAID_USAGE)
    archive = holdings.archive
    name, topic = _name_and_topic(archive, words)
    found = _meant(archive, name)
    if len(found) != 1:
        return _candidates(archive, name, [bearer.entity for bearer in found])
    saying = _saying(found[0])
    wanted = matching_places(archive, topic, saying) if topic else None
    synopses = archive.synopses(facets=saying)
    places = (p for p in _places(synopses, _is_said_by(found[0])) if wanted is None or p.address in wanted)
    extracts = _extracts(archive, places)
    first = next(extracts, None)
    if first is None:
        return NoAnswer((name, topic) if topic else (name,), (), messages.said_nothing(found[0].entity.name, topic))
    return ExtractStream(chain([first], extracts), (found[0].entity.name,))


def said_in(archive: Archive, name: str, article_ids: Collection[str]) -> tuple[Extract, ...]:
    """Return what the entity that ``name`` means says in these articles; nothing where it may mean several."""
    found = _meant(archive, name)
    if len(found) != 1 or not article_ids:
        return ()
    return tuple(_extracts(archive, _places(archive.synopses(article_ids), _is_said_by(found[0]))))


def said_sentences(archive: Archive, name: str, article_ids: Collection[str]) -> frozenset[tuple[str, int]]:
    """Return the places (article id, index) of what the entity that ``name`` surely means says in these articles."""
    places = (_places(archive.synopses(article_ids), _is_said_by(bearer)) for bearer in _meant(archive, name)[:1])
    return frozenset(place.address for each in places for place in each)


def is_name(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are only the name of an entity in the articles."""
    best = archive.register().find(words)[:1]
    return bool(best) and best[0].certainty >= CERTAIN


def is_followed(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are such a name, or a source without a name ("the coastguard")."""
    return is_name(archive, words) or _source(archive, words) is not None


def _name_and_topic(archive: Archive, words: str) -> tuple[str, str]:
    """Return NAME and WORDS of "NAME about WORDS"; a name may contain "on"."""
    name, *topic = _ABOUT.split(words, maxsplit=1)
    return (words, "") if not topic or is_name(archive, words) else (name, topic[0])


def _meant(archive: Archive, name: str) -> tuple[Bearer, ...]:
    """Return the entities, or else the source without a name, that ``name`` may mean."""
    found = bearers(archive, name)
    source = None if found else _source(archive, name)
    return (Bearer(source),) if source else found


def _source(archive: Archive, name: str) -> Entity | None:
    """Return a source without a name ("the UN refugee agency") as an entity."""
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
    listed = tuple(NameCandidate(entity.name, entity.kind, len(entity.articles)) for entity in near)
    message = messages.several(name) if found else messages.nobody(name, near=bool(near))
    return Candidates(listed, message, found=bool(found))


def _synopses(archive: Archive, bearer: Bearer) -> Iterator[Synopsis]:
    """Return the articles that name the entity, or in which a speaker has its name, newest first.

    A source without a name may be called like a group that other articles name ("Americans").
    """
    entity = bearer.entity
    called = (match.entity for match in archive.register().find(entity.name))
    same = (each for each in called if (each.name, each.kind) == (entity.name, entity.kind))
    named = bearer.articles.union(*(each.articles for each in same))
    return archive.synopses(named, _saying(bearer))


def _saying(bearer: Bearer) -> list[str]:
    return [said_by(name) for name in bearer.spellings]


def _card(archive: Archive, bearer: Bearer) -> Card:
    entity, synopses, spoken = bearer.entity, tuple(islice(_synopses(archive, bearer), LOOKED)), _is_said_by(bearer)
    named = list(_places(synopses, lambda _, noted: any(bearer.is_called(n.name, n.kind) for n in noted.names)))
    said = list(_places(synopses, spoken))
    within = {place.article.article_id for place in (*named, *said)}.union(entity.articles)
    reports = ((each, next((n for n in each.sentences if not n.boilerplate), None)) for each in synopses)
    articles = (
        verbatim.article(archive, each.article_id, each.digest, Span(begin.start, begin.end) if begin else None)
        for each, begin in reports
        if each.article_id in within
    )
    roles = list(_roles(named, bearer))
    return Card(
        name=entity.name,
        kind=entity.kind,
        variants=entity.variants,
        roles=_first_extracts(archive, (place for place, _ in roles)),
        said=_first_extracts(archive, said),
        about=_first_extracts(archive, (place for place in named if not spoken(place.article, place.noted))),
        company=tuple(_company(archive, named, bearer)),
        articles=tuple(citation for citation in articles if citation),
        described=tuple(_described(archive, roles)),
        in_all=len(within),
        said_in_all=len(said),
    )


def _is_said_by(bearer: Bearer) -> Test:
    people: dict[str, frozenset[str]] = {}

    def is_said(article: Synopsis, noted: Noted) -> bool:
        speaker = noted.speaker
        if speaker is None:
            return False
        if article.article_id not in people:
            named = (name for noted in article.sentences for name in noted.names if name.kind == Kind.PERSON)
            people[article.article_id] = frozenset(name.name for name in named)
        return bearer.says(speaker, people[article.article_id])

    return is_said


def _places(synopses: Iterable[Synopsis], test: Test) -> Iterator[NotedSentence]:
    """Yield the sentences that pass ``test``, without boilerplate."""
    for article in synopses:
        for noted in article.sentences:
            if not noted.boilerplate and test(article, noted):
                yield NotedSentence(article, noted)


def _roles(named: Iterable[NotedSentence], bearer: Bearer) -> Iterator[tuple[NotedSentence, str]]:
    """Return the roles in most articles, each with its newest sentence; of "president" and "US president", one."""
    found: dict[tuple[str, ...], tuple[NotedSentence, str]] = {}
    within: dict[tuple[str, ...], set[str]] = {}
    for place in named:
        for name in place.noted.names:
            if name.role and "(" not in name.role and bearer.is_called(name.name, name.kind):
                words = tuple(fold(name.role).replace(".", "").split())
                found.setdefault(words, (place, name.role))
                within.setdefault(words, set()).add(place.article.article_id)
    # what only one of many articles has is seldom a role: words that ran together, a relation
    least = min(2, max(map(len, within.values()), default=1))
    often = sorted((w for w in within if len(within[w]) >= least), key=lambda w: -len(within[w]))[: 2 * SHOWN]
    fullest = [words for words in often if not any({*words} < {*fuller} for fuller in often)]
    return (found[words] for words in fullest[:SHOWN])


def _described(archive: Archive, roles: Iterable[tuple[NotedSentence, str]]) -> Iterator[Role]:
    for place, role in roles:
        found = verbatim.reading(archive, place.article.article_id)
        text, mentions = (found.article.text, found.passages[place.noted.at].mentions) if found else ("", ())
        spans = [mention.role for mention in mentions if mention.role and mention.role.of(text) == role]
        for span, extract in zip(spans, _extracts(archive, [place]), strict=False):
            yield Role(verbatim.collapse(role), replace(extract.citation, span=span))


def _company(archive: Archive, named: Iterable[NotedSentence], bearer: Bearer) -> Iterator[Companion]:
    """Return the names in the same sentences, the most frequent first, each with one of the sentences.

    Peoples, parties and faiths are left out, and surnames where the full name is there too.
    """
    together = Counter[str]()
    where: dict[str, NotedSentence] = {}
    for place in named:
        named_too = (n for n in place.noted.names if n.kind != Kind.GROUP and not bearer.is_called(n.name, n.kind))
        for name in dict.fromkeys(each.name for each in named_too):
            together[name] += 1
            where.setdefault(name, place)
    surnames = {name.split()[-1] for name in (bearer.entity.name, *together) if " " in name}
    others = (each for each in together.items() if each[0] not in surnames)
    for name, sentences in sorted(others, key=lambda item: (-item[1], item[0]))[:COMPANIONS]:
        for extract in _extracts(archive, [where[name]]):
            yield Companion(name, sentences, extract)


def _first_extracts(archive: Archive, places: Iterable[NotedSentence]) -> tuple[Extract, ...]:
    return tuple(_extracts(archive, islice(places, SHOWN)))


def _extracts(archive: Archive, places: Iterable[NotedSentence]) -> Iterator[Extract]:
    return filter(None, (verbatim.extract(archive, *place.address) for place in places))
