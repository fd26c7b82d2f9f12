"""Pronouns and "the minister" -> who is meant, where that is certain, and nobody where it is not.

A ``Party`` is a speaker as the article calls it; ``Memory`` keeps who was in focus in the sentences read so far.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain

from retrieval.model import Boilerplate, Kind, Mention, Sentence
from retrieval.names.outlets import Press
from retrieval.speech.cues import Shape, Source, cues
from retrieval.speech.labels import Labels
from retrieval.speech.phrases import names_speaker
from retrieval.speech.sources import is_outlet
from retrieval.speech.subjects import clause_subject
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

_WINDOW = 4  # sentences back that a pronoun reaches
_NEAR = 3  # sentences back to the party that a noun refers to
_NEAR_HOLDER = 6  # sentences back to the president who is meant, of several
_SHORT_TOKENS = 2  # tokens beside the article in "the prime minister"


class Number(Enum):
    """The pronouns that a party answers to."""

    PERSON = auto()  # he, she
    BODY = auto()  # it, they
    MANY = auto()  # they
    THING = auto()  # none, for it does not speak


@dataclass(frozen=True, slots=True)
class Party:
    """A speaker: ``words`` are those of its name and of its role, in lower case."""

    name: str
    number: Number
    named: bool
    words: frozenset[str]
    source: Source | None = None


@dataclass(slots=True)
class _SurnameHolders:
    """The first full name with a surname and its offset; ``other`` is the offset of another full name with it."""

    name: str
    first: int
    other: int | None = None


@dataclass(slots=True)
class Memory:
    """Who spoke or was the subject, sentence by sentence, and who is a woman or a man."""

    layout: Layout
    press: Press
    labels: Labels
    speakers: dict[int, Party] = field(default_factory=dict)
    female: dict[str, bool] = field(default_factory=dict)
    _votes: Counter[str] = field(default_factory=Counter)  # above 0 where "she" follows a sentence about somebody
    unresolved: dict[int, str] = field(default_factory=dict)  # sentences in which a pronoun was left open, and which
    _by_word: dict[str, dict[str, Party]] = field(default_factory=dict)  # the named speakers so far
    _holders: dict[str, _SurnameHolders] = field(default_factory=dict)  # by surname

    def __post_init__(self) -> None:
        """Learn titles and genders from the whole article: "Ms. Lee", "Ann Lee, the mayor", "Lee … her"."""
        genders_by_name: dict[str, set[bool]] = {}
        for mention in chain(*self.layout.mentions):
            surname = mention.name.split()[-1]
            holders = self._holders.setdefault(surname, _SurnameHolders(mention.name, mention.span.start))
            if holders.other is None and mention.name not in (holders.name, surname):
                holders.other = mention.span.start
            place = self.tokens.within(mention.span) if mention.kind is Kind.PERSON else None
            title = self.tokens.lower[place[0] - 1] if place and place[0] else ""
            if title in cues.female | cues.male:
                genders_by_name.setdefault(mention.name, set()).add(title in cues.female)
        # a couple is Mr. and Mrs. Lee
        self.female.update({name: True in genders for name, genders in genders_by_name.items() if len(genders) == 1})
        for index, line in enumerate(self.tokens.sentences[1:]):
            opener = self.tokens.word(line.start)
            subject = self._only_subject(index) if opener in ("he", "she") else None
            if subject:
                self._votes[subject] += 1 if opener == "she" else -1

    def _only_subject(self, index: int) -> str | None:
        """Return the person whom a sentence is about, where it names nobody else."""
        line = self.tokens.sentences[index]
        subject = clause_subject(self.tokens, line.start, line.stop) if line else None
        name = subject.mention.name if subject and subject.mention else None
        return name if {each.name for each in self._persons(index)} == {name} else None

    @property
    def tokens(self) -> Tokens:
        return self.layout.tokens

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.layout.sentences

    def remember(self, index: int, party: Party) -> None:
        """Record who speaks in a sentence; sentences come in order."""
        self.speakers[index] = party
        if party.named:
            for word in party.words:
                self._by_word.setdefault(word, {})[party.name] = party

    def learn(self, party: Party, pronoun: str) -> None:
        if party.number is Number.PERSON and pronoun in ("he", "she"):
            self._votes[party.name] += 1 if pronoun == "she" else -1

    def party(self, source: Source, index: int) -> Party | None:
        """Return who ``source`` is in sentence ``index``; None where a pronoun may be several."""
        if source.shape is Shape.PRONOUN:
            party = (
                self._subject_before_quotation(source, index)
                or self._sentence_subject(source, index)
                or self._referred(source.head, index)
            )
            later = {m.name for m in self._persons(index) if m.span.start > self.tokens.starts[source.last]}
            if party is None or party.name in later:  # "he told Lee" is somebody else than Lee
                self.unresolved[index], party = source.head, None
            return party
        if source.mention is not None:
            return self._named_party(source, source.mention)
        party = self._definite_party(source, index) or self._unnamed_party(source)
        return party if party.name else None

    def _named_party(self, source: Source, mention: Mention) -> Party:
        tokens = self.tokens
        words = set(tokens.lower[source.first : source.last + 1])
        if mention.role:
            words.update(tokens.text[mention.role.start : mention.role.end].lower().split())
        words.update(mention.name.lower().split())
        words.update(tokens.lower[max(0, source.first - 1) : source.first])
        is_person = mention.kind is Kind.PERSON or _has_who(tokens, source)
        number = Number.MANY if mention.kind is Kind.GROUP else Number.PERSON if is_person else Number.BODY
        name = self._full_name(mention)
        party = Party(self.labels.of(name) or name, number, named=True, words=frozenset(words), source=source)
        self._note_gender(party)
        return party

    def _full_name(self, mention: Mention) -> str:
        """Return the full name for a surname that only one person has so far."""
        if " " in mention.name or mention.kind is not Kind.PERSON:
            return mention.name
        holders = self._holders.get(mention.name)
        if holders is None or holders.name == mention.name or holders.first >= mention.span.start:
            return mention.name
        if holders.other is None or holders.other >= mention.span.start:
            return holders.name
        full = (name for name in self._by_word.get(mention.name.lower(), {}) if name.endswith(f" {mention.name}"))
        spoken = {name for name in full if name in self.labels.persons}  # of a family, the one who has spoken
        return spoken.pop() if len(spoken) == 1 else mention.name

    def _unnamed_party(self, source: Source) -> Party:
        last = source.last
        while self.tokens.named[last] and last not in self.tokens.ending and self.tokens.named[last + 1 : last + 2]:
            last += 1  # "Moon Jae | -in"
        spelt = self.tokens.spelt(source.first, last + 1).lstrip("-")  # of "then-Mayor"
        name = self.labels.of(spelt) or ""
        words = frozenset((*self.tokens.lower[source.first : source.last + 1], *name.lower().split()))
        named = name in self.labels.persons or _is_named(self.tokens, source)
        party = Party(name, _number(source, words, named=named), named=named, words=words, source=source)
        self._note_gender(party)
        return party

    def _note_gender(self, party: Party) -> None:
        if party.number is Number.PERSON and bool(party.words & cues.female) != bool(party.words & cues.male):
            self.female.setdefault(party.name, bool(party.words & cues.female))

    def _referred(self, pronoun: str, index: int) -> Party | None:
        """Return the nearest party that answers to the pronoun."""
        for i in range(index - 1, max(-1, index - 1 - _WINDOW), -1):
            sentence = self.sentences[i]
            if sentence.boilerplate is Boilerplate.HEADING:
                break
            if sentence.boilerplate:
                continue
            if self.unresolved.get(i) == pronoun:
                return None
            party = self.speakers.get(i) or self._focus(i)
            if party and self._answers(party, pronoun):
                return party
            if i not in self.speakers and self._goes_on(i, pronoun):
                continue
            if pronoun in ("he", "she") and (i not in self.speakers or self.speakers[i].number is not Number.PERSON):
                persons = self._answering(i, pronoun)
                if persons:
                    return _only(persons) or persons.get(self._opener(i))
        return None

    def _goes_on(self, index: int, pronoun: str) -> bool:
        """Return whether a sentence has the same pronoun as its subject, or is all quotation: neither names a rival."""
        line = self.tokens.sentences[index]
        if not line or all(self.tokens.quoted[line.start : line.stop]):
            return True
        subject = clause_subject(self.tokens, line.start, line.stop)
        return subject is not None and subject.shape is Shape.PRONOUN and subject.head == pronoun

    def _subject_before_quotation(self, source: Source, index: int) -> Party | None:
        """Return the subject before a quotation or a semicolon: "Lee wept: “…,” she said", "It fell; it said"."""
        line = self.tokens.sentences[index]
        before = range(line.start, source.first)
        quoted = next((i for i in before if self.tokens.quoted[i] or self.tokens.lower[i] == ";"), None)
        if quoted is None or quoted == line.start:
            return None
        subject = clause_subject(self.tokens, line.start, quoted)
        if subject is None or subject.shape is Shape.PRONOUN:
            return None
        party = self._named_party(subject, subject.mention) if subject.mention else self._unnamed_party(subject)
        return party if self._answers(party, source.head) else None

    def _sentence_subject(self, source: Source, index: int) -> Party | None:
        """Return the one person named before "he": "Lee has a plan that he says …"; "Lee left, he said" is open."""
        tokens, line = self.tokens, self.tokens.sentences[index]
        if source.first == line.start or not tokens.words[source.first - 1][-1].isalnum():
            return None
        return _only(self._answering(index, source.head, tokens.starts[source.first]))

    def _answers(self, party: Party, pronoun: str) -> bool:
        if pronoun == "it":
            return party.number is Number.BODY
        if pronoun == "they":
            return party.number in (Number.BODY, Number.MANY)
        female = self.female.get(party.name, self._votes[party.name] > 0 if self._votes[party.name] else None)
        return (
            pronoun in ("he", "she")
            and party.number is Number.PERSON
            and (female is None or female == (pronoun == "she"))
        )

    def _persons(self, index: int) -> tuple[Mention, ...]:
        return tuple(m for m in self.layout.mentions[index] if m.kind is Kind.PERSON)

    def _answering(self, index: int, pronoun: str, before: int | None = None) -> dict[str, Party]:
        """Return whom a sentence names outside quotations, up to ``before``, and who answer to the pronoun."""
        own = (m for m in self._persons(index) if not self.tokens.quoted[self.tokens.within(m.span).start])
        mentions = (m for m in own if before is None or m.span.end <= before)
        parties = filter(None, map(self._mentioned, mentions))
        return {party.name: party for party in parties if self._answers(party, pronoun)}

    def _opener(self, index: int) -> str:
        """Return the name that opens a sentence, also as an owner's: "Ms. Lee's plan met Mr. Diaz"."""
        start = self.tokens.sentences[index].start
        opened = self.tokens.opening.get(start + (self.tokens.word(start) in cues.titles))
        return opened[1].name if opened else ""

    def _focus(self, index: int) -> Party | None:
        """Return the subject of the main clause of a sentence that reports nobody."""
        line = self.tokens.sentences[index]
        if not line or self.tokens.quoted[line.start]:
            return None
        source = clause_subject(self.tokens, line.start, line.stop)
        if source is None or source.shape is Shape.PRONOUN:
            return None
        if source.mention is not None:
            return self._named_party(source, source.mention)
        party = self._unnamed_party(source) if names_speaker(source.head) else None
        return party if party and party.number is not Number.BODY else None

    def _definite_party(self, source: Source, index: int) -> Party | None:
        """Return the one party so far that "the minister" can be, by the words of its role or name."""
        tokens = self.tokens
        if tokens.lower[source.first] != "the" or source.last - source.first > _SHORT_TOKENS:
            return None
        if source.head in cues.documents - cues.outlet_nouns:
            return None
        wanted = frozenset(tokens.lower[source.first + 1 : source.last + 1])
        near = [self.speakers[i] for i in range(index - 1, max(-1, index - 1 - _WINDOW), -1) if i in self.speakers]
        for party in near:
            if wanted <= party.words and party.named:
                return party
        known = self._by_word.get(source.head)
        if known:
            party = next(iter(known.values()))
            return party if len(known) == 1 and wanted <= party.words else None
        alike = {
            p.name: p
            for p in near
            if p.source and not p.source.mention and p.source.head == source.head and wanted <= p.words
        }
        return self._holder(source, index) or self._antecedent(source, index) or _only(alike)

    def _holder(self, source: Source, index: int) -> Party | None:
        """Return the one person named before who holds the office: "the senator", after "Sen. Ann Lee"."""
        if source.last == source.first or self.tokens.word(source.last + 1) == "of":
            return None
        holders = self.labels.holders(self.tokens.lower[source.first + 1 : source.last + 1])
        near = {m.name for i in range(max(0, index - _NEAR_HOLDER), index) for m in self._persons(i)}
        fitting = [m for name, m in holders.items() if len(holders) == 1 or name in near]
        party = self._mentioned(fitting[0]) if len(fitting) == 1 else None
        return party if party and party.source and party.source.first < source.first else None

    def is_introduced(self, source: Source, index: int) -> bool:
        """Return whether the article knows "the judge" as such: by "a judge", or with nobody named near by."""
        lower = self.tokens.lower
        for i in range(source.first - 1, -1, -1):
            if lower[i] == source.head and not cues.indefinites.isdisjoint(lower[max(0, i - _SHORT_TOKENS) : i]):
                return True
        return not any(self._persons(i) for i in range(max(0, index - _NEAR), index + 1))

    def _antecedent(self, source: Source, index: int) -> Party | None:
        """Return the one named party near by that "the group", "the newspaper" or "the activist" can refer to.

        None where a party without a name bears the noun ("a lawyer said … the lawyer added"), where several fit, or
        where a person has not spoken.
        """
        near = range(max(0, index - _NEAR), index)
        speakers_near = [self.speakers[i] for i in near if i in self.speakers]
        if any(source.head in party.words for party in speakers_near):
            return None
        candidates = {party.name: party for party in speakers_near if self._fits(source.head, party)}
        if not candidates and source.head in cues.body_nouns | cues.outlet_nouns:
            for i in near:
                if not self.sentences[i].boilerplate:
                    found = (self._mentioned(mention) for mention in self.layout.mentions[i])
                    candidates.update(
                        {p.name: p for p in found if p and p.name not in candidates and self._fits(source.head, p)}
                    )
        if source.head in cues.occupations:
            persons = {m.name for i in near for m in self._persons(i)}
            candidates = candidates if persons == candidates.keys() and source.last == source.first + 1 else {}
        return _only(candidates)

    def _mentioned(self, mention: Mention) -> Party | None:
        place = self.tokens.within(mention.span)
        if not place:
            return None
        source = Source(Shape.NAME, place[0], place[-1], self.tokens.lower[place[-1]], mention)
        return self._named_party(source, mention)

    def _fits(self, head: str, party: Party) -> bool:
        if not party.named or party.source is None or party.source.mention is None:
            return False
        kind, outlet = party.source.mention.kind, is_outlet(self.tokens, party.source, self.press)
        return (
            (head in cues.outlet_nouns and outlet)
            or (head in cues.body_nouns and kind is Kind.ORG and not outlet and not party.words & cues.bodies)
            or (head in cues.occupations and kind is Kind.PERSON)
        )


def _only(candidates: dict[str, Party]) -> Party | None:
    return next(iter(candidates.values())) if len(candidates) == 1 else None


def _has_who(tokens: Tokens, source: Source) -> bool:
    """Return whether "who" follows a name of uncertain kind: a body would be "which"."""
    words = tokens.lower[source.last + 1 : source.last + 3]
    return source.mention is not None and source.mention.rule == "rest" and (*words, "")[words[:1] == (",",)] == "who"


def _number(source: Source, words: frozenset[str], *, named: bool) -> Number:
    head = source.head
    if head in cues.plurals or (head.endswith(("s", "men")) and not head.endswith("ss")) or "and" in words:
        return Number.MANY
    if head in cues.bodies or head in cues.documents:
        return Number.BODY
    return Number.PERSON if names_speaker(head) or named else Number.THING


def _is_named(tokens: Tokens, source: Source) -> bool:
    """Return whether a phrase is a list of names, or its head a name that was not recognised."""
    joined = "and" in tokens.lower[source.first : source.last]
    if joined and source.first in tokens.opening and source.last in tokens.ending:
        return True
    head = next((i for i in range(source.first, source.last + 1) if tokens.lower[i] == source.head), source.last)
    is_last = head > source.first or source.first == source.last
    return is_last and tokens.words[head][0].isupper() and not names_speaker(source.head)
