"""Pronouns and "the minister" -> who is meant, where that is certain, and nobody where it is not.

A ``Party`` is a speaker as the article calls it; ``Memory`` keeps who was in focus in the sentences read so far.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain

from retrieval.model import Boilerplate, Kind, Mention, Sentence
from retrieval.press.outlets import Press
from retrieval.speech import cues
from retrieval.speech.cue_matching import is_outlet
from retrieval.speech.cues import Shape, Source
from retrieval.speech.phrases import names_speaker
from retrieval.speech.subjects import opener
from retrieval.text.blocks import Layout
from retrieval.text.tokens import Tokens

_WINDOW = 4  # sentences back that a pronoun reaches
_NEAR = 3  # sentences back to the party that a noun stands for
_SHORT = 2  # tokens beside the article in "the prime minister"


class Number(Enum):
    """Which pronouns a party answers to."""

    PERSON = auto()  # he, she
    BODY = auto()  # it, they
    MANY = auto()  # they
    THING = auto()  # none, for it does not speak


@dataclass(frozen=True, slots=True)
class Party:
    """A speaker: ``name`` as shown, ``words`` its words and those of its role in lower case."""

    name: str
    number: Number
    named: bool
    words: frozenset[str]
    source: Source | None = None


@dataclass(slots=True)
class _Bearers:
    """Who is named first with a surname, and where; ``other`` is where another full name with it stands first."""

    name: str
    first: int
    other: int | None = None


@dataclass(slots=True)
class Memory:
    """Who was in focus, sentence by sentence, and what is known of anyone's gender; filled while reading on."""

    layout: Layout
    press: Press
    speakers: dict[int, Party] = field(default_factory=dict)
    female: dict[str, bool] = field(default_factory=dict)
    unknown: dict[int, str] = field(default_factory=dict)  # sentences in which a pronoun was left open, and which
    # looked up, so that no sentence looks through all that stands before it
    _by_word: dict[str, dict[str, Party]] = field(default_factory=dict)  # the named speakers so far
    _bearers: dict[str, _Bearers] = field(default_factory=dict)  # by surname
    _titled: dict[str, dict[tuple[str, frozenset[str]], Mention]] = field(default_factory=dict)  # by a title's words
    _times: Counter[str] = field(default_factory=Counter)
    _met: dict[str, int] = field(default_factory=dict)  # the persons counted so far, in order
    _most_named: str = ""
    _counted: int = 0  # sentences whose persons are counted

    def __post_init__(self) -> None:
        """Learn from titles, wherever they stand, what the article's first mentions do not tell: "Ms. Lee"."""
        told: dict[str, set[bool]] = {}
        for mention in chain(*self.layout.mentions):
            surname = mention.name.split()[-1]
            bearers = self._bearers.setdefault(surname, _Bearers(mention.name, mention.span.start))
            if bearers.other is None and mention.name not in (bearers.name, surname):
                bearers.other = mention.span.start
            place = self.tokens.within(mention.span) if mention.kind is Kind.PERSON else None
            title = self.tokens.lower[place[0] - 1] if place and place[0] else ""
            if title in cues.FEMALE | cues.MALE:
                told.setdefault(mention.name, set()).add(title in cues.FEMALE)
        # a couple is Mr. and Mrs. Lee
        self.female.update({name: True in genders for name, genders in told.items() if len(genders) == 1})

    @property
    def tokens(self) -> Tokens:
        """The article's tokens."""
        return self.layout.tokens

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The article's sentences."""
        return self.layout.sentences

    def remember(self, index: int, party: Party) -> None:
        """Record who speaks in a sentence; sentences come in order."""
        self.speakers[index] = party
        if party.named:
            for word in party.words:
                self._by_word.setdefault(word, {})[party.name] = party

    def learn(self, party: Party, pronoun: str) -> None:
        """Record that ``pronoun`` stood for ``party``."""
        if party.number is Number.PERSON and pronoun in ("he", "she"):
            self.female.setdefault(party.name, pronoun == "she")

    def party(self, source: Source, index: int) -> Party | None:
        """Return who ``source`` in sentence ``index`` is; nobody where a pronoun's bearer is not certain."""
        if source.shape is Shape.PRONOUN:
            party = (
                self._scolder(source, index)
                or self._opening(source, index)
                or self._subject(source, index)
                or self._referred(source.head, index)
            )
            if party is None:
                self.unknown[index] = source.head
            return party
        if source.mention is not None:
            return self._named(source, source.mention)
        return self._definite(source, index) or self._described(source)

    def _named(self, source: Source, mention: Mention) -> Party:
        tokens = self.tokens
        words = set(tokens.lower[source.first : source.last + 1])
        if mention.role:
            words.update(tokens.text[mention.role.start : mention.role.end].lower().split())
        words.update(mention.name.lower().split())
        words.update(tokens.lower[max(0, source.first - 1) : source.first])
        number = Number.PERSON if mention.kind is Kind.PERSON or _has_who(tokens, source) else Number.BODY
        if mention.kind is Kind.GROUP:
            number = Number.MANY
        party = Party(self._in_full(mention), number, named=True, words=frozenset(words), source=source)
        self._tell_gender(party)
        return party

    def _in_full(self, mention: Mention) -> str:
        """Return a name; of a surname that several bear, the full one of who alone was named so far."""
        if " " in mention.name or mention.kind is not Kind.PERSON:
            return mention.name
        bearers = self._bearers.get(mention.name)
        if bearers is None or bearers.name == mention.name or bearers.first >= mention.span.start:
            return mention.name
        return bearers.name if bearers.other is None or bearers.other >= mention.span.start else mention.name

    def _described(self, source: Source) -> Party:
        name = self.tokens.spelt(source.first, source.last + 1).lstrip("-")  # of "then-Mayor"
        words = frozenset(self.tokens.lower[source.first : source.last + 1])
        named = _is_named(self.tokens, source)
        party = Party(name, _number(source, words, named=named), named=named, words=words, source=source)
        self._tell_gender(party)
        return party

    def _tell_gender(self, party: Party) -> None:
        if party.number is Number.PERSON and bool(party.words & cues.FEMALE) != bool(party.words & cues.MALE):
            self.female.setdefault(party.name, bool(party.words & cues.FEMALE))

    def _referred(self, pronoun: str, index: int) -> Party | None:
        """Return the nearest party in focus that answers to the pronoun."""
        for i in range(index - 1, max(-1, index - 1 - _WINDOW), -1):
            sentence = self.sentences[i]
            if sentence.boilerplate is Boilerplate.HEADING:
                break
            if sentence.boilerplate:
                continue
            if self.unknown.get(i) == pronoun:
                return None
            party = self.speakers.get(i) or self._focus(i)
            if party and self._answers(party, pronoun):
                return party
            if (
                pronoun in ("he", "she")
                and party is not None
                and i in self.speakers
                and party.number in (Number.BODY, Number.MANY)
            ):
                return None
            if pronoun in ("he", "she") and i not in self.speakers and self._persons(i):
                return self._only_person(i, pronoun)
        return None

    def _scolder(self, source: Source, index: int) -> Party | None:
        """Return the subject of the same sentence parted by a quotation: "Lee wept: “…,” she said"."""
        line = self.tokens.sentences[index]
        quoted = next((i for i in range(line.start, source.first) if self.tokens.quoted[i]), None)
        if quoted is None or quoted == line.start:
            return None
        subject = opener(self.tokens, line.start, quoted)
        if subject is None or subject.mention is None:
            return None
        party = self._named(subject, subject.mention)
        return party if self._answers(party, source.head) else None

    def _opening(self, source: Source, index: int) -> Party | None:
        """Return the subject that a clause behind a semicolon takes up: "The board dismissed it; it had said …"."""
        line = self.tokens.sentences[index]
        if source.first == line.start or self.tokens.lower[source.first - 1] != ";" or self.tokens.quoted[line.start]:
            return None
        subject = opener(self.tokens, line.start, source.first)
        if subject is None or subject.shape is Shape.PRONOUN:
            return None
        party = self._named(subject, subject.mention) if subject.mention else self._described(subject)
        return party if self._answers(party, source.head) else None

    def _subject(self, source: Source, index: int) -> Party | None:
        """Return whom the sentence is about, where nobody else is named before "he": "Lee has a plan that he says …".

        What stands behind a comma or a quotation is another's: "Lee has a plan, he said".
        """
        tokens, line = self.tokens, self.tokens.sentences[index]
        if source.first == line.start or not tokens.words[source.first - 1][-1].isalnum():
            return None
        subject = opener(tokens, line.start, source.first)
        if subject is None or subject.mention is None or subject.mention.kind is not Kind.PERSON:
            return None
        others = {m.name for m in self._persons(index) if m.span.end <= tokens.starts[source.first]}
        party = self._named(subject, subject.mention) if len(others) == 1 else None
        return party if party and self._answers(party, source.head) else None

    def _answers(self, party: Party, pronoun: str) -> bool:
        if pronoun == "it":
            return party.number is Number.BODY
        if pronoun == "they":
            return party.number in (Number.BODY, Number.MANY)
        female = self.female.get(party.name)
        return party.number is Number.PERSON and (female is None or female == (pronoun == "she"))

    def _persons(self, index: int) -> tuple[Mention, ...]:
        return tuple(m for m in self.layout.mentions[index] if m.kind is Kind.PERSON)

    def _only_person(self, index: int, pronoun: str) -> Party | None:
        """Return the one person named in a sentence, if it is one and answers to the pronoun."""
        persons = self._persons(index)
        if len({m.name for m in persons}) != 1:
            return None
        party = self._mentioned(persons[0])
        return party if party and self._answers(party, pronoun) else None

    def _focus(self, index: int) -> Party | None:
        """Return whom a sentence that reports nobody is about: the subject of its main clause."""
        line = self.tokens.sentences[index]
        if not line or self.tokens.quoted[line.start]:
            return None
        source = opener(self.tokens, line.start, line.stop)
        if source is None or source.shape is Shape.PRONOUN:
            return None
        if source.mention is not None:
            return self._named(source, source.mention)
        party = self._described(source) if names_speaker(source.head) else None
        return party if party and party.number is not Number.BODY else None

    def _definite(self, source: Source, index: int) -> Party | None:
        """Return whom "the minister" means: the one party so far whose role or name holds the word."""
        tokens = self.tokens
        if tokens.lower[source.first] != "the" or source.last - source.first > _SHORT:
            return None
        if source.head in cues.DOCUMENTS - cues.OUTLETS:
            return None
        called = frozenset(tokens.lower[source.first + 1 : source.last + 1])
        near = [self.speakers[i] for i in range(index - 1, max(-1, index - 1 - _WINDOW), -1) if i in self.speakers]
        for party in near:
            if called <= party.words and party.named:
                return party
        known = self._by_word.get(source.head)
        if known:
            party = next(iter(known.values()))
            return party if len(known) == 1 and called <= party.words else None
        return (
            self._most_named_with(called, index)
            or self._standing_for(source, index)
            or self._described_before(called, source.head, index)
        )

    def _described_before(self, called: frozenset[str], head: str, index: int) -> Party | None:
        """Return the one party near by that "the official" repeats: "a port official", for no "town official"."""
        near = (self.speakers.get(i) for i in range(max(0, index - _WINDOW), index))
        fitting = {
            party.name: party
            for party in near
            if party
            and party.source
            and not party.source.mention
            and party.source.head == head
            and called <= party.words
        }
        return next(iter(fitting.values())) if len(fitting) == 1 else None

    def _most_named_with(self, called: frozenset[str], index: int) -> Party | None:
        """Return whom "the president" means: who is named most so far, if that is President Lee, and no other is."""
        self._count_persons(index)
        entries = min((self._titled.get(word, {}) for word in called), key=len, default={})
        titled: dict[str, Mention] = {}
        for (name, words), mention in entries.items():
            if called <= words:
                titled[name] = max(mention, titled.get(name, mention), key=lambda each: each.span)
            if len(titled) > 1:
                return None
        return self._mentioned(titled[self._most_named]) if self._most_named in titled else None

    def _count_persons(self, index: int) -> None:
        """Count how often each person is named before sentence ``index``, and note their titles."""
        for i in range(self._counted, index):
            for mention in self._persons(i):
                self._times[mention.name] += 1
                times = self._times[mention.name], -self._met.setdefault(mention.name, len(self._met))
                most = self._times[self._most_named], -self._met.get(self._most_named, 0)
                self._most_named = mention.name if times > most else self._most_named
                words = frozenset(mention.role.of(self.tokens.text).lower().split() if mention.role else ())
                for word in words:
                    self._titled.setdefault(word, {})[mention.name, words] = mention
        self._counted = max(self._counted, index)

    def _standing_for(self, source: Source, index: int) -> Party | None:
        """Return the one named party near by that "the group", "the newspaper" or "the activist" can stand for.

        None where a party without a name bears the noun ("a lawyer said … the lawyer added"), where several fit, or
        where a person has not spoken.
        """
        near = range(max(0, index - _NEAR), index)
        spoke = [self.speakers[i] for i in near if i in self.speakers]
        if any(source.head in party.words for party in spoke):
            return None
        fitting = {party.name: party for party in spoke if self._fits(source.head, party)}
        if not fitting and source.head in cues.BODIES_AT_LARGE | cues.OUTLETS:
            for i in near:
                if not self.sentences[i].boilerplate:
                    found = (self._mentioned(mention) for mention in self.layout.mentions[i])
                    fitting.update(
                        {p.name: p for p in found if p and p.name not in fitting and self._fits(source.head, p)}
                    )
        if source.head in cues.CALLINGS:
            persons = {m.name for i in near for m in self._persons(i)}
            fitting = fitting if persons == fitting.keys() and source.last == source.first + 1 else {}
        return next(iter(fitting.values())) if len(fitting) == 1 else None

    def _mentioned(self, mention: Mention) -> Party | None:
        place = self.tokens.within(mention.span)
        if not place:
            return None
        return self._named(Source(Shape.NAME, place[0], place[-1], self.tokens.lower[place[-1]], mention), mention)

    def _fits(self, head: str, party: Party) -> bool:
        """Return whether a noun can stand for a named party."""
        if not party.named or party.source is None or party.source.mention is None:
            return False
        kind, outlet = party.source.mention.kind, is_outlet(self.tokens, party.source, self.press)
        return (
            (head in cues.OUTLETS and outlet)
            or (head in cues.BODIES_AT_LARGE and kind is Kind.ORG and not outlet and not party.words & cues.BODIES)
            or (head in cues.CALLINGS and kind is Kind.PERSON)
        )


def _has_who(tokens: Tokens, source: Source) -> bool:
    """Return whether "who" follows a name of doubtful kind: bodies are "which"."""
    words = tokens.lower[source.last + 1 : source.last + 3]
    return source.mention is not None and source.mention.rule == "rest" and (*words, "")[words[:1] == (",",)] == "who"


def _number(source: Source, words: frozenset[str], *, named: bool) -> Number:
    head = source.head
    if (
        head in cues.PLURALS
        or head.endswith("men")
        or (head.endswith("s") and not head.endswith("ss"))
        or "and" in words
    ):
        return Number.MANY
    if head in cues.BODIES or head in cues.DOCUMENTS:
        return Number.BODY
    return Number.PERSON if names_speaker(head) or named else Number.THING


def _is_named(tokens: Tokens, source: Source) -> bool:
    """Return whether a phrase is a list of names, or its head a name that was not found as one."""
    if (
        source.first in tokens.opening
        and source.last in tokens.ending
        and "and" in tokens.lower[source.first : source.last]
    ):
        return True
    head = next((i for i in range(source.first, source.last + 1) if tokens.lower[i] == source.head), source.last)
    return (
        tokens.words[head][0].isupper()
        and (head > source.first or source.first == source.last)
        and not names_speaker(source.head)
    )
