"""Where the model points -> who speaks, by the label that is shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain

from retrieval.model import Kind, Span
from retrieval.names.gazetteer import is_people, pronouns
from retrieval.names.name_parts import is_role, is_title
from retrieval.names.outlets import Press
from retrieval.names.titles import HONORIFICS
from retrieval.speech.cues import Shape, Source, Speech, cues
from retrieval.speech.labels import Labels
from retrieval.speech.phrases import OWNS, names_speaker
from retrieval.speech.sources import NAMED, SURE_PLACE, is_outlet, source_at
from retrieval.text.blocks import Layout
from retrieval.text.terms import fold
from retrieval.text.tokens import Tokens

_FULL_NAME = re.compile(r"[A-Z][\w’'.-]+(?: [A-Z][\w’'.-]*){1,3}")
_COMPLEMENT = re.compile(r" (?:of|in|for|on|at) ")
_INDEFINITES = frozenset(("a", "an", "another", "one"))
_NEAR_TOKENS = 4  # from an article to its noun
_OTHER_GENDER = {"he": "she", "she": "he"}
FIRST_NAME = 3  # times that an article says "he": what a first name or "Mr" counts for
SURELY = 0.9  # from which a person whom the model names is rather shown than how the sentence describes them
LEAST = 0.1  # the probability below which nobody is meant, whoever else is left out
_BARE_WORDS = 3  # words of "the chief prosecutor": longer descriptions identify a speaker


@dataclass(frozen=True, slots=True)
class Party:
    """A speaker. One without a name is described: "a port official".

    ``probability`` is that of the place. ``fullest``: the model knows no fuller name of theirs.
    """

    label: str
    named: bool
    source: Source
    probability: float = 1.0
    fullest: bool = False


class Parties:
    """Who speaks in an article."""

    def __init__(self, layout: Layout, press: Press, speeches: Iterable[Speech]) -> None:
        self._tokens, self._press = layout.tokens, press
        self._labels = Labels(layout)
        self._label_of = cache(self._labels.of)  # an article has few speakers and many sentences
        self._holders_of = cache(self._labels.holders)
        self._genders: Counter[tuple[str, str]] = Counter()  # by label and pronoun, how much says so
        for mention in chain(*layout.mentions):
            place = self._tokens.within(mention.span) if mention.kind is Kind.PERSON else range(0)
            title = self._tokens.word(place[0] - 1) if place else ""
            if title in cues.female | cues.male:
                label = self._label_of(mention.name) or mention.name
                self._genders[label, "she" if title in cues.female else "he"] += FIRST_NAME
        self._learn_names(layout)
        self._speaking: set[str] = set()
        self._introduced: dict[str, set[str]] = {}  # by its noun, what an unnamed source is first called
        for speech in speeches:
            self._learn(speech)

    def _learn_names(self, layout: Layout) -> None:
        lower = self._tokens.lower
        self._indefinite: dict[str, int] = {}  # the token at which a noun first follows "a"
        for at, word in enumerate(lower):
            if word in _INDEFINITES:
                for behind in range(at + 1, min(len(lower), at + 1 + _NEAR_TOKENS)):
                    self._indefinite.setdefault(lower[behind], behind)
        self._first: dict[str, int] = {}  # where the article first has a name
        self._families: dict[str, set[str]] = {}  # the full names with a surname
        self._name_words: set[str] = set()
        for mention in chain(*layout.mentions):
            if mention.name in self._first:
                continue
            self._first[mention.name] = mention.span.start
            self._name_words.update(mention.name.lower().split())
            if mention.name in self._labels.persons:
                self._families.setdefault(mention.name.split(maxsplit=1)[1], set()).add(mention.name)

    def _learn(self, speech: Speech) -> None:
        own, party, source = self._party(speech.source, 1.0), self._named(speech.name, speech.named), speech.source
        if own and own.named:
            self._speaking.add(own.label)
            following = self._tokens.lower[speech.last + 1 : speech.last + 3]
            for word in following[:1] if following[:1] != ("that",) else following[1:]:  # "Lee said she …"
                self._genders[own.label, word] += 1
        elif own and source and self._tokens.lower[source.first] in _INDEFINITES:
            self._introduced.setdefault(source.head, set()).add(own.label)
        if party and source and source.head in _OTHER_GENDER:
            self._genders[party.label, source.head] += speech.named  # type: ignore[assignment]

    def of(self, speech: Speech) -> Party | None:
        """Return who a speech's source is; None for a pronoun of which the model does not tell whom it means."""
        source, named = speech.source, self._named(speech.name, speech.named)
        if source is None or source.shape is Shape.PRONOUN:
            return self._meant(speech)
        own = self._party(source, speech.sourced)
        either = 1 - (1 - own.probability) * (1 - named.probability) if own and named else 0.0
        if own and named and not own.named:
            if self._is_fullest(own, named):
                return replace(own, fullest=True)
            is_beside = own.source.first <= named.source.first <= own.source.last + 2
            if is_beside and self._tokens.word(named.source.last + 1) not in OWNS:  # "the mill's owner, Varde"
                return replace(named, probability=either)
            if self._is_short_for(source, named):
                return replace(named, probability=either)
            named = None if self._is_addressed(named, source) else named  # "the auditor accused Lee"
        is_named = named is not None and self._is_surely(source, named)
        introduced = None if own is None or is_named else self._of_introduced(own)
        if own and (party := self._of_family(own) or self._holder(own) or introduced):
            return party
        if own is None or named is None:
            likeliest = self._named(*speech.names[0]) if own and speech.names else None
            return replace(own, fullest=likeliest is not None and self._is_fullest(own, likeliest)) if own else named
        if _is_part(own.label, named.label):
            label = named.label if named.named else own.label
            return replace(named, label=label, probability=either)
        if own.named:
            return named if own.probability < SURE_PLACE or self._relays(source, named) else own
        return named if is_named or self._may_mean(source, named) else own

    def _meant(self, speech: Speech) -> Party | None:
        """Return the likeliest of those whom a pronoun can mean, with the probability among these."""
        chances: Counter[str] = Counter()
        parties: dict[str, Party] = {}
        others = 0.0
        for name, probability in speech.names:
            party = self._named(name, probability)
            if party and self._answers(party, speech.source) and not self._is_addressed(party, speech.source):
                chances[party.label] += probability  # type: ignore[assignment]
                parties.setdefault(party.label, party)
            elif party:
                others += probability
        label = max(chances, key=chances.__getitem__, default="")
        if chances[label] < LEAST:
            return None
        probability = min(1.0, chances[label] / (1.0 - others))
        return replace(parties[label], probability=probability) if probability >= NAMED else None

    def _of_family(self, party: Party) -> Party | None:
        """Return who a surname is that several people bear: the one of them who speaks by the full name, or itself.

        One that the article has before the only full name may be another person's too.
        """
        family = self._families.get(party.label, set())
        if len(family) < 2:  # noqa: PLR2004 - several
            first = self._first.get(party.label)
            return party if first is not None and any(first < self._first[name] for name in family) else None
        start = self._tokens.starts[party.source.first]
        before = {name for name in family if self._first[name] < start}
        fitting = before if len(before) == 1 else family & self._speaking
        return replace(party, label=fitting.pop()) if len(fitting) == 1 else party

    def _relays(self, source: Source, named: Party) -> bool:
        """Return whether an outlet says what somebody in the sentence said: "…, Lee said, according to the Gazette"."""
        sentences = {self._tokens.sentence_at(each.first) for each in (source, named.source)}
        return len(sentences) == 1 and is_outlet(self._tokens, source, self._press)

    def _holder(self, party: Party) -> Party | None:
        """Return the one person to whom the article gives the office that a description names."""
        words = self._tokens.lower[party.source.first : party.source.last + 1]
        if party.named or words[0] not in cues.pointing_determiners or not _is_office(words[-1]):
            return None
        holders = self._holders_of(words[1:])
        return replace(party, label=next(iter(holders)), named=True) if len(holders) == 1 else None

    def _of_introduced(self, party: Party) -> Party | None:
        """Return who "the official" is behind "a port official", or the description itself behind several."""
        if party.named or self._tokens.lower[party.source.first] not in cues.pointing_determiners:
            return None
        labels = self._introduced.get(party.source.head, set())
        if len(labels) == 1:
            return replace(party, label=next(iter(labels)))
        is_office = _is_office(self._tokens.lower[party.source.last])
        is_introduced = self._indefinite.get(party.source.head, party.source.first) < party.source.first
        return party if labels or is_office or is_introduced else None

    def _is_addressed(self, party: Party, source: Source | None) -> bool:
        """Return whether the sentence names a party behind "he": "he told Lee" is somebody else than Lee."""
        if source is None:
            return False
        line = self._tokens.sentences[self._tokens.sentence_at(source.first)]
        return party.named and party.label.lower().split()[-1] in self._tokens.lower[source.last + 1 : line.stop]

    def _is_short_for(self, source: Source, named: Party) -> bool:
        """Return whether a body's name has all words of a description: "the department" of "Transport Department"."""
        first, *words = self._tokens.lower[source.first : source.last + 1]
        own = _COMPLEMENT.split(named.label.lower(), maxsplit=1)[0].split()
        is_body = named.named and not _is_person(named) and first in cues.pointing_determiners
        return is_body and own[-1:] == words[-1:] and {*words} <= {*own}

    def _is_fullest(self, party: Party, named: Party) -> bool:
        """Return whether the model points at a description itself, or at a person for a body that has no name here."""
        if party.source.head in cues.bodies and _is_person(named):
            return party.source.head not in self._name_words
        return party.label.lower().removeprefix("the ") == named.label.lower().removeprefix("the ")

    def _may_mean(self, source: Source, party: Party) -> bool:
        """Return whether "the magnate" may be a person, and "the company" a body; "another man" is nobody named.

        What is no office ("the port authority") is a person only where the model is nearly certain, as is a bare name.
        """
        tokens = self._tokens
        if tokens.lower[source.first] not in cues.pointing_determiners or tokens.lower[source.last] != source.head:
            return False
        is_body = source.head in cues.bodies | cues.documents
        is_certain = party.probability >= SURELY or _is_office(source.head)
        if _is_person(party):
            return is_certain and not is_body
        is_surname = party.named and party.label.isalpha() and _is_office(source.head)
        return is_body or (is_surname and party.probability >= SURELY)

    def _is_surely(self, source: Source, party: Party) -> bool:
        """Return whether "the mayor", or "the mayor of Oxley", is surely a person whom the model names."""
        is_long = source.last - source.first >= _BARE_WORDS - 1
        is_described = is_long and self._tokens.lower[source.first] in cues.pointing_determiners and _is_person(party)
        is_person = is_described and source.head not in cues.bodies | cues.documents
        office = self._tokens.lower[source.first : source.last + 1]
        is_holder = self._may_mean(source, party) and self._labels.may_hold(party.label, office)
        return party.probability >= SURELY and (is_person or is_holder)

    def _named(self, name: Span | None, probability: float) -> Party | None:
        if name is None:
            return None
        words = name.of(self._tokens.text)
        party = self._party(source_at(self._tokens, name), probability)
        if party and _is_person(party) and _FULL_NAME.fullmatch(words) and words.endswith(party.label.split()[-1]):
            first = words.split()[0]
            if first not in HONORIFICS and not (is_title(first) or is_role(first) or is_people(first)):
                return replace(party, label=self._labels.fullest(words))
        return party

    def _answers(self, party: Party, source: Source | None) -> bool:
        """Return whether nothing in the article says that "he" is a woman, "she" a man, or "it" somebody."""
        pronoun = source.head if source else ""
        other = _OTHER_GENDER.get(pronoun)
        if other is None:
            return pronoun != "it" or not _is_person(party)
        mention = party.source.mention
        gender = pronouns().get(fold(self._labels.fullest(party.label).split()[0]))
        is_body = mention and mention.kind is not Kind.PERSON and not mention.name.isalpha()
        is_thing = party.source.shape is Shape.PHRASE and party.source.head in cues.bodies | cues.documents
        if " and " in party.label or is_thing or (is_body and gender != pronoun):
            return False
        by_name = FIRST_NAME * (gender == other)
        return self._genders[party.label, pronoun] >= self._genders[party.label, other] + by_name

    def _party(self, source: Source | None, probability: float) -> Party | None:
        if source is None or source.shape is Shape.PRONOUN:
            return None
        if source.mention:
            name = source.mention.name
            return Party(self._label_of(name) or name, named=True, source=source, probability=probability)
        last = source.last
        while self._tokens.named[last] and last not in self._tokens.ending and self._tokens.named[last + 1 : last + 2]:
            last += 1  # "Moon Jae | -in"
        label = self._label_of(self._tokens.spelt(source.first, last + 1).lstrip("-"))  # of "then-Mayor"
        if not label:
            return None
        named = label in self._labels.persons or _is_name(self._tokens, source)
        return Party(label, named, source, probability)


def is_identified(party: Party) -> bool:
    """Return False where a reader does not learn who it is: "his lawyer", "the mayor"."""
    words = party.label.split()
    if party.named or len(words) > _BARE_WORDS or any(word[0].isupper() for word in words[1:]):
        return True
    if words[0].lower() in cues.possessives:
        return party.source.head in cues.bodies  # "their union", but not "its website"
    is_several = party.source.head in cues.plurals or party.source.head.removesuffix("ss").endswith("s")
    return words[0].lower() not in cues.pointing_determiners or is_several or party.fullest


def _is_person(party: Party) -> bool:
    return party.source.mention is not None and party.source.mention.kind is Kind.PERSON


def _is_office(word: str) -> bool:
    return is_title(word) or is_role(word)


def _is_part(short: str, full: str) -> bool:
    """Return whether a label is a shorter one of the same speaker: "Lee" of "Ann Lee"."""
    return set(short.split()) <= set(full.split())


def _is_name(tokens: Tokens, source: Source) -> bool:
    """Return whether a phrase is a list of names, or its head a name that was not recognised."""
    joined = "and" in tokens.lower[source.first : source.last]
    if joined and source.first in tokens.opening and source.last in tokens.ending:
        return True
    head = next((i for i in range(source.first, source.last + 1) if tokens.lower[i] == source.head), source.last)
    is_last = head > source.first or source.first == source.last
    return is_last and tokens.words[head][0].isupper() and not names_speaker(source.head)
