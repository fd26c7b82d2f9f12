"""``who`` and ``said``: an entity across all articles, and what it said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from bot import messages, sentence_links, verbatim
from bot.command import ExtractStream, Library
from bot.commands.listings import matching_places
from bot.commands.name_candidates import NEAREST, Bearer, bearers
from bot.model import Candidates, Card, Companion, Extract, Message, NameCandidate, NoAnswer, Role
from retrieval import Archive, Entity, Kind, Passage, Reading, Span, classes, fold, said_by

SHOWN = 5  # extracts under each heading of a card
BRIEF = 2  # extracts of a brief card
COMPANIONS = 8
LOOKED = 200  # of the newest articles that a card covers
CERTAIN = 0.8  # certainty of a name from which "who NAME" without a slash is a command

_AGE_BEHIND = re.compile(r"(?:,? \(|, (?:aged )?|,? aged )(\d{1,3})(?=[,;.)]|$)")  # "Ann Lee, 44, resigned"
_AGE_BEFORE = re.compile(r"\b(\d{1,3})[- ]years?[- ]old (?:[\w’'-]+ ){0,4}$")  # "the 44-year-old minister Ann Lee"
_YEARS_APART = 3  # of birth, by ages of one person: birthdays and slips make up the rest
_PRONOUNS = classes("first_persons", "second_persons", "third_persons")
_ABOUT = re.compile(r"(?<!\s)\s++(?:about|on)(?:\s+|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PassageOf:
    reading: Reading
    passage: Passage

    @property
    def place(self) -> tuple[str, int]:
        return self.reading.article.id, self.passage.sentence.index


def who(library: Library, name: str) -> Card | Candidates | Message:
    """Return the card of the entity that ``name`` means, or the entities it may mean."""
    if not name:
        return Message(messages.WHO_USAGE)
    meant = _bearers(library.archive, name)
    return _card(library.archive, meant[0]) if len(meant) == 1 else _candidates(library.archive, name, meant)


def brief_card(card: Card) -> Card:
    """Return a card with as few sentences as one screen of a phone shows: its own, or else those about it."""
    said = card.said[:BRIEF]
    about = card.about[: BRIEF - len(said)]
    more = sentence_links.encode(map(sentence_links.address, (*card.said[len(said) :], *card.about[len(about) :])))
    return replace(card, said=said, about=about, brief=True, more=more)


def said(library: Library, words: str) -> ExtractStream | NoAnswer | Candidates | Message:
    """Return every sentence attributed to an entity, newest first: "NAME" or "NAME about WORDS"."""
    if not words:
        return Message(messages.SAID_USAGE)
    archive = library.archive
    name, topic, *_ = *_ABOUT.split(words, maxsplit=1), ""
    if topic and is_name(archive, words):  # a name may contain "on"
        name, topic = words, ""
    meant = _bearers(archive, name)
    if len(meant) != 1:
        return _candidates(archive, name, meant)
    speakers = [*map(said_by, meant[0].spellings)]
    on_topic = matching_places(archive, topic, speakers) if topic else None
    spoken = _spoken(archive.readings(facets=speakers), meant[0])
    places = (each.place for each in spoken if on_topic is None or each.place in on_topic)
    if stream := ExtractStream.of(verbatim.at(archive, places), meant[0].entity.name):
        return stream
    nothing = messages.said_nothing(meant[0].entity.name, messages.about(topic))
    return NoAnswer((name, topic) if topic else (name,), (), nothing)


def said_in(archive: Archive, name: str, article_ids: Collection[str]) -> tuple[Extract, ...]:
    """Return what the entity that ``name`` means says in these articles; nothing where it may mean several."""
    meant = _bearers(archive, name)
    if len(meant) != 1 or not article_ids:
        return ()
    return _extracts(archive, _spoken(archive.readings(article_ids), meant[0]))


def said_sentences(archive: Archive, name: str, article_ids: Collection[str]) -> frozenset[tuple[str, int]]:
    """Return the places (article id, index) of what the entity that ``name`` surely means says in these articles."""
    bearers = _bearers(archive, name)[:1]
    return frozenset(each.place for bearer in bearers for each in _spoken(archive.readings(article_ids), bearer))


def is_name(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are only the name of an entity in the articles; a pronoun alone is none."""
    best = archive.register().find(words)[:1]
    return bool(best) and best[0].certainty >= CERTAIN and words.strip().lower() not in _PRONOUNS


def is_followed(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are such a name, or a source without a name ("the coastguard")."""
    return is_name(archive, words) or _source(archive, words) is not None


def _bearers(archive: Archive, name: str) -> tuple[Bearer, ...]:
    """Return the entities, or else the source without a name, that ``name`` may mean."""
    if named := bearers(archive, name):
        return named
    source = _source(archive, name)
    return (Bearer(source),) if source else ()


def _source(archive: Archive, name: str) -> Entity | None:
    """Return a source without a name ("the UN refugee agency") as an entity."""
    wanted = fold(name).removeprefix("the ")
    found = [
        (reading.article.id, passage.speaker)
        for reading in archive.readings(facets=(said_by(wanted), said_by(f"the {wanted}")))
        for passage in reading.passages
        if passage.speaker and fold(passage.speaker).removeprefix("the ") == wanted
    ]
    if not found:
        return None
    spelt = tuple(dict.fromkeys(speaker for _, speaker in found))
    return Entity(spelt[0], Kind.GROUP, spelt, tuple(dict.fromkeys(article_id for article_id, _ in found)))


def _candidates(archive: Archive, name: str, meant: Sequence[Bearer]) -> Candidates:
    near = [bearer.entity for bearer in meant] or [*islice(archive.register().nearest(name), NEAREST)]
    listed = tuple(NameCandidate(entity.name, entity.kind, len(entity.articles)) for entity in near)
    says = messages.several if meant else messages.nobody_but_near if near else messages.nobody
    return Candidates(listed, says(name), found=bool(meant))


def _card(archive: Archive, bearer: Bearer) -> Card:
    entity = bearer.entity
    # a source without a name may be called like a group that other articles name ("Americans")
    same = (match.entity for match in archive.register().find(entity.name))
    namesakes = (one.articles for one in same if (one.name, one.kind) == (entity.name, entity.kind))
    by_speaker = [*map(said_by, bearer.spellings)]
    readings = tuple(islice(archive.readings(bearer.articles.union(*namesakes), by_speaker), LOOKED))
    named = [
        PassageOf(reading, passage)
        for reading in readings
        for passage in reading.passages
        if not passage.sentence.boilerplate and any(bearer.is_called(m.name, m.kind) for m in passage.mentions)
    ]
    said = [*_spoken(readings, bearer)]
    spoken = {sentence.place for sentence in said}
    within = {sentence.reading.article.id for sentence in (*named, *said)}.union(entity.articles)
    covered = [(each.article, each.passages) for each in readings if each.article.id in within]
    begins = (next((p.sentence.span for p in passages if not p.sentence.boilerplate), None) for _, passages in covered)
    articles = (verbatim.article(archive, a.id, a.digest, span) for (a, _), span in zip(covered, begins, strict=True))
    roles = [*_roles(named, bearer)]
    described = (
        Role(verbatim.collapse(span.of(place.reading.article.text)), replace(extract.citation, span=span))
        for place, span in roles
        for extract in _extracts(archive, [place])
    )
    return Card(
        name=entity.name,
        kind=entity.kind,
        variants=entity.variants,
        roles=_extracts(archive, (sentence for sentence, _ in roles)),
        said=_extracts(archive, said[:SHOWN]),
        about=_extracts(archive, islice((sentence for sentence in named if sentence.place not in spoken), SHOWN)),
        company=tuple(_company(archive, named, bearer)),
        articles=tuple(citation for citation in articles if citation),
        described=tuple(described),
        in_all=len(within),
        said_in_all=len(said),
        may_be_several=max(born := [*_birth_years(named, bearer)], default=0) - min(born, default=0) > _YEARS_APART,
    )


def _birth_years(named: Iterable[PassageOf], bearer: Bearer) -> Iterator[int]:
    """Yield the year of birth by each age that a dated article gives for a person."""
    for place in named:
        article = place.reading.article
        for mention in place.passage.mentions:
            if article.published and mention.kind is Kind.PERSON and bearer.is_called(mention.name, mention.kind):
                before = article.text[place.passage.sentence.span.start : mention.span.start]
                if age := _AGE_BEHIND.match(article.text, mention.span.end) or _AGE_BEFORE.search(before):
                    yield article.published.year - int(age[1])


def _spoken(readings: Iterable[Reading], bearer: Bearer) -> Iterator[PassageOf]:
    """Yield the sentences that the entity says, without boilerplate."""
    for reading in readings:
        people = frozenset(m.name for p in reading.passages for m in p.mentions if m.kind is Kind.PERSON)
        for passage in reading.passages:
            if not passage.sentence.boilerplate and passage.speaker and bearer.says(passage.speaker, people):
                yield PassageOf(reading, passage)


def _roles(named: Iterable[PassageOf], bearer: Bearer) -> Iterator[tuple[PassageOf, Span]]:
    """Return the roles in most articles, each with its newest sentence; of "president" and "US president", one."""
    found: dict[tuple[str, ...], tuple[PassageOf, Span]] = {}
    within: dict[tuple[str, ...], set[str]] = {}
    for place in named:
        for mention in place.passage.mentions:
            role = mention.role.of(place.reading.article.text) if mention.role else ""
            if mention.role and "(" not in role and bearer.is_called(mention.name, mention.kind):
                words = tuple(fold(role).replace(".", "").split())
                found.setdefault(words, (place, mention.role))
                within.setdefault(words, set()).add(place.reading.article.id)
    # what only one of many articles has is seldom a role: words that ran together, a relation
    least = min(2, max(map(len, within.values()), default=1))
    often = sorted((w for w in within if len(within[w]) >= least), key=lambda w: -len(within[w]))[: 2 * SHOWN]
    fullest = [words for words in often if not any({*words} < {*fuller} for fuller in often)]
    return (found[words] for words in fullest[:SHOWN])


def _company(archive: Archive, named: Iterable[PassageOf], bearer: Bearer) -> Iterator[Companion]:
    """Return the names in the same sentences, the most frequent first, each with one of the sentences.

    Peoples, parties and faiths are left out, and surnames where the full name is there too.
    """
    together = Counter[str]()
    where: dict[str, PassageOf] = {}
    for place in named:
        named_too = (n for n in place.passage.mentions if n.kind != Kind.GROUP and not bearer.is_called(n.name, n.kind))
        for name in dict.fromkeys(one.name for one in named_too):
            together[name] += 1
            where.setdefault(name, place)
    surnames = {name.split()[-1] for name in (bearer.entity.name, *together) if " " in name}
    company = (one for one in together.items() if one[0] not in surnames)
    for name, sentences in sorted(company, key=lambda item: (-item[1], item[0]))[:COMPANIONS]:
        for extract in _extracts(archive, [where[name]]):
            yield Companion(name, sentences, extract)


def _extracts(archive: Archive, sentences: Iterable[PassageOf]) -> tuple[Extract, ...]:
    return tuple(verbatim.at(archive, (sentence.place for sentence in sentences)))
