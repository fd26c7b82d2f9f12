"""Where the model points -> who speaks, by the label that is shown."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise

from retrieval.model import Kind, Span
from retrieval.names.gazetteer import is_first_name, is_people, is_word, pronouns
from retrieval.names.name_parts import is_role, is_title
from retrieval.names.titles import HONORIFICS
from retrieval.speech.cues import OWNS, Shape, Source, Speech, cues, names_speaker, role_start
from retrieval.speech.labels import Labels
from retrieval.speech.sources import BEFORE_OTHERS, NAMED, SURE_PLACE, source_at
from retrieval.text.blocks import Layout
from retrieval.text.terms import fold
from retrieval.text.tokens import Tokens

_FULL_NAME = re.compile(r"[A-Z][\w’'.-]+(?: [A-Z][\w’'.-]*){1,3}")
_JOINT = re.compile(r"(?:, [^,.]{1,30},)? and [^.]{0,30}")
_COMPLEMENT = re.compile(r" (?:of|in|for|on|at) ")
_OTHER_GENDER = {"he": "she", "she": "he"}
FIRST_NAME = 3  # times that an article says "he": what a first name or "Mr" counts for
SURELY = 0.9  # from which a person whom the model names is rather shown than how the sentence describes them
LEAST = 0.1  # the probability below which nobody is meant, whoever else is left out
NEAR = 1500  # characters that the model surely reads together
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

    def __init__(self, layout: Layout, speeches: Iterable[Speech]) -> None:
        self._tokens = layout.tokens
        self._labels = Labels(layout)
        speeches = list(speeches)
        shorter = dict(self._shortened(speeches))  # names that the model reads without what stands before them

        @cache  # an article has few speakers and many sentences
        def label_of(words: str) -> str | None:
            label = self._labels.of(words)
            return shorter.get(label, label) if label else None

        self._label_of = label_of
        self._holders_of = cache(self._labels.holders)
        self._genders: Counter[tuple[str, str]] = Counter()  # by label and pronoun, how much says so
        for mention in chain(*layout.mentions):
            place = self._tokens.within(mention.span) if mention.kind is Kind.PERSON else range(0)
            gender = self._gender_before(place[0]) if place else None
            label = (self._label_of(mention.name) or mention.name) if gender else ""
            if gender and _gender_of(label) != _OTHER_GENDER[gender]:  # "Mrs. Lee" is not "John Lee"
                self._genders[label, gender] += FIRST_NAME
        self._learn_names(layout)
        self._speaking: set[str] = set()
        self._introduced: dict[str, set[str]] = {}  # by its noun, what an unnamed source is first called
        self._are_joint = cache(self._find_joint)
        self._meant_by: dict[str, set[str]] = {}  # by a surname that several bear, whom the model means
        for speech in speeches:
            self._learn(speech)

    def _gender_before(self, first: int) -> str | None:
        """Return the pronoun that the title before a name tells: "she" of "Mrs. Lee"."""
        title = self._tokens.word(first - 1)
        return "she" if title in cues.female else "he" if title in cues.male else None

    def _learn_names(self, layout: Layout) -> None:
        self._places: dict[str, list[int]] = {}  # where the article has a name
        self._families: dict[str, set[str]] = {}  # the full names with a surname
        self._name_words: set[str] = set()
        for mention in chain(*layout.mentions):
            self._places.setdefault(mention.name, []).append(mention.span.start)
            self._name_words.update(mention.name.lower().split())
            if mention.name in self._labels.persons:
                self._families.setdefault(mention.name.split(maxsplit=1)[1], set()).add(mention.name)

    def _shortened(self, speeches: Iterable[Speech]) -> Iterator[tuple[str, str]]:
        """Yield the names of persons to which the model points from a first name on: "Marketing | Ann Lee"."""
        for speech in speeches:
            own = self._tokens.within(speech.name) if speech.name and speech.named >= SURELY else range(0)
            first, mention = next((self._tokens.ending[i] for i in own if i in self._tokens.ending), (0, None))
            before = self._tokens.words[first : own[0]] if mention and mention.kind is Kind.PERSON else ()
            is_said_of = any(map(is_word, before)) and not any(map(is_title, before))  # but not "Zubair | Ali Thale"
            if mention and before and is_said_of and is_first_name(self._tokens.words[own[0]]):
                name = self._tokens.text[self._tokens.starts[own[0]] : mention.span.end]
                if " " in name and mention.name.endswith(f" {name}"):
                    yield mention.name, name

    def _learn(self, speech: Speech) -> None:
        own, party, source = self._party(speech.source, 1.0), self._named(speech.name, speech.named), speech.source
        if own and party and self._tells(own, party):
            self._meant_by.setdefault(own.label, set()).add(party.label)
        if own and own.named:
            self._speaking.add(own.label)
            following = self._tokens.lower[speech.last + 1 : speech.last + 3]
            for word in following[:1] if following[:1] != ("that",) else following[1:]:  # "Lee said she …"
                self._genders[own.label, word] += 1
        elif own and source and self._tokens.lower[source.first] in ("a", "an", "another", "one"):
            self._introduced.setdefault(source.head, set()).add(own.label)
        if party and source and source.head in _OTHER_GENDER:
            self._genders[party.label, source.head] += speech.named  # type: ignore[assignment]

    def of(self, speech: Speech) -> Party | None:
        """Return who a speech's source is; None for a pronoun of which the model does not tell whom it means."""
        source, named = speech.source, self._named(speech.name, speech.named)
        if source is None or source.shape is Shape.PRONOUN:
            return self._meant(speech)
        own = self._party(source, speech.sourced)
        own = self._apposed(speech, own) or own if own else None
        either = 1 - (1 - own.probability) * (1 - named.probability) if own and named else 0.0
        if own and named and not own.named:
            if self._is_fullest(own, named):
                return replace(own, fullest=True)
            if any(tells(own.source, named) for tells in (self._is_beside, self._begins_with, self._is_short_for)):
                return replace(named, probability=either)
            named = None if self._is_addressed(named, source) else named  # "the auditor accused Lee"
        is_named = named is not None and self._is_surely(source, named)
        introduced = None if own is None or is_named else self._of_introduced(own)
        if own and (party := self._of_family(own, named) or self._holder(own) or introduced):
            return party
        if own is None or named is None:
            likeliest = self._named(*speech.names[0]) if own and speech.names else None
            return replace(own, fullest=likeliest is not None and self._is_fullest(own, likeliest)) if own else named
        if _is_part(own.label, named.label):
            label = named.label if named.named and not self._is_joint(own, named.label) else own.label
            return replace(named, label=label, probability=either)
        if own.named:
            return named if own.probability < SURE_PLACE else own
        return named if is_named or self._may_mean(source, named) else own

    def _apposed(self, speech: Speech, party: Party) -> Party | None:
        """Return the person named between commas behind a description and its verb: "said a nurse, Ann Lee, 52"."""
        last = party.source.last
        end, mention = self._tokens.opening.get(last + 2, (0, None))
        is_parted = self._tokens.word(last + 1) in cues.commas and self._tokens.word(end + 1) in cues.commas
        if party.named or mention is None or not is_parted or speech.last != party.source.first - 1:
            return None
        source = Source(Shape.NAME, last + 2, end, self._tokens.lower[end], mention)
        return self._party(source, party.probability) if mention.kind is Kind.PERSON else None

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
        party = replace(parties[label], probability=probability)
        whole = self._as_meant(party)
        party = whole if whole and self._answers(whole, speech.source) else party
        return party if probability >= NAMED else None

    def _of_family(self, party: Party, named: Party | None) -> Party | None:
        """Return who a surname is that several people bear: whom the model or the article means by it, or itself.

        One that the article has before the only full name may be another person's too.
        """
        family = self._families.get(party.label, set())
        if len(family) < 2:  # noqa: PLR2004 - several
            first = self._places.get(party.label)
            return party if first and any(first < self._places[name] for name in family) else None
        if self._tells(party, named):
            return named
        start = self._tokens.starts[party.source.first]
        before = {name for name in family if self._places[name][0] < start}
        fitting = before if len(before) == 1 else family & self._speaking
        return self._as_meant(party) or (replace(party, label=fitting.pop()) if len(fitting) == 1 else party)

    def _as_meant(self, party: Party) -> Party | None:
        """Return the one person whom the model means wherever it is sure of a family's surname."""
        meant = self._meant_by.get(party.label, set())
        return replace(party, label=next(iter(meant))) if len(meant) == 1 else None

    def _tells(self, party: Party, named: Party | None) -> bool:
        """Return whether the model is sure which one of a family a surname is, having read another one's name too."""
        family = self._families.get(party.label, set())
        if named is None or named.label not in family or named.probability < SURELY:
            return False
        start = self._tokens.starts[party.source.first]
        others = (self._places[name] for name in family - {named.label})
        is_near = any(bisect_left(places, start - NEAR) < bisect_left(places, start + NEAR) for places in others)
        return is_near and not self._are_joint(party.label)

    def _find_joint(self, surname: str) -> bool:
        """Return whether two of a family are named together, so that the surname is either's: "Ann Lee and Tom Lee"."""
        places = sorted((at, at + len(name)) for name in self._families[surname] for at in self._places[name])
        return any(_JOINT.fullmatch(self._tokens.text, first[1], second[0]) for first, second in pairwise(places))

    def _holder(self, party: Party) -> Party | None:
        """Return the one person to whom the article gives the office that a description names."""
        words = self._tokens.lower[party.source.first : party.source.last + 1]
        if party.named or words[0] not in cues.pointing_determiners or not _is_office(words[-1]):
            return None
        holders = self._holders_of(words[1:])
        return replace(party, label=next(iter(holders)), named=True) if len(holders) == 1 else None

    def _of_introduced(self, party: Party) -> Party | None:
        """Return who "the official" is behind a single "port official"."""
        is_pointed = self._tokens.lower[party.source.first] in cues.pointing_determiners
        labels = self._introduced.get(party.source.head, set()) if is_pointed and not party.named else set()
        return replace(party, label=next(iter(labels))) if len(labels) == 1 else None

    def _is_joint(self, own: Party, label: str) -> bool:
        """Return whether a label names several: of "Ann Lee and Omar Diaz", "Lee said" is only the one."""
        is_front = not _is_person(own) and label.startswith(own.label)  # of "Society of Arts and Crafts"
        return " and " in label and not (is_front or label in self._labels.bodies)

    def _is_beside(self, source: Source, named: Party) -> bool:
        """Return whether a name tells whom a description means: "the mill's owner, Varde", not "an aide for Lee"."""
        first, word = named.source.first, self._tokens.word
        start = role_start(self._tokens, source.first, first, named.source.mention) if named.source.mention else first
        is_behind = start > source.first and word(start - 1) in BEFORE_OTHERS
        return source.first <= first <= source.last + 2 and word(named.source.last + 1) not in OWNS and not is_behind

    def _begins_with(self, source: Source, named: Party) -> bool:
        """Return whether a phrase is a person's surname and what isn't said of anybody else: "Lee wondered"."""
        is_surname = _is_person(named) and self._tokens.lower[source.first] == named.label.lower().split()[-1]
        is_owner = self._tokens.word(source.first + 1) in OWNS
        return is_surname and named.probability >= SURELY and not (is_owner or names_speaker(source.head))

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
        described = tokens.lower[source.first + 1 : source.last + 1]
        if party.source.head == source.head and not set(described) <= set(party.label.lower().split()):
            return False  # "the land office" is not "the tax office"
        if (
            _is_office(source.head)
            and described == (source.head,)
            and (len(self._holders_of(described)) > 1 or not self._labels.may_hold(party.label, described))
        ):
            return False  # another office, or one of two mayors
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
                return replace(party, label=self._label_of(self._labels.fullest(words)) or words)
        return party

    def _answers(self, party: Party, source: Source | None) -> bool:
        """Return whether nothing in the article says that "he" is a woman, "she" a man, or "it" somebody."""
        pronoun = source.head if source else ""
        other = _OTHER_GENDER.get(pronoun)
        if other is None:
            return pronoun != "it" or not _is_person(party)
        mention = party.source.mention
        gender = _gender_of(self._labels.fullest(party.label))
        is_body = mention and mention.kind is not Kind.PERSON and not mention.name.isalpha()
        is_thing = party.source.shape is Shape.PHRASE and party.source.head in cues.bodies | cues.documents
        if " and " in party.label or is_thing or (is_body and gender != pronoun):
            return False
        by_name = FIRST_NAME * ((gender == pronoun) - (gender == other))
        return self._genders[party.label, pronoun] + by_name >= self._genders[party.label, other]

    def _party(self, source: Source | None, probability: float) -> Party | None:
        if source is None or source.shape is Shape.PRONOUN:
            return None
        if source.mention:
            name = self._label_of(source.mention.name) or source.mention.name
            gender = self._gender_before(source.first)
            if gender and _gender_of(name) == _OTHER_GENDER[gender]:
                name = f"{self._tokens.words[source.first - 1]} {source.mention.span.of(self._tokens.text)}"
            return Party(name, named=True, source=source, probability=probability)
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
    if party.source.head in cues.one_of_each and len(words) < _BARE_WORDS:
        return True  # "the army"
    is_several = party.source.head in cues.plurals or party.source.head.removesuffix("ss").endswith("s")
    return words[0].lower() not in cues.pointing_determiners or is_several or party.fullest


def _is_person(party: Party) -> bool:
    return party.source.mention is not None and party.source.mention.kind is Kind.PERSON


def _gender_of(name: str) -> str | None:
    return pronouns().get(fold(name.split(maxsplit=1)[0]))


def _is_office(word: str) -> bool:
    return is_title(word) or is_role(word)


def _is_part(short: str, full: str) -> bool:
    """Return whether a label is a shorter one of the same speaker: "Lee" of "Ann Lee"."""
    return set(short.lower().split()) <= set(full.lower().split())


def _is_name(tokens: Tokens, source: Source) -> bool:
    """Return whether a phrase is a list of names, or its head a name that was not recognised."""
    joined = "and" in tokens.lower[source.first : source.last]
    if joined and source.first in tokens.opening and source.last in tokens.ending:
        return True
    head = next((i for i in range(source.first, source.last + 1) if tokens.lower[i] == source.head), source.last)
    is_last = head > source.first or source.first == source.last
    return is_last and tokens.words[head][0].isupper() and not names_speaker(source.head)
