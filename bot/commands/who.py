"""``who`` and ``said``: an entity over all articles, and what it said. A view of what was read; no prose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from bot import messages, verbatim
from bot.command import Found, Holdings
from bot.commands.bearers import NEAREST, Bearer, bearers
from bot.model import Candidate, Candidates, Card, Companion, Extract, Message, NoAnswer, Role
from bot.references import matching
from retrieval import Entity, Kind, Noted, Span, Synopsis, fold, said_by

if TYPE_CHECKING:
    from retrieval import Archive


SHOWN = 5  # extracts under each heading of a card
COMPANIONS = 8
LOOKED = 200  # of the newest articles: who is in thousands of them is told of by what is new
CERTAIN = 0.8  # how certain a name must be for "who NAME", typed without a slash, to be no question

_ABOUT = re.compile(r"\s+(?:about|on)(?:\s+|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence, and the article it stands in."""

    article: Synopsis
    noted: Noted


Test = Callable[[Synopsis, Noted], bool]


def who(holdings: Holdings, name: str) -> Card | Candidates | Message:
    """Return the card of the one entity that ``name`` means, else those to pick from."""
    if not name:
        return Message(messages.WHO_USAGE)
    archive = holdings.archive
    found = _meant(archive, name)
    return _card(archive, found[0]) if len(found) == 1 else _candidates(archive, name, [b.entity for b in found])


def said(holdings: Holdings, words: str) -> Found | NoAnswer | Candidates | Message:
    """Return every sentence attributed to an entity, newest first: "NAME" or "NAME about WORDS"."""
    if not words:
        return Message(messages.SAID_USAGE)
    archive = holdings.archive
    name, topic = _parted(archive, words)
    found = _meant(archive, name)
    if len(found) != 1:
        return _candidates(archive, name, [bearer.entity for bearer in found])
    saying = _saying(found[0])
    wanted = matching(archive, topic, saying) if topic else None
    held = archive.synopses(facets=saying)
    places = (p for p in _places(held, _spoken(found[0])) if wanted is None or _address(p) in wanted)
    extracts = _extracts(archive, places)
    first = next(extracts, None)
    if first is None:
        return NoAnswer((name, topic) if topic else (name,), (), messages.said_nothing(found[0].entity.name, topic))
    return Found(chain([first], extracts), (found[0].entity.name,))


def said_in(archive: Archive, name: str, article_ids: Collection[str]) -> tuple[Extract, ...]:
    """Return what the one whom ``name`` means says in these articles; nothing where several may be meant."""
    found = _meant(archive, name)
    if len(found) != 1 or not article_ids:
        return ()
    return tuple(_extracts(archive, _places(archive.synopses(article_ids), _spoken(found[0]))))


def is_name(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are the name of somebody or something in the articles, and nothing more."""
    best = archive.register().find(words)[:1]
    return bool(best) and best[0].certainty >= CERTAIN


def is_followed(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are such a name, or what a source without one is called ("the coastguard")."""
    return is_name(archive, words) or _source(archive, words) is not None


def _parted(archive: Archive, words: str) -> tuple[str, str]:
    """Return NAME and WORDS of "NAME about WORDS"; a name that itself holds "on" stays whole."""
    parts = _ABOUT.split(words, maxsplit=1)
    if len(parts) == 1 or is_name(archive, words):
        return words, ""
    return parts[0], parts[1]


def _meant(archive: Archive, name: str) -> tuple[Bearer, ...]:
    """Return what ``name`` may mean: one where it is certain, none, or several to pick from.

    Where no entity has it, it may be what a source without a name is called.
    """
    found = bearers(archive, name)
    source = None if found else _source(archive, name)
    return (Bearer(source),) if source else found


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
    return Candidates(listed, message, found=bool(found))


def _synopses(archive: Archive, bearer: Bearer) -> Iterator[Synopsis]:
    """Return the articles that name whoever is meant, or in which somebody called so speaks, the newest first.

    A source without a name of its own may be called as a group is that is named elsewhere ("Americans").
    """
    entity = bearer.entity
    called = (match.entity for match in archive.register().find(entity.name))
    same = (each for each in called if (each.name, each.kind) == (entity.name, entity.kind))
    named = bearer.articles.union(*(each.articles for each in same))
    return archive.synopses(named, _saying(bearer))


def _saying(bearer: Bearer) -> list[str]:
    return [said_by(name) for name in bearer.spellings]


def _card(archive: Archive, bearer: Bearer) -> Card:
    entity, held, spoken = bearer.entity, tuple(islice(_synopses(archive, bearer), LOOKED)), _spoken(bearer)
    named, said = list(_places(held, _named(bearer))), list(_places(held, spoken))
    within = {place.article.article_id for place in (*named, *said)}.union(entity.articles)
    articles = (
        verbatim.article(archive, each.article_id, each.digest, _report(each))
        for each in held
        if each.article_id in within
    )
    roles = list(_roles(named, bearer))
    return Card(
        name=entity.name,
        kind=entity.kind,
        variants=entity.variants,
        roles=_shown(archive, (place for place, _ in roles)),
        said=_shown(archive, said),
        about=_shown(archive, (place for place in named if not spoken(place.article, place.noted))),
        company=tuple(_company(archive, named, bearer)),
        articles=tuple(citation for citation in articles if citation),
        described=tuple(_described(archive, roles)),
        in_all=len(within),
        said_in_all=len(said),
    )


def _report(article: Synopsis) -> Span | None:
    """Return the first sentence of the report."""
    return next((Span(noted.start, noted.end) for noted in article.sentences if not noted.boilerplate), None)


def _named(bearer: Bearer) -> Test:
    return lambda _, noted: any(bearer.is_called(name.name, name.kind) for name in noted.names)


def _spoken(bearer: Bearer) -> Test:
    people: dict[str, frozenset[str]] = {}

    def spoken(article: Synopsis, noted: Noted) -> bool:
        speaker = noted.speaker
        if speaker is None:
            return False
        if article.article_id not in people:
            named = (name for noted in article.sentences for name in noted.names if name.kind == Kind.PERSON)
            people[article.article_id] = frozenset(name.name for name in named)
        return bearer.says(speaker, people[article.article_id])

    return spoken


def _places(held: Iterable[Synopsis], test: Test) -> Iterator[Place]:
    """Yield the sentences of the reports that pass ``test``, in order."""
    for article in held:
        for noted in article.sentences:
            if not noted.boilerplate and test(article, noted):
                yield Place(article, noted)


def _roles(named: Iterable[Place], bearer: Bearer) -> Iterator[tuple[Place, str]]:
    """Return the roles that most articles have, each at its newest place; of "president" and "US president", one."""
    found: dict[tuple[str, ...], tuple[Place, str]] = {}
    within: dict[tuple[str, ...], set[str]] = {}
    for place in named:
        for name in place.noted.names:
            if name.role and "(" not in name.role and bearer.is_called(name.name, name.kind):
                words = tuple(fold(name.role).replace(".", "").split())
                found.setdefault(words, (place, name.role))
                within.setdefault(words, set()).add(place.article.article_id)
    # what one article says of somebody of whom many tell more is seldom a role: words ran together, a relation
    least = min(2, max(map(len, within.values()), default=1))
    often = sorted((w for w in within if len(within[w]) >= least), key=lambda w: -len(within[w]))[: 2 * SHOWN]
    told = [words for words in often if not any({*words} < {*fuller} for fuller in often)]
    return (found[words] for words in told[:SHOWN])


def _described(archive: Archive, roles: Iterable[tuple[Place, str]]) -> Iterator[Role]:
    for place, role in roles:
        found = verbatim.reading(archive, place.article.article_id)
        text, mentions = (found.article.text, found.passages[place.noted.at].mentions) if found else ("", ())
        spans = [mention.role for mention in mentions if mention.role and mention.role.of(text) == role]
        for span, extract in zip(spans, _extracts(archive, [place]), strict=False):
            yield Role(verbatim.collapse(role), replace(extract.citation, span=span))


def _company(archive: Archive, named: Iterable[Place], bearer: Bearer) -> Iterator[Companion]:
    """Return those named in the same sentences, the most frequent first, each with one of the sentences.

    Peoples, parties and faiths are no company, nor is a surname beside the full name.
    """
    together = Counter[str]()
    where: dict[str, Place] = {}
    for place in named:
        named_too = (n for n in place.noted.names if n.kind != Kind.GROUP and not bearer.is_called(n.name, n.kind))
        for name in dict.fromkeys(each.name for each in named_too):
            together[name] += 1
            where.setdefault(name, place)
    surnames = {name.split()[-1] for name in (bearer.entity.name, *together) if " " in name}
    kept = (each for each in together.items() if each[0] not in surnames)
    for name, sentences in sorted(kept, key=lambda item: (-item[1], item[0]))[:COMPANIONS]:
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
