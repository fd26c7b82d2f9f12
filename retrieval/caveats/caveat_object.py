"""What could not be verified -> its kind, whose it is and what it is about: what the features of scope ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from retrieval.caveats import nouns, patterns
from retrieval.caveats.claim_status import named, stems
from retrieval.caveats.inability import Trigger
from retrieval.caveats.object_phrase import ObjectPhrase
from retrieval.lexicon.word_classes import classes
from retrieval.text.terms import root
from retrieval.text.tokens import Tokens

_NAMES = frozenset((*nouns.CLAIMS, *nouns.CLAIM, *nouns.ACCOUNTS, *nouns.FIGURES, *nouns.REPORTS)) | {
    form for family in nouns.FAMILIES for noun in family for form in (noun, f"{noun}s")
}
_NAME_STEMS = frozenset(map(root, _NAMES))
_ENDING_OWNER = classes("basic_prepositions", "particle_prepositions", "relatives") | {"that", "as", "during"}
_LEADING_OWNER = classes("articles", "quantifiers", "distributives", "duals") | {"one", "two", "of"}
_STOPPING_OWNER = classes("basic_prepositions", "coordinators") | {"that", "against"}
_MOST_POSSESSIVES = 2
_REACH = 8  # words behind "by" that may be the name of an owner
_BASE = 3  # words before a trigger that tell its tense


class Kind(StrEnum):
    """What kind of thing could not be verified: each has weights of its own."""

    WITHIN = "within"  # what the same sentence tells
    FIGURE = "figure"
    THING = "thing"  # a video, a letter, a set of data
    PEOPLE = "people"  # what people tell of themselves
    CLAIMS = "claims"
    CLAIM = "claim"
    POINT = "point"  # "this", "it", and no noun
    FACT = "fact"  # "whether he fled", and every noun of no other class


@dataclass(frozen=True, slots=True)
class Object:
    """What could not be verified.

    ``owner`` and ``topic`` are stems: of the name of whose it is, of what it is about; ``families`` the numbers of
    the ``FAMILIES`` of things it names. ``inside`` tells that the caveat's own sentence tells the claim.
    ``often``, ``kept_out``, ``hard``, ``past`` and ``definite`` tell a general remark from a failure.
    """

    kind: Kind
    words: tuple[str, ...]
    owner: frozenset[str]
    topic: frozenset[str]
    sentence: frozenset[str]
    families: frozenset[int]
    inside: bool
    often: bool
    kept_out: bool
    hard: bool
    past: bool

    @property
    def plural(self) -> bool:
        """Whether the claims of several may be meant: not "her claims", nor "the ministry's figures"."""
        if self.owner or (self.words[:1] and self.words[0] in nouns.POSSESSIVES):
            return False
        several = self.kind in (Kind.CLAIMS, Kind.PEOPLE) or any(w.endswith("s") for w in self.words if w in _NAMES)
        return several or not nouns.SEVERAL.isdisjoint(self.words)

    @property
    def pointing(self) -> bool:
        """Whether it begins with "this" or "those"."""
        return self.words[:1] != () and self.words[0] in nouns.POINTERS

    @property
    def sides(self) -> bool:
        """Whether it speaks of both, either or two."""
        return not nouns.SIDES.isdisjoint(self.words)

    @property
    def charges(self) -> bool:
        """Whether it is an allegation against somebody."""
        return not nouns.CHARGES.isdisjoint(self.words)

    @property
    def definite(self) -> bool:
        """Whether certain claims are meant, and not claims in general."""
        return bool(self.words) and (self.words[0] in nouns.DEFINITE or not {"'s", "’s"}.isdisjoint(self.words))

    @property
    def echo(self) -> frozenset[str]:
        """The stems of its nouns: who makes a claim is said to claim."""
        return frozenset(root(word) for word in self.words if word in _NAMES and not named((word,)))


def object_of(line: Tokens, trigger: Trigger, phrase: ObjectPhrase, *, inside: bool) -> Object:
    """Return the object of a caveat."""
    text = " ".join(line.words)
    said = line.lower[max(0, trigger.start - _BASE) : trigger.end + 1]
    owner, topic = _parted(phrase.spelt, phrase.words)
    families = named(phrase.words)
    return Object(
        kind=_kind(phrase, families),
        words=phrase.words,
        owner=owner,
        topic=topic,
        sentence=stems(text),
        families=families,
        inside=inside,
        often=not nouns.OFTEN.isdisjoint((*phrase.words, *said)),
        kept_out=patterns.KEPT_OUT.search(text) is not None and patterns.KEEPING_OUT.search(text) is not None,
        hard=not nouns.HARD.isdisjoint(said),
        past=not {"could", "was", "has", "have"}.isdisjoint(said),
    )


def _kind(phrase: ObjectPhrase, families: frozenset[int]) -> Kind:
    """Return the class of the nouns; the class of the head noun's ending where no noun is known."""
    if phrase.within:
        return Kind.WITHIN
    words = frozenset(phrase.words)
    if words & nouns.FIGURES and not words & {"detail", "details"}:
        return Kind.FIGURE
    if families and not words & (nouns.CLAIMS | nouns.CLAIM | nouns.ACCOUNTS):
        return Kind.THING
    for kind, members in ((Kind.PEOPLE, nouns.ACCOUNTS), (Kind.CLAIMS, nouns.CLAIMS), (Kind.CLAIM, nouns.CLAIM)):
        if words & members:
            return kind
    if not phrase.content:
        return Kind.POINT
    head = _head(phrase.words)
    if head.endswith(nouns.TOLD):
        return Kind.CLAIM
    return Kind.CLAIMS if head.endswith(tuple(f"{ending}s" for ending in nouns.TOLD)) else Kind.FACT


def _head(words: tuple[str, ...]) -> str:
    """Return the last noun before "of", "by", "that": the one that the phrase is about."""
    head = ""
    for word in words:
        if word in nouns.PREPOSITIONS and head:
            break
        if word.isalpha() and word not in nouns.EMPTY:
            head = word
    return head


def _parted(spelt: tuple[str, ...], words: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of the owner and those of the topic."""
    owning = _possessors(words) or _behind(spelt, words) or _modifiers(spelt, words)
    owner = " ".join(spelt[i] for i in sorted(owning) if words[i] not in nouns.ANYBODY)
    rest = (i for i in range(len(words)) if i not in owning)
    topic = " ".join(spelt[i] for i in rest if words[i] not in nouns.EMPTY | _NAMES and words[i].isalpha())
    return stems(owner) - _NAME_STEMS, stems(topic)


def _possessors(words: tuple[str, ...]) -> frozenset[int]:
    """Return where "the ministry" stands in "the ministry's figures", and both in "A's and B's accounts"."""
    found: set[int] = set()
    for mark in [i for i, word in enumerate(words) if _is_possessive(words, i)][:_MOST_POSSESSIVES]:
        for i in range(mark - 1, -1, -1):
            if words[i] in {"and", "or"} and i != mark - 1:
                continue
            if words[i] in _STOPPING_OWNER or words[i] in _NAMES:
                break
            found.add(i)
    return frozenset(found)


def _is_possessive(words: tuple[str, ...], i: int) -> bool:
    return words[i] in {"'s", "’s"} or (words[i] in {"'", "’"} and i > 0 and words[i - 1].endswith("s"))


def _behind(spelt: tuple[str, ...], words: tuple[str, ...]) -> frozenset[int]:
    """Return where the owner stands behind "by" and "from", and behind "of" where that is a name or a body."""
    found: set[int] = set()
    for at, word in enumerate(words[1:], 1):
        if word not in {"by", "from", "of", "between"}:
            continue
        places = [i for i in range(at + 1, min(len(words), at + _REACH)) if words[i] not in _LEADING_OWNER]
        if not places or not _is_owner(spelt, words, places[0], at):
            continue
        end = next((n for n, i in enumerate(places) if words[i] in _ENDING_OWNER), len(places))
        found.update(places[:end])
    return frozenset(found)


def _is_owner(spelt: tuple[str, ...], words: tuple[str, ...], i: int, at: int) -> bool:
    """Tell "by the rebels", "of the group" from "of fighting", and "accounts from Ann Lee" from "events in Libya"."""
    is_name = spelt[i][0].isupper()
    if words[at] == "of":
        return is_name or words[i] in nouns.BODIES
    return words[at] != "from" or not is_name or words[i] in nouns.BODIES or not _NAMES.isdisjoint(words[:at])


def _modifiers(spelt: tuple[str, ...], words: tuple[str, ...]) -> frozenset[int]:
    """Return where the name stands in "the Russian claim", "the Lantern report"."""
    near = (i for i, word in enumerate(spelt[:-1]) if word[0].isupper() and words[i] not in nouns.EMPTY)
    return frozenset(i for i in near if not _NAMES.isdisjoint(words[i + 1 : i + 4]))
