"""``who`` and ``said``: an entity across all articles, and what it said; and which entities a name as typed may mean.

In an article without a full name, "Halder" is the Halder whom far more articles name than any other. Where two are
named often, a bare surname means neither.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import retrieval
from bot import messages, sentence_links, verbatim
from bot.command import ExtractStream, Library
from bot.commands.listings import matching_places
from bot.model import Candidates, Card, Companion, Extract, Message, NameCandidate, NoAnswer, Role
from retrieval import Archive, Entity, Kind, Passage, Reading, Span, bare_name, classes, fold, said_by, titleless

SHOWN = 5  # extracts under each heading of a card
BRIEF = 2  # extracts of a brief card
COMPANIONS = 8
LOOKED = 200  # of the newest articles that a card covers
CERTAIN = 0.8  # certainty from which a name is an entity's: "who NAME" is the command, and no source is looked for
BY_FAR = 5  # times as many articles as all others with a surname together
NEAREST = 5

_AGE_BEHIND = re.compile(r"(?:,? \(|, (?:aged )?|,? aged )(\d{1,3})(?=[,;.)]|$)")  # "Ann Lee, 44, resigned"
_AGE_BEFORE = re.compile(r"\b(\d{1,3})[- ]years?[- ]old (?:[\w’'-]+ ){0,4}$")  # "the 44-year-old minister Ann Lee"
_YEARS_APART = 3  # of birth, by ages of one person: birthdays and slips make up the rest
_PRONOUNS = classes("first_persons", "second_persons", "third_persons")
_ABOUT = re.compile(r"(?<!\s)\s++(?:about|on)(?:\s+|$)", re.IGNORECASE)
_GLUED = re.compile(r"[a-z]{3}[A-Z]")  # "HalderMore": links of a page that ran together


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
    meant = meant_by(library.archive, name)
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
    meant = meant_by(archive, name)
    if len(meant) != 1:
        return _candidates(archive, name, meant)
    speakers = [*map(said_by, meant[0].spellings)]
    on_topic = matching_places(archive, topic, speakers) if topic else None
    spoken = spoken_by(archive.readings(facets=speakers), meant[0])
    places = (each.place for each in spoken if on_topic is None or each.place in on_topic)
    if stream := ExtractStream.of(verbatim.at(archive, places), meant[0].entity.name):
        return stream
    nothing = messages.said_nothing(meant[0].entity.name, messages.about(topic))
    return NoAnswer((name, topic) if topic else (name,), (), nothing)


def is_name(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are only the name of an entity in the articles; a pronoun alone is none."""
    best = archive.register().find(words)[:1]
    return bool(best) and best[0].certainty >= CERTAIN and words.strip().lower() not in _PRONOUNS


def is_followed(archive: Archive, words: str) -> bool:
    """Return whether ``words`` are such a name, or a source without a name ("the coastguard")."""
    return is_name(archive, words) or _source(archive, words) is not None


def meant_by(archive: Archive, name: str) -> tuple[Bearer, ...]:
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
    said = [*spoken_by(readings, bearer)]
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


def spoken_by(readings: Iterable[Reading], bearer: Bearer) -> Iterator[PassageOf]:
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


@dataclass(frozen=True)
class Bearer:
    """An entity; ``others`` are entities of shorter names that mean it, and the members of a party.

    What "one Whig" says, the Whig Party has not said.
    """

    entity: Entity
    others: tuple[Entity, ...] = ()

    @cached_property
    def spellings(self) -> frozenset[str]:
        same = (self.entity, *(other for other in self.others if other.kind is not Kind.GROUP))
        return frozenset(fold(name) for each in same for name in (each.name, *each.variants))

    @property
    def articles(self) -> frozenset[str]:
        return frozenset(self.entity.articles).union(*(other.articles for other in self.others))

    def is_called(self, name: str, kind: Kind) -> bool:
        return any((each.name, each.kind) == (name, kind) for each in (self.entity, *self.others))

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
    people = [e for certainty, e in found if certainty >= CERTAIN and e.kind is Kind.PERSON and " " in e.name]
    if one := _exact(words, called, people) if called else register.meant(typed):
        return (_with_short_names(archive, one),)
    if not found or found[0][0] < CERTAIN:
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
        wanted = retrieval.adjective(name)
        typed = (wanted, retrieval.plural(wanted), fold(name))
        matches = dict.fromkeys(match.entity for each in typed for match in archive.register().find(each))
        same += [other for other in matches if other.kind is Kind.GROUP and retrieval.adjective(other.name) == wanted]
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
        is_plain_word = (retrieval.is_word(first) or retrieval.is_region(first)) and not retrieval.is_first_name(first)
        return len(words) > 1 and is_plain_word and any(other[1:] and other[-1] == words[-1] for other in others)
    within = {words[i:j] for i in range(len(words)) for j in range(i + 2, len(words) + 1)} - {words}
    return bool(_GLUED.search(entity.name)) or (entity.kind is Kind.PERSON and any(other in within for other in others))
